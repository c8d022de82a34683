package rewrite_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/internal/frameworks"
	"github.com/goverso/verso/migrate"
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

// A refused request is answered as the framework answers its errors, also where the route declares the errors of its
// handler with the same media type.
func TestRefusedBesideDeclaredErrors(t *testing.T) {
	type guest struct {
		Name string `json:"full_name"`
	}
	type failure struct {
		Reason string `json:"reason"`
	}
	for name, serve := range frameworks.All {
		t.Run(name, func(t *testing.T) {
			api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
			history := verso.Must(migrate.New(api,
				migrate.Release("v2", migrate.Changed("Names.", migrate.For[guest](migrate.Renamed("name", "full_name")),
					migrate.For[failure](migrate.Renamed("why", "reason")))),
				migrate.Release("v1")))
			service := serve(api, frameworks.App{Below: "/{version}", Routes: []frameworks.Route{{
				Method: http.MethodPost, Path: "/guests",
				Rewriter: history.Route(migrate.Accepts[guest](), migrate.Fails[failure]("application/json")),
				Handle: func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", "application/json")
					w.WriteHeader(http.StatusConflict)
					_, _ = w.Write([]byte(`{"reason":"full"}`))
				},
			}}})
			for body, want := range map[string][2]string{
				`{"name":`:       {"400", "body"},
				`{"name":"ann"}`: {"409", `{"why":"full"}`},
			} {
				w := frameworks.Ask(service, http.MethodPost, "/v1/guests", strings.NewReader(body), "Content-Type", "application/json")
				assert.Equal(t, want[0], strconv.Itoa(w.Code), body)
				assert.Contains(t, w.Body.String(), want[1], body)
			}
		})
	}
}
