package rewrite_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/internal/frameworks"
)

func TestMistakes(t *testing.T) {
	nothing := func(http.ResponseWriter, *http.Request) {}
	for name, newService := range frameworks.All {
		t.Run(name, func(t *testing.T) {
			for _, rewritesErrors := range []bool{false, true} {
				api := api()
				app := rewriting(http.MethodGet, routeOf(api), nothing)
				app.RewriteErrors = rewritesErrors
				explained := newService(api, app).Explain()
				assert.Equal(t, !rewritesErrors, slices.ContainsFunc(explained.Findings, func(f verso.Finding) bool { return f.Code == "errors_not_rewritten" }))
				assert.True(t, slices.ContainsFunc(explained.Routes, func(r verso.RouteInfo) bool { return r.Rewritten }))
			}
			defer func() { assert.ErrorContains(t, recover().(error), "remove Rewrite, or register one handler") }()
			api := api()
			newService(api, frameworks.App{Routes: []frameworks.Route{
				{Method: http.MethodGet, Path: "/b", Rewriter: routeOf(api), Versions: map[string]http.HandlerFunc{"v1": nothing}},
			}})
		})
	}
}
