package versochi_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	versochi "example.com/verso-chi"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

var twoVersions = verso.Config{AllowedVersions: []string{"v1", "v2"}}

func Example() {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	r := chi.NewRouter()
	v := versochi.New(r, api)
	v.Name("user").MethodFunc(http.MethodGet, "/{version}/users/{id}", func(w http.ResponseWriter, r *http.Request) {
		self, err := versochi.Link(r, verso.Target{Name: "user", Params: verso.Params{"id": versochi.Param(r, "id")}})
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, versochi.Version(r), self)
	})

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
		link, err := versochi.Link(r, target)
		if err != nil {
			link = "error: " + err.Error()
		}
		_, _ = io.WriteString(w, link)
	}
}

func TestUnmatchedRequestsPassUntouched(t *testing.T) {
	r := chi.NewRouter()
	v := versochi.New(r, verso.Must(scheme.NewURLPath("version", twoVersions)))
	r.NotFound(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "own 404", http.StatusNotFound) })
	v.MethodFunc(http.MethodGet, "/{version}/users", answerVersion)

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
	v := versochi.New(r, verso.Must(scheme.NewNamespace(twoVersions)))
	for _, namespace := range []string{"v1", "v2", "v9"} {
		r.Route("/{tenant}/"+namespace, func(r chi.Router) {
			inner := v.In("/{tenant}/"+namespace, r).Namespace(namespace).Group("", middleware.NoCache)
			inner.MethodFunc(http.MethodGet, "/here", answerLink(verso.Target{
				Name: "file", Params: verso.Params{"tenant": "acme", "kind": "report", "*": "a/b c"},
			}))
			inner.Name("file").MethodFunc(http.MethodGet, "/{kind:[a-z]+}/*", answerVersion)
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

func TestParametersAreDecodedOnce(t *testing.T) {
	r := chi.NewRouter()
	v := versochi.New(r, verso.Must(scheme.NewURLPath("version", verso.Config{AnyVersion: true})))
	v.MethodFunc(http.MethodGet, "/{version}/{name}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s %s", versochi.Version(r), versochi.Param(r, "name"))
	})
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
	v := versochi.New(r, verso.Must(scheme.NewURLPath("version", twoVersions)))
	r.Get("/{version}", answerVersion)
	r.Get("/{version}/link", answerLink(verso.Target{Name: "x"}))
	if status, body := get(r, "/v9"); status != http.StatusOK || body != "" {
		t.Errorf("status %d, version %q", status, body)
	}
	if _, body := get(r, "/v9/link"); body != "error: "+verso.ErrNotChecked.Error() {
		t.Errorf("the link is %q", body)
	}
	for _, info := range v.Explain().Routes {
		if !info.Unchecked {
			t.Errorf("%s is not told to be unchecked", info.Pattern)
		}
	}
}

// TestMountedElsewhere has a subrouter whose prefix nobody has said.
func TestMountedElsewhere(t *testing.T) {
	r, sub := chi.NewRouter(), chi.NewRouter()
	v := versochi.New(r, verso.Must(scheme.NewURLPath("version", twoVersions)))
	v.In("", sub).Name("users").MethodFunc(http.MethodGet, "/users", answerLink(verso.Target{Name: "users"}))
	r.Mount("/api/{version}", sub)
	if _, body := get(r, "/api/v2/users"); body != "http://example.com/api/v2/users" {
		t.Errorf("the link is %q", body)
	}
}

// TestOrderOfMiddleware has the check directly in front of the handler.
func TestOrderOfMiddleware(t *testing.T) {
	note := func(name string) func(http.Handler) http.Handler {
		return func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				fmt.Fprintf(w, "%s %s, ", name, versochi.Version(r))
				next.ServeHTTP(w, r)
			})
		}
	}
	r := chi.NewRouter()
	v := versochi.New(r, verso.MustNew(verso.QueryParam("v"), twoVersions))
	v.Group("/g", note("group")).AfterCheck(note("after"), note("last")).MethodFunc(http.MethodGet, "/x", answerVersion)
	if _, body := get(r, "/g/x?v=v2"); body != "group , after v2, last v2, v2" {
		t.Errorf("the order is %q", body)
	}
}

func TestHandleVersions(t *testing.T) {
	r := chi.NewRouter()
	v := versochi.New(r, verso.Must(scheme.NewURLPath("version", twoVersions)))
	v.HandleVersions(http.MethodGet, "/{version}/users", versochi.Handlers{"v1": answerVersion, "v2": nil})
	for target, status := range map[string]int{"/v1/users": http.StatusOK, "/v2/users": http.StatusNotFound} {
		if got, body := get(r, target); got != status {
			t.Errorf("GET %s: status %d, body %q", target, got, body)
		}
	}
}

