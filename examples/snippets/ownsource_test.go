package snippets

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versohttp"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

// cookie is a source that reads the version from a cookie.
type cookie struct{ name string }

func (s cookie) Read(r source.Request, _ *source.ServedVersions) source.Reading {
	field, _ := r.Header("Cookie")
	sent := http.Request{Header: http.Header{"Cookie": {field}}}
	if c, err := sent.Cookie(s.name); err == nil { // unlike http.ParseCookie, whatever the other cookies are
		return source.Reading{Outcome: source.Found, Text: c.Value}
	}
	return source.Reading{}
}

// Write changes nothing: a URL cannot carry a cookie.
func (s cookie) Write(w source.Written, _ verso.Version) (source.Written, error) { return w, nil }

func (s cookie) Describe() source.Description {
	return source.Description{
		Name:    "cookie " + s.name,
		Headers: []string{"Cookie"},
		Invalid: source.Rejection{Status: http.StatusBadRequest, Message: "invalid_cookie_version", English: "Invalid version in cookie."},
	}
}

func Example_ownSource() {
	api := verso.MustNew(
		verso.First(verso.QueryParam("version"), cookie{"version"}),
		verso.Config{AllowedVersions: []string{"v1", "v2"}},
	)
	e := echo.New()
	versoecho.New(e, api).GET("/users", func(c echo.Context) error { return c.String(http.StatusOK, versoecho.Version(c).String()) })

	get(e, "/users", "Cookie: version=v2")
	get(e, "/users?version=v1", "Cookie: version=v2")
	// Output:
	// 200 v2
	// 200 v1
}

func TestCookie(t *testing.T) {
	conformance.Source(t, cookie{"version"}, conformance.SourceOptions{
		Request: func(version string) *http.Request {
			r, _ := http.NewRequest(http.MethodGet, "/", nil)
			r.AddCookie(&http.Cookie{Name: "version", Value: version})
			return r
		},
	})
}

// A cookie of somebody else must not change the version.
func TestCookieBesideOthers(t *testing.T) {
	mux := http.NewServeMux()
	v := versohttp.New(mux, verso.MustNew(cookie{"version"}, verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1")}))
	v.HandleFunc("GET /users", func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte(versohttp.Version(r).String())) })
	for _, lines := range [][]string{
		{"version=v2"}, {"theme=dark; version=v2"}, {`prefs={"a":1,"b":2}; version=v2`}, {"name=José; version=v2"}, {"flag; version=v2"}, {"version=v2;"}, {"a=b", "version=v2"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/users", nil)
		r.Header["Cookie"] = lines
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		assert.Equal(t, "v2", w.Body.String(), "%q", lines)
	}
}
