package unmatched

import (
	"testing"

	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

func TestNearestConforms(t *testing.T) {
	dates := conformance.SourceOptions{Versions: []string{"2024-01-01", "2025-01-01", "2026-01-01"}}
	numbers := conformance.SourceOptions{Versions: []string{"0.16.1", "0.17.0", "1.0"}}
	hosted := conformance.SourceOptions{Versions: []string{"0.16.1", "0.17.0", "1.0"}, Host: "1.0.api.example.com"}
	for name, from := range map[string]source.Source{
		"header": verso.Header("Api-Version"), "query": verso.QueryParam("version"), "path": verso.PathParam("version"), "accept": verso.AcceptParam("version"),
		"host": verso.HostLabel(`^([0-9.-]+)\.api\.example\.com$`),
	} {
		for order, by := range map[string]verso.Order{"within": verso.ByNumberWithinMajor(), "up to": verso.ByNumberUpTo("3.0"), "newest": verso.ByNumberUpToNewest()} {
			t.Run(name+" "+order, func(t *testing.T) {
				options := numbers
				if name == "host" {
					options = hosted
				}
				conformance.Source(t, verso.Nearest(from, by), options)
			})
		}
		if name != "host" {
			t.Run(name+" dates", func(t *testing.T) { conformance.Source(t, verso.Nearest(from, verso.ByDate()), dates) })
		}
	}
	t.Run("first", func(t *testing.T) {
		conformance.Source(t, verso.First(verso.Nearest(verso.QueryParam("version"), verso.ByDate()), verso.Nearest(verso.Header("Api-Version"), verso.ByDate())), dates)
	})
	t.Run("agree", func(t *testing.T) {
		conformance.Source(t, verso.Agree(verso.Nearest(verso.QueryParam("version"), verso.ByDate()), verso.Nearest(verso.Header("Api-Version"), verso.ByDate())), dates)
	})
}
