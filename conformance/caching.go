package conformance

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	verso "github.com/goverso/verso/core"
)

// Caching makes sure that no cache hands the response to one version to a
// client of another (RFC 9110, section 12.5.5; RFC 9111, section 4.1): in each
// scheme, the Vary field of each response names exactly the request headers
// that the version and the language depend on, also when the request has none
// of them, when the handler answers 304 or fails, when it sets a Vary of its
// own, and on refusals.
func Caching(t *testing.T, mount Mount) {
	t.Helper()
	for _, place := range cachedRequests() {
		for _, status := range []int{http.StatusOK, http.StatusNotModified, http.StatusNotFound, http.StatusInternalServerError} {
			t.Run(fmt.Sprintf("%s/%d", place.name, status), func(t *testing.T) {
				if err := place.check(t, mount, status); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// cachedRequest is a request, and the Vary field that responses to it have.
type cachedRequest struct {
	name    string // of the subtest
	scheme  string
	pattern string
	request request
	refused bool
	vary    []string // without Origin, which the handler adds
}

func cachedRequests() []cachedRequest {
	host := "api.example.com"
	get := func(target string, accept ...string) request {
		r := request{Method: http.MethodGet, URLScheme: "http", Target: target, Host: &host}
		if accept != nil {
			r.Headers = map[string][]string{"Accept": accept}
		}
		return r
	}
	accept, language := []string{"Accept"}, []string{"Accept-Language"}
	return []cachedRequest{
		{"accept_header/absent", "accept_header", "/users", get("/users"), false, accept},
		{"accept_header/empty", "accept_header", "/users", get("/users", ""), false, accept},
		{"accept_header/any", "accept_header", "/users", get("/users", "*/*"), false, accept},
		{"accept_header/served", "accept_header", "/users", get("/users", "a/b; version=v1"), false, accept},
		{"accept_header/refused", "accept_header", "/users", get("/users", "a/b; version=v9"), true, append(accept, language...)},
		{"url_path/served", "url_path", "/{version}/users", get("/v1/users"), false, nil},
		{"url_path/refused", "url_path", "/{version}/users", get("/v9/users"), true, language},
		{"query_parameter/absent", "query_parameter", "/users", get("/users"), false, nil},
		{"query_parameter/refused", "query_parameter", "/users", get("/users?version=v9"), true, language},
		{"hostname/default", "hostname", "/users", get("/users"), false, nil},
	}
}

// check sends the request, which the handler answers with the status.
func (c *cachedRequest) check(tb testing.TB, mount Mount, status int) error {
	tb.Helper()
	v1 := verso.V("v1")
	scheme, err := settings{
		DefaultVersion: v1, AllowedVersions: []verso.Version{v1}, HostNameRegex: `(v[0-9]+)\.example\.com`,
	}.newScheme(c.scheme)
	if err != nil {
		return err
	}
	answered := false
	handler := mount(tb, App{Scheme: scheme, Translator: translator{"en"}, Routes: []Route{{
		Method: http.MethodGet, Name: "users", Pattern: c.pattern,
		Handle: func(w http.ResponseWriter, _ *http.Request, _ Call) {
			answered = true
			w.Header().Add("Vary", "Origin")
			w.WriteHeader(status)
		},
	}}})
	got, err := exchange(handler, &c.request)
	if err != nil {
		return err
	}
	want := c.vary
	if !c.refused {
		want = append([]string{"Origin"}, c.vary...)
	}
	wrong := judgeVary(got.header, want)
	if answered == c.refused || !c.refused && got.status != status {
		wrong = append(wrong, fmt.Errorf("the handler was called: %v, and the status is %d", answered, got.status))
	}
	return errors.Join(wrong...)
}
