package verso_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// unchanging is a rewriter that changes nothing, and what it finds in its routes.
type unchanging []verso.Finding

func (u unchanging) Review(*verso.Versioning) []verso.Finding { return u }

func (unchanging) Begin(verso.Version, http.ResponseWriter, *http.Request) (verso.Rewriting, error) {
	return nil, nil
}

func (unchanging) BeginBuffered(verso.Version, string, verso.Message) (func(int, verso.Message) error, error) {
	return nil, nil
}

// TestNotRewritten: where some routes are rewritten, each other one that older versions have
// is told of, once.
func TestNotRewritten(t *testing.T) {
	rewritten := route.Route{Method: "GET", Path: "/rewritten", Pattern: route.Colons("/rewritten"), Rewriter: unchanging{}}
	plain := func(path string) route.Route {
		return route.Route{Method: "GET", Path: path, Pattern: route.Colons(path)}
	}
	for _, test := range []struct {
		name    string
		routes  []route.Route
		options []verso.RouteOption
		want    []string
	}{
		{"no history", []route.Route{plain("/a")}, nil, nil},
		{"all", []route.Route{rewritten}, nil, []string{"errors_not_rewritten"}},
		{"one is not", []route.Route{rewritten, plain("/a")}, nil, []string{"errors_not_rewritten", "not_rewritten"}},
		{"only in the newest", []route.Route{rewritten, plain("/a")}, []verso.RouteOption{verso.Since("v2")}, []string{"errors_not_rewritten"}},
		{"neutral", []route.Route{rewritten, plain("/a")}, []verso.RouteOption{verso.Neutral()}, []string{"errors_not_rewritten"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := verso.Bind(verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}, Links: verso.LinkConfig{Relative: true}}), nil)
			for _, r := range test.routes {
				options := test.options
				if r.Rewriter != nil {
					options = nil
				}
				_, err := b.Add(r, options...)
				require.NoError(t, err)
			}
			var got []string
			for _, f := range b.Explain().Findings {
				got = append(got, f.Code)
				if f.Code == "not_rewritten" {
					assert.Contains(t, f.Message, `those of "/a" are not`)
				}
			}
			assert.Equal(t, test.want, got)
		})
	}
}

// TestRewriterFindings: what a rewriter finds is an error or a warning about its routes.
func TestRewriterFindings(t *testing.T) {
	b := verso.Bind(verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1"}, Links: verso.LinkConfig{Relative: true}}), nil)
	b.NoteRewriteErrors()
	found := unchanging{{Level: verso.LevelWarning, Code: "odd", Field: "Routes", Message: "an odd history"}}
	for _, path := range []string{"/a", "/b"} {
		_, err := b.Add(route.Route{Method: "GET", Path: path, Pattern: route.Colons(path), Rewriter: found})
		require.NoError(t, err)
	}
	findings := b.Explain().Findings
	require.Len(t, findings, 1)
	assert.Equal(t, `"/a", "/b": an odd history`, findings[0].Message)

	_, err := b.Add(route.Route{Method: "GET", Path: "/c", Pattern: route.Colons("/c"), Rewriter: unchanging{{Level: verso.LevelError, Code: "foreign", Message: "a history of another API"}}})
	require.ErrorContains(t, err, "a history of another API")
	assert.PanicsWithError(t, "verso: Routes: Rewrite is called a second time for the same routes: remove one of the calls, or register them in groups of their own",
		func() { b.CheckRewrite(found, found) })
}
