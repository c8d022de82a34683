package conformance

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	verso "github.com/goverso/verso/core"
)

// overlooked are programs that work, and may not do what their author meant: a finding of
// Explain says so.
var overlooked = []struct {
	name, rule string
	routes     []Route
	findings   []string // of those that any of these programs has
}{
	{
		"used", "options and middleware that routes have are no finding",
		inGroup(&Group{Prefix: "/a", Since: "v2", AfterCheck: passing}, says("GET", "/x", "x"), says("HEAD", "/x", "x")), nil,
	},
	{
		"unused-options", "options whose result is thrown away apply to no route",
		inGroup(&Group{Prefix: "/a", Since: "v2", Unused: true}, says("GET", "/x", "x")), []string{"option_unused"},
	},
	{
		"unused-middleware", "middleware behind the check whose result is thrown away runs for no route",
		inGroup(&Group{Prefix: "/a", AfterCheck: passing, Unused: true}, says("GET", "/x", "x")), []string{"option_unused"},
	},
	{
		"head-differs", "a route for HEAD is in other versions than that for GET",
		[]Route{says("GET", "/x", "x").with(verso.RemovedIn("v2")), says("HEAD", "/x", "x").with(verso.Since("v1"))}, []string{"head_differs"},
	},
}

var passing = []Middleware{func(Step) int { return 0 }}

func overlookedChecks() (checks []check) {
	for _, o := range overlooked {
		checks = append(checks, check{"overlooked/" + o.name, func(tb testing.TB, mount Mount) error {
			tb.Helper()
			server := mount(tb, App{API: verso.MustNew(inHeader, serving("v1", "v2")), Routes: o.routes})
			if server.Explain == nil {
				return errors.Join(errors.New("Server.Explain is nil: the mount sets it to that of the adapter's routes"), server.stop())
			}
			var found []string
			for _, f := range server.Explain().Findings {
				if f.Code == "option_unused" || f.Code == "head_differs" {
					found = append(found, f.Code)
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
