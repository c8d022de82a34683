package source_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"unsafe"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/source"
)

// wrapped is a source around another, as one that counts.
type wrapped struct {
	source.Source

	reads *atomic.Int64
}

func (w wrapped) Read(r source.Request, served *source.ServedVersions) source.Reading {
	w.reads.Add(1)
	return w.Source.Read(r, served)
}

// watched is a source around another that writes what it reads.
type watched struct{ source.Source }

func (l *watched) Read(r source.Request, served *source.ServedVersions) source.Reading {
	reading := l.Source.Read(r, served)
	slog.Debug("read", "outcome", reading.Outcome.String(), "version", verso.V(reading.Text))
	return reading
}

// Who wraps a source loses nothing: neither strictness, nor the list of allowed
// versions, nor checks at the start, nor Vary, links and Explain.
func TestWrappedSources(t *testing.T) {
	all := map[string]source.Source{
		"first": coretest.Three(verso.First), "agree": coretest.Three(verso.Agree),
		"first with a media type": verso.First(verso.Header("Api-Version"), verso.MediaType(coretest.Vendor)),
		"twice":                   verso.First(verso.PathParam("version"), verso.PathParam("version")),
		"unreachable":             verso.First(verso.HostLabel("(.*)"), verso.PathParam("version")),
		"wrong path":              verso.PathParam(":version"), "wrong header": verso.Header("Host"),
		"wrong pattern": verso.HostLabel("v1"), "wrong template": verso.MediaType("x"), "wrong parameter": verso.AcceptParam("a b"),
	}
	for name, s := range coretest.Sources() {
		all[name] = s.Source
	}
	configs := map[string]verso.Config{
		"list": coretest.List("v1", "v2"), "default": coretest.WithDefault("v1", "v2"), "default beside the list": {AllowedVersions: []string{"v2"}, DefaultVersion: verso.V("v1")},
		"strict":   coretest.With(coretest.List("v1", "v2"), func(c *verso.Config) { c.Strict = verso.Strict() }),
		"produces": coretest.With(coretest.WithDefault("v1", "v2"), func(c *verso.Config) { c.Produces = []string{"application/json", "text/csv"} }),
		"all":      {}, "slash": coretest.List("a/b"), "colon": coretest.List("a:b"), "comma": coretest.List("a,b"), "hyphen": coretest.List("v-1"), "twice": coretest.List("v1", "v1"),
	}
	asks := manyRequests()
	for name, from := range all {
		for kind, wrap := range map[string]func(source.Source) source.Source{
			"counting": func(s source.Source) source.Source { return wrapped{s, new(atomic.Int64)} },
			"logging":  func(s source.Source) source.Source { return &watched{s} },
			"both":     func(s source.Source) source.Source { return &watched{wrapped{s, new(atomic.Int64)}} },
			"First":    func(s source.Source) source.Source { return &watched{verso.First(wrapped{s, new(atomic.Int64)})} },
		} {
			for configuration, config := range configs {
				if kind == "First" && (configuration != "list" || len(from.Describe().Parts) == 0) {
					continue // First changes what is missing and nowhere
				}
				t.Run(name+"/"+kind+"/"+configuration, func(t *testing.T) {
					plain, plainErr := verso.New(from, config)
					other, otherErr := verso.New(wrap(from), config)
					if fmt.Sprint(plainErr) != fmt.Sprint(otherErr) && kind != "First" {
						t.Fatalf("error %v, wrapped %v", plainErr, otherErr)
					}
					if plainErr != nil || otherErr != nil {
						return
					}
					if a, b := adapter.Bind(plain, nil).Explain().String(), adapter.Bind(other, nil).Explain().String(); a != b && kind != "First" {
						t.Errorf("explained %s, wrapped %s", a, b)
					}
					if !slices.Equal(plain.Vary(), other.Vary()) {
						t.Errorf("Vary %q, wrapped %q", plain.Vary(), other.Vary())
					}
					plainBound, otherBound := coretest.Bound(plain, coretest.LinkedRoutes...), coretest.Bound(other, coretest.LinkedRoutes...)
					for _, a := range asks {
						if x, y := everything(plainBound, a.Request()), everything(otherBound, a.Request()); x != y {
							t.Errorf("%+v: %s, wrapped %s", a, x, y)
						}
					}
				})
			}
		}
	}
}

