package catalogue_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/goverso/verso/core/catalogue"
)

// retirement is a plan that has each feature once.
func retirement() catalogue.Config {
	return catalogue.Config{
		Versions: []catalogue.Entry{
			{
				Version: "v1", Released: at("2024-01-15"), Deprecated: at("2026-03-01"), Sunset: at("2026-12-01"), Successor: "v2",
				Links:     []catalogue.Link{{Rel: "deprecation", Href: "https://example.com/v1"}},
				Brownouts: catalogue.EveryWeek(at("2026-11-03T14:00:00Z"), time.Hour, 4),
			},
			{Version: "v2"},
			{Version: "v3", Released: at("2027-01-01")},
			{Version: "beta", Preview: true},
		},
		AfterSunset: catalogue.FallForward, Report: true, ServedHeader: "api-version", SuccessorLinks: true, ExposeHeaders: true,
	}
}

func TestCatalogue(t *testing.T) {
	config := retirement()
	c := newCatalogue(t, config)
	config.Versions[0].Version = "changed"
	config.Versions[0].Links[0].Href = "changed"
	config.Versions[0].Brownouts[0].Status = 503

	if got, want := c.Versions(), []string{"v1", "v2", "v3", "beta"}; !slices.Equal(got, want) {
		t.Errorf("Versions() = %q, want %q", got, want)
	}
	for i, version := range c.Versions() {
		if index, ok := c.Index(version); index != i || !ok {
			t.Errorf("Index(%q) = %d, %v, want %d", version, index, ok, i)
		}
	}
	if _, ok := c.Index("V1"); ok {
		t.Error("V1 has an index")
	}
	if got, want := c.Entry(0), retirement().Versions[0]; !reflect.DeepEqual(got, want) {
		t.Errorf("Entry(0) = %+v, want %+v", got, want)
	}
	if field, ok := c.ServedField(1); !ok || field.Name != "Api-Version" || !slices.Equal(field.Lines, []string{"v2"}) {
		t.Errorf("ServedField(1) = %v, %v", field, ok)
	}
	if field, ok := c.ExposeField(); !ok || !slices.Equal(field.Lines,
		[]string{"Deprecation, Sunset, Link, Retry-After, Api-Supported-Versions, Api-Deprecated-Versions, Api-Version"}) {
		t.Errorf("ExposeField() = %v, %v", field, ok)
	}

	plain := newCatalogue(t, catalogue.Config{Versions: []catalogue.Entry{{Version: "v1"}}})
	if field, ok := plain.ServedField(0); ok {
		t.Errorf("ServedField(0) = %v", field)
	}
	if field, ok := plain.ExposeField(); ok {
		t.Errorf("ExposeField() = %v", field)
	}
	if got, want := plain.FieldNames(), []string{"Deprecation", "Sunset", "Link", "Retry-After"}; !slices.Equal(got, want) {
		t.Errorf("FieldNames() = %q, want %q", got, want)
	}
}

// Appending to a shared line copies it.
func TestSpareCapacity(t *testing.T) {
	c := newCatalogue(t, retirement())
	moment := c.At(at("2026-06-01"))
	served, _ := c.ServedField(0)
	expose, _ := c.ExposeField()
	fields := slices.Concat(c.Table().Fields(0), c.Table().Lists(moment).Fields, []catalogue.Field{served, expose})
	if len(fields) != 7 {
		t.Errorf("%d fields: %v", len(fields), fields)
	}
	for _, field := range fields {
		if len(field.Lines) == 0 || cap(field.Lines) != len(field.Lines) {
			t.Errorf("%s has %d lines of %d", field.Name, len(field.Lines), cap(field.Lines))
		}
		if http.CanonicalHeaderKey(field.Name) != field.Name {
			t.Errorf("%s is not canonical", field.Name)
		}
	}
}

