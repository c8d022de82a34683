package conformance

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/fileconfig"
	"github.com/goverso/verso/core/source"
)

// FuzzServices is the body of a fuzz test: it builds random services on each of the mounts, and
// sends each raw requests. Whatever the requests are, no handler runs in a version that it does
// not have, and a request that means one thing only gets what a simple model of the
// configuration predicts. The model is the specification once more, written in the simplest
// way: with indexes of versions and days instead of names and dates, and without regard to
// speed.
func FuzzServices(f *testing.F, mounts ...Mount) {
	f.Helper()
	quiet(f)
	addRandomInputs(f, 300)
	f.Fuzz(func(t *testing.T, input []byte) {
		if err := attackService(t, input, false, mounts...); err != nil {
			t.Error(err)
		}
	})
}

// attackService builds the service that an input describes on one of the mounts, and sends it
// requests, without hostile ones if isClear. New refuses a configuration that
// contradicts itself, and the input then has nothing to try.
func attackService(tb testing.TB, input []byte, isClear bool, mounts ...Mount) error {
	tb.Helper()
	c := &choices{input}
	s := newFuzzService(c)
	s.clear = isClear
	server := s.mount(tb, pick(c, mounts))
	if server == nil {
		return nil
	}
	return errors.Join(s.attack(server.Address, c), server.stop())
}

// checkRandom sends random requests, each of which means one thing, to random services. Hostile
// requests are left to the fuzz tests: an adapter must pass this check in each run, so each
// answer must be certain.
func checkRandom(tb testing.TB, mount Mount) error {
	tb.Helper()
	seed, random := seeded()
	for range rounds(60) {
		input := make([]byte, 120)
		for i := range input {
			input[i] = byte(random.Uint32())
		}
		if err := attackService(tb, input, true, mount); err != nil {
			return fmt.Errorf("%w\nVERSO_SEED=%d", err, seed)
		}
	}
	return nil
}

// addRandomInputs adds as many inputs, times VERSO_ROUNDS: the same in each run, unless
// VERSO_SEED is set. A fuzz test that starts without inputs would spend its time on learning
// how to describe a service.
func addRandomInputs(f *testing.F, count int) {
	f.Helper()
	for _, input := range randomInputs(rounds(count)) {
		f.Add(input)
	}
}

// randomInputs uses a generator whose numbers stay the same with each version of Go, so that a
// seed of a failure keeps its meaning.
func randomInputs(count int) (inputs [][]byte) {
	seed, _ := strconv.ParseUint(os.Getenv("VERSO_SEED"), 10, 64)
	random := rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8), byte(seed >> 16)})
	for range count {
		input := make([]byte, 250)
		_, _ = random.Read(input)
		inputs = append(inputs, input)
	}
	return inputs
}

// fuzzService is a service, and what its configuration means for its routes: what
// Verso must do, written again without Verso.
type fuzzService struct {
	kinds       []string // of the sources
	agree       bool
	plain       bool // a list of versions without dates
	versions    []life
	after       catalogue.Action
	byDefault   int // -1: there is none
	defaultEnds verso.AfterDefaultSunset
	unversioned bool
	strict      bool
	hosts       bool // only example.com and its subdomains
	kept        bool // requests with X-Kept are exempt
	routes      []*fuzzRoute
	clear       bool // no request is hostile
	other       bool // handlers see the version of another API
	config      verso.Config
	runs        atomic.Int64 // of handlers
}

// life is a version in days from now. Days are relative so that the clock can stand still.
type life struct {
	name                         string
	released, deprecated, sunset int
	brownout, preview            bool
	after                        catalogue.Action
}

// fuzzRoute is a route from the version since until removed, and with a handler from each of
// choices on, unless there are none. It knows more of itself than Route does, so that the model
// does not ask the adapter.
type fuzzRoute struct {
	Route

	index          int
	resource       string // its pattern without the version
	neutral        bool
	since, removed int
	choices        []fuzzChoice
	sunset         int        // of its own
	version        string     // in its path or its namespace; "": requests have it, or none
	bare           bool       // there is no place for a version in its path
	twin           *fuzzRoute // of another method on the path, or nil
}

// fuzzChoice is a handler from a version on, or a removal.
type fuzzChoice struct {
	from    int
	removed bool
}

// As days they compare like any, which saves the model its special cases.
const (
	never  = 1 << 20 // days
	always = -never
)

var fuzzNow = time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)

// day returns the zero time for dates that a version does not have.
func day(days int) time.Time {
	if days == never || days == always {
		return time.Time{}
	}
	return fuzzNow.AddDate(0, 0, days)
}