// everything says all that becomes of a request.
func everything(b *adapter.Binding, r source.Request) string {
	text := coretest.Outcome(b, r)
	result, call := coretest.Begin(b, r)
	text += fmt.Sprintf(" vary %q", coretest.Varies(call))
	if rejected, answer, ok := call.Rejected(); ok {
		text += fmt.Sprintf(" asked %q %v: %s", rejected.Requested, rejected.HasRequested, answer.Body)
	}
	if result != nil {
		for _, version := range []verso.Version{{}, verso.V("v1"), verso.V("v2")} {
			text = fmt.Sprintln(text, fmt.Sprint(adapter.LinkFor(result, r, verso.Target{Name: "users", Version: version})))
		}
		text += " " + fmt.Sprint(result.ContentType(""))
	}
	return text
}

// manyRequests are requests of all kinds, each with a version in some places.
func manyRequests() (asks []coretest.Ask) {
	asks = []coretest.Ask{{}, coretest.Preflight(coretest.In("v9").Params), coretest.Host("v1.example.com"), coretest.Host("v9.example.com"), coretest.Host("example.com")}
	for _, v := range []string{"v1", "v2", "v9", ""} {
		asks = append(asks, coretest.In(v), coretest.Query("version="+v), coretest.Field(v), coretest.Accept("application/json;version="+v),
			coretest.Accept("application/vnd.acme."+v+"+json"), coretest.Named(v+":users"), coretest.InTwo(v), coretest.Ask{Params: coretest.In(v).Params, Header: coretest.Field("v2").Header},
			coretest.Ask{Params: coretest.In(v).Params, Query: "version=v1"})
	}
	asks = append(asks, coretest.Query("version=v1&version=v2"), coretest.Field("v1", "v2"), coretest.Accept("image/png"), coretest.Accept("a/b;version=v1;version=v2"))
	for i := range asks {
		if asks[i].Host == "" {
			asks[i].Host = "example.com"
		}
	}
	return asks
}

