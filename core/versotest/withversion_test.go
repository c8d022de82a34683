package versotest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/core/versotest"
)

// silent is a source that cannot write.
type silent struct{ source.Source }

func (silent) Write(w source.Written, _ verso.Version) (source.Written, error) { return w, nil }

// asking fails unless WithVersion returns the wanted request, or fails its test with a message
// that contains the wanted text.
func asking(t *testing.T, want, failure string, ask func(*recorder) *http.Request) {
	t.Helper()
	r := &recorder{TB: t}
	defer func() {
		if p := recover(); p != nil && p != any(r) {
			panic(p)
		}
		if !strings.Contains(r.failure, failure) || (failure == "") != (r.failure == "") {
			t.Errorf("failed with %q, want %q in it", r.failure, failure)
		}
	}()
	asked := ask(r)
	if got := strings.TrimSpace(fmt.Sprint(asked.RequestURI, " ", asked.Host, " ", asked.Header.Get("Api-Version"), asked.Header.Get("Accept"))); got != want {
		t.Errorf("asked %q, want %q", got, want)
	}
}

func TestWithVersion(t *testing.T) {
	header, path, query := verso.Header("Api-Version"), verso.PathParam("version"), verso.QueryParam("version")
	for _, test := range []struct {
		name          string
		source        source.Source
		version, url  string
		want, failure string
	}{
		{"header", header, "v2", "/users?page=2", "/users?page=2 example.com v2", ""},
		{"Accept", verso.AcceptParam("v"), "v2", "/users", "/users example.com */*; v=v2", ""},
		{"vendor media type", verso.MediaType("application/vnd.acme.{resource}-{version}+json"), "v1", "/users", "/users example.com application/vnd.acme.any-v1+json", ""},
		{"query", query, "v2", "/users?page=2&version=v1", "/users?page=2&version=v2 example.com", ""},
		{"the same query", query, "v2", "/users?version=v2", "/users?version=v2 example.com", ""},
		{"host", verso.HostLabel(""), "v2", "http://v1.example.com:8080/users", "http://v1.example.com:8080/users v2.example.com:8080", ""},
		{"host of the version", verso.HostLabel(""), "v2", "http://v2.example.com/", "http://v2.example.com/ v2.example.com", ""},
		{"colon", path, "v2", "/:version/users/7", "/v2/users/7 example.com", ""},
		{"braces", path, "v2", "/api/{version}", "/api/v2 example.com", ""},
		{"escaped path", path, "v2", "/:version/files/a%2Fb?x=1", "/v2/files/a%2Fb?x=1 example.com", ""},
		{"prefix", verso.PathPrefix("/api/{version}"), "v2", "/api/users?x=1", "/api/v2/users?x=1 example.com", ""},
		{"prefix of another version", verso.PathPrefix("/api/{version}"), "v2", "/api/v1/users", "/api/v2/users example.com", ""},
		{"prefix of the version", verso.PathPrefix("/api/{version}"), "v2", "/api/v2/users/", "/api/v2/users/ example.com", ""},
		{"prefix with a placeholder", verso.PathPrefix("/api/x{version}"), "v2", "/api/x{version}/users", "/api/xv2/users example.com", ""},
		{"a noun like a version", verso.PathPrefix("/api/{version}"), "v2", "/api/v1x/users", "/api/v2/v1x/users example.com", ""},
		{"a noun like the version", verso.PathPrefix("/api/{version}"), "v2", "/api/v2x/users", "/api/v2/v2x/users example.com", ""},
		{"first, with the parameter", verso.First(header, path), "v2", "/:version/users", "/v2/users example.com", ""},
		{"first, without it", verso.First(path, header), "v2", "/users", "/users example.com v2", ""},
		{"agreement", verso.Agree(query, header), "v2", "/users", "/users?version=v2 example.com", ""},

		{"unknown version", header, "v9", "/", "", `version "v9" is not served: ask for one of ["v1" "v2"]`},
		{"no parameter", path, "v2", "/users", "", `path parameter "version": the path has no :version and no {version}`},
		{"no place in the host", verso.HostLabel(""), "v2", "/users", "", `host "example.com" has no place for a version`},
		{"namespace", verso.Namespace(), "v2", "/users", "", "call ToRoute"},
		{"a source that does not write", silent{query}, "v2", "/users?version=v1", "", "the source writes nothing"},
	} {
		t.Run(test.name, func(t *testing.T) {
			api := verso.MustNew(test.source, verso.Config{AllowedVersions: []string{"v1", "v2"}})
			given := httptest.NewRequestWithContext(t.Context(), http.MethodGet, test.url, nil)
			asking(t, test.want, test.failure, func(tb *recorder) *http.Request { return versotest.WithVersion(tb, api, test.version, given) })
			if given.RequestURI != test.url || len(given.Header) > 0 {
				t.Error("the given request was changed")
			}
		})
	}
}

