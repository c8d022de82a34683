package adapter_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/core/versotest"
)

var anyRequest = httptest.NewRequest(http.MethodGet, "/", nil)

// unmatchedCode returns what [adapter.Seam.CheckUnmatched] answers a path with, "" if it
// leaves the request to the framework.
func unmatchedCode(seam *adapter.Seam[*coretest.Checked, func(*coretest.Checked)], path string) verso.MessageID {
	c, call := new(coretest.Checked), new(adapter.Call)
	call.Request.SetHTTP(anyRequest, anyRequest, nil)
	if rejected, _ := seam.CheckUnmatched(c, call, path); !rejected {
		return ""
	}
	rejected, _, _ := c.Rejected()
	return rejected.MessageID
}

// The version of a path that no route has is read where routes have it.
func TestUnmatchedPaths(t *testing.T) {
	config := ending(versotest.NewClock(coretest.Date(2027, 1, 2)), catalogue.Gone, "")
	config.DefaultVersion = verso.Version{}
	seam := coretest.SeamOf(coretest.Bound(verso.MustNew(verso.PathParam("version"), config),
		route.Route{Pattern: route.Colons("/:version/users")}, route.Route{Pattern: route.Colons("/a b/:version/users")}, route.Route{Pattern: route.Colons("/api/v/:version")},
		route.Route{Pattern: route.Colons("/at/:id/:version")}, route.Route{Pattern: route.Colons("/in-:version/x")}, route.Route{Pattern: route.Colons("/all/*version")}, route.Route{Pattern: route.Colons("/:tenant/:version/rooms")}))
	for path, want := range map[string]verso.MessageID{
		"/v1/gone": verso.VersionGone, "/v9/gone": "", "/v9/users": source.InvalidURLPathVersion, "/v9/users/7": "", "/v2/gone": "", "/favicon.ico": "", "/a%20b/v9/users": source.InvalidURLPathVersion, "/a%20b/v9/gone": "", "/": "", "": "", "/v1": verso.VersionGone, "v1": "",
		"/a%20b/v1/gone": verso.VersionGone, "/a%20b/v2/gone": "", "/a%20b/": "", "/api/v/v1/x": verso.VersionGone, "/api/v/": "", "/api/x": "",
		"/in-v1/x": verso.VersionGone, "/in-v9/x": source.InvalidURLPathVersion, "/in-v1/gone": verso.VersionGone, "/at/1/v1": verso.VersionGone, "/at/1/v9": source.InvalidURLPathVersion, "/at/1/v1/gone": verso.VersionGone, "/at/1/v2": "", "/%zz": "", "/all/v1": verso.VersionGone,
		"/acme/v1/gone": verso.VersionGone, "/acme/v2/gone": "", "/acme/v9/gone": "", "/acme/v1": verso.VersionGone, "/v2/v1/gone": "", "/in-v9/v1/gone": verso.VersionGone,
	} {
		if got := unmatchedCode(seam, path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// Text around the rest of a path is part of it: /ui* has no other path.
func TestUnmatchedRests(t *testing.T) {
	config := ending(versotest.NewClock(coretest.Date(2027, 1, 2)), catalogue.Gone, "")
	config.DefaultVersion = verso.Version{}
	b := coretest.Bound(verso.MustNew(verso.PathParam("version"), config), route.Route{Pattern: route.Colons("/:version/users")},
		route.Route{Pattern: route.Braces("/{version}/docs/{path:.+}.json")})
	for _, pattern := range []string{"/ui*", "/files/*"} {
		if _, err := b.Add(route.Route{Path: pattern, Pattern: route.Colons(pattern)}, verso.Neutral()); err != nil {
			t.Fatal(err)
		}
	}
	seam := coretest.SeamOf(b)
	for path, want := range map[string]verso.MessageID{
		"/v1/gone": verso.VersionGone, "/v9/users": source.InvalidURLPathVersion, "/favicon.ico": "", "/ui": "", "/ui-v1/users": "", "/files/v1": "", "/v1/ui": verso.VersionGone,
		"/v9/docs/a/b.json": source.InvalidURLPathVersion, "/v9/docs/a.json": source.InvalidURLPathVersion, "/v9/docs/a/b.xml": "",
	} {
		if got := unmatchedCode(seam, path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

func BenchmarkUnmatched(b *testing.B) {
	path := "/v2/" + strings.Repeat("a/b%20", 170)
	for _, from := range []source.Source{verso.PathParam("version"), verso.PathPrefix("/{version}"), verso.Header("Api-Version")} {
		for _, n := range []int{10, 10_000} {
			routes := make([]route.Route, n)
			for i := range routes {
				routes[i] = route.Route{Path: strconv.Itoa(i), Pattern: route.Colons(fmt.Sprintf("/r%d/:version/users/:id", i))}
			}
			seam := coretest.SeamOf(coretest.Bound(verso.MustNew(from, coretest.List("v1", "v2")), routes...))
			b.Run(fmt.Sprintf("%s/%d", from.Describe().Name, n), func(b *testing.B) {
				for b.Loop() {
					if code := unmatchedCode(seam, path); code != "" {
						b.Fatal(code)
					}
				}
			})
		}
	}
}
