package openapi_test

import (
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/openapi"
)

// Whatever the document, its paths begin with a slash in each version, and no
// operation is added or duplicated.
func FuzzForVersion(f *testing.F) {
	f.Add("/{version}/rooms/{id}", "/rooms/{name}", "https://example.com/{version}")
	f.Add("/api/v2/rooms", "/api/v{version}/rooms", "/api")
	f.Add("/v2", "/", "https://{host}/gateway/v1/")
	f.Add("/{version}/{rest...}", "/v1/a/b", "://")
	sources := []source.Source{
		verso.PathParam("version"), verso.PathPrefix("/api/v{version}"), verso.Header("Api-Version"),
		verso.HostLabel(""), verso.First(verso.Namespace(), verso.MediaType("application/vnd.a.{version}+json")),
	}
	f.Fuzz(func(t *testing.T, pattern, path, server string) {
		if path == "" {
			return // not a valid path of a document
		}
		document := &openapi3.T{
			OpenAPI: "3.0.3", Info: &openapi3.Info{Title: "A", Version: "1"},
			Paths:   openapi3.NewPaths(openapi3.WithPath(path, &openapi3.PathItem{Get: openapi3.NewOperation(), Put: openapi3.NewOperation()})),
			Servers: openapi3.Servers{{URL: server}},
		}
		for _, from := range sources {
			binding := adapter.Bind(verso.MustNew(from, verso.Config{AllowedVersions: []string{"1", "2"}}), nil)
			if _, err := binding.Add(route.Route{Method: "GET", Name: "2:a", Path: pattern, Pattern: route.Braces(pattern)}); err != nil {
				continue
			}
			made, err := openapi.ForVersion(document, binding.Explain(), "2")
			if made == nil {
				if err == nil {
					t.Error("neither a document nor an error")
				}
				continue
			}
			if made.Paths.Len() != 1 || !strings.HasPrefix(made.Paths.Keys()[0], "/") && strings.HasPrefix(path, "/") {
				t.Fatalf("%q in %q is %q", path, pattern, made.Paths.Keys())
			}
			if made.Paths.Value(made.Paths.Keys()[0]).Put != nil {
				t.Error("an operation without a route")
			}
		}
	})
}