// TestAskClient changes the request of a client, which connects to the URL.
func TestAskClient(t *testing.T) {
	api := verso.MustNew(verso.HostLabel(""), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:8080/users", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "v1.example.com"
	if asked := versotest.WithVersion(t, api, "v2", r); asked.Host != "v2.example.com" || asked.URL.Host != "127.0.0.1:8080" || asked.RequestURI != "" {
		t.Errorf("asked %s, %s", asked.Host, asked.URL)
	}
}

func TestToRoute(t *testing.T) {
	for _, test := range []struct {
		name                  string
		source                source.Source
		origin, want, failure string
	}{
		{"path", verso.PathParam("version"), "", "/v2/users/7 example.com", ""},
		{"namespace", verso.Namespace(), "", "/second/users/7 example.com", ""},
		{"query", verso.QueryParam("version"), "https://api.example.com", "/users/7?version=v2 api.example.com", ""},
		{"host", verso.HostLabel(""), "https://v1.example.com", "/users/7 v2.example.com", ""},
		{"host without an origin", verso.HostLabel(""), "", "", "a relative URL has no host"},
		{"header", verso.Header("Api-Version"), "", "/users/7 example.com v2", ""},
		{"header or path", verso.First(verso.Header("Api-Version"), verso.PathParam("version")), "", "/v2/users/7 example.com", ""},
		{"headers", verso.Agree(verso.Header("Api-Version"), verso.AcceptParam("v")), "", "/users/7 example.com v2", ""},
		{"base scheme", nil, "", "", "the source writes nothing"},
	} {
		t.Run(test.name, func(t *testing.T) {
			config := verso.Config{AllowedVersions: []string{"v1", "v2"}, Links: verso.LinkConfig{Origin: test.origin}}
			api, err := verso.New(test.source, config)
			if test.source == nil {
				api, err = scheme.NewBase("Base", config)
			}
			if err != nil {
				t.Fatal(err)
			}
			b := adapter.Bind(api, nil)
			for _, r := range []route.Route{
				{Name: "user", Path: "/users/:id"}, {Name: "user", Path: "/:version/users/:id"}, {Name: "v2:user", Path: "/second/users/:id"},
			} {
				r.Pattern = route.Colons(r.Path)
				verso.Must(b.Add(r))
			}
			given := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", nil)
			target := verso.Target{Name: "user", Params: verso.Params{"id": 7}}
			asking(t, test.want, test.failure, func(tb *recorder) *http.Request { return versotest.ToRoute(tb, api, "v2", given, b.Link, target) })
		})
	}
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1"}})
	for failure, link := range map[string]func(verso.Target) (string, error){
		"no reverse match": adapter.Bind(api, nil).Link,
		"missing protocol": func(verso.Target) (string, error) { return "://", nil },
	} {
		asking(t, "", failure, func(tb *recorder) *http.Request {
			return versotest.ToRoute(tb, api, "v1", &http.Request{URL: &url.URL{}}, link, verso.Target{Name: "user"})
		})
	}
}
