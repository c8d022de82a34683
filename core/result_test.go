package verso_test

import (
	"errors"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
)

func TestResult(t *testing.T) {
	ended := catalogue.MustNew(catalogue.Config{
		Versions:    []catalogue.Entry{{Version: "v1", Sunset: time.Unix(1, 0)}, {Version: "v2"}},
		AfterSunset: catalogue.Gone,
	})
	listed := verso.Config{AllowedVersions: []string{"v1", "v2"}}
	path, header := verso.PathParam("version"), verso.Header("Api-Version")
	for _, test := range []struct {
		name    string
		source  source.Source
		config  verso.Config
		version verso.Version
		link    string // "" if the version is not allowed
	}{
		{"path", path, listed, verso.V("v2"), "/v2/users"},
		{"header", header, listed, verso.V("v2"), "/users"},
		{"header or path", verso.First(header, path), listed, verso.V("v2"), "/v2/users"},
		{"only headers", verso.First(header, verso.AcceptParam("v")), listed, verso.V("v2"), "/users"},
		{"every version", path, verso.Config{AnyVersion: true}, verso.V("v7"), "/v7/users"},
		{"none", path, verso.Config{AnyVersion: true}, verso.Version{}, "/users"},
		{"a default that is not listed", path, verso.Config{AllowedVersions: []string{"v1"}, DefaultVersion: verso.V("v0")}, verso.V("v0"), "/v0/users"},
		{"a version that has ended", path, verso.Config{Catalogue: ended}, verso.V("v1"), "/v1/users"},
		{"unknown", path, listed, verso.V("v9"), ""},
		{"none, and one is needed", path, listed, verso.Version{}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			api := coretest.Bound(verso.MustNew(test.source, test.config),
				route.Route{Name: "users", Pattern: route.Colons("/:version/users")},
				route.Route{Name: "users", Pattern: route.Colons("/users")},
			)
			result, err := api.Result(test.version)
			if test.link == "" {
				if !errors.Is(err, verso.ErrUnknownVersion) || result != nil {
					t.Fatalf("%v, %v", result, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			link, err := result.Link(verso.Target{Name: "users"})
			if result.Version() != test.version || link != test.link || err != nil {
				t.Errorf("version %q, link %q, %v; want %q, %q", result.Version(), link, err, test.version, test.link)
			}
		})
	}
}

// TestResultChooses asks for the handler of a version.
func TestResultChooses(t *testing.T) {
	b := coretest.Bound(verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2"}})))
	pick, _, err := adapter.Picker(verso.Handlers[string]{"v1": "old", "v2": "new"}, b)
	if err != nil {
		t.Fatal(err)
	}
	for version, want := range map[string]string{"v1": "old", "v2": "new"} {
		if got := pick(verso.Must(b.Result(verso.V(version)))); got != want {
			t.Errorf("%s: %q", version, got)
		}
	}
}

// Later is what is later in the list, whatever the texts are.
func TestAtLeast(t *testing.T) {
	ordered := coretest.Bound(verso.Must(scheme.NewURLPath("version", coretest.With(coretest.List("beta", "v2", "v10", "2026"), func(c *verso.Config) { c.AllowUnversioned = true }))))
	dated, _ := coretest.OverTime(t, nil)
	open := coretest.Bound(verso.Must(scheme.NewURLPath("version", verso.Config{AnyVersion: true})))
	for _, test := range []struct {
		b        *adapter.Binding
		version  verso.Version
		asked    string
		want     bool
		isLogged bool
	}{
		{ordered, verso.V("v10"), "v2", true, false},
		{ordered, verso.V("v2"), "v2", true, false},
		{ordered, verso.V("v2"), "v10", false, false},
		{ordered, verso.V("2026"), "beta", true, false},
		{ordered, verso.V("beta"), "2026", false, false},
		{ordered, verso.Version{}, "beta", false, false},
		{ordered, verso.V("2026"), "v9", false, true},
		{ordered, verso.V("2026"), "v9", false, false}, // once
		{ordered, verso.V("2026"), "V2", false, true},
		{coretest.Bound(dated), verso.V("v3"), "v1", true, false},
		{coretest.Bound(dated), verso.V("v0"), "v1", false, false},
		{open, verso.V("v2"), "v1", false, true},
		{open, verso.Version{}, "v1", false, false},
	} {
		log := coretest.Logging(t)
		result := verso.Must(test.b.Result(test.version))
		if got := result.AtLeast(test.asked); got != test.want {
			t.Errorf("%q is at least %q: %v", test.version, test.asked, got)
		}
		if got := coretest.Codes(t, log); (len(got) == 1 && got[0] == "at_least_unknown") != test.isLogged || len(got) > 1 {
			t.Errorf("%q, %q: logged %q", test.version, test.asked, got)
		}
	}
}

func TestVersionIs(t *testing.T) {
	for _, test := range []struct {
		version verso.Version
		text    string
		want    bool
	}{
		{verso.V("v1"), "v1", true}, {verso.V("v1"), "V1", false}, {verso.V("v1"), "", false},
		{verso.V(""), "", true}, {verso.Version{}, "", false}, {verso.Version{}, "v1", false},
	} {
		if got := test.version.Is(test.text); got != test.want {
			t.Errorf("%#v is %q: %v", test.version, test.text, got)
		}
	}
}

func TestSource(t *testing.T) {
	from := verso.Header("Api-Version")
	if api := verso.MustNew(from, verso.Config{AnyVersion: true}); api.Source() != from {
		t.Error("another source")
	}
	base := verso.Must(scheme.NewBase("Base", verso.Config{AnyVersion: true}))
	if result, err := coretest.Bound(base).Result(verso.V("v1")); base.Source().Describe().Name != "Base" || err != nil || result.Version() != verso.V("v1") {
		t.Errorf("the base scheme: %v, %v", result, err)
	}
}

func TestWrittenHost(t *testing.T) {
	target, err := verso.HostLabel("").Write(source.Written{}, verso.V("v2"))
	if err != nil {
		t.Fatal(err)
	}
	if host, err := target.Host("v1.example.com"); host != "v2.example.com" || err != nil {
		t.Errorf("%q, %v", host, err)
	}
	if host, err := target.Host("localhost"); host != "" || !errors.Is(err, verso.ErrNoReverseMatch) {
		t.Errorf("%q, %v", host, err)
	}
	if host, err := new(source.Written).Host("v1.example.com"); host != "" || err != nil {
		t.Errorf("%q, %v", host, err)
	}
}
