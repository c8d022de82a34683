// Package model draws random services and raw requests to them, and predicts what an adapter
// must make of each. It is the specification once more, written in the simplest way: with indexes
// of versions and days instead of names and dates, and without regard to speed. It knows neither
// the suite nor a framework: [FuzzServices] and [FuzzRequests] of conformance mount a [Service],
// send what [Service.Request] draws, and ask [Service.Judge].
//
// [FuzzServices]: https://pkg.go.dev/github.com/goverso/verso/conformance#FuzzServices
// [FuzzRequests]: https://pkg.go.dev/github.com/goverso/verso/conformance#FuzzRequests
package model

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/fileconfig"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// Service is a service, and what its configuration means for its routes.
type Service struct {
	kinds       []string // of the sources
	agree       bool
	plain       bool // a list of versions without dates
	versions    []life
	after       catalogue.Action
	byDefault   int // -1: there is none
	defaultEnds verso.AfterDefaultSunset
	unversioned bool
	hosts       bool // only example.com and its subdomains

	Strict bool // the adapter answers requests that match no route
	Kept   bool // requests with X-Kept are exempt
	Other  bool // handlers see the version of another API
	Clear  bool // no request is hostile
	Routes []*Route
}

// life is a version in days from now. Days are relative so that the clock can stand still.
type life struct {
	name                         string
	released, deprecated, sunset int
	brownout, preview            bool
	after                        catalogue.Action
}

// Route is a route from the version since until removed, and with a handler from each of
// choices on, unless there are none. The exported fields are for an adapter.
type Route struct {
	Method, Pattern, Namespace, Name string
	Options                          []verso.RouteOption
	Outside, EachVersion             bool

	index          int
	resource       string // its pattern without the version
	neutral        bool
	since, removed int
	choices        []choice
	sunset         int    // of its own
	version        string // in its path or its namespace; "": requests have it, or none
	bare           bool   // there is no place for a version in its path
	twin           *Route // of another method on the path, or nil
}

// choice is a handler from a version on, or a removal.
type choice struct {
	from    int
	removed bool
}

// As days they compare like any, which saves the model its special cases.
const (
	never  = 1 << 20 // days
	always = -never
)

var now = time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)

// day returns the zero time for dates that a version does not have.
func day(days int) time.Time {
	if days == never || days == always {
		return time.Time{}
	}
	return now.AddDate(0, 0, days)
}

// New makes a random service.
func New(c *Choices) *Service {
	// Settings are combined freely: New refuses those that contradict each other.
	s := &Service{plain: c.rarely(4), agree: c.rarely(2), byDefault: -1, unversioned: c.rarely(4),
		Strict: c.rarely(2), hosts: c.rarely(5), Kept: c.rarely(3)}
	s.addSources(c)
	s.agree = s.agree && len(s.kinds) > 1
	actions := []catalogue.Action{catalogue.Gone, catalogue.Serve, catalogue.FallForward}
	s.after = Pick(c, actions)
	// Names of which one begins with another, and numbers that sort otherwise as text, are those
	// that simple comparisons confuse.
	names := Pick(c, [][]string{{"v1", "v2", "v3", "v4"}, {"1", "2", "10", "20"}, {"v1", "v10", "v1x", "v2"},
		{"2024a", "2024b", "2025a", "2026a"}})
	for _, name := range names[:2+c.Below(3)] {
		v := life{name: name, released: always, deprecated: never, sunset: never, after: s.after}
		if !s.plain {
			s.live(c, &v, actions)
		}
		s.versions = append(s.versions, v)
	}
	if c.rarely(2) {
		s.byDefault = c.Below(len(s.versions))
	}
	if s.byDefault >= 0 && !s.plain {
		s.defaultEnds = []verso.AfterDefaultSunset{"", verso.RejectUnversioned, verso.MoveUnversioned}[c.Below(3)]
	}
	for i := range 4 + c.Below(5) {
		s.addRoute(c, i)
	}
	s.Other = c.rarely(3) && s.kinds[0] != "path_prefix" && s.kinds[0] != "namespace" // routes of these have a version
	return s
}

