package conformance

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	verso "github.com/goverso/verso/core"
)

// linkChecks follow links: for random routes, path parameters and versions, a
// request to the URL that a handler builds must reach the same route with the same
// parameters and the same version. They use the schemes whose URLs carry the version.
// See [seeded] and [rounds].
func linkChecks() (checks []check) {
	for _, scheme := range []struct {
		name    string
		version func(*rand.Rand) string
	}{
		{"url_path", randomSegment}, {"namespace", randomLabel}, {"query_parameter", randomText},
		{"hostname", randomLabel},
	} {
		checks = append(checks, check{scheme.name, func(tb testing.TB, mount Mount) error {
			tb.Helper()
			seed, random := seeded()
			for range rounds(25) {
				t := newTrip(random, scheme.name, scheme.version(random))
				if err := t.follow(tb, mount); err != nil {
					err = t.shrink(err, func() error { return t.follow(tb, mount) })
					return fmt.Errorf("%w\n%s\nrule: a link leads to the same route, with the same path parameters, in the same version\nVERSO_SEED=%d",
						err, t, seed)
				}
			}
			return nil
		}})
	}
	return checks
}

// seeded returns a seed, from VERSO_SEED if it is set, and its random generator.
func seeded() (seed uint64, random *rand.Rand) {
	seed = rand.Uint64()
	if given, err := strconv.ParseUint(os.Getenv("VERSO_SEED"), 10, 64); err == nil {
		seed = given
	}
	return seed, rand.New(rand.NewPCG(seed, 0))
}

// rounds returns how many random values to try: usual, times the factor in the
// environment variable VERSO_ROUNDS.
func rounds(usual int) int {
	if times, err := strconv.Atoi(os.Getenv("VERSO_ROUNDS")); err == nil && times > 0 {
		return usual * times
	}
	return usual
}

// trip follows a link to a random route: from /start, which has no version, to /here, in the
// version, to the route. Three requests are enough for the promises of links: into a version,
// within the version, and with parameters.
type trip struct {
	scheme  string
	secure  bool
	version string
	values  []string // of the path parameters for a segment
	rest    string   // value of the parameter for the rest of the path, or ""
}

// newTrip has a path of up to three parameters with text that needs escaping, and sometimes a
// last parameter for the rest of the path, where another rule of escaping holds.
func newTrip(random *rand.Rand, scheme, version string) *trip {
	t := &trip{scheme: scheme, secure: random.IntN(4) == 0, version: version}
	for range random.IntN(4) {
		t.values = append(t.values, randomSegment(random))
	}
	if random.IntN(3) == 0 {
		t.rest = randomSegment(random)
		for range random.IntN(3) {
			t.rest += "/" + randomSegment(random)
		}
	}
	return t
}

// route returns the prefix of the versioned routes, the pattern of the target, and its
// path parameters.
func (t *trip) route() (prefix, pattern string, params verso.Params) {
	switch t.scheme {
	case "url_path":
		prefix = "/{version}"
	case "namespace":
		prefix = "/" + url.PathEscape(t.version)
	}
	pattern, params = prefix+"/target", make(verso.Params)
	for i, value := range t.values {
		name := fmt.Sprintf("p%d", i)
		pattern = fmt.Sprintf("%s/fixed/{%s}", pattern, name)
		params[name] = value
	}
	if t.rest != "" {
		pattern += "/files/{rest*}"
		params["rest"] = t.rest
	}
	return prefix, pattern, params
}

// String is part of a failure, and is enough to repeat the trip by hand.
func (t *trip) String() string {
	_, pattern, params := t.route()
	return fmt.Sprintf("scheme %s, version %q, pattern %q, path parameters %q, TLS %v", t.scheme, t.version, pattern,
		params, t.secure)
}

// follow runs the same trip again for each attempt to shrink it, so it must not depend on an
// earlier run.
func (t *trip) follow(tb testing.TB, mount Mount) error {
	tb.Helper()
	api, err := new(service).versioning(t.scheme)
	if err != nil {
		return err
	}
	var steps steps
	linking := func(target verso.Target) func(Call) Response {
		return steps.handler(func(call Call) {
			var err error
			steps.link, err = call.Link(target)
			steps.wrong.unless(err == nil, "the link failed: %w", err)
		})
	}
	prefix, pattern, params := t.route()
	version, namespace := verso.V(t.version), ""
	if t.scheme == "namespace" {
		namespace = t.version
	}
	app := App{API: api, Routes: []Route{
		newRoute("", "start", "/start", linking(verso.Target{Name: "here", Version: version})),
		newRoute(namespace, "here", prefix+"/here", linking(verso.Target{Name: "target", Params: params})),
		newRoute(namespace, "target", pattern, steps.handler(func(call Call) {
			steps.arrived = true
			steps.wrong.unless(call.Version == version, "the target saw version %#v", call.Version)
			for name, value := range params {
				steps.wrong.unless(call.Param(name) == value, "the target saw %q as path parameter %q",
					call.Param(name), name)
			}
		})),
	}}
	steps.link = "http://start.example.com/start"
	if t.secure {
		app.TLS, _ = selfSigned()
		steps.link = "https://start.example.com/start"
	}
	server := mount(tb, app)
	for range 3 {
		at, _, _ := steps.taken()
		err = t.visit(server.Address, at)
		if _, _, wrong := steps.taken(); err != nil || wrong != nil {
			err = fmt.Errorf("at %q: %w", at, errors.Join(err, wrong))
			break
		}
	}
	if _, arrived, _ := steps.taken(); err == nil && !arrived {
		err = errors.New("the link does not lead to the target")
	}
	return errors.Join(err, server.stop())
}

