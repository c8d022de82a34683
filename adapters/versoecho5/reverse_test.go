package versoecho5_test

import (
	"net/http"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho5"
	verso "github.com/goverso/verso/core"
)

// answerLink is a handler that answers with the URL of a target, or the error.
func answerLink(target verso.Target) echo.HandlerFunc {
	return func(c *echo.Context) error {
		link, err := versoecho5.Reverse(c, target)
		if err != nil {
			return c.String(http.StatusOK, "error: "+err.Error())
		}
		return c.String(http.StatusOK, link)
	}
}

func TestReverseFindsEchosNames(t *testing.T) {
	e := echo.New()
	e.Use(versoecho5.Middleware(verso.Must(verso.NewURLPath(twoVersions))))
	user := verso.Target{Name: "user", Kwargs: verso.Kwargs{"id": 7}}
	e.GET("/:version/here", answerLink(user))
	e.GET("/:version/files", answerLink(verso.Target{Name: "files", Kwargs: verso.Kwargs{"*": "a/b c.txt"}}))
	e.GET("/:version/relative", answerLink(verso.Target{Name: "relative"}))
	e.GET("/:version/ambiguous", answerLink(verso.Target{Name: "twice"}))
	e.GET("/:version/late", answerLink(verso.Target{Name: "late"}))
	add(t, e, http.MethodGet, "/:version/users/:id", answerVersion, "user")
	add(t, e, http.MethodPut, "/:version/users/:id", answerVersion, "user")
	add(t, e, http.MethodGet, "/:version/files/*", answerVersion, "files")
	add(t, e, http.MethodGet, ":version", answerVersion, "relative")
	add(t, e, http.MethodGet, "/:version/one", answerVersion, "twice")
	add(t, e, http.MethodGet, "/:version/two", answerVersion, "twice")

	header := http.Header{"Host": {"api.example.com"}}
	assert.Equal(t, "http://api.example.com/v1/users/7", send(t, e, http.MethodGet, "/v1/here", header).body)
	assert.Equal(t, "http://api.example.com/v2/files/a/b%20c.txt", send(t, e, http.MethodGet, "/v2/files", header).body)
	assert.Equal(t, "http://api.example.com/v1", send(t, e, http.MethodGet, "/v1/relative", header).body)
	ambiguous := send(t, e, http.MethodGet, "/v1/ambiguous", header).body
	assert.Contains(t, ambiguous, "/:version/one")
	assert.Contains(t, ambiguous, "/:version/two")
	assert.Contains(t, send(t, e, http.MethodGet, "/v1/late", header).body, `no route is called "late"`)
	add(t, e, http.MethodGet, "/:version/added", answerVersion, "late")
	assert.Equal(t, "http://api.example.com/v1/added", send(t, e, http.MethodGet, "/v1/late", header).body)
}

// curious is a scheme that reads all of a request when it reverses.
type curious struct {
	*verso.Base
	seen *[]string
}

func (curious) DetermineVersion(verso.Request) (verso.Version, error) { return verso.V("v1"), nil }

func (s curious) Reverse(r verso.Request, reverser verso.Reverser, target verso.Target) (string, error) {
	accepted, _ := r.AcceptedMediaType()
	param, _ := r.PathParam("id")
	query, _ := r.QueryParam("q")
	*s.seen = []string{accepted, param, query, r.Namespace(), r.Host(), r.Version().String()}
	return reverser.Reverse(r, target)
}

func TestReversingSchemeReadsTheRequest(t *testing.T) {
	var seen []string
	e := echo.New()
	e.Use(versoecho5.Middleware(curious{verso.Must(verso.NewBase("Curious", verso.Settings{})), &seen}))
	add(t, e, http.MethodGet, "/users/:id", answerLink(verso.Target{Name: "x"}), "api:v3:user")
	send(t, e, http.MethodGet, "/users/7?q=a%20b", http.Header{"Host": {"api.example.com"}, "Accept": {"text/plain"}})
	assert.Equal(t, []string{"text/plain", "7", "a b", "api:v3", "api.example.com", "v1"}, seen)
}

func TestLinks(t *testing.T) {
	for _, test := range []struct {
		name  string
		links verso.LinkConfig
		want  string
	}{
		{"the request's origin", verso.LinkConfig{}, "http://api.example.com/users"},
		{"fixed origin", verso.LinkConfig{Origin: "https://public.example/api"}, "https://public.example/api/users"},
		{"relative", verso.LinkConfig{Relative: true}, "/users"},
		{"untrusted host", verso.LinkConfig{TrustedHosts: []string{"example.org"}}, "/users"},
		{"trusted host", verso.LinkConfig{TrustedHosts: []string{"*.example.com"}}, "http://api.example.com/users"},
		{
			"origin from the proxy",
			verso.LinkConfig{OriginFunc: func(r *http.Request) string { return "https://" + r.Header.Get("X-Forwarded-Host") }},
			"https://front.example/users",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := echo.New()
			e.Use(versoecho5.MiddlewareWithConfig(versoecho5.Config{
				Scheme: verso.Must(verso.NewAcceptHeader(verso.Settings{})),
				Links:  test.links,
			}))
			add(t, e, http.MethodGet, "/users", answerLink(verso.Target{Name: "users"}), "users")
			got := send(t, e, http.MethodGet, "/users", http.Header{
				"Host": {"api.example.com"}, "X-Forwarded-Host": {"front.example"}, "X-Forwarded-Proto": {"https"},
			})
			assert.Equal(t, test.want, got.body)
		})
	}
}

func TestReverseOutsideOfARequest(t *testing.T) {
	e := echo.New()
	add(t, e, http.MethodGet, "/:version/users/:id", answerVersion, "user")
	target := verso.Target{Name: "user", Kwargs: verso.Kwargs{"id": 7}, Version: verso.V("v2")}
	config := versoecho5.Config{Scheme: verso.Must(verso.NewURLPath(twoVersions))}
	reverse, err := config.ToReverse(e)
	require.NoError(t, err)
	link, err := reverse(target)
	require.NoError(t, err)
	assert.Equal(t, "/v2/users/7", link)

	config.Links.Origin = "https://api.example.com"
	reverse, err = config.ToReverse(e)
	require.NoError(t, err)
	link, err = reverse(target)
	require.NoError(t, err)
	assert.Equal(t, "https://api.example.com/v2/users/7", link)
}
