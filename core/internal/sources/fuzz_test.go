package sources_test

import (
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/core/versotest"
)

// The scanner of the built-in pattern is the specification's expression.
func FuzzHostLabel(f *testing.F) {
	for _, host := range []string{
		"", ".", "..", "v1.example.com", "v1.example.com:80", "a.b.c.d", "a.b", "a..c", ".b.c", "a.b.",
		"a.b.c\n", "\na.b.c", "á.b.c", "a:.b.c", "a.b.c:d.e.f", "[a.b.c]", "A.Z.9", "a_.b.c", "a.b.c\x00", "/.@.[", "`.{.:",
	} {
		f.Add(host)
	}
	specified := regexp.MustCompile(`^([a-zA-Z0-9]+)\.[a-zA-Z0-9]+\.[a-zA-Z0-9]+$`)
	builtin := verso.Must(scheme.NewHostName("", verso.Config{AnyVersion: true}))
	same := verso.Must(scheme.NewHostName(specified.String(), verso.Config{AnyVersion: true}))
	f.Fuzz(func(t *testing.T, name string) {
		want := "none"
		if match := specified.FindStringSubmatch(strings.Split(name, ":")[0]); match != nil {
			want = "= " + match[1]
		}
		r := coretest.Host(name).Request()
		coretest.Expect(t, builtin, r, want, "host", name)
		if got := coretest.Outcome(same, r); len(name) <= 512 && got != want {
			t.Errorf("host %q, by a pattern: %s, want %s", name, got, want)
		}
	})
}

// A URL in another version has that version in its host and is the same
// otherwise, or there is none.
func FuzzHostLink(f *testing.F) {
	for _, seed := range [][2]string{
		{"v1.example.com:8080", "v2"}, {"v1.example.com", "v2.evil"}, {"a.b.c", ""}, {"[::1]:80", "v1"}, {"127.0.0.1", "1"},
		{"a.b.c:65536", "x"}, {"v1.api.example.com.", "v-2"}, {"a.b.c@d.e.f", "a@b"}, {"a.b.0x7f", "b"}, {"1.2.3", "4"},
	} {
		f.Add(seed[0], seed[1])
	}
	builtin := coretest.Bound(verso.Must(scheme.NewHostName("", verso.Config{AnyVersion: true})), coretest.Users)
	loose := coretest.Bound(verso.Must(scheme.NewHostName(`(.*?)(?:\.api)?\.example\.com`, verso.Config{AnyVersion: true})), coretest.Users)
	f.Fuzz(func(t *testing.T, name, version string) {
		for kind, api := range map[string]*adapter.Binding{"built-in": builtin, "loose": loose} {
			r := coretest.Host(name).Request()
			result, _ := coretest.Decided(t, api, r)
			before, err := adapter.LinkFor(result, r, verso.Target{Name: "users"})
			if err != nil {
				t.Fatal(err)
			}
			after, err := adapter.LinkFor(result, r, verso.Target{Name: "users", Version: verso.V(version)})
			if err != nil {
				if !errors.Is(err, verso.ErrNoReverseMatch) || after != "" {
					t.Errorf("%s, host %q: %q and the error %v", kind, name, after, err)
				}
				continue
			}
			u, err := url.Parse(after)
			if err != nil || u.User != nil || u.Path != "/users" || u.String() != after {
				t.Fatalf("%s, host %q: built %q, %v", kind, name, after, err)
			}
			coretest.Expect(t, api, coretest.Host(u.Host).Request(), "= "+version, kind, name, after, version)
			again, err := adapter.LinkFor(result, r, verso.Target{Name: "users", Version: result.Version()})
			if err != nil || again != before {
				t.Errorf("%s: %q became %q, and in its own version %q, %v", kind, before, after, again, err)
			}
		}
	})
}

// The values that contradict each other are those that net/url reads.
func FuzzContradictingQuery(f *testing.F) {
	f.Add("version=v1&version=v2")
	f.Add("version=v1&a=b&%76ersion=%761&version")
	api := verso.Must(scheme.NewQueryParameter("version", verso.Config{AnyVersion: true, Strict: verso.Strictness{RefuseContradictions: true}}))
	f.Fuzz(func(t *testing.T, text string) {
		values, err := url.ParseQuery(text)
		if err != nil {
			return // a semicolon or a stray percent sign, which verso reads otherwise
		}
		_, err = adapter.Bind(api, nil).DetermineVersion(coretest.Query(text).Request())
		want := len(slices.Compact(values["version"])) > 1
		if errors.Is(err, verso.ErrBadRequest) != want {
			t.Errorf("%q has the versions %q, rejected with %v", text, values["version"], err)
		}
	})
}

