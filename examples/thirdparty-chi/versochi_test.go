package versochi_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	versochi "example.com/verso-chi"
	verso "github.com/goverso/verso/core"
)

var twoVersions = verso.Settings{AllowedVersions: []string{"v1", "v2"}}

func Example() {
	scheme := verso.Must(verso.NewURLPath(verso.Settings{AllowedVersions: []string{"v1", "v2"}}))

	r := chi.NewRouter()
	routes, err := versochi.New(r, verso.VersioningConfig{Scheme: scheme})
	if err != nil {
		panic(err)
	}
	r.Method(http.MethodGet, "/{version}/users/{id}", routes.Named("user", func(w http.ResponseWriter, r *http.Request) {
		self, err := versochi.Reverse(r, verso.Target{Name: "user", Kwargs: verso.Kwargs{"id": versochi.Param(r, "id")}})
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, versochi.Version(r), self)
	}))

	_, body := get(r, "/v2/users/7")
	fmt.Print(body)
	// Output: v2 http://example.com/v2/users/7
}

// get returns what a handler answers.
func get(handler http.Handler, target string) (status int, body string) {
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, target, nil))
	return recorder.Code, recorder.Body.String()
}

// answerVersion is a handler that answers with the version.
func answerVersion(w http.ResponseWriter, r *http.Request) {
	_, _ = io.WriteString(w, versochi.Version(r).String())
}

// answerLink is a handler that answers with the URL of a target, or the error.
func answerLink(target verso.Target) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		link, err := versochi.Reverse(r, target)
		if err != nil {
			link = "error: " + err.Error()
		}
		_, _ = io.WriteString(w, link)
	}
}

func newRoutes(t *testing.T, r chi.Router, scheme verso.Scheme) *versochi.Routes {
	t.Helper()
	routes, err := versochi.New(r, verso.VersioningConfig{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	return routes
}

func TestUnmatchedRequestsPassUntouched(t *testing.T) {
	r := chi.NewRouter()
	routes := newRoutes(t, r, verso.Must(verso.NewURLPath(twoVersions)))
	r.NotFound(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "own 404", http.StatusNotFound) })
	r.Method(http.MethodGet, "/{version}/users", routes.Named("users", answerVersion))

	for _, test := range []struct {
		method, target string
		status         int
		body           string
	}{
		{http.MethodGet, "/v9/nothing", http.StatusNotFound, "own 404\n"},
		{http.MethodPost, "/v9/users", http.StatusMethodNotAllowed, ""},
		{http.MethodOptions, "/v9/users", http.StatusMethodNotAllowed, ""},
	} {
		recorder := httptest.NewRecorder()
		r.ServeHTTP(recorder, httptest.NewRequest(test.method, test.target, nil))
		if recorder.Code != test.status || recorder.Body.String() != test.body || recorder.Header().Get("Vary") != "" {
			t.Errorf("%s %s: status %d, body %q, header %v", test.method, test.target, recorder.Code, recorder.Body, recorder.Header())
		}
	}
}

func TestSubrouters(t *testing.T) {
	r := chi.NewRouter()
	r.Use(middleware.StripSlashes)
	routes := newRoutes(t, r, verso.Must(verso.NewNamespace(twoVersions)))
	for _, namespace := range []string{"v1", "v2", "v9"} {
		r.Route("/{tenant}/"+namespace, func(r chi.Router) {
			inline := r.With(middleware.NoCache)
			inline.Method(http.MethodGet, "/here", routes.Named(namespace+":here", answerLink(verso.Target{
				Name: "file", Kwargs: verso.Kwargs{"tenant": "acme", "kind": "report", "rest": "a/b c"},
			})))
			inline.Method(http.MethodGet, "/{kind:[a-z]+}/*", routes.Named(namespace+":file", answerVersion))
		})
	}
	for target, want := range map[string]string{
		"/acme/v1/here":             "http://example.com/acme/v1/report/a/b%20c",
		"/acme/v2/here/":            "http://example.com/acme/v2/report/a/b%20c",
		"/acme/v2/report/a/b%20c":   "v2",
		"/acme/v2/report/a%2Fb%20c": "v2",
	} {
		if status, body := get(r, target); status != http.StatusOK || body != want {
			t.Errorf("GET %s: status %d, body %q instead of %q", target, status, body, want)
		}
	}
	status, body := get(r, "/acme/v9/here")
	if status != http.StatusNotFound || !strings.Contains(body, "Does not match any version namespace.") {
		t.Errorf("the version v9 is answered with status %d, body %q", status, body)
	}
}

func TestArgumentsAreDecodedOnce(t *testing.T) {
	r := chi.NewRouter()
	routes := newRoutes(t, r, verso.Must(verso.NewURLPath(verso.Settings{})))
	r.Method(http.MethodGet, "/{version}/{name}", routes.Named("name", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s %s", versochi.Version(r), versochi.Param(r, "name"))
	}))
	for target, want := range map[string]string{
		// Go keeps only the decoded path of what it would have written itself.
		"/v1/100%25":    "v1 100%",
		"/a%2525/plain": "a%25 plain",
		"/v1/caf%C3%A9": "v1 café",

		// Of all else it keeps the path as it was sent too.
		"/v%31/100%25":         "v1 100%",
		"/v%2B1/a%2Fb%2525":    "v+1 a/b%25",
		"/a%2525%2F/caf%C3%A9": "a%25/ café",
	} {
		if _, body := get(r, target); body != want {
			t.Errorf("GET %s: body %q instead of %q", target, body, want)
		}
	}
}

func TestOtherRoutesHaveNoVersion(t *testing.T) {
	r := chi.NewRouter()
	newRoutes(t, r, verso.Must(verso.NewURLPath(twoVersions)))
	r.Get("/{version}", answerVersion)
	r.Get("/{version}/link", answerLink(verso.Target{Name: "x"}))
	if status, body := get(r, "/v9"); status != http.StatusOK || body != "" {
		t.Errorf("status %d, version %q", status, body)
	}
	if _, body := get(r, "/v9/link"); !strings.Contains(body, "register its handler with Routes.Named") {
		t.Errorf("reversing answers %q", body)
	}
}

func TestUnfinishedScheme(t *testing.T) {
	base := verso.Must(verso.NewBase("MyVersioning", verso.Settings{}))
	r := chi.NewRouter()
	r.Method(http.MethodGet, "/", newRoutes(t, r, struct{ *verso.Base }{base}).Named("", answerVersion))
	if status, body := get(r, "/"); status != http.StatusInternalServerError || strings.Contains(body, "MyVersioning") {
		t.Errorf("status %d, body %q", status, body)
	}
}

func TestNewFailsWithoutScheme(t *testing.T) {
	if _, err := versochi.New(chi.NewRouter(), verso.VersioningConfig{}); err == nil {
		t.Error("no error")
	}
}