// newFuzzService makes a random service.
func newFuzzService(c *choices) *fuzzService {
	// Settings are combined freely: New refuses those that contradict each other.
	s := &fuzzService{plain: c.rarely(4), agree: c.rarely(2), byDefault: -1, unversioned: c.rarely(4),
		strict: c.rarely(2), hosts: c.rarely(5), kept: c.rarely(3)}
	s.addSources(c)
	s.agree = s.agree && len(s.kinds) > 1
	actions := []catalogue.Action{catalogue.Gone, catalogue.Serve, catalogue.FallForward}
	s.after = pick(c, actions)
	// Names of which one begins with another, and numbers that sort otherwise as text, are those
	// that simple comparisons confuse.
	names := pick(c, [][]string{{"v1", "v2", "v3", "v4"}, {"1", "2", "10", "20"}, {"v1", "v10", "v1x", "v2"},
		{"2024a", "2024b", "2025a", "2026a"}})
	for _, name := range names[:2+c.below(3)] {
		v := life{name: name, released: always, deprecated: never, sunset: never, after: s.after}
		if !s.plain {
			s.live(c, &v, actions)
		}
		s.versions = append(s.versions, v)
	}
	if c.rarely(2) {
		s.byDefault = c.below(len(s.versions))
	}
	if s.byDefault >= 0 && !s.plain {
		s.defaultEnds = []verso.AfterDefaultSunset{"", verso.RejectUnversioned, verso.MoveUnversioned}[c.below(3)]
	}
	for i := range 4 + c.below(5) {
		s.addRoute(c, i)
	}
	s.other = c.rarely(3) && s.kinds[0] != "path_prefix" && s.kinds[0] != "namespace" // routes of these have a version
	return s
}

// addSources adds sources of which at most one is in the path, and one in Accept. Two sources
// that want the same segment, or two readings of Accept, are refused by New, and a fuzz test
// would spend most of its inputs on them.
func (s *fuzzService) addSources(c *choices) {
	kinds := kindNames()
	for count := 1 + max(0, c.below(4)-1); len(s.kinds) < count; {
		kind := pick(c, kinds)
		s.kinds = append(s.kinds, kind)
		kinds = slices.DeleteFunc(kinds, func(other string) bool {
			both := kind + " " + other
			return kind == other || strings.Count(both, "path")+strings.Count(both, "namespace") > 1 ||
				both == "accept media_type" || both == "media_type accept"
		})
	}
}

// kindNames returns the names of all kinds of sources.
func kindNames() (names []string) {
	for _, kind := range fileconfig.Kinds() {
		names = append(names, kind.Name)
	}
	return names
}

// live gives a version dates. Dates around now find mistakes by one: at its sunset a version
// has ended.
func (s *fuzzService) live(c *choices, v *life, actions []catalogue.Action) {
	dates, days := make([]int, 3), []int{-300, -200, -100, -1, 0, 1, 100}
	if c.rarely(5) {
		days = days[5:]
	}
	for i := range dates {
		dates[i] = pick(c, days)
	}
	slices.Sort(dates)
	set := c.below(8)
	if set&1 > 0 {
		v.released = dates[0]
	}
	if set&2 > 0 {
		v.deprecated = dates[1]
	}
	if set&4 > 0 {
		v.sunset = dates[2]
	}
	// A catalogue refuses brownouts outside the time between deprecation and sunset.
	v.brownout = v.deprecated < 0 && v.sunset > 0 && c.rarely(3)
	v.preview = c.rarely(6)
	if c.rarely(3) {
		v.after = pick(c, actions)
	}
}

