package adapter_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
)

// observing returns a binding and what it is told, as "v1 served /users".
func observing(t *testing.T, from source.Source, config verso.Config) (b *adapter.Binding, told *[]string) {
	t.Helper()
	told = new([]string)
	config.Observe = func(_ context.Context, o verso.Observation) {
		*told = append(*told, o.Version.String()+" "+o.Outcome+" "+o.Route)
	}
	return coretest.Bound(verso.MustNew(from, config)), told
}

// A request that reaches several routes is decided on by each, whatever was decided
// before, and observed by the last.
func TestEachRouteDecides(t *testing.T) {
	header := verso.Header("Api-Version")
	for _, test := range []struct {
		name         string
		ask          coretest.Ask
		first, again []verso.RouteOption
		want, told   string
	}{
		{"the same", coretest.Field("v2"), nil, nil, "= v2", "v2 served /again"},
		{"an option instead of none", coretest.Field("v1"), nil, []verso.RouteOption{verso.Since("v2")}, "404 not_in_version", "v1 not_in_version /again"},
		{"none instead of an option", coretest.Field("v2"), []verso.RouteOption{verso.Since("v2")}, nil, "= v2", "v2 served /again"},
		{"neutral instead of none", coretest.Field("v2"), nil, []verso.RouteOption{verso.Neutral()}, "none", ""},
		{"none instead of neutral", coretest.Field("v2"), []verso.RouteOption{verso.Neutral()}, nil, "= v2", "v2 served /again"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b, told := observing(t, header, coretest.List("v1", "v2"))
			seam := coretest.SeamOf(b)
			first := coretest.Register(b, route.Route{Pattern: route.Colons("/first")}, test.first...)
			again := coretest.Register(b, route.Route{Pattern: route.Colons("/again")}, test.again...)
			r := test.ask
			r.Route = first.Route()
			c := new(coretest.Checked)
			_ = seam.Check(c, &adapter.Call{Request: r.Request()}, func(c *coretest.Checked) {
				r.Route = again.Route()
				_ = seam.Check(c, &adapter.Call{Request: r.Request()}, func(*coretest.Checked) {}) // the error is in c
			})
			got := coretest.OutcomeOf(verso.Version{}, c.Err)
			if c.Err == nil {
				got = coretest.OutcomeOf(c.Kept.Version(), nil)
			}
			if got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
			if len(*told) > 1 || len(*told) == 1 != (test.told != "") || len(*told) == 1 && (*told)[0] != test.told {
				t.Errorf("observed %q, want %q", *told, test.told)
			}
		})
	}
}

// What is in the store before a check, and what other code puts there after it, changes
// neither the decision nor what is observed.
func TestStoreOfOthers(t *testing.T) {
	b, told := observing(t, verso.Header("Api-Version"), coretest.List("v1", "v2"))
	other := coretest.Bound(verso.MustNew(verso.QueryParam("v"), coretest.List("a", "b")))
	seam := coretest.SeamOf(b)
	choose, option, err := adapter.Picker(verso.Handlers[func(*coretest.Checked)]{"v2": func(c *coretest.Checked) { c.Client = "v2 ran" }}, b)
	if err != nil {
		t.Fatal(err)
	}
	at := coretest.Registered(b, option)
	for name, kept := range map[string]*verso.Result{
		"nothing": nil, "another version": verso.Must(b.Result(verso.V("v1"))), "another API's version": verso.Must(other.Result(verso.V("a"))),
	} {
		*told = nil
		a := coretest.Field("v2")
		a.Route = at
		c := &coretest.Checked{Kept: kept}
		_ = seam.HandleVersions(c, &adapter.Call{Request: a.Request()}, func(result *verso.Result) func(*coretest.Checked) {
			chosen := choose(result)
			return func(c *coretest.Checked) {
				c.Kept = kept // as middleware after the check may do
				chosen(c)
			}
		})
		if c.Client != "v2 ran" || len(*told) != 1 || (*told)[0] != "v2 served /:version/users" {
			t.Errorf("%s: %s, observed %q", name, c.Client, *told)
		}
	}
}

// A rejected request has no version for whoever answers it.
func TestRejectedIsUnchecked(t *testing.T) {
	b := coretest.Bound(verso.MustNew(verso.Header("Api-Version"), coretest.List("v1")))
	_, c := coretest.Begin(b, coretest.Field("v9").Request())
	if _, err := c.Kept.Link(verso.Target{}); !errors.Is(err, verso.ErrNotChecked) || !c.Kept.Version().IsNone() || c.Kept.AtLeast("v1") {
		t.Errorf("version %s, link %v", c.Kept.Version(), err)
	}
	if _, err := c.Kept.ContentType(""); !errors.Is(err, verso.ErrNotChecked) {
		t.Error(err)
	}
}

// A seam that lacks something is refused when it is made.
func TestNewSeamRefuses(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a seam without functions is made")
		}
	}()
	adapter.NewSeam(adapter.Seam[int, int]{Binding: coretest.Bound(verso.MustNew(verso.Header("Api-Version"), coretest.List("v1")))})
}

// The router of the binding reads the path parameters, unless the request has one of
// its own.
func TestBeginWithTheRouter(t *testing.T) {
	b := adapter.Bind(verso.Must(scheme.NewURLPath("version", coretest.List("v1", "v2"))), always("v2"))
	raw := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
	var r source.Request
	r.SetHTTP(raw, raw, nil)
	coretest.Expect(t, b, r, "= v2")
	coretest.Expect(t, b, coretest.In("v1").Request(), "= v1")
}

// always is a router whose path parameters all have one value.
type always string

func (a always) PathParam(any, string) (string, bool) { return string(a), true }

func (always) Routes() []adapter.Listed { return nil }