// A source that does not keep its contract is a programming error, with a text
// that names the source and not the client's.
func TestSourcesThatFail(t *testing.T) {
	cause := errors.New("database is down")
	for _, test := range []struct {
		name    string
		reading source.Reading
		want    string
	}{
		{"failed", source.Reading{Outcome: source.Failed, Err: cause}, "verso: the source own failed: database is down"},
		{"failed with the error of a rejection", source.Reading{Outcome: source.Failed, Err: verso.ErrNotFound}, "verso: the source own failed: verso: not found"},
		{"failed without an error", source.Reading{Outcome: source.Failed}, "verso: the source own failed without an error: set Reading.Err"},
		{"outcome that is none", source.Reading{Outcome: 200, Text: "x"}, "verso: the source own returned outcome 200, part 0 of 0, 0 looked at: see source.Reading"},
		{"part that is none", source.Reading{Outcome: source.Found, Text: "v1", Part: 1}, "verso: the source own returned outcome 3, part 1 of 0, 0 looked at: see source.Reading"},
		{"negative part", source.Reading{Part: -1}, "verso: the source own returned outcome 0, part -1 of 0, 0 looked at: see source.Reading"},
		{"looked at more than there are", source.Reading{PartsRead: 1}, "verso: the source own returned outcome 0, part 0 of 0, 1 looked at: see source.Reading"},
		{"looked at fewer than none", source.Reading{PartsRead: -1}, "verso: the source own returned outcome 0, part 0 of 0, -1 looked at: see source.Reading"},
	} {
		for kind, config := range map[string]verso.Config{"list": coretest.WithDefault("v1"), "catalogue": coretest.SixFields(), "strict": coretest.With(coretest.List("v1"), func(c *verso.Config) { c.Strict = verso.Strict() })} {
			from := coretest.Own{Described: source.Description{Name: "own"}, OnRead: func(source.Request, *source.ServedVersions) source.Reading { return test.reading }}
			api := verso.MustNew(from, config)
			result, call := coretest.Begin(coretest.Bound(api), coretest.Ask{}.Request())
			err := call.Err
			if err == nil || err.Error() != test.want || result != nil {
				t.Errorf("%s, %s: %v, %v, want %s", test.name, kind, result, err, test.want)
			}
			var rejected *verso.Error
			if errors.As(err, &rejected) {
				t.Errorf("%s: a programming error is the rejection %v", test.name, rejected)
			}
			if test.reading.Err != nil && !errors.Is(err, test.reading.Err) {
				t.Errorf("%s: the cause is lost in %v", test.name, err)
			}
		}
	}
	// Of several, the one that failed stops the others.
	failing := coretest.Own{Described: source.Description{Name: "own"}, OnRead: func(source.Request, *source.ServedVersions) source.Reading {
		return source.Reading{Outcome: source.Failed, Err: cause}
	}}
	for name, how := range map[string]func(...source.Source) source.Source{"first": verso.First, "agree": verso.Agree} {
		api := verso.MustNew(how(verso.Header("Api-Version"), failing, verso.PathParam("version")), coretest.List("v1"))
		if _, err := adapter.Bind(api, nil).DetermineVersion(coretest.In("v1").Request()); !errors.Is(err, cause) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A panic is its author's: nothing recovers it.
func TestSourcesThatPanic(t *testing.T) {
	from := coretest.Own{Described: source.Description{Name: "own"}, OnRead: func(source.Request, *source.ServedVersions) source.Reading { panic("mine") }}
	api := verso.MustNew(from, coretest.List("v1"))
	defer func() {
		if got := recover(); got != any("mine") {
			t.Errorf("recovered %v", got)
		}
	}()
	coretest.Outcome(api, coretest.Ask{}.Request())
	t.Error("no panic")
}

// A source has rejections of its own, or the usual ones.
// A function of SetHost that returns no host leaves that of the request.
func TestSetHostLeavesTheHost(t *testing.T) {
	for name, test := range map[string]struct {
		move func(host string) (string, error)
		want string
	}{
		"moved": {func(host string) (string, error) { return "v2." + host, nil }, "http://v2.example.com/users"},
		"left":  {func(string) (string, error) { return "", nil }, "http://example.com/users"},
		"failed": {func(string) (string, error) {
			return "", fmt.Errorf("%w: a host of no version", verso.ErrNoReverseMatch)
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			from := coretest.Own{
				Described: source.Description{Name: "own"},
				OnWrite: func(w source.Written, _ verso.Version) (source.Written, error) {
					w.SetHost(test.move)
					return w, nil
				},
			}
			b := coretest.Bound(verso.MustNew(from, coretest.List("v1", "v2")), coretest.Users)
			got, err := b.Reverse(coretest.Host("example.com").Request(), verso.V("v2"), verso.Target{Name: "users"})
			if got != test.want || (err != nil) != (test.want == "") || err != nil && !errors.Is(err, verso.ErrNoReverseMatch) {
				t.Errorf("%q, %v, want %q", got, err, test.want)
			}
		})
	}
}

// A source may change the text of the reading that Find returned: the version is that of the
// text in the end.
func TestFoundTextCounts(t *testing.T) {
	from := coretest.Own{
		Described: source.Description{Name: "own"},
		OnRead: func(_ source.Request, served *source.ServedVersions) source.Reading {
			reading, ok := served.Find("v1")
			if _, unknown := served.Find("v9"); !ok || unknown {
				t.Errorf("v1 is served: %v, v9: %v", ok, unknown)
			}
			reading.Text = "v2"
			return reading
		},
	}
	coretest.Expect(t, verso.MustNew(from, coretest.List("v1", "v2")), coretest.Ask{}.Request(), "= v2")
}

func TestSourcesOfOnesOwn(t *testing.T) {
	teapot := source.Rejection{Status: 418, Message: "teapot", English: "No coffee."}
	read := func(r source.Request, _ *source.ServedVersions) source.Reading {
		text, ok := r.Header("X-Tea")
		if !ok {
			return source.Reading{}
		}
		return source.Reading{Outcome: source.Found, Text: text}
	}
	ownRejections := verso.MustNew(coretest.Own{Described: source.Description{Name: "tea", Headers: []string{"X-Tea"}, Invalid: teapot, Missing: teapot}, OnRead: read}, coretest.List("v1"))
	usual := verso.MustNew(coretest.Own{Described: source.Description{Name: "tea"}, OnRead: read}, coretest.List("v1"))
	tea := func(v string) source.Request { return coretest.Ask{Header: http.Header{"X-Tea": {v}}}.Request() }
	for _, test := range []struct {
		name string
		api  *verso.Versioning
		r    source.Request
		want string
	}{
		{"served", ownRejections, tea("v1"), "= v1"},
		{"own, invalid", ownRejections, tea("v9"), "418 teapot"},
		{"own, missing", ownRejections, coretest.Ask{}.Request(), "418 teapot"},
		{"usual, invalid", usual, tea("v9"), "400 invalid_version"},
		{"usual, missing", usual, coretest.Ask{}.Request(), "400 missing_version"},
	} {
		coretest.Expect(t, test.api, test.r, test.want, test.name)
	}
	_, call := coretest.Begin(coretest.Bound(ownRejections), tea("v9"))
	rejected, answer, _ := call.Rejected()
	if rejected == nil || rejected.Error() != "No coffee." || rejected.Source != "tea" || ownRejections.Name() != "tea" {
		t.Errorf("rejected with %+v", rejected)
	}
	if body := string(answer.Body); !strings.Contains(body, `"detail":"No coffee.","code":"teapot","allowed_versions":["v1"]`) {
		t.Errorf("answered %s", body)
	}
}

func TestOutcomes(t *testing.T) {
	for o, want := range map[source.ReadingOutcome]string{
		source.Absent: "absent", source.NoPlace: "nowhere", source.Unversioned: "unversioned", source.Found: "found", source.Contradicting: "contradicting",
		source.NotAcceptable: "not acceptable", source.Malformed: "malformed", source.Failed: "failed", 8: "unknown outcome", 255: "unknown outcome",
	} {
		if got := o.String(); got != want {
			t.Errorf("outcome %d is %q, want %q", o, got, want)
		}
	}
}

// A text that a source has of a framework's buffer is copied: the framework uses
// its buffer again.
func TestTextsAreOwned(t *testing.T) {
	buffer := []byte("v1")
	from := coretest.Own{Described: source.Description{Name: "own"}, OnRead: func(source.Request, *source.ServedVersions) source.Reading {
		return source.Reading{Outcome: source.Found, Text: unsafe.String(&buffer[0], len(buffer))}
	}}
	for name, test := range map[string]struct {
		config verso.Config
		want   string
	}{"rejected": {coretest.List("v2"), ""}, "made up": {verso.Config{}, "v1"}, "listed": {coretest.List("v1"), "v1"}} {
		copy(buffer, "v1")
		result, call := coretest.Begin(coretest.Bound(verso.MustNew(from, test.config)), coretest.Ask{}.Request())
		copy(buffer, "XX")
		var rejected *verso.Error
		if errors.As(call.Err, &rejected) && rejected.Requested != "v1" {
			t.Errorf("%s: Asked has become %q", name, rejected.Requested)
		}
		if call.Err == nil && result.Version().String() != test.want {
			t.Errorf("%s: Version has become %q", name, result.Version())
		}
	}
}

// What a source may know of the service.
func TestServed(t *testing.T) {
	var served *source.ServedVersions
	var request source.Request
	from := coretest.Own{Described: source.Description{Name: "own"}, OnRead: func(r source.Request, s *source.ServedVersions) source.Reading {
		served, request = s, r
		reading, _ := s.Find("V2")
		return reading
	}}
	config := coretest.With(coretest.WithDefault("v1", "V2", "v3"), func(c *verso.Config) { c.Produces = []string{"text/csv"} })
	if got := coretest.Outcome(verso.MustNew(from, config), coretest.Ask{}.Request()); got != "= V2" {
		t.Fatal(got)
	}
	_, unknown := served.Find("v2")
	rank, ranked := served.Rank("v2")
	_, long := served.Rank("v23456789")
	accepted, _ := served.Negotiator().Negotiate("*/*")
	got := fmt.Sprint(served.Versions(), unknown, rank, ranked, long, served.Len(), served.RefusesContradictions(), accepted.MediaType)
	if want := "[v1 V2 v3] false 1 true false 3 falsetext/csv"; got != want {
		t.Errorf("served %q, want %q", got, want)
	}
	coretest.Outcome(verso.MustNew(from, verso.Config{AnyVersion: true, DefaultVersion: verso.V("v1")}), coretest.Ask{}.Request())
	if served.Len() != 0 {
		t.Errorf("%d versions have a rank where every version is served", served.Len())
	}
	if _, ok := request.Unwrap().(*http.Request); !ok || request.Context() == nil || request.IsNone() || !new(source.Request).IsNone() ||
		new(source.Request).Host() != "" {
		t.Error("the request is another")
	}
	strict := verso.MustNew(from, coretest.With(config, func(c *verso.Config) { c.Strict.RefuseContradictions = true }))
	coretest.Outcome(strict, coretest.Ask{}.Request())
	if !served.RefusesContradictions() {
		t.Error("contradictions are not refused")
	}
	coretest.Outcome(verso.MustNew(verso.Agree(from), config), coretest.Ask{}.Request())
	if !served.RefusesContradictions() {
		t.Error("contradictions are not refused in Agree")
	}
}

// texts and values are the stores of frameworks.
type (
	texts  map[string]any
	values map[any]any
)

func (s texts) Get(key string) any { return s[key] }

func (s values) Get(key any) (value any, ok bool) {
	value, ok = s[key]
	return value, ok
}

func TestValue(t *testing.T) {
	type key struct{}
	r, _ := http.NewRequestWithContext(context.WithValue(t.Context(), key{}, "in the context"), http.MethodGet, "/", nil)
	for _, test := range []struct {
		of, key any
		want    any
	}{
		{nil, key{}, "in the context"},
		{texts{"pin": "v1"}, "pin", "v1"},
		{texts{"pin": "v1"}, "other", nil},
		{texts{}, key{}, "in the context"},
		{values{key{}: "v1"}, key{}, "v1"},
		{values{}, key{}, "in the context"},
		{context.WithValue(t.Context(), key{}, "v1"), key{}, "v1"},
		{t.Context(), key{}, "in the context"},
	} {
		var request source.Request
		request.SetHTTP(r, test.of, nil)
		if got := request.Value(test.key); got != test.want {
			t.Errorf("%T, %v: %v, want %v", test.of, test.key, got, test.want)
		}
		if request.HideValues(); request.Value(test.key) != nil {
			t.Errorf("%T, %v: not hidden", test.of, test.key)
		}
	}
}

func TestHeaderLines(t *testing.T) {
	var r source.Request
	r.SetHTTP(&http.Request{Header: http.Header{"Accept": {"a/b", "c/d"}, "Cookie": {"a=1", "b=2"}, "Empty": {""}}}, nil, nil)
	for name, want := range map[string]string{"Accept": "a/b, c/d true", "Cookie": "a=1; b=2 true", "Empty": " true", "None": " false"} {
		if value, ok := r.Header(name); fmt.Sprint(value, " ", ok) != want {
			t.Errorf("%s: %q, %v, want %s", name, value, ok, want)
		}
	}
}

// A source around another may put the namespace of the version into its own.
func TestNestedNamespace(t *testing.T) {
	var w source.Written
	w.SetNamespace("v2")
	w.SetNamespace("api")
	if got := w.Name("users"); got != "api:v2:users" {
		t.Error(got)
	}
}

func TestLevel(t *testing.T) {
	if got := fmt.Sprint(source.LevelWarning, " ", source.LevelError); got != "warning error" {
		t.Error(got)
	}
}
