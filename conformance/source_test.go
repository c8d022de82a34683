package conformance_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/fileconfig"
	"github.com/goverso/verso/core/source"
)

func TestSources(t *testing.T) {
	for _, kind := range fileconfig.Kinds() {
		t.Run(kind.Name, func(t *testing.T) { conformance.Source(t, kind.New(kind.Example), conformance.SourceOptions{}) })
	}
	for _, test := range []struct {
		name   string
		source source.Source
		opts   conformance.SourceOptions
	}{
		{"accept produced", verso.AcceptParam("version"), conformance.SourceOptions{Produces: []string{"application/json", "text/html"}}},
		{"host pattern", verso.HostLabel(`(v[0-9]+)\.api\.example\.com`), conformance.SourceOptions{Host: "v1.api.example.com"}},
		{"header with dates", verso.Header("Api-Version"), conformance.SourceOptions{Versions: []string{"2026-01-01", "2026-06-01"}}},
		{"media type with resource", verso.MediaType("application/vnd.acme.{resource}-{version}+json"), conformance.SourceOptions{}},
		{"path prefix with text", verso.PathPrefix("/v{version}"), conformance.SourceOptions{Versions: []string{"1", "2"}}},
		{"prefix or header", verso.First(verso.PathPrefix("/{version}"), verso.Header("Api-Version")), conformance.SourceOptions{}},
		{"first", verso.First(verso.PathParam("version"), verso.Header("Api-Version")), conformance.SourceOptions{}},
		{"agree", verso.Agree(verso.QueryParam("v"), verso.AcceptParam("version"), verso.PathParam("version")), conformance.SourceOptions{}},
		{"nested", verso.First(verso.QueryParam("v"), verso.Agree(verso.PathParam("version"), verso.Header("Api-Version"))), conformance.SourceOptions{}},
	} {
		t.Run(test.name, func(t *testing.T) { conformance.Source(t, test.source, test.opts) })
	}
}

func TestSourceThatWritesNothing(t *testing.T) {
	conformance.Source(t, cookies{}, conformance.SourceOptions{Request: func(version string) *http.Request {
		r := httptest.NewRequest(http.MethodGet, "http://api.example.com/target/7", nil)
		r.AddCookie(&http.Cookie{Name: "version", Value: version})
		return r
	}})
	if err := conformance.CheckSource(cookies{}, conformance.SourceOptions{}, "links"); err == nil || !strings.Contains(err.Error(), "set SourceOptions.Request") {
		t.Errorf("without a request to read: %v", err)
	}
}

type pinKey struct{}

// pinned is a source of the version to which an authentication before the check has pinned the
// caller, whom it knows by a header that Read does not read.
type pinned struct{ headers []string }

func (pinned) Read(r source.Request, _ *source.ServedVersions) source.Reading {
	if version, ok := r.Context().Value(pinKey{}).(string); ok {
		return source.Reading{Outcome: source.Found, Text: version}
	}
	return source.Reading{}
}

func (pinned) Write(w source.Written, _ verso.Version) (source.Written, error) { return w, nil }

func (p pinned) Describe() source.Description {
	return source.Description{Name: "pin", Headers: p.headers}
}

func TestSourceOfTheContext(t *testing.T) {
	request := conformance.SourceOptions{Request: func(version string) *http.Request {
		r := httptest.NewRequest(http.MethodGet, "http://api.example.com/target/7", nil)
		return r.WithContext(context.WithValue(r.Context(), pinKey{}, version))
	}}
	conformance.Source(t, pinned{[]string{"Authorization"}}, request)
	if err := conformance.CheckSource(pinned{[]string{"authorization"}}, request, "vary"); err == nil || !strings.Contains(err.Error(), "not in canonical form") {
		t.Errorf("a name that is not in canonical form: %v", err)
	}
}

