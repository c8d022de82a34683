package unmatched

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/internal/frameworks"
)

// TestOrdinaryText: the path has a version, and a header has it in paths without one. The
// unversioned form of a deleted route is 410 for an ended version in the header, in all
// frameworks, and Allow has the methods of the version in the header: the text in the place of
// the path parameter is no version that comes first, or that another would contradict.
func TestOrdinaryText(t *testing.T) {
	path, header := verso.PathParam("version"), verso.Header("Api-Version")
	for name, s := range map[string]service{"first": {source: verso.First(path, header)}, "agree": {source: verso.Agree(path, header)}} {
		s.names, s.routes = v123, []place{
			{"GET", "/{version}/users", false, nil}, {"GET", "/users", false, nil}, {"POST", "/users", false, since},
		}
		vary := map[string]string{"agree": "Api-Version"}[name]
		for framework := range frameworks.All {
			for _, test := range []struct{ method, target, version, want string }{
				{"GET", "/rooms", "v1", "410 version_gone vary=Api-Version allow= seen=listed/version_gone"},
				{"GET", "/v1/rooms", "", "410 version_gone vary=" + vary + " allow= seen=listed/version_gone"},
				{"GET", "/rooms", "v9", "400 invalid_header_version vary=Api-Version allow= seen=unlisted/invalid_header_version"},
				{"GET", "/rooms", "v2", "404 - vary=Api-Version allow= seen=-"},
				{"GET", "/rooms", "", "404 - vary=Api-Version allow= seen=-"},
				{"GET", "/v2/rooms", "v1", "404 - vary=" + vary + " allow= seen=-"}, // in Agree it names two
				{"DELETE", "/users", "v1", "410 version_gone vary=Api-Version allow= seen=listed/version_gone"},
			} {
				got := ask(t, framework, s, row{Service: name, Method: test.method, Target: test.target, Version: test.version}, true)
				if got != test.want {
					t.Errorf("%s, %s: %s %s %s: %s, want %s", framework, name, test.method, test.target, test.version, got, test.want)
				}
			}
		}
	}
}

// TestPathAndHeaderInServeMux: a list with a version and an item without one conflict in a
// ServeMux. A PathPrefix does not.
func TestPathAndHeaderInServeMux(t *testing.T) {
	ok := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, versohttp.Version(r).String()+" "+r.PathValue("id"))
	}
	func() {
		defer func() { _ = recover() }()
		mux := http.NewServeMux()
		v := versohttp.New(mux, verso.MustNew(verso.First(verso.PathParam("version"), verso.Header("Api-Version")), quiet(verso.Config{AllowedVersions: []string{"v1", "v2"}})))
		v.HandleFunc("GET /api/{version}/users", ok)
		v.HandleFunc("GET /api/users/{id}", ok)
		t.Error("no conflict")
	}()
	mux := http.NewServeMux()
	v := versohttp.New(mux, verso.MustNew(verso.First(verso.PathPrefix("/api/{version}"), verso.Header("Api-Version")), quiet(verso.Config{AllowedVersions: []string{"v1", "v2"}})))
	each := v.EachVersion()
	each.HandleFunc("GET /api/users", ok)
	each.HandleFunc("GET /api/users/{id}", ok)
	for _, test := range []struct{ target, header, want string }{
		{"/api/v1/users/7", "", "v1 7"}, {"/api/v2/users", "", "v2 "}, {"/api/users/7", "v1", "v1 7"}, {"/api/users", "v2", "v2 "},
	} {
		r := httptest.NewRequest(http.MethodGet, test.target, nil)
		if test.header != "" {
			r.Header.Set("Api-Version", test.header)
		}
		if _, body, _ := over(mux)(r); body != test.want {
			t.Errorf("%s %s: %s, want %s", test.target, test.header, body, test.want)
		}
	}
}
