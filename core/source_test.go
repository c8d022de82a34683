package verso_test

import (
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
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// own is a source of one's own that does what it is told.
type own struct {
	described source.Description
	read      func(source.Request, *source.ServedVersions) source.Reading
	write     func(source.Written, verso.Version) (source.Written, error)
}

func (s own) Read(r source.Request, served *source.ServedVersions) source.Reading {
	if s.read == nil {
		return source.Reading{}
	}
	return s.read(r, served)
}

func (s own) Write(w source.Written, v verso.Version) (source.Written, error) {
	if s.write == nil {
		return w, nil
	}
	return s.write(w, v)
}

func (s own) Describe() source.Description { return s.described }

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
		"first": three(verso.First), "agree": three(verso.Agree),
		"first with a media type": verso.First(verso.Header("Api-Version"), verso.MediaType(vendor)),
		"twice":                   verso.First(verso.PathParam("version"), verso.PathParam("version")),
		"unreachable":             verso.First(verso.HostLabel("(.*)"), verso.PathParam("version")),
		"wrong path":              verso.PathParam(":version"), "wrong header": verso.Header("Host"),
		"wrong pattern": verso.HostLabel("v1"), "wrong template": verso.MediaType("x"), "wrong parameter": verso.AcceptParam("a b"),
	}
	for name, s := range sources() {
		all[name] = s.source
	}
	configs := map[string]verso.Config{
		"list": list("v1", "v2"), "default": withDefault("v1", "v2"), "default beside the list": {AllowedVersions: []string{"v2"}, DefaultVersion: verso.V("v1")},
		"strict":   with(list("v1", "v2"), func(c *verso.Config) { c.Strict = verso.Strict() }),
		"produces": with(withDefault("v1", "v2"), func(c *verso.Config) { c.Produces = []string{"application/json", "text/csv"} }),
		"all":      {}, "slash": list("a/b"), "colon": list("a:b"), "comma": list("a,b"), "hyphen": list("v-1"), "twice": list("v1", "v1"),
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
					plainBound, otherBound := bound(plain, linkedRoutes...), bound(other, linkedRoutes...)
					for _, a := range asks {
						if x, y := everything(plainBound, a.request()), everything(otherBound, a.request()); x != y {
							t.Errorf("%+v: %s, wrapped %s", a, x, y)
						}
					}
				})
			}
		}
	}
}

// linkedRoutes are routes for links in every source.
var linkedRoutes = []route.Route{
	{Name: "users", Pattern: route.Colons("/:version/users")}, {Name: "users", Pattern: route.Colons("/users")},
	{Name: "v1:users", Pattern: route.Colons("/v1/users")}, {Name: "v2:users", Pattern: route.Colons("/v2/users")},
}