// steps is what the handlers of a trip report to the check. They need the lock although
// they run one after the other: if a server uses raw system calls, the race detector
// does not see the order of events on a connection.
type steps struct {
	mu      sync.Mutex
	link    string // from the last handler
	arrived bool
	wrong   complaints
}

// handler holds the lock while the check's function runs.
func (s *steps) handler(handle func(Call)) func(Call) Response {
	return func(call Call) Response {
		s.mu.Lock()
		defer s.mu.Unlock()
		handle(call)
		return Response{}
	}
}

// taken copies what the handlers have reported so far.
func (s *steps) taken() (link string, arrived bool, wrong error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.link, s.arrived, s.wrong.join()
}

// visit requests an absolute URL.
func (t *trip) visit(address, rawURL string) error {
	u, err := url.Parse(rawURL)
	if err != nil {
		return err
	}
	if (u.Scheme == "https") != t.secure {
		return fmt.Errorf("the scheme of the URL is %q, TLS is %v", u.Scheme, t.secure)
	}
	got, err := (&request{Method: http.MethodGet, URLScheme: u.Scheme, Target: u.RequestURI(),
		Host: &u.Host}).send(address)
	if err == nil && got.status != http.StatusOK {
		err = fmt.Errorf("got: %v", got)
	}
	return err
}

// shrink reduces the trip as long as it still fails, and returns its error. It does not
// change a trip with which the adapter hangs.
func (t *trip) shrink(err error, follow func() error) error {
	// Each try starts a server, so there is a limit.
	for tries := 500; ; {
		if errors.Is(err, errHangs) {
			return err
		}
		smaller := slices.IndexFunc(t.smaller(), func(less trip) bool {
			was, failed := *t, error(nil)
			*t = less
			if tries--; tries > 0 {
				failed = follow()
			}
			if failed == nil {
				*t = was
				return false
			}
			err = failed
			return true
		})
		if smaller < 0 {
			return err
		}
	}
}

// smaller returns all trips that are one step smaller.
func (t *trip) smaller() (trips []trip) {
	less := func(change func(*trip)) {
		smaller := *t
		smaller.values = slices.Clone(t.values)
		change(&smaller)
		trips = append(trips, smaller)
	}
	if t.secure {
		less(func(t *trip) { t.secure = false })
	}
	if t.rest != "" {
		less(func(t *trip) { t.rest = "" })
		shorten(t.rest, func(text string) { less(func(t *trip) { t.rest = text }) })
	}
	for i, value := range t.values {
		less(func(t *trip) { t.values = slices.Delete(t.values, i, i+1) })
		shorten(value, func(text string) { less(func(t *trip) { t.values[i] = text }) })
	}
	shorten(t.version, func(text string) { less(func(t *trip) { t.version = text }) })
	return trips
}

// shorten yields text with one character removed, if the result still consists of segments.
// Empty segments and dots would be cleaned away by clients and routers, and fail for another
// reason.
func shorten(text string, yield func(string)) {
	for i, char := range text {
		shorter := text[:i] + text[i+len(string(char)):]
		if !slices.ContainsFunc(strings.Split(shorter, "/"),
			func(segment string) bool { return strings.Trim(segment, ".") == "" }) {
			yield(shorter)
		}
	}
}

// randomText returns text with characters that are special in URLs.
func randomText(random *rand.Rand) string {
	characters := []rune("%+;&=?#:@!$'()*,[]{}<>\"\\^`|~ ./-_%2F%41\x00\n\x7féж中😀\u202e")
	var text strings.Builder
	for range 1 + random.IntN(8) {
		if random.IntN(2) == 0 {
			text.WriteRune(characters[random.IntN(len(characters))])
		} else {
			text.WriteString(randomLabel(random)[:1])
		}
	}
	return text.String()
}

// randomSegment returns text that a segment of a path can contain.
func randomSegment(random *rand.Rand) string {
	text := strings.ReplaceAll(randomText(random), "/", "")
	if strings.Trim(text, ".") == "" {
		return "segment"
	}
	return text
}

// randomLabel returns text that a host name can contain.
func randomLabel(random *rand.Rand) string {
	const characters = "abcxyzABCXYZ0189"
	label := make([]byte, 1+random.IntN(6))
	for i := range label {
		label[i] = characters[random.IntN(len(characters))]
	}
	return string(label)
}