func TestList(t *testing.T) {
	var versions []string
	for i := range 1000 {
		versions = append(versions, fmt.Sprint("v", i))
	}
	c, err := catalogue.List(versions...)
	if err != nil || !slices.Equal(c.Versions(), versions) {
		t.Fatalf("List: %v", err)
	}
	moment := c.At(time.Unix(-1, 0))
	if got := c.Table().Decide(moment, 999); got.Outcome != catalogue.Served || got.State != catalogue.Supported || len(got.Fields) != 0 {
		t.Errorf("Decide() = %+v", got)
	}
	if lists := c.Table().Lists(moment); len(lists.Allowed) != 1000 || len(lists.Fields) != 0 {
		t.Errorf("lists of %d versions, %v", len(lists.Allowed), lists.Fields)
	}
	_, err = catalogue.List("v1", "v1", "")
	checkMistakes(t, err, mistake{"version_twice", "versions[1].version"}, mistake{"version_empty", "versions[2].version"})
	_, err = catalogue.List()
	checkMistakes(t, err, mistake{"no_versions", "versions"})
}

func TestConcurrent(t *testing.T) {
	c := newCatalogue(t, retirement())
	var requests sync.WaitGroup
	for worker := range 8 {
		requests.Go(func() {
			random := rand.New(rand.NewPCG(uint64(worker), 0))
			for range 2000 {
				now := at("2026-01-01").Add(time.Duration(random.Int64N(int64(400 * 24 * time.Hour))))
				moment := c.At(now)
				if got, want := moment.State(2) == catalogue.Unreleased, now.Before(at("2027-01-01")); got != want {
					t.Errorf("%v: v3 is unreleased: %v", now, got)
				}
				table, err := c.Route(catalogue.RouteConfig{Since: c.Versions()[random.IntN(3)]})
				if err != nil {
					t.Error(err)
					return
				}
				for i := range c.Versions() {
					table.Decide(moment, i)
				}
				if len(table.Lists(moment).Allowed) == 0 && table.Has(1) {
					t.Errorf("%v: no version is allowed", now)
				}
			}
		})
	}
	requests.Wait()
}

func TestAllocations(t *testing.T) {
	c := newCatalogue(t, retirement())
	table := newRoute(t, c, catalogue.RouteConfig{Since: "v2", Sunset: at("2026-12-24")})
	times := []time.Time{at("2026-01-01"), at("2026-11-03T14:30:00Z"), at("2026-12-02"), at("2027-02-01")}
	var n int
	allocations := testing.AllocsPerRun(1000, func() {
		n++
		moment := c.At(times[n%len(times)])
		index, _ := c.Index("v1")
		decision := table.Decide(moment, index)
		fields, lists := decision.Fields, table.Lists(moment)
		served, _ := c.ServedField(max(decision.Version, 0))
		successor, _ := moment.Successor(index)
		if len(fields)+len(lists.Fields)+len(served.Lines)+successor == 0 && !table.NamesSuccessor(moment, index) {
			t.Error("nothing")
		}
	})
	if allocations != 0 {
		t.Errorf("a request allocates %v times", allocations)
	}
}

// largest returns configurations that reach the bounds.
func largest() map[string]catalogue.Config {
	config := func(action catalogue.Action) catalogue.Config {
		c := catalogue.Config{AfterSunset: action, Report: true, ServedHeader: "Api-Version", SuccessorLinks: true}
		for i := range catalogue.MaxVersions {
			c.Versions = append(c.Versions, catalogue.Entry{Version: at("2010-01-01").AddDate(0, i, 0).Format(time.DateOnly)})
		}
		for i := range c.Versions[:len(c.Versions)-1] {
			c.Versions[i].Successor = c.Versions[i+1].Version
		}
		return c
	}

	// A release, a deprecation, a brownout and a sunset each, all at different
	// instants, as in a monthly cycle.
	cycle := config(catalogue.FallForward)
	for i := range cycle.Versions {
		entry := &cycle.Versions[i]
		month := at("2010-01-01").AddDate(0, i, 0)
		entry.Released = month
		entry.Deprecated = month.AddDate(1, 0, 1)
		entry.Brownouts = catalogue.EveryWeek(month.AddDate(2, -1, 2), time.Hour, 1)
		entry.Sunset = month.AddDate(2, 0, 3)
		entry.Links = []catalogue.Link{{Rel: "deprecation", Href: "https://example.com/" + entry.Version}}
	}

	// All versions are listed as long as possible, and the lists change 600 times.
	listed := config(catalogue.Gone)
	for i := range listed.Versions {
		entry := &listed.Versions[i]
		entry.Released = time.Unix(int64(1000+i), 0)
		entry.Deprecated = time.Unix(int64(2000+i), 0)
		entry.Sunset = time.Unix(int64(3000+i), 0)
	}
	listed.Versions[0].Brownouts = nil
	for i := range int64(200) {
		listed.Versions[199].Brownouts = append(listed.Versions[199].Brownouts, catalogue.Brownout{From: time.Unix(2300+3*i, 0), Until: time.Unix(2301+3*i, 0)})
	}
	return map[string]catalogue.Config{"cycle": cycle, "listed": listed}
}