func TestMount(t *testing.T) {
	says := func(text, param string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, text+" "+chi.URLParam(r, param))
		}
	}
	around := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, "around ")
			next.ServeHTTP(w, r)
		})
	}
	r := chi.NewRouter()
	v := versochi.New(r, verso.MustNew(verso.PathParam("version"), twoVersions))
	v.Group("/{version}").RegisterVersions(map[string]func(chi.Router){
		"v1": func(r chi.Router) {
			r.Use(around)
			r.Route("/users", func(r chi.Router) { r.Get("/{id}", says("one", "id")) })
		},
		"v2": func(r chi.Router) { r.With(around).Get("/users/{name}", says("two", "name")) },
	})
	for target, want := range map[string]string{"/v1/users/7": "around one 7", "/v2/users/7": "around two 7"} {
		if _, body := get(r, target); body != want {
			t.Errorf("%s: %q, want %q", target, body, want)
		}
	}
}

func TestEachVersion(t *testing.T) {
	config := twoVersions
	config.DefaultVersion = verso.V("v1")
	r := chi.NewRouter()
	v := versochi.New(r, verso.MustNew(verso.PathPrefix("/api/{version}"), config))
	v.EachVersion().Group("/api/lists", middleware.NoCache).MethodFunc(http.MethodGet, "/{id}", answerVersion)
	r.NotFound(v.NotFound(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "own 404", http.StatusNotFound) }))
	for target, want := range map[string]string{"/api/lists/7": "v1", "/api/v1/lists/7": "v1", "/api/v2/lists/7": "v2", "/api/v9/lists/7": "own 404\n"} {
		if _, body := get(r, target); body != want {
			t.Errorf("GET %s: body %q", target, body)
		}
	}
}

// TestNotFound deletes the routes of a version.
func TestNotFound(t *testing.T) {
	r := chi.NewRouter()
	v := versochi.New(r, verso.MustNew(verso.QueryParam("v"), twoVersions))
	r.NotFound(v.NotFound(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "own 404", http.StatusNotFound) }))
	for target, want := range map[string]string{"/deleted?v=v9": "Invalid version in query parameter.", "/deleted?v=v1": "own 404\n", "/deleted": "own 404\n"} {
		if _, body := get(r, target); !strings.Contains(body, want) {
			t.Errorf("GET %s: body %q", target, body)
		}
	}
}

// TestObservedOnce has a middleware and a route that decides again.
func TestObservedOnce(t *testing.T) {
	var told []string
	config := twoVersions
	config.Observe = func(_ context.Context, u verso.Observation) {
		told = append(told, u.Version.String()+" "+u.Outcome+" "+u.Client)
	}
	r := chi.NewRouter()
	v := versochi.New(r, verso.MustNew(verso.QueryParam("v"), config), versochi.Config{
		Client: func(*http.Request) string { return "acme" },
	})
	checked := v.Group("", v.Middleware())
	checked.MethodFunc(http.MethodGet, "/plain", answerVersion)
	checked.With(verso.Since("v2")).MethodFunc(http.MethodGet, "/since", answerVersion)
	r.With(v.Middleware()).Post("/since", answerVersion)
	for _, target := range []string{"/plain?v=v1", "/since?v=v1", "/since?v=v2"} {
		get(r, target)
	}
	if want := []string{"v1 served acme", "v1 method_not_in_version acme", "v2 served acme"}; !slices.Equal(told, want) {
		t.Errorf("Observe is told %q instead of %q", told, want)
	}
}

// TestSetTestVersion calls a handler alone.
func TestSetTestVersion(t *testing.T) {
	v := versochi.New(chi.NewRouter(), verso.Must(scheme.NewURLPath("version", twoVersions)))
	r, err := v.SetTestVersion(httptest.NewRequest(http.MethodGet, "/", nil), verso.V("v2"))
	if err != nil || !versochi.AtLeast(r, "v2") {
		t.Errorf("version %q, error %v", versochi.Version(r), err)
	}
	if _, err := v.SetTestVersion(r, verso.V("v9")); !errors.Is(err, verso.ErrUnknownVersion) {
		t.Errorf("error %v", err)
	}
}

func TestBaseScheme(t *testing.T) {
	r := chi.NewRouter()
	v := versochi.New(r, verso.Must(scheme.NewBase("MyVersioning", verso.Config{})))
	v.MethodFunc(http.MethodGet, "/", answerVersion)
	if status, body := get(r, "/"); status != http.StatusInternalServerError || strings.Contains(body, "MyVersioning") {
		t.Errorf("status %d, body %q", status, body)
	}
}