// Some routes share the path of another with a different method: which of the two answers
// OPTIONS, HEAD or an unknown method is easy to get wrong.
func (s *fuzzService) addRoute(c *choices, i int) {
	r := &fuzzRoute{index: i, removed: len(s.versions), sunset: never}
	r.Method = pick(c, []string{"GET", "POST", "", "OPTIONS", "", "PUT", "DELETE", "HEAD"})
	resource := fmt.Sprintf("/r%d", i) + pick(c, []string{"", "/{id}", "/{id}/x", "/a/{id}", "/{rest*}"})
	if i%2 > 0 && !c.rarely(3) && r.Method != "" && s.routes[i-1].Method != "" && s.routes[i-1].Method != r.Method {
		r.twin, resource = s.routes[i-1], s.routes[i-1].resource
	}
	r.Pattern, r.resource = resource, resource
	r.Name = fmt.Sprintf("r%d", i)
	version := pick(c, s.versions).name
	switch {
	case slices.Contains(s.kinds, "path"):
		// Two routes of one path have the same pattern, so one cannot lack the parameter alone.
		if r.bare = c.rarely(6); r.twin != nil {
			r.bare = r.twin.bare
		}
		if r.bare {
			r.Pattern = "/bare" + r.Pattern
		} else {
			r.Pattern = "/{version}" + r.Pattern
		}
	case slices.Contains(s.kinds, "path_prefix"):
		switch c.below(4) {
		case 2:
			r.version, r.Pattern = version, "/api/"+version+r.Pattern
		case 3:
			r.bare, r.Pattern = true, "/api"+r.Pattern
		default:
			r.EachVersion, r.Pattern = true, "/api"+r.Pattern
		}
	case slices.Contains(s.kinds, "namespace"):
		if r.bare = c.rarely(4); !r.bare {
			r.version = version
			r.Namespace = pick(c, []string{"", "api:"}) + version
		}
	}
	s.addOptions(c, r)
	s.routes = append(s.routes, r)
}

// addOptions gives most routes no options, like real services. An option shows its effect best
// beside routes without one.
func (s *fuzzService) addOptions(c *choices, r *fuzzRoute) {
	switch c.below(10) {
	case 4:
		r.neutral, r.Options = true, []verso.RouteOption{verso.Neutral()}
	case 5:
		// GET is left out, by which some frameworks answer HEAD.
		r.Outside = r.twin == nil && r.Method != "" && r.Method != http.MethodGet && !r.EachVersion
	case 6, 7:
		r.since = c.below(len(s.versions))
		// A route that ends where it begins is refused at registration.
		r.removed = r.since + 1 + c.below(len(s.versions)-r.since)
		r.Options = append(r.Options, verso.Since(s.versions[r.since].name))
		if r.removed < len(s.versions) {
			r.Options = append(r.Options, verso.RemovedIn(s.versions[r.removed].name))
		}
	case 8:
		r.sunset = pick(c, []int{-1, 0, 1})
		r.Options = append(r.Options, verso.SunsetAt(day(r.sunset)))
	case 9:
		r.Method = cmp.Or(r.Method, "OPTIONS") // few frameworks have a handler per version for any method
		r.choices = []fuzzChoice{{from: c.below(len(s.versions))}}
		for from := r.choices[0].from + 1; from < len(s.versions); from++ {
			if c.rarely(2) {
				r.choices = append(r.choices, fuzzChoice{from, c.rarely(3)})
			}
		}
	}
	r.Handle = s.handler(r, -1)
	if r.choices != nil {
		r.Handlers = make(map[string]func(Call) Response)
		for _, choice := range r.choices {
			if r.Handlers[s.versions[choice.from].name] = nil; !choice.removed {
				r.Handlers[s.versions[choice.from].name] = s.handler(r, choice.from)
			}
		}
		// A route with handlers for versions needs one for requests without, where these are
		// allowed.
		if s.unversioned {
			r.Handlers[""] = s.handler(r, -1)
		}
	}
}

// handler is a handler of a route: from a version on, or -1. It reports in its response what it
// saw, and also makes a link to some other route: the links of a version must work in the
// middle of any traffic.
func (s *fuzzService) handler(r *fuzzRoute, from int) func(Call) Response {
	return func(call Call) Response {
		run := int(s.runs.Add(1))
		version := "none"
		if !call.Version.IsNone() {
			version = strconv.QuoteToASCII(call.Version.String())
		}
		reason := s.link(call, r, s.routes[run%len(s.routes)], run%len(s.versions))
		return Response{Set: http.Header{seenVersion: {version},
			seenHandler: {fmt.Sprintf("r%d from %d", r.index, from)}, seenReason: {reason}}}
	}
}

// link describes what is wrong about a link from a route to another in a version, or returns
// "". Sources whose place is a host or a namespace need more of the target than the model has,
// so links are checked for the rest.
func (s *fuzzService) link(call Call, from, to *fuzzRoute, version int) string {
	if s.other || from.Outside || len(s.kinds) > 1 ||
		!slices.Contains([]string{"header", "query", "path"}, s.kinds[0]) || to.Outside || to.bare {
		return ""
	}
	target := verso.Target{Name: to.Name, Version: verso.V(s.versions[version].name), Params: make(verso.Params)}
	for _, name := range placeholder.FindAllString(to.resource, -1) {
		target.Params[strings.Trim(name, "{*}")] = 7
	}
	link, err := call.Link(target)
	if has := to.neutral || to.from(version) != -2; has && err != nil ||
		!has && !errors.Is(err, verso.ErrNotInVersion) {
		return fmt.Sprintf("the link to r%d in %q is %q, error %q", to.index, target.Version, link, err)
	}
	return ""
}