// everything says all that becomes of a request.
func everything(b *adapter.Binding, r source.Request) string {
	text := outcome(b, r)
	result, call := begin(b, r)
	text += fmt.Sprintf(" vary %q", varies(call))
	if rejected, answer, ok := call.rejected(); ok {
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
func manyRequests() (asks []ask) {
	asks = []ask{{}, preflight(in("v9").params), host("v1.example.com"), host("v9.example.com"), host("example.com")}
	for _, v := range []string{"v1", "v2", "v9", ""} {
		asks = append(asks, in(v), query("version="+v), field(v), accept("application/json;version="+v),
			accept("application/vnd.acme."+v+"+json"), named(v+":users"), inTwo(v), ask{params: in(v).params, header: field("v2").header},
			ask{params: in(v).params, query: "version=v1"})
	}
	asks = append(asks, query("version=v1&version=v2"), field("v1", "v2"), accept("image/png"), accept("a/b;version=v1;version=v2"))
	for i := range asks {
		if asks[i].host == "" {
			asks[i].host = "example.com"
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
		for kind, config := range map[string]verso.Config{"list": withDefault("v1"), "catalogue": sixFields(), "strict": with(list("v1"), func(c *verso.Config) { c.Strict = verso.Strict() })} {
			from := own{described: source.Description{Name: "own"}, read: func(source.Request, *source.ServedVersions) source.Reading { return test.reading }}
			api := verso.MustNew(from, config)
			result, call := begin(bound(api), ask{}.request())
			err := call.err
			if err == nil || err.Error() != test.want || result != nil {
				t.Errorf("%s, %s: %v, %v, want %s", test.name, kind, result, err, test.want)
			}
			if rejected, ok := errors.AsType[*verso.Error](err); ok {
				t.Errorf("%s: a programming error is the rejection %v", test.name, rejected)
			}
			if test.reading.Err != nil && !errors.Is(err, test.reading.Err) {
				t.Errorf("%s: the cause is lost in %v", test.name, err)
			}
		}
	}
	// Of several, the one that failed stops the others.
	failing := own{described: source.Description{Name: "own"}, read: func(source.Request, *source.ServedVersions) source.Reading {
		return source.Reading{Outcome: source.Failed, Err: cause}
	}}
	for name, how := range map[string]func(...source.Source) source.Source{"first": verso.First, "agree": verso.Agree} {
		api := verso.MustNew(how(verso.Header("Api-Version"), failing, verso.PathParam("version")), list("v1"))
		if _, err := adapter.Bind(api, nil).DetermineVersion(in("v1").request()); !errors.Is(err, cause) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A panic is its author's: nothing recovers it.
func TestSourcesThatPanic(t *testing.T) {
	from := own{described: source.Description{Name: "own"}, read: func(source.Request, *source.ServedVersions) source.Reading { panic("mine") }}
	api := verso.MustNew(from, list("v1"))
	defer func() {
		if got := recover(); got != any("mine") {
			t.Errorf("recovered %v", got)
		}
	}()
	outcome(api, ask{}.request())
	t.Error("no panic")
}

// A source has rejections of its own, or the usual ones.
func TestSourcesOfOnesOwn(t *testing.T) {
	teapot := source.Rejection{Status: 418, Message: "teapot", English: "No coffee."}
	read := func(r source.Request, _ *source.ServedVersions) source.Reading {
		text, ok := r.Header("X-Tea")
		if !ok {
			return source.Reading{}
		}
		return source.Reading{Outcome: source.Found, Text: text}
	}
	ownRejections := verso.MustNew(own{source.Description{Name: "tea", Headers: []string{"X-Tea"}, Invalid: teapot, Missing: teapot}, read, nil}, list("v1"))
	usual := verso.MustNew(own{source.Description{Name: "tea"}, read, nil}, list("v1"))
	tea := func(v string) source.Request { return ask{header: http.Header{"X-Tea": {v}}}.request() }
	for _, test := range []struct {
		name string
		api  *verso.Versioning
		r    source.Request
		want string
	}{
		{"served", ownRejections, tea("v1"), "= v1"},
		{"own, invalid", ownRejections, tea("v9"), "418 teapot"},
		{"own, missing", ownRejections, ask{}.request(), "418 teapot"},
		{"usual, invalid", usual, tea("v9"), "400 invalid_version"},
		{"usual, missing", usual, ask{}.request(), "400 missing_version"},
	} {
		if got := outcome(test.api, test.r); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	_, call := begin(bound(ownRejections), tea("v9"))
	rejected, answer, _ := call.rejected()
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
	from := own{described: source.Description{Name: "own"}, read: func(source.Request, *source.ServedVersions) source.Reading {
		return source.Reading{Outcome: source.Found, Text: unsafe.String(&buffer[0], len(buffer))}
	}}
	for name, test := range map[string]struct {
		config verso.Config
		want   string
	}{"rejected": {list("v2"), ""}, "made up": {verso.Config{}, "v1"}, "listed": {list("v1"), "v1"}} {
		copy(buffer, "v1")
		result, call := begin(bound(verso.MustNew(from, test.config)), ask{}.request())
		copy(buffer, "XX")
		if rejected, ok := errors.AsType[*verso.Error](call.err); ok && rejected.Requested != "v1" {
			t.Errorf("%s: Asked has become %q", name, rejected.Requested)
		}
		if call.err == nil && result.Version().String() != test.want {
			t.Errorf("%s: Version has become %q", name, result.Version())
		}
	}
}

// What a source may know of the service.
func TestServed(t *testing.T) {
	var served *source.ServedVersions
	var request source.Request
	from := own{described: source.Description{Name: "own"}, read: func(r source.Request, s *source.ServedVersions) source.Reading {
		served, request = s, r
		reading, _ := s.Find("V2")
		return reading
	}}
	config := with(withDefault("v1", "V2", "v3"), func(c *verso.Config) { c.Produces = []string{"text/csv"} })
	if got := outcome(verso.MustNew(from, config), ask{}.request()); got != "= V2" {
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
	if _, ok := request.Unwrap().(*http.Request); !ok || request.Context() == nil || request.IsNone() || !new(source.Request).IsNone() {
		t.Error("the request is another")
	}
	strict := verso.MustNew(from, with(config, func(c *verso.Config) { c.Strict.RefuseContradictions = true }))
	outcome(strict, ask{}.request())
	if !served.RefusesContradictions() {
		t.Error("contradictions are not refused")
	}
	outcome(verso.MustNew(verso.Agree(from), config), ask{}.request())
	if !served.RefusesContradictions() {
		t.Error("contradictions are not refused in Agree")
	}
}