// addSources adds sources of which at most one is in the path, and one in Accept. Two sources
// that want the same segment, or two readings of Accept, are refused by New, and a fuzz test
// would spend most of its inputs on them.
func (s *Service) addSources(c *Choices) {
	kinds := Kinds()
	for count := 1 + max(0, c.Below(4)-1); len(s.kinds) < count; {
		kind := Pick(c, kinds)
		s.kinds = append(s.kinds, kind)
		kinds = slices.DeleteFunc(kinds, func(other string) bool {
			both := kind + " " + other
			return kind == other || strings.Count(both, "path")+strings.Count(both, "namespace") > 1 ||
				both == "accept media_type" || both == "media_type accept"
		})
	}
}

// Kinds returns the names of all kinds of sources.
func Kinds() (names []string) {
	for _, kind := range fileconfig.Kinds() {
		names = append(names, kind.Name)
	}
	return names
}

// Kind returns the kind of the first source.
func (s *Service) Kind() string { return s.kinds[0] }

// live gives a version dates. Dates around now find mistakes by one: at its sunset a version
// has ended.
func (s *Service) live(c *Choices, v *life, actions []catalogue.Action) {
	dates, days := make([]int, 3), []int{-300, -200, -100, -1, 0, 1, 100}
	if c.rarely(5) {
		days = days[5:]
	}
	for i := range dates {
		dates[i] = Pick(c, days)
	}
	slices.Sort(dates)
	set := c.Below(8)
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
		v.after = Pick(c, actions)
	}
}

// Some routes share the path of another with a different method: which of the two answers
// OPTIONS, HEAD or an unknown method is easy to get wrong.
func (s *Service) addRoute(c *Choices, i int) {
	r := &Route{index: i, removed: len(s.versions), sunset: never}
	r.Method = Pick(c, []string{"GET", "POST", "", "OPTIONS", "", "PUT", "DELETE", "HEAD"})
	resource := fmt.Sprintf("/r%d", i) + Pick(c, []string{"", "/{id}", "/{id}/x", "/a/{id}", "/{rest*}"})
	if i%2 > 0 && !c.rarely(3) && r.Method != "" && s.Routes[i-1].Method != "" && s.Routes[i-1].Method != r.Method {
		r.twin, resource = s.Routes[i-1], s.Routes[i-1].resource
	}
	r.Pattern, r.resource = resource, resource
	r.Name = fmt.Sprintf("r%d", i)
	version := Pick(c, s.versions).name
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
		switch c.Below(4) {
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
			r.Namespace = Pick(c, []string{"", "api:"}) + version
		}
	}
	s.addOptions(c, r)
	s.Routes = append(s.Routes, r)
}

// addOptions gives most routes no options, like real services. An option shows its effect best
// beside routes without one.
func (s *Service) addOptions(c *Choices, r *Route) {
	switch c.Below(10) {
	case 4:
		r.neutral, r.Options = true, []verso.RouteOption{verso.Neutral()}
	case 5:
		// GET is left out, by which some frameworks answer HEAD.
		r.Outside = r.twin == nil && r.Method != "" && r.Method != http.MethodGet && !r.EachVersion
	case 6, 7:
		r.since = c.Below(len(s.versions))
		// A route that ends where it begins is refused at registration.
		r.removed = r.since + 1 + c.Below(len(s.versions)-r.since)
		r.Options = append(r.Options, verso.Since(s.versions[r.since].name))
		if r.removed < len(s.versions) {
			r.Options = append(r.Options, verso.RemovedIn(s.versions[r.removed].name))
		}
	case 8:
		r.sunset = Pick(c, []int{-1, 0, 1})
		r.Options = append(r.Options, verso.SunsetAt(day(r.sunset)))
	case 9:
		r.Method = cmp.Or(r.Method, "OPTIONS") // few frameworks have a handler per version for any method
		r.choices = []choice{{from: c.Below(len(s.versions))}}
		for from := r.choices[0].from + 1; from < len(s.versions); from++ {
			if c.rarely(2) {
				r.choices = append(r.choices, choice{from, c.rarely(3)})
			}
		}
	}
}

// Only and Removed name handlers without a version of their own: the only handler of a route, and
// a removal.
const (
	Only    = -1
	Removed = -2
)

// Handlers returns the handlers of a route for versions, nil if it has one for all: from which
// version on, by the names of versions.
func (s *Service) Handlers(r *Route) map[string]int {
	if r.choices == nil {
		return nil
	}
	handlers := make(map[string]int)
	for _, choice := range r.choices {
		handlers[s.versions[choice.from].name] = choice.from
		if choice.removed {
			handlers[s.versions[choice.from].name] = Removed
		}
	}
	// A route with handlers for versions needs one for requests without, where these are allowed.
	if s.unversioned {
		handlers[""] = Only
	}
	return handlers
}

