package versochi_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versochi"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// TestLinks builds links to routes in the places that chi has for them.
func TestLinks(t *testing.T) {
	r, mounted := chi.NewRouter(), chi.NewRouter()
	v := versochi.New(r, verso.Must(scheme.NewURLPath("version", twoVersions)))
	v.Name("user").Get("/{version}/users/{id:[0-9]+}", answerVersion)
	v.Group("/{version}/g").Name("group").Get("/*", answerVersion)
	v.In("/{version}/mounted", mounted).Name("mounted").Post("/{a}-{b}", answerVersion)
	r.Mount("/{version}/mounted", mounted)
	for i, test := range []struct {
		name   string
		target verso.Target
		want   string
	}{
		{"expression", verso.Target{Name: "user", Params: verso.Params{"id": 7}}, "http://example.com/v2/users/7"},
		{"another version", verso.Target{Name: "user", Params: verso.Params{"id": 7}, Version: verso.V("v1")}, "http://example.com/v1/users/7"},
		{"rest", verso.Target{Name: "group", Params: verso.Params{"*": "a/b c"}}, "http://example.com/v2/g/a/b%20c"},
		{"subrouter", verso.Target{Name: "mounted", Params: verso.Params{"a": 1, "b": "x y"}}, "http://example.com/v2/mounted/1-x%20y"},
		{"slash in a parameter", verso.Target{Name: "mounted", Params: verso.Params{"a": 1, "b": "x/y"}}, "error: verso: no reverse match: "},
		{"missing", verso.Target{Name: "user"}, "error: verso: no reverse match: "},
		{"unknown", verso.Target{Name: "nobody"}, `error: verso: no reverse match: no route is called "nobody"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			here := fmt.Sprintf("/{version}/here/%d", i)
			v.Get(here, answerLink(test.target))
			_, body := get(r, strings.ReplaceAll(here, "{version}", "v2"))
			assert.True(t, strings.HasPrefix(body, test.want), body)
		})
	}
}

// TestLinksOfExpressions: a link is found for each value that chi finds in a path, and for no other.
func TestLinksOfExpressions(t *testing.T) {
	for _, pattern := range []string{
		"/f/{p:[0-9]+}", "/f/{p:.+}", "/f/{p:.+}/x", "/f/{p:.+}.json", "/f/{p:.+}.json/x", "/f/{p:[a-z/]+}-x", "/f/{p:[^a]+}", "/f/{p:[^a]+}.json",
		"/f/{p:a/b}", "/f/{p:a/b}.json", "/f/{p:.+}.json/{q:.+}", "/{q:.+}/{p:.+}.json", "/f/{p:(?s).*}", "/f/{p:[+-9]+}", "/f/{p:[a{}]+}", "/f/{p:/}",
	} {
		t.Run(pattern, func(t *testing.T) {
			r, found := chi.NewRouter(), ""
			v := versochi.New(r, verso.MustNew(verso.Header("Api-Version"), verso.Config{AnyVersion: true}))
			v.Neutral().Name("r").Get(pattern, func(_ http.ResponseWriter, r *http.Request) { found = versochi.Param(r, "p") })
			for _, value := range []string{"a", "b", "ab", "7", "a/b", "b/c/7", "a.b", "b/c.d", "é/ü", "x y", "a-b", "b/-", "{", "..", ""} {
				params := verso.Params{"p": value}
				if strings.Contains(pattern, "{q") {
					params["q"] = "q"
				}
				sent := strings.NewReplacer(" ", "%20", "{", "%7B").Replace(parameters.ReplaceAllStringFunc(pattern, func(s string) string {
					return map[byte]string{'p': value, 'q': "q"}[s[1]]
				}))
				found = ""
				get(r, sent)
				takes := found == value && value != "" && value != ".."
				link, err := v.Link(verso.Target{Name: "r", Params: params})
				if assert.Equal(t, takes, err == nil, "%q: %q %v", value, link, err) && takes {
					found = ""
					get(r, link)
					assert.Equal(t, value, found, link)
				}
			}
		})
	}
}

var parameters = regexp.MustCompile(`\{\w:(?:[^{}]|\{[^{}]*\})*\}`)

// Whatever the parameters: a link leads to the route, whose handler sees these parameters, or
// there is no link.
func FuzzLink(f *testing.F) {
	f.Add("/users/{id}", "7", "")
	f.Add("/{version}/users/{id}", "v1", "a b+c%2F")
	f.Add("/files/*", "a/b c/", "")
	f.Add("/{version}/{id}/*", "!'()*", "\xff\x00?#")
	f.Add("/{version}-{id}", "1+1", "../x")
	f.Add("/{id}/", ".", "..")
	f.Add("/{name}.{format}", "report.v2", "csv")
	f.Fuzz(func(t *testing.T, pattern, first, second string) {
		if !strings.HasPrefix(pattern, "/") || strings.ContainsAny(pattern, " %\t:") {
			return // a method, an expression, or text as it was sent
		}
		r := chi.NewRouter()
		v := versochi.New(r, verso.Must(scheme.NewURLPath("version", verso.Config{AnyVersion: true})))
		var names []string
		for _, match := range regexp.MustCompile(`\{([a-z]+)\}|\*$`).FindAllStringSubmatch(pattern, -1) {
			names = append(names, map[bool]string{true: match[1], false: "*"}[match[1] != ""])
		}
		if strings.Count(pattern, "{")+strings.Count(pattern, "*") != len(names) || regexp.MustCompile(`\}[a-z0-9]`).MatchString(pattern) {
			return // other names, or text that a plain value may have
		}
		conformance.CheckLink(t, r, v.Link, first, second, func(got func(map[string]string, verso.Version)) []string {
			v.Name("r").Get(pattern, func(_ http.ResponseWriter, r *http.Request) {
				params := make(map[string]string)
				for _, name := range names {
					params[name] = versochi.Param(r, name)
				}
				got(params, versochi.Version(r))
			})
			return names
		})
	})
}