// Making the largest catalogues takes less than 4 MB, garbage included.
func TestMemory(t *testing.T) {
	for name, config := range largest() {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		c := newCatalogue(t, config)
		runtime.ReadMemStats(&after)
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 4e6 {
			t.Errorf("%s: %d bytes", name, taken)
		}
		runtime.KeepAlive(c)
	}
}

func BenchmarkNew(b *testing.B) {
	for name, config := range largest() {
		b.Run(name, func(b *testing.B) {
			if n := len(newCatalogue(b, config).Periods(time.Unix(0, 0))); n != catalogue.MaxInstants+1 {
				b.Fatalf("%d periods", n)
			}
			b.ReportAllocs()
			for b.Loop() {
				newCatalogue(b, config)
			}
		})
	}
}

func BenchmarkDecide(b *testing.B) {
	small := catalogue.Config{Versions: []catalogue.Entry{{Version: "v1"}, {Version: "v2"}}}
	configs := largest()
	configs["small"] = small
	for name, config := range configs {
		b.Run(name, func(b *testing.B) {
			c := newCatalogue(b, config)
			version := c.Versions()[len(c.Versions())-1]
			now := time.Unix(2500, 0)
			if name == "cycle" {
				now = at("2027-06-01")
			}
			b.ReportAllocs()
			for b.Loop() {
				moment := c.At(now)
				index, _ := c.Index(version)
				if decision := c.Table().Decide(moment, index); decision.Outcome == catalogue.Unknown {
					b.Fatal(decision)
				}
			}
		})
	}
}

func BenchmarkAt(b *testing.B) {
	c := newCatalogue(b, largest()["cycle"])
	times := []time.Time{at("2015-01-01"), at("2020-01-01")}
	b.Run("same", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c.At(times[0])
		}
	})
	b.Run("other", func(b *testing.B) {
		b.ReportAllocs()
		n := 0
		for b.Loop() {
			n++
			c.At(times[n&1])
		}
	})
}