// TestCookiesBesideOthers has parsers of the Cookie field with a mistake each.
func TestCookiesBesideOthers(t *testing.T) {
	request := conformance.SourceOptions{Request: func(version string) *http.Request {
		r := httptest.NewRequest(http.MethodGet, "http://api.example.com/target/7", nil)
		r.AddCookie(&http.Cookie{Name: "version", Value: version})
		return r
	}}
	find := func(field, separator string) string {
		for part := range strings.SplitSeq(field, separator) {
			if value, ok := strings.CutPrefix(part, "version="); ok {
				return value
			}
		}
		return ""
	}
	for _, test := range []struct {
		name  string
		parse func(field string) string
		lost  string // the field that it does not read
	}{
		{"refuses the field for one cookie", func(field string) string {
			all, err := http.ParseCookie(field)
			if err != nil {
				return ""
			}
			for _, c := range all {
				if c.Name == "version" {
					return c.Value
				}
			}
			return ""
		}, "v1;"},
		{"keeps the semicolon at the end", func(field string) string { return find(field, "; ") }, "v1;"},
		{"finds the name in another", func(field string) string {
			_, value, _ := strings.Cut(field, "version=")
			value, _, _ = strings.Cut(value, ";")
			return value
		}, "myversion=dark"},
		{"reads the first cookie", func(field string) string {
			first, _, _ := strings.Cut(field, ";")
			return find(first, ";")
		}, "theme=dark"},
	} {
		t.Run(test.name, func(t *testing.T) {
			parser := broken{Source: cookies{}, read: func(_ source.Source, r source.Request, _ *source.ServedVersions) source.Reading {
				field, _ := r.Header("Cookie")
				if text := test.parse(field); text != "" {
					return source.Reading{Outcome: source.Found, Text: text}
				}
				return source.Reading{}
			}}
			if err := conformance.CheckSource(parser, request, "cookies"); err == nil || !strings.Contains(err.Error(), test.lost) {
				t.Errorf("the check does not fail for %q: %v", test.lost, err)
			}
		})
	}
}

// broken is a source with one mistake.
type broken struct {
	source.Source
	read     func(source.Source, source.Request, *source.ServedVersions) source.Reading
	write    func(source.Source, source.Written, verso.Version) (source.Written, error)
	describe func(*source.Description)
}

func (b broken) Read(r source.Request, served *source.ServedVersions) source.Reading {
	if b.read != nil {
		return b.read(b.Source, r, served)
	}
	return b.Source.Read(r, served)
}

func (b broken) Write(w source.Written, v verso.Version) (source.Written, error) {
	if b.write != nil {
		return b.write(b.Source, w, v)
	}
	return b.Source.Write(w, v)
}

func (b broken) Describe() source.Description {
	d := b.Source.Describe()
	if b.describe != nil {
		b.describe(&d)
	}
	return d
}

