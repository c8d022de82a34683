package versogin_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
)

// answerLink is a handler that answers with the URL of a target, or the error.
func answerLink(target verso.Target) gin.HandlerFunc {
	return func(c *gin.Context) {
		link, err := versogin.Reverse(c, target)
		if err != nil {
			link = "error: " + err.Error()
		}
		c.String(http.StatusOK, link)
	}
}

func TestReverseFindsNames(t *testing.T) {
	r := gin.New()
	routes := versogin.NewRoutes(r)
	r.Use(versogin.New(verso.Must(verso.NewURLPath(twoVersions)), versogin.WithRoutes(routes)))
	r.GET("/:version/here", answerLink(verso.Target{Name: "user", Kwargs: verso.Kwargs{"id": 7}}))
	r.GET("/:version/folder", answerLink(verso.Target{Name: "files", Kwargs: verso.Kwargs{"path": "/a/b c.txt"}}))
	r.GET("/:version/colon", answerLink(verso.Target{Name: "colon"}))
	r.GET("/:version/late", answerLink(verso.Target{Name: "late"}))
	versioned := routes.Group("/:version")
	versioned.Name("user").GET("/users/:id", answerVersion).PUT("/users/:id", answerVersion)
	versioned.Name("files").GET("/files/*path", answerVersion)
	versioned.Name("colon").GET(`/users\:all`, answerVersion)

	header := http.Header{"Host": {"api.example.com"}}
	assert.Equal(t, "http://api.example.com/v1/users/7", send(t, r, http.MethodGet, "/v1/here", header).body)
	assert.Equal(t, "http://api.example.com/v2/files/a/b%20c.txt", send(t, r, http.MethodGet, "/v2/folder", header).body)
	assert.Equal(t, "http://api.example.com/v2/users:all", send(t, r, http.MethodGet, "/v2/colon", header).body)
	assert.Equal(t, "v2", send(t, r, http.MethodGet, "/v2/users:all", header).body)
	assert.Contains(t, send(t, r, http.MethodGet, "/v1/late", header).body, `no route is called "late"`)
	versioned.Name("late").GET("/added", answerVersion)
	assert.Equal(t, "http://api.example.com/v1/added", send(t, r, http.MethodGet, "/v1/late", header).body)
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
	} {
		t.Run(test.name, func(t *testing.T) {
			r := gin.New()
			routes := versogin.NewRoutes(r)
			r.Use(versogin.New(verso.Must(verso.NewAcceptHeader(verso.Settings{})),
				versogin.WithRoutes(routes), versogin.WithLinks(test.links)))
			routes.Name("users").GET("/users", answerLink(verso.Target{Name: "users"}))
			got := send(t, r, http.MethodGet, "/users", http.Header{"Host": {"api.example.com"}})
			assert.Equal(t, test.want, got.body)
		})
	}
}

func TestReverseOutsideOfARequest(t *testing.T) {
	routes := versogin.NewRoutes(gin.New())
	routes.Name("user").GET("/:version/users/:id", answerVersion)
	reverse := versogin.NewReverse(verso.Must(verso.NewURLPath(twoVersions)), versogin.WithRoutes(routes),
		versogin.WithLinks(verso.LinkConfig{Origin: "https://api.example.com"}))
	link, err := reverse(verso.Target{Name: "user", Kwargs: verso.Kwargs{"id": 7}, Version: verso.V("v2")})
	require.NoError(t, err)
	assert.Equal(t, "https://api.example.com/v2/users/7", link)
}

// curious is a scheme whose Reverse reads what a request has.
type curious struct{ *verso.Base }

func (curious) DetermineVersion(verso.Request) (verso.Version, error) { return verso.V("v1"), nil }

func (curious) Reverse(r verso.Request, _ verso.Reverser, _ verso.Target) (string, error) {
	accepted, _ := r.AcceptedMediaType()
	param, _ := r.PathParam("id")
	query, _ := r.QueryParam("q")
	return strings.Join([]string{accepted, param, query, r.Namespace(), r.Host(), r.Version().String()}, " "), nil
}

func TestReverseOfASchemeReadsTheRequest(t *testing.T) {
	base, err := verso.NewBase("CuriousVersioning", verso.Settings{})
	require.NoError(t, err)
	header := http.Header{"Accept": {"text/csv"}, "Host": {"api.example.com"}}
	const want = "text/csv 7 8 api:v2 api.example.com v1"
	r := gin.New()
	routes := versogin.NewRoutes(r)
	r.Use(versogin.New(curious{base}, versogin.WithRoutes(routes)))
	routes.Namespace("api").Namespace("v2").Name("user").GET("/users/:id", answerLink(verso.Target{}))
	assert.Equal(t, want, send(t, r, http.MethodGet, "/users/7?q=8", header).body)
}