// First and Agree do what a model does, over all readings that sources have.
func FuzzSeveral(f *testing.F) {
	f.Add([]byte{3, 0, 3, 1, 0, 0}, false)
	f.Add([]byte{3, 0, 3, 1}, true)
	f.Add([]byte{0, 0, 5, 0, 4, 1, 3, 2}, true)
	f.Add([]byte{1, 0, 2, 0, 6, 0, 7, 0}, false)
	texts := []string{"v1", "v2", "v9", ""}
	f.Fuzz(func(t *testing.T, data []byte, agree bool) {
		data = data[:min(len(data), 12)]
		var sources []source.Source
		var readings []source.Reading
		for i := 0; i+1 < len(data); i += 2 {
			reading := source.Reading{Outcome: source.ReadingOutcome(data[i] % 8), Text: texts[data[i+1]%4]}
			if reading.Outcome == source.Failed {
				reading.Err = fmt.Errorf("failure %d", i/2)
			}
			readings = append(readings, reading)
			sources = append(sources, coretest.Own{
				Described: source.Description{
					Name: fmt.Sprint("source ", i/2), Headers: []string{fmt.Sprint("X-", i/2)},
					Invalid: source.Rejection{Status: 410 + i/2, Message: "invalid"}, Missing: source.Rejection{Status: 499, Message: "never"},
				},
				OnRead: func(source.Request, *source.ServedVersions) source.Reading { return reading },
			})
		}
		if len(sources) == 0 {
			return
		}
		how, model := verso.First, modelFirst
		if agree {
			how, model = verso.Agree, modelAgree
		}
		want, looked := model(readings)
		for _, nest := range []bool{false, true} {
			from := how(sources...)
			if nest && len(sources) > 1 {
				from = how(how(sources[:1]...), how(sources[1:]...))
			}
			api := verso.MustNew(from, coretest.List("v1", "v2"))
			r := coretest.Ask{}.Request()
			got := coretest.Outcome(api, r)
			if i := strings.LastIndex(got, ": failure"); i > 0 {
				got = "error" + got[i:]
			}
			if got != want {
				t.Fatalf("%+v, agree %v, nested %v: %s, want %s", readings, agree, nest, got, want)
			}
			_, call := coretest.Begin(coretest.Bound(api), r)
			if (errors.As(call.Err, new(*verso.Error)) || call.Err == nil) && len(coretest.Varies(call)) != looked {
				t.Fatalf("%+v, agree %v, nested %v: Vary %q, want %d", readings, agree, nest, coretest.Varies(call), looked)
			}
		}
	})
}

// modelFirst says what First does, and how many sources it looks at.
func modelFirst(readings []source.Reading) (want string, looked int) {
	for i, r := range readings {
		if r.Outcome == source.Absent || r.Outcome == source.NoPlace || r.Outcome == source.Unversioned {
			continue
		}
		return modelOutcome(i, r), i + 1
	}
	return "400 missing_version", len(readings)
}

func modelAgree(readings []source.Reading) (want string, looked int) {
	var texts []string
	first, contradicts := -1, false
	for i, r := range readings {
		switch r.Outcome {
		case source.NotAcceptable, source.Malformed, source.Failed:
			return modelOutcome(i, r), len(readings)
		case source.Contradicting:
			contradicts = true
			fallthrough
		case source.Found:
			if first < 0 {
				first = i
			}
			texts = append(texts, r.Text)
		}
	}
	switch {
	case len(texts) == 0:
		return "400 missing_version", len(readings)
	case contradicts || len(slices.Compact(texts)) > 1:
		return "400 contradicting_versions", len(readings)
	}
	return modelOutcome(first, readings[first]), len(readings)
}

// modelOutcome says what a reading of a source by its number leads to.
func modelOutcome(number int, r source.Reading) string {
	switch r.Outcome {
	case source.Found:
		if r.Text == "v1" || r.Text == "v2" {
			return "= " + r.Text
		}
		return fmt.Sprintf("%d invalid", 410+number)
	case source.Contradicting:
		return "400 contradicting_versions"
	case source.NotAcceptable:
		return "406 not_acceptable"
	case source.Malformed:
		return "400 invalid_version"
	}
	return "error: " + r.Err.Error()
}

// A text means at most one version, which is not after it, and a text that means one is of the
// form that the order has.
func FuzzNearest(f *testing.F) {
	for _, text := range []string{
		"2025-07-14", "2025-07", "2024-02-29", "2025-02-29", "2026-04-01", "2026-04-02", "0000-00-00", "9999-99-99", "2025-07-14T00:00:00Z", "２025-07-14", "-", "",
		"0.17.3", "v1", "1", "1.2.3.4", "1.2.3.4.5", "01", "1.", ".1", "+1", "99999999999999999999.1", "1.2-rc1", "v", "vv1", "1.٣",
	} {
		f.Add(text)
	}
	date := regexp.MustCompile(`^[0-9]{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?$`)
	number := regexp.MustCompile(`^(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*)){0,3}$`)
	bind := func(order verso.Order, versions catalogue.Config) *adapter.Binding {
		api := verso.MustNew(verso.Nearest(verso.Header("Api-Version"), order), verso.Config{Clock: func() time.Time { return march31 }, Catalogue: catalogue.MustNew(versions), Acknowledged: []string{"order_unknown"}})
		return adapter.Bind(api, nil)
	}
	days := bind(verso.ByDate(), nearby(versions("2025-01-01", "2025-07", "2026-01-15")...))
	numbers := bind(verso.ByNumberUpTo("12"), nearby(versions("0.16.1", "1.2", "10.0")...))
	f.Fuzz(func(t *testing.T, text string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header["Api-Version"] = []string{text}
		if got, ok := strings.CutPrefix(coretest.Outcome(days, versotest.Request(r, nil, nil)), "= "); ok {
			if plain := strings.Trim(text, ", \t"); !date.MatchString(plain) && !strings.Contains(plain, ",") || !strings.Contains(plain, ",") && got > plain && got != plain+"-01" {
				t.Errorf("%q means %s", text, got)
			}
		}
		if got, ok := strings.CutPrefix(coretest.Outcome(numbers, versotest.Request(r, nil, nil)), "= "); ok {
			if plain := strings.Trim(text, ", \t"); !strings.Contains(plain, ",") && (!number.MatchString(plain) || isAfter(got, plain)) {
				t.Errorf("%q means %s", text, got)
			}
		}
	})
}

// isAfter compares numbers in another way than the order does.
func isAfter(a, b string) bool {
	x, y := strings.Split(a+".0.0.0", "."), strings.Split(b+".0.0.0", ".")
	for i := range 4 {
		m, _ := new(big.Int).SetString(x[i], 10)
		n, _ := new(big.Int).SetString(y[i], 10)
		if c := m.Cmp(n); c != 0 {
			return c > 0
		}
	}
	return false
}
