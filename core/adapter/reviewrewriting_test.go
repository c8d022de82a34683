package adapter_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
)

// unchanging is a rewriter that changes nothing, and what it finds in its routes.
type unchanging []verso.Finding

func (unchanging) LowerQuery(_ verso.Version, query url.Values) url.Values { return query }

func (u unchanging) Review(*verso.Versioning) []verso.Finding { return u }

func (unchanging) Begin(verso.Version, http.ResponseWriter, *http.Request) (verso.Rewriting, error) {
	return nil, nil
}

func (unchanging) BeginBuffered(verso.Version, string, verso.RequestMessage) (func(int, verso.ResponseMessage) error, error) {
	return nil, nil
}

// unchangingDefault is for routes that are the same in all versions.
type unchangingDefault struct{ unchanging }

func (unchangingDefault) IsDefault() bool { return true }

// TestFindingOfMethods: a finding names a path once, whatever is registered between its methods.
func TestFindingOfMethods(t *testing.T) {
	b := adapter.Bind(verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}), nil)
	found := unchanging{{Level: verso.LevelWarning, Code: "of_bodies", Message: "the body is unknown"}}
	for _, r := range []route.Route{
		{Method: "GET", Path: "/a", Rewriter: found}, {Method: "GET", Path: "/b", Rewriter: found}, {Method: "PUT", Path: "/a", Rewriter: found},
		{Method: "GET", Path: "/c"}, {Method: "GET", Path: "/d"}, {Method: "PUT", Path: "/c"},
	} {
		r.Pattern = route.Colons(r.Path)
		verso.Must(b.Add(r))
	}
	text := b.Explain().String()
	for _, list := range []string{`: "/a", "/b": the body`, `those of "/c", "/d" are`} {
		if !strings.Contains(text, list) {
			t.Errorf("%s, want %s", text, list)
		}
	}
}

// TestNotRewritten: where some routes are rewritten, each other one that older versions have
// is told of, once.
func TestNotRewritten(t *testing.T) {
	rewritten := route.Route{Method: "GET", Path: "/rewritten", Pattern: route.Colons("/rewritten"), Rewriter: unchanging{}}
	plain := func(path string) route.Route {
		return route.Route{Method: "GET", Path: path, Pattern: route.Colons(path)}
	}
	foreign, neutral, inAll := plain("/a"), plain("/a"), plain("/a")
	neutral.Rewriter, inAll.Rewriter = unchanging{}, unchangingDefault{}
	foreign.Foreign, foreign.Checked = true, true
	for _, test := range []struct {
		name    string
		routes  []route.Route
		options []verso.RouteOption
		want    []string
	}{
		{"of other code", []route.Route{rewritten, foreign}, nil, []string{"errors_not_rewritten"}},
		{"no history", []route.Route{plain("/a")}, nil, nil},
		{"all", []route.Route{rewritten}, nil, []string{"errors_not_rewritten"}},
		{"one is not", []route.Route{rewritten, plain("/a")}, nil, []string{"errors_not_rewritten", "not_rewritten"}},
		{"only in the newest", []route.Route{rewritten, plain("/a")}, []verso.RouteOption{verso.Since("v2")}, []string{"errors_not_rewritten"}},
		{"neutral, and rewritten", []route.Route{rewritten, neutral}, []verso.RouteOption{verso.Neutral()}, []string{"errors_not_rewritten", "not_rewritten"}},
		{"neutral, with a default", []route.Route{rewritten, inAll}, []verso.RouteOption{verso.Neutral()}, []string{"errors_not_rewritten"}},
		{"neutral", []route.Route{rewritten, plain("/a")}, []verso.RouteOption{verso.Neutral()}, []string{"errors_not_rewritten"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := adapter.Bind(verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}, Links: verso.LinkConfig{Relative: true}}), nil)
			for _, r := range test.routes {
				options := test.options
				if r.Path == rewritten.Path {
					options = nil
				}
				verso.Must(b.Add(r, options...))
			}
			var got []string
			for _, f := range b.Explain().Findings {
				got = append(got, f.Code)
				if f.Code == "not_rewritten" && !strings.Contains(f.Message, `those of "/a" are not`) {
					t.Errorf("%s", f.Message)
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

// A path with a version in it is in that one only: in the newest it needs no rewriter.
func TestNotRewrittenInAFixedVersion(t *testing.T) {
	for path, isTold := range map[string]bool{"/v1/a": true, "/v2/a": false} {
		b := adapter.Bind(verso.MustNew(verso.PathPrefix("/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}, Links: verso.LinkConfig{Relative: true}}), nil)
		verso.Must(b.Add(route.Route{Method: "GET", Path: "/v1/rewritten", Pattern: route.Colons("/v1/rewritten"), Rewriter: unchanging{}}))
		verso.Must(b.Add(route.Route{Method: "GET", Path: path, Pattern: route.Colons(path)}))
		got := slices.ContainsFunc(b.Explain().Findings, func(f verso.Finding) bool { return f.Code == "not_rewritten" })
		if got != isTold {
			t.Errorf("%s: told %v, want %v", path, got, isTold)
		}
	}
}

// Where every version is served, none is older than the one that a route without a version has.
func TestNotRewrittenInAnyVersion(t *testing.T) {
	config := verso.Config{AnyVersion: true, DefaultVersion: verso.V("v1"), Links: verso.LinkConfig{Relative: true}}
	b := adapter.Bind(verso.MustNew(verso.PathParam("version"), config), nil)
	verso.Must(b.Add(route.Route{Method: "GET", Path: "/:version/a", Pattern: route.Colons("/:version/a"), Rewriter: unchanging{}}))
	verso.Must(b.Add(route.Route{Method: "GET", Path: "/b", Pattern: route.Colons("/b")}))
	for _, f := range b.Explain().Findings {
		if f.Code == "not_rewritten" {
			t.Error(f)
		}
	}
}

// TestRewriterFindings: what a rewriter finds is an error or a warning about its routes.
func TestRewriterFindings(t *testing.T) {
	b := adapter.Bind(verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1"}, Links: verso.LinkConfig{Relative: true}}), nil)
	b.NoteRewriteErrors()
	found := unchanging{{Level: verso.LevelWarning, Code: "odd", Field: "Routes", Message: "an odd history"}}
	for _, path := range []string{"/a", "/b"} {
		verso.Must(b.Add(route.Route{Method: "GET", Path: path, Pattern: route.Colons(path), Rewriter: found}))
	}
	if findings := b.Explain().Findings; len(findings) != 1 || findings[0].Message != `"/a", "/b": an odd history` {
		t.Errorf("%v", findings)
	}

	_, err := b.Add(route.Route{Method: "GET", Path: "/c", Pattern: route.Colons("/c"), Rewriter: unchanging{{Level: verso.LevelError, Code: "foreign", Message: "a history of another API"}}})
	if err == nil || !strings.Contains(err.Error(), "a history of another API") {
		t.Errorf("%v", err)
	}
	const twice = "verso: Routes: Rewrite is called a second time for the same routes: remove either call, or register them in groups of their own"
	defer func() {
		if got := fmt.Sprint(recover()); got != twice {
			t.Errorf("Rewrite: %s", got)
		}
	}()
	adapter.NewGroup[string]("myadapter", b).Rewrite(found, "").Rewrite(found, "")
}