func Example() {
	versions, err := catalogue.New(catalogue.Config{
		Versions: []catalogue.Entry{
			{
				Version:    "v1",
				Deprecated: time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC),
				Sunset:     time.Date(2026, time.December, 1, 0, 0, 0, 0, time.UTC),
				Successor:  "v2",
				Links:      []catalogue.Link{{Rel: "deprecation", Href: "https://example.com/v1", Title: "Leave v1"}},
			},
			{Version: "v2"},
		},
		AfterSunset: catalogue.Gone,
		Report:      true,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	v1, _ := versions.Index("v1")
	for _, day := range []string{"2026-02-01", "2026-06-01", "2026-12-01"} {
		now, _ := catalogue.ParseDate(day)
		moment := versions.At(now)
		decision := versions.Table().Decide(moment, v1)
		fmt.Println(day, decision.State, decision.Outcome)
		for _, field := range slices.Concat(decision.Fields, versions.Table().Lists(moment).Fields) {
			fmt.Printf("  %s: %s\n", field.Name, field.Lines[0])
		}
	}
	// Output:
	// 2026-02-01 supported served
	//   Deprecation: @1772323200
	//   Sunset: Tue, 01 Dec 2026 00:00:00 GMT
	//   Link: <https://example.com/v1>; rel="deprecation"; title="Leave v1"
	//   Api-Supported-Versions: v1, v2
	// 2026-06-01 deprecated served
	//   Deprecation: @1772323200
	//   Sunset: Tue, 01 Dec 2026 00:00:00 GMT
	//   Link: <https://example.com/v1>; rel="deprecation"; title="Leave v1"
	//   Api-Supported-Versions: v2
	//   Api-Deprecated-Versions: v1
	// 2026-12-01 ended version_gone
	//   Deprecation: @1772323200
	//   Sunset: Tue, 01 Dec 2026 00:00:00 GMT
	//   Link: <https://example.com/v1>; rel="deprecation"; title="Leave v1"
	//   Api-Supported-Versions: v2
}

func ExampleNew() {
	_, err := catalogue.New(catalogue.Config{
		Versions: []catalogue.Entry{
			{
				Version:    "v1",
				Deprecated: time.Date(2026, time.June, 30, 0, 0, 0, 0, time.UTC),
				Sunset:     time.Date(2025, time.June, 30, 0, 0, 0, 0, time.UTC),
				Successor:  "v3",
			},
			{Version: "v2"},
		},
	})
	fmt.Println(err)
	// Output:
	// catalogue: versions[0].sunset: the sunset is before the deprecation at 2026-06-30T00:00:00Z: move one (RFC 9745, section 4) (sunset_before_deprecation)
	// catalogue: versions[0].successor: "v3" is not a listed version: name a later version than "v1" (successor_unknown)
}

func ExampleCatalogue_Periods() {
	versions, err := catalogue.New(catalogue.Config{
		Versions: []catalogue.Entry{
			{
				Version:    "v1",
				Deprecated: time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC),
				Sunset:     time.Date(2026, time.December, 1, 0, 0, 0, 0, time.UTC),
			},
			{Version: "v2", Released: time.Date(2026, time.February, 1, 0, 0, 0, 0, time.UTC)},
		},
		AfterSunset: catalogue.Gone,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, period := range versions.Periods(time.Date(2026, time.February, 14, 0, 0, 0, 0, time.UTC)) {
		fmt.Print(period.From().Format(time.DateOnly))
		for i, version := range versions.Versions() {
			fmt.Printf(" %s %v", version, period.State(i))
		}
		fmt.Println()
	}
	// Output:
	// 2026-02-01 v1 supported v2 supported
	// 2026-03-01 v1 deprecated v2 supported
	// 2026-12-01 v1 ended v2 supported
}

func TestIsPlain(t *testing.T) {
	date := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		config catalogue.Config
		want   bool
	}{
		"a list":        {catalogue.Config{Versions: []catalogue.Entry{{Version: "v1"}, {Version: "v2"}}}, true},
		"an end":        {catalogue.Config{Versions: []catalogue.Entry{{Version: "v1"}}, AfterSunset: catalogue.Gone}, true},
		"a date":        {catalogue.Config{Versions: []catalogue.Entry{{Version: "v1"}, {Version: "v2", Released: date}}}, false},
		"a preview":     {catalogue.Config{Versions: []catalogue.Entry{{Version: "v1"}, {Version: "v2", Preview: true}}}, false},
		"a link":        {catalogue.Config{Versions: []catalogue.Entry{{Version: "v1", Links: []catalogue.Link{{Rel: "deprecation", Href: "/why"}}}}}, false},
		"lists":         {catalogue.Config{Versions: []catalogue.Entry{{Version: "v1"}}, Report: true}, false},
		"served header": {catalogue.Config{Versions: []catalogue.Entry{{Version: "v1"}}, ServedHeader: "Api-Version"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			made, err := catalogue.New(test.config)
			if err != nil {
				t.Fatal(err)
			}
			if got := made.IsPlain(); got != test.want {
				t.Errorf("plain: %t", got)
			}
		})
	}
}

// A route without versions has dates of its own alone.
func ExampleCatalogue_NeutralRoute() {
	versions := catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{{Version: "v1"}}})
	login, err := versions.NeutralRoute(catalogue.RouteConfig{Sunset: time.Date(2027, 6, 30, 0, 0, 0, 0, time.UTC)})
	fmt.Println(err, login.RouteSunset(), login.Gone(versions.At(time.Date(2027, 7, 1, 0, 0, 0, 0, time.UTC))))
	// Output: <nil> 2027-06-30T00:00:00Z true
}
