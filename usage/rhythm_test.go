package usage_test

import (
	"net/http"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
)

// TestJobIsLeft: a client called v1 daily until 28 February. Its web shop has been on v3 since,
// and its quarterly job still calls v1: it is quiet until the job has missed its time.
func TestJobIsLeft(t *testing.T) {
	begin := time.Date(2025, 8, 1, 9, 0, 0, 0, time.UTC)
	moved := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	clock := versotest.NewClock(begin)
	table := usage.NewTable(&verso.Config{Catalogue: versions(t), Clock: clock.Now})
	for at := begin; at.Before(noon); at = at.AddDate(0, 0, 1) {
		clock.Set(at)
		version := "v1"
		if !at.Before(moved) {
			version = "v3"
		}
		table.Observe(t.Context(), call(version, "acme", "/orders", at))
		if version == "v3" && at.Day() == 2 && at.Month()%3 == 1 {
			table.Observe(t.Context(), call("v1", "acme", "/report", at))
		}
	}
	clock.Set(noon)
	contains(t, textOf(table), "v1 has its sunset in 2 days. 1 of 1 client may call it again.", "acme 2 Oct 2026 quarterly about 2 Jan 2027")
	if ready := ask(table.Handler(nil), "GET", "/?ready=v1"); ready.Code != http.StatusConflict {
		t.Errorf("%d %s", ready.Code, ready.Body)
	}
}
