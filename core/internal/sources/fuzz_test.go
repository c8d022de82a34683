package sources_test

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
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
		if got := coretest.Outcome(builtin, r); got != want {
			t.Errorf("host %q: %s, want %s", name, got, want)
		}
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
			result, call := coretest.Begin(api, r)
			if call.Err != nil {
				t.Fatal(call.Err)
			}
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
			if got := coretest.Outcome(api, coretest.Host(u.Host).Request()); got != "= "+version {
				t.Errorf("%s, host %q: built %q, which is %s, want %q", kind, name, after, got, version)
			}
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
			if _, rejected := errors.AsType[*verso.Error](call.Err); (rejected || call.Err == nil) && len(coretest.Varies(call)) != looked {
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
