package conformance

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
)

// oversight is a program that works, and the findings of it. The program is correct Go and
// runs, so no compiler and no test of the service finds the mistake.
type oversight struct {
	name, rule string
	routes     []Route
	findings   []string // of those that any of these programs has
}

// overlooked are programs that work, and may not do what their author meant: a finding of
// Explain reports it. A group with options is a new value, and a program that throws it away
// compiles.
var overlooked = []oversight{
	{
		"used", "options and middleware of routes cause no finding",
		inGroup(&Group{Prefix: "/a", Since: "v2", AfterCheck: passing}, answering("GET", "/x", "x"),
			answering("HEAD", "/x", "x")), nil,
	},
	{
		"unused-options", "options whose result is thrown away apply to no route",
		inGroup(&Group{Prefix: "/a", Since: "v2", Unused: true}, answering("GET", "/x", "x")),
		[]string{"option_unused"},
	},
	{
		"unused-middleware", "middleware behind the check whose result is thrown away runs for no route",
		inGroup(&Group{Prefix: "/a", AfterCheck: passing, Unused: true}, answering("GET", "/x", "x")),
		[]string{"option_unused"},
	},
	{
		// Clients and caches take HEAD for GET without a body.
		"head-differs", "a route for HEAD is in other versions than that for GET",
		[]Route{answering("GET", "/x", "x").with(verso.RemovedIn("v2")),
			answering("HEAD", "/x", "x").with(verso.Since("v1"))}, []string{"head_differs"},
	},
}

// rewriteOversights are those of rewriting. An adapter may leave out the group of rewriting,
// hence the list apart.
var rewriteOversights = []oversight{
	{
		"unused-rewriter", "a rewriter that is thrown away rewrites no route",
		inGroup(&Group{Prefix: "/a", Rewriter: new(Shouting), Unused: true}, answering("GET", "/x", "x")),
		[]string{"option_unused"},
	},
	{
		"errors-not-rewritten", "bodies are rewritten, and errors are not without RewriteErrors",
		inGroup(&Group{Prefix: "/a", Rewriter: new(Shouting)}, answering("GET", "/x", "x")),
		[]string{"errors_not_rewritten"},
	},
	{
		"errors-rewritten", "with RewriteErrors there is nothing to say",
		inGroup(&Group{Prefix: "/a", Rewriter: new(Shouting)}, answering("GET", "/x", "x")), nil,
	},
}

var passing = []Middleware{func(Step) int { return 0 }}

// Other findings are ignored: they depend on the framework, and on the configuration that all
// these programs share.
func overlookedChecks(of []oversight) (checks []check) {
	for _, o := range of {
		checks = append(checks, check{"overlooked/" + o.name, func(tb testing.TB, mount Mount) error {
			tb.Helper()
			server := mount(tb, App{API: verso.MustNew(inHeader, serving("v1", "v2")), Routes: o.routes,
				RewriteErrors: o.name == "errors-rewritten"})
			if server.Explain == nil {
				return errors.Join(errUnset("Explain"), server.stop())
			}
			var found []string
			for _, f := range server.Explain().Findings {
				if f.Code == "option_unused" || f.Code == "head_differs" || f.Code == "errors_not_rewritten" {
					found = append(found, f.Code)
				}
				if f.Code == "option_unused" && !strings.Contains(f.Message, "group") { // the file that calls it
					return errors.Join(fmt.Errorf("the finding %q does not name the place where the service calls the adapter", f.Message),
						server.stop())
				}
			}
			if err := server.stop(); err != nil {
				return err
			}
			if !slices.Equal(found, o.findings) {
				return fmt.Errorf("the findings of Explain are %q instead of %q\nrule: %s", found, o.findings, o.rule)
			}
			return nil
		}})
	}
	return checks
}