// WrongLink describes what is wrong about the link of a handler to another route, by the number
// of its run, or returns "". Sources whose place is a host or a namespace need more of the target
// than the model has, so links are checked for the rest.
func (s *Service) WrongLink(from *Route, run int, write func(verso.Target) (string, error)) string {
	to, version := s.Routes[run%len(s.Routes)], run%len(s.versions)
	if s.Other || from.Outside || len(s.kinds) > 1 ||
		!slices.Contains([]string{"header", "query", "path"}, s.kinds[0]) || to.Outside || to.bare {
		return ""
	}
	target := verso.Target{Name: to.Name, Version: verso.V(s.versions[version].name), Params: make(verso.Params)}
	for _, name := range placeholder.FindAllString(to.resource, -1) {
		target.Params[strings.Trim(name, "{*}")] = 7
	}
	link, err := write(target)
	if has := to.neutral || to.from(version) != Removed; has && err != nil ||
		!has && !errors.Is(err, verso.ErrNotInVersion) {
		return fmt.Sprintf("the link to r%d in %q is %q, error %q", to.index, target.Version, link, err)
	}
	return ""
}

var placeholder = regexp.MustCompile(`\{[^}]*\}`)

// API returns the versioning, or the error of a configuration that contradicts itself.
//
// Some settings have no choice of their own and follow another one: each would make inputs
// longer, which fuzzing explores less well.
func (s *Service) API() (*verso.Versioning, error) {
	var err error
	config := verso.Config{
		AllowUnversioned: s.unversioned, AfterDefaultSunset: s.defaultEnds, Clock: func() time.Time { return now },
		Links: verso.LinkConfig{Origin: "https://example.com"},
	}
	if s.byDefault >= 0 {
		config.DefaultVersion = verso.V(s.versions[s.byDefault].name)
	}
	if s.Strict {
		config.Strict = verso.Strict()
	}
	if s.hosts {
		config.Strict.AllowedHosts = []string{"example.com"}
	}
	lives := catalogue.Config{AfterSunset: s.after, ServedHeader: "Served", SuccessorLinks: s.Strict, Report: s.Kept}
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
			config.AllowedVersions = append(config.AllowedVersions, v.name)
		}
	}
	if !s.plain {
		if config.Catalogue, err = catalogue.New(lives); err != nil {
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
		return verso.New(read[0], config)
	case s.agree:
		return verso.New(verso.Agree(read...), config)
	}
	return verso.New(verso.First(read...), config)
}

// A failure prints it, so it must be enough to write a test from.
func (s *Service) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "sources %q, agree %v, plain list %v, after the sunset %q, default %d, when it ends %q, "+
		"unversioned %v, strict %v, allowed hosts %v, keep %v, another API %v\n",
		s.kinds, s.agree, s.plain, s.after, s.byDefault, s.defaultEnds, s.unversioned, s.Strict, s.hosts, s.Kept,
		s.Other)
	for _, v := range s.versions {
		fmt.Fprintf(&text, "version %q, in days from now: released %d, deprecated %d, sunset %d, then %q; in a brownout %v, preview %v\n",
			v.name, v.released, v.deprecated, v.sunset, v.after, v.brownout, v.preview)
	}
	for _, r := range s.Routes {
		fmt.Fprintf(&text, "route %q %s named %q: versions [%d:%d], choices %+v, sunset %d, neutral %v, of others %v, each version %v\n",
			r.Method, r.Pattern, route.Join(r.Namespace, r.Name), r.since, r.removed, r.choices, r.sunset, r.neutral, r.Outside,
			r.EachVersion)
	}
	return text.String()
}

// index is -1 for a text that names no version of the service.
func (s *Service) index(text string) int {
	return slices.IndexFunc(s.versions, func(v life) bool { return v.name == text })
}

// from returns the version from which on the handler for a version is, Only for the only handler,
// Removed where the version does not have the route. A version has the newest handler up to it.
func (r *Route) from(version int) int {
	if version < r.since || version >= r.removed {
		return Removed
	}
	if r.choices == nil {
		return Only
	}
	from := Removed
	for _, choice := range r.choices {
		if choice.from <= version {
			if from = choice.from; choice.removed {
				from = Removed
			}
		}
	}
	return from
}