// mount builds the service, nil when its configuration contradicts itself.
func (s *fuzzService) mount(tb testing.TB, mount Mount) (server *Server) {
	tb.Helper()
	api, err := s.versioning()
	if err != nil {
		return nil
	}
	app := App{API: api, ExemptFromSunset: "X-Kept", NotFound: s.strict}
	if !s.kept {
		app.ExemptFromSunset = ""
	}
	if s.other {
		app.Other = otherAPI()
		app.After = []Middleware{func(step Step) int {
			_ = step.SetTestVersion(verso.V("a"))
			return 0
		}}
	}
	guarded := &Group{Middleware: ran("before"), AfterCheck: ran("after")}
	for _, r := range s.routes {
		if !r.Outside {
			r.Group = guarded
		}
		app.Routes = append(app.Routes, r.Route)
	}
	// A Finding is how an adapter refuses a route. Any other panic is a failure, and without the
	// service it could not be repeated.
	defer func() {
		panicked := recover()
		err, _ := panicked.(error)
		if panicked != nil && !errors.As(err, new(*verso.Finding)) {
			panic(fmt.Sprintf("%v\n%s", panicked, s))
		}
	}()
	return mount(tb, app)
}

// Some settings have no choice of their own and follow another one: each would make inputs
// longer, which fuzzing explores less well.
func (s *fuzzService) versioning() (*verso.Versioning, error) {
	var err error
	s.config = verso.Config{
		AllowUnversioned: s.unversioned, AfterDefaultSunset: s.defaultEnds, Clock: func() time.Time { return fuzzNow },
		Links: verso.LinkConfig{Origin: "https://example.com"},
	}
	if s.byDefault >= 0 {
		s.config.DefaultVersion = verso.V(s.versions[s.byDefault].name)
	}
	if s.strict {
		s.config.Strict = verso.Strict()
	}
	if s.hosts {
		s.config.Strict.AllowedHosts = []string{"example.com"}
	}
	lives := catalogue.Config{AfterSunset: s.after, ServedHeader: "Served", SuccessorLinks: s.strict, Report: s.kept}
	for _, v := range s.versions {
		entry := catalogue.Entry{
			Version: v.name, Released: day(v.released), Deprecated: day(v.deprecated), Sunset: day(v.sunset),
			Preview: v.preview, AfterSunset: v.after,
		}
		if v.brownout {
			entry.Brownouts = []catalogue.Brownout{{From: day(-1), Until: day(1)}}
		}
		lives.Versions = append(lives.Versions, entry)
		if s.plain {
			s.config.AllowedVersions = append(s.config.AllowedVersions, v.name)
		}
	}
	if !s.plain {
		if s.config.Catalogue, err = catalogue.New(lives); err != nil {
			return nil, err
		}
	}
	var read []source.Source
	for _, name := range s.kinds {
		for _, kind := range fileconfig.Kinds() {
			if kind.Name == name {
				read = append(read, kind.New(kind.Example))
			}
		}
	}
	switch {
	case len(read) == 1:
		return verso.New(read[0], s.config)
	case s.agree:
		return verso.New(verso.Agree(read...), s.config)
	}
	return verso.New(verso.First(read...), s.config)
}

// A failure prints it, so it must be enough to write a test from.
func (s *fuzzService) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "sources %q, agree %v, plain list %v, after the sunset %q, default %d, when it ends %q, "+
		"unversioned %v, strict %v, allowed hosts %v, keep %v, another API %v\n",
		s.kinds, s.agree, s.plain, s.after, s.byDefault, s.defaultEnds, s.unversioned, s.strict, s.hosts, s.kept,
		s.other)
	for _, v := range s.versions {
		fmt.Fprintf(&text, "version %q, in days from now: released %d, deprecated %d, sunset %d, then %q; in a brownout %v, preview %v\n",
			v.name, v.released, v.deprecated, v.sunset, v.after, v.brownout, v.preview)
	}
	for _, r := range s.routes {
		fmt.Fprintf(&text, "route %q %s named %q: versions [%d:%d], choices %+v, sunset %d, neutral %v, of others %v, each version %v\n",
			r.Method, r.Pattern, r.FullName(), r.since, r.removed, r.choices, r.sunset, r.neutral, r.Outside,
			r.EachVersion)
	}
	return text.String()
}
