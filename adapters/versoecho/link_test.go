package versoecho_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// answerLink is a handler that answers with the URL of a target, or the error.
func answerLink(target verso.Target) echo.HandlerFunc {
	return func(c echo.Context) error {
		link, err := versoecho.Link(c, target)
		if err != nil {
			return c.String(http.StatusOK, "error: "+err.Error())
		}
		return c.String(http.StatusOK, link)
	}
}

func TestLinkOnHosts(t *testing.T) {
	e := echo.New()
	e.Use(versoecho.New(e, verso.Must(scheme.NewQueryParameter("version", verso.Config{}))).Middleware())
	users, shop := verso.Target{Name: "users"}, verso.Target{Name: "shop"}
	e.GET("/here", answerLink(users))
	e.GET("/users", answerVersion).Name = "users"
	one := e.Host("one.example")
	one.GET("/here", answerLink(users))
	one.GET("/people", answerVersion).Name = "users"
	one.GET("/shop", answerLink(shop)).Name = "shop"
	two := e.Host("two.example")
	two.GET("/here", answerLink(shop))
	for _, test := range []struct{ name, host, target, want string }{
		{"the default router's", "any.example", "/here", "http://any.example/users"},
		{"the host's own", "one.example", "/here", "http://one.example/people"},
		{"another host's", "two.example", "/here", "http://one.example/shop"},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, send(t, e, http.MethodGet, test.target, http.Header{"Host": {test.host}}).Body)
		})
	}
}

// Whatever the route and the parameters: a URL that is built leads to the route,
// whose handler sees these parameters, or it is not built.
func FuzzLink(f *testing.F) {
	f.Add("/users/:id", "7", "")
	f.Add("/:version/users/:id", "v1", "a b+c%2F")
	f.Add("/files/*", "a/b c/", "")
	f.Add(`/a\:b/x:id/é/:version`, "!'()*", "\xff\x00?#")
	f.Add("/gr\u00f6\u00dfe/:a/*", "1+1", "x!")
	f.Add("/files/:a/*", "a", "../x")
	f.Add("users:a", ".", "..")
	f.Fuzz(func(t *testing.T, pattern, first, second string) {
		if star := strings.IndexByte(pattern, '*'); star >= 0 && star < len(pattern)-1 {
			return // Echo takes text behind the star for a name, and for text
		}
		e := echo.New()
		v := versoecho.New(e, verso.Must(scheme.NewURLPath("version", verso.Config{})))
		conformance.CheckLink(t, e, v.Link, first, second, func(got func(map[string]string, verso.Version)) (names []string) {
			v.GET(pattern, func(c echo.Context) error {
				params := make(map[string]string)
				for _, name := range c.ParamNames() {
					params[name] = versoecho.Param(c, name)
				}
				got(params, versoecho.Version(c))
				return c.NoContent(http.StatusOK)
			}).Name = "r"
			for _, name := range regexp.MustCompile(`\\:|:[^/]*|\*`).FindAllString(pattern, -1) {
				if name != `\:` {
					names = append(names, strings.TrimPrefix(name, ":"))
				}
			}
			return names
		})
	})
}