func TestSourceCatches(t *testing.T) {
	conformance.Quiet(t)
	header, query := verso.Header("X-Release"), verso.QueryParam("release")
	var last atomic.Pointer[source.Reading]
	var reads atomic.Int32
	for _, test := range []struct {
		name     string
		source   broken
		caughtBy []string
	}{
		{"a header not named", broken{Source: header, describe: func(d *source.Description) { d.Headers = nil }}, []string{"vary"}},
		{"a header named that is not read", broken{Source: query, describe: func(d *source.Description) { d.Headers = []string{"Accept"} }}, []string{"vary"}},
		{"a header read without the facts", broken{Source: query, read: func(s source.Source, r source.Request, served *source.ServedVersions) source.Reading {
			if text := r.Unwrap().(*http.Request).Header.Get("X-Version"); text != "" {
				return source.Reading{Outcome: source.Found, Text: text}
			}
			return s.Read(r, served)
		}}, []string{"vary"}},
		{"another parameter written than read", broken{Source: query, write: func(_ source.Source, w source.Written, v verso.Version) (source.Written, error) {
			w.SetQuery("Release", v.String())
			return w, nil
		}}, []string{"links"}},
		{"another version written than asked", broken{Source: query, write: func(s source.Source, w source.Written, _ verso.Version) (source.Written, error) {
			return s.Write(w, verso.V("v1"))
		}}, []string{"links"}},
		{"nothing written", broken{Source: query, write: func(_ source.Source, w source.Written, _ verso.Version) (source.Written, error) {
			return w, nil
		}}, []string{"links", "place"}},
		{"the version in the URL, but no place named", broken{Source: query, describe: func(d *source.Description) { d.Place = source.NotInURL }}, []string{"place"}},
		{"a place named, but no version in the URL", broken{Source: header, describe: func(d *source.Description) { d.Place = source.InQuery }}, []string{"place"}},
		{"another place named than written", broken{Source: verso.HostLabel(""), describe: func(d *source.Description) { d.Place = source.InPath }}, []string{"place"}},
		{"an unknown version read as a known one", broken{Source: query, read: func(s source.Source, r source.Request, served *source.ServedVersions) source.Reading {
			reading := s.Read(r, served)
			if _, ok := served.Find(reading.Text); !ok {
				reading.Text = served.Versions()[0]
			}
			return reading
		}}, []string{"rejects"}},
		{"panics on an empty value", broken{Source: query, read: func(s source.Source, r source.Request, served *source.ServedVersions) source.Reading {
			reading := s.Read(r, served)
			if reading.Outcome == source.Found {
				_ = reading.Text[0]
			}
			return reading
		}}, []string{"hostile"}},
		{"panics without a route", broken{Source: verso.Namespace(), read: func(s source.Source, r source.Request, served *source.ServedVersions) source.Reading {
			_ = r.Route().Name
			return s.Read(r, served)
		}}, []string{"hostile"}},
		{"fails on a malformed query", broken{Source: query, read: func(s source.Source, r source.Request, served *source.ServedVersions) source.Reading {
			if _, err := url.ParseQuery(r.RawQuery()); err != nil {
				return source.Reading{Outcome: source.Failed, Err: err}
			}
			return s.Read(r, served)
		}}, []string{"hostile"}},
		{"takes the square of the bytes", broken{Source: header, read: func(s source.Source, r source.Request, served *source.ServedVersions) source.Reading {
			field, _ := r.Header("X-Release")
			time.Sleep(time.Duration(len(field)*len(field)) * 2 / 3)
			return s.Read(r, served)
		}}, []string{"bounded"}},
		{"takes memory by the square", broken{Source: header, read: func(s source.Source, r source.Request, served *source.ServedVersions) source.Reading {
			field, _ := r.Header("X-Release")
			text := ""
			for element := range strings.SplitSeq(field, ",") {
				text += element + "," //nolint:perfsprint // the mistake
			}
			if text == "#" {
				return source.Reading{}
			}
			return s.Read(r, served)
		}}, []string{"bounded"}},
		{"a header not in canonical form", broken{Source: header, describe: func(d *source.Description) { d.Headers = []string{"x-release"} }}, []string{"vary"}},
		{"the reading of another request", broken{Source: query, read: func(s source.Source, r source.Request, served *source.ServedVersions) source.Reading {
			reading := s.Read(r, served)
			last.Store(&reading)
			runtime.Gosched()
			return *last.Load()
		}}, []string{"concurrent"}},
		{"a state", broken{Source: query, read: func(s source.Source, r source.Request, served *source.ServedVersions) source.Reading {
			if reads.Add(1)%2 == 0 {
				return source.Reading{}
			}
			return s.Read(r, served)
		}}, []string{"wrapping"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, name := range test.caughtBy {
				err := conformance.CheckSource(test.source, conformance.SourceOptions{}, name)
				if err == nil {
					t.Errorf("%s does not fail", name)
				}
				t.Logf("%s: %.200v", name, err)
			}
		})
	}
}