func TestLinkOutsideOfARequest(t *testing.T) {
	config := twoVersions
	config.Links.Origin = "https://api.example.com"
	r := chi.NewRouter()
	v := versochi.New(r, verso.Must(scheme.NewURLPath("version", config)))
	v.Name("user").MethodFunc(http.MethodGet, "/{version}/users/{id:[0-9]+}", answerVersion)
	link, err := v.Link(verso.Target{Name: "user", Params: verso.Params{"id": 7}, Version: verso.V("v2")})
	if want := "https://api.example.com/v2/users/7"; link != want || err != nil {
		t.Errorf("link %q, error %v", link, err)
	}
}

// TestConnect sends CONNECT, which chi routes as any method: an empty version is
// no missing one.
func TestConnect(t *testing.T) {
	r := chi.NewRouter()
	v := versochi.New(r, verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1")})))
	v.MethodFunc(http.MethodConnect, "/{version}/users", answerVersion)
	for path, status := range map[string]int{"/v2/users": http.StatusOK, "/v9/users": http.StatusNotFound, "//users": http.StatusNotFound} {
		request := httptest.NewRequest(http.MethodConnect, "/", nil)
		request.URL.Path = path
		recorder := httptest.NewRecorder()
		r.ServeHTTP(recorder, request)
		if recorder.Code != status {
			t.Errorf("CONNECT %s: status %d, body %q", path, recorder.Code, recorder.Body)
		}
	}
}

func TestMistakesPanic(t *testing.T) {
	api := verso.Must(scheme.NewURLPath("version", twoVersions))
	for name, mistake := range map[string]func(){
		"no router":     func() { versochi.New(nil, api) },
		"no versioning": func() { versochi.New(chi.NewRouter(), nil) },
		"no handler":    func() { versochi.New(chi.NewRouter(), api).MethodFunc(http.MethodGet, "/users", nil) },
		"twice": func() {
			v := versochi.New(chi.NewRouter(), api)
			v.MethodFunc(http.MethodGet, "/users", answerVersion)
			v.MethodFunc(http.MethodGet, "/users", answerVersion)
		},
		"unknown version": func() {
			versochi.New(chi.NewRouter(), api).With(verso.Since("v9")).MethodFunc(http.MethodGet, "/users", answerVersion)
		},
		"each version without a prefix": func() {
			versochi.New(chi.NewRouter(), api).EachVersion().MethodFunc(http.MethodGet, "/users", answerVersion)
		},
		"choice of an unknown version": func() {
			versochi.New(chi.NewRouter(), api).HandleVersions(http.MethodGet, "/users", versochi.Handlers{"v9": answerVersion})
		},
		"middleware in front of the routes": func() {
			r := chi.NewRouter()
			r.Use(versochi.New(r, api).Middleware())
			r.Get("/", answerVersion)
			get(r, "/")
		},
	} {
		func() {
			defer func() {
				if text := fmt.Sprint(recover()); !strings.HasPrefix(text, "versochi: ") {
					t.Errorf("%s: it panics with %q", name, text)
				}
			}()
			mistake()
		}()
	}
}

// TestAllocations compares a route of Verso with one that keeps a pointer in the
// context.
func TestAllocations(t *testing.T) {
	type key struct{}
	requestState := new(int)
	do := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	keep := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), key{}, requestState)))
		})
	}
	byHand := chi.NewRouter()
	byHand.Method(http.MethodGet, "/{version}/users", keep(do))
	config := twoVersions
	for name, api := range map[string]*verso.Versioning{
		"path":      verso.Must(scheme.NewURLPath("version", config)),
		"namespace": verso.Must(scheme.NewNamespace(config)),
		"accept":    verso.Must(scheme.NewAcceptHeader("version", config)),
		"query":     verso.Must(scheme.NewQueryParameter("version", config)),
		"host":      verso.Must(scheme.NewHostName("", config)),
	} {
		r := chi.NewRouter()
		v := versochi.New(r, api)
		v.Namespace("api:v1").Name("users").MethodFunc(http.MethodGet, "/{version}/users", do)
		if got, want := allocations(r), allocations(byHand); got > want {
			t.Errorf("%s: %v allocations, by hand %v", name, got, want)
		}
	}
}

func allocations(handler http.Handler) float64 {
	request := httptest.NewRequest(http.MethodGet, "http://v1.example.com/v1/users?version=v1", nil)
	request.Header.Set("Accept", "application/json; version=v1")
	recorder := httptest.NewRecorder()
	return testing.AllocsPerRun(1000, func() { handler.ServeHTTP(recorder, request) })
}
