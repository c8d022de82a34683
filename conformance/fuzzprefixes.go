package conformance

import (
	"fmt"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
)

// FuzzPrefixes is the body of a fuzz test: it sends unchanged paths to routes under the
// prefixes of versions. However a router decodes and cleans a path, a handler that is
// registered under the prefix of a version must be called only in that version.
func FuzzPrefixes(f *testing.F, mount Mount) {
	f.Helper()
	quiet(f)
	config := verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1")}
	app := App{API: verso.Must(verso.New(verso.PathPrefix("/api/{version}"), config))}
	for pattern, version := range map[string]string{
		"/api/lists": "v1", "/api/v1/lists": "v1", "/api/v2/lists": "v2", "/api/v2/lists/{id}": "v2", "/api/v2/new": "v2", "/other/v2": "v1",
	} {
		app.Routes = append(app.Routes, newRoute("", "", pattern, func(call Call) Response {
			return Response{Body: fmt.Sprintf("in %s, registered in %s", call.Version, version)}
		}))
	}
	server := mount(f, app)
	f.Cleanup(func() { _ = server.Close() })
	for _, path := range []string{
		"/api/v2/lists", "/api/%76%32/lists", "/api//v2/lists", "/api/v2/../v1/lists", "/api/v2%2Flists", "/api/v2/./lists", "/api/V2/lists",
		"//api/v2/lists", "/api/v2/lists/a%2Fb", "/api/v1/new", "/api/%2e%2e/v2/lists", "/api;v2/lists", "/other/%76%32", "/api/v2//lists/",
	} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		if !strings.HasPrefix(path, "/") || strings.ContainsFunc(path, func(c rune) bool { return c <= ' ' || c >= 0x7f }) {
			return // not a path that a client can send
		}
		r := get(path, "")
		got, err := r.send(server.Address)
		if err != nil || got.status != 200 {
			return
		}
		if body := string(got.body); body != "in v1, registered in v1" && body != "in v2, registered in v2" {
			t.Errorf("%s is called %s", path, body)
		}
	})
}
