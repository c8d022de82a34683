package echotest

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
)

func TestOriginFuncReadsTheRequest(t *testing.T) {
	config := twoVersions
	config.Links.OriginFunc = func(r source.Request) string {
		id, _ := r.PathParam("id")
		return "https://" + id + ".example"
	}
	e := newEcho()
	e.Use(check(e, verso.Must(scheme.NewNamespace(config))))
	add(t, e, http.MethodGet, "/users", answerVersion, "v1:users")
	add(t, e, http.MethodGet, "/here/:id", answerLink(verso.Target{Name: "users"}), "v1:here")
	assert.Equal(t, "https://a.example/users", send(t, e, http.MethodGet, "/here/a", nil).Body)
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
		for _, router := range decodings {
			e, names := router(), []string{}
			v := New(e, verso.Must(scheme.NewURLPath("version", verso.Config{})))
			conformance.CheckLink(t, e, v.Link, first, second, func(got func(map[string]string, verso.Version)) []string {
				for _, name := range regexp.MustCompile(`\\:|:[^/]*|\*`).FindAllString(pattern, -1) {
					if name != `\:` {
						names = append(names, strings.TrimPrefix(name, ":"))
					}
				}
				add(t, v, http.MethodGet, pattern, func(c Context) error {
					params := make(map[string]string)
					for _, name := range names {
						params[name] = Param(c, name)
					}
					got(params, Version(c))
					return c.NoContent(http.StatusOK)
				}, "r")
				return names
			})
		}
	})
}
