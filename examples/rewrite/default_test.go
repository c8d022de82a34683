package rewrite_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/internal/frameworks"
	"github.com/goverso/verso/migrate"
)

// TestDefaultOfAGroup: most routes of a large service are the same in all versions. The group says
// so once, a route with other bodies declares its own, and one with a handler for each version has
// none.
func TestDefaultOfAGroup(t *testing.T) {
	type guest struct {
		Name string `json:"full_name"`
	}
	const newest, own = `{"full_name":"ann"}`, `{"own":1}`
	history := func(api *verso.Versioning) *migrate.History {
		return verso.Must(migrate.New(api,
			migrate.Release("v2", migrate.Changed("A guest's name is full_name.", migrate.For[guest](migrate.Renamed("name", "full_name")))),
			migrate.Release("v1")))
	}
	send := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, body)
		}
	}
	for name, serve := range frameworks.All {
		t.Run(name, func(t *testing.T) {
			api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
			h := history(api)
			service := serve(api, frameworks.App{Below: "/{version}", Rewriter: h.Route(), Routes: []frameworks.Route{
				{Method: http.MethodGet, Path: "/status", Handle: send(own)},
				{Method: http.MethodGet, Path: "/guest", Rewriter: h.Route(migrate.Returns[guest]()), Handle: send(newest)},
				{Method: http.MethodGet, Path: "/each", Versions: map[string]http.HandlerFunc{"v1": send(`{"v":1}`), "v2": send(newest)}},
			}})
			for path, want := range map[string]string{
				"/v1/status": own, "/v2/status": own,
				"/v1/guest": `{"name":"ann"}`, "/v2/guest": newest,
				"/v1/each": `{"v":1}`, "/v2/each": newest,
			} {
				w := frameworks.Ask(service, http.MethodGet, path, nil)
				assert.Equal(t, want, w.Body.String(), path)
			}
		})
	}
}
