package catalogue

import (
	"fmt"
	"net/textproto"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/goverso/verso/core/internal/codes"
)

// Catalogue holds the versions of an API over time. [New] returns one; the zero Catalogue is not
// valid. It is immutable and safe for concurrent use. Versions are identified by their index in
// the order of the configuration, the oldest first.
type Catalogue struct {
	config   Config
	timeline timeline
	served   []Field
	expose   Field
	table    *Table
	lists    sync.Map // from the versions that a route has to []*Lists
}

// New checks a configuration and makes its catalogue. The error joins every
// mistake, each as an [*Error]. It does not depend on the time of the call.
func New(config Config) (*Catalogue, error) {
	var m mistakes
	config = config.clone()
	t := config.check(&m)
	if n := len(t.versions); n > MaxVersions {
		m.add("versions", codes.VersionCount, n, MaxVersions)
	}
	if n := len(t.periods) - 1; n > MaxInstants {
		m.add("versions", codes.InstantBound, n, MaxInstants)
	}
	return newCatalogue(config, t, m)
}

// MustNew is [New] for a configuration in source code. It panics if that has mistakes.
func MustNew(config Config) *Catalogue { return must(New(config)) }

// List makes the catalogue of a plain list of versions, the oldest first. All of them are
// always supported, without dates. Their number is not bounded. It fails as [New] does.
func List(versions ...string) (*Catalogue, error) {
	var m mistakes
	var config Config
	for _, text := range versions {
		config.Versions = append(config.Versions, Entry{Version: text})
	}
	t := config.check(&m)
	return newCatalogue(config, t, m)
}

// IsPlain reports whether the catalogue is only a list of versions, without a
// date, a link or a field. Requests then need not consult it.
func (c *Catalogue) IsPlain() bool {
	config := &c.config
	return len(config.reports()) == 0 && config.ServedHeader == "" && !config.SuccessorLinks && !config.ExposeHeaders &&
		c.Stages() == 1 && !slices.ContainsFunc(config.Versions,
		func(e Entry) bool { return e.Preview || len(e.Links) > 0 })
}

// newCatalogue computes a catalogue from a configuration, if it has no mistakes.
func newCatalogue(config Config, t timeline, m mistakes) (*Catalogue, error) {
	if err := m.err(); err != nil {
		return nil, err
	}
	c := &Catalogue{config: config, timeline: t}
	if config.ServedHeader != "" {
		name := textproto.CanonicalMIMEHeaderKey(config.ServedHeader)
		for i := range t.names {
			c.served = append(c.served, Field{Name: name, Lines: t.names[i : i+1 : i+1]})
		}
	}
	if config.ExposeHeaders {
		c.expose = newField(ExposeHeadersField, strings.Join(c.FieldNames(), ", "))
	}
	c.table = c.newTable(lifecycle{dates: dates{never, never}}, make([]int, len(t.versions)))
	return c, nil
}

// Versions returns all versions in order, the oldest first. Callers must not
// modify the slice.
func (c *Catalogue) Versions() []string { return c.timeline.names }

// Index returns the index of a version. ok is false when the catalogue does not
// have the version.
func (c *Catalogue) Index(version string) (index int, ok bool) {
	index, ok = c.timeline.index[version]
	return index, ok
}

// Entry returns the configuration of a version. Callers must not modify its
// slices.
func (c *Catalogue) Entry(index int) Entry { return c.config.Versions[index] }

// FallsForward reports whether a later version answers requests for a version once it
// has ended.
func (c *Catalogue) FallsForward(index int) bool {
	return c.timeline.versions[index].action == FallForward
}

// At returns the moment at a time, truncated to the second.
func (c *Catalogue) At(now time.Time) Moment { return c.moment(now.Unix()) }

func (c *Catalogue) moment(second int64) Moment {
	return Moment{&c.timeline, second, periodAt(c.timeline.stages, second)}
}

// Stages returns the number of stages of the catalogue, at least 1.
func (c *Catalogue) Stages() int { return len(c.timeline.stages) }

// Periods returns the periods from a time on, in order. The first one holds that
// time.
func (c *Catalogue) Periods(now time.Time) []Period {
	starts := c.timeline.periods[periodAt(c.timeline.periods, now.Unix()):]
	periods := make([]Period, len(starts))
	for i, from := range starts {
		periods[i] = Period{c.moment(from)}
	}
	return periods
}

// Table returns the table of a route that every version has and that adds no dates
// or links.
func (c *Catalogue) Table() *Table { return c.table }

// Route makes the table of a route. The error joins every mistake, each as an
// [*Error]. Make tables when routes are registered, not for each request.
func (c *Catalogue) Route(config RouteConfig) (*Table, error) {
	var m mistakes
	own, choices := config.check(&m, &c.timeline)
	if err := m.err(); err != nil {
		return nil, err
	}
	return c.newTable(own, choices), nil
}

// NeutralRoute returns the table of a route without versions, which has its own dates and links
// alone. Only the methods of [Table] for the route apply to it. c may be nil: then nothing ends.
func (c *Catalogue) NeutralRoute(config RouteConfig) (*Table, error) {
	var m mistakes
	own := config.own(&m)
	if err := m.err(); err != nil {
		return nil, err
	}
	return c.ownTable(own), nil
}

// ownTable returns a table with the lifecycle of a route alone.
func (c *Catalogue) ownTable(own lifecycle) *Table {
	t := &Table{own: own.ready(), gone: never}
	if c != nil && c.config.AfterSunset.ends() {
		t.gone = own.dates.sunset
	}
	return t
}

// newTable computes a table. Routes without dates and links share the lifecycles
// of the first table, that of the catalogue.
func (c *Catalogue) newTable(own lifecycle, choices []int) *Table {
	t := c.ownTable(own)
	t.lists, t.choices, t.successorLinks = c.listsOf(choices), choices, c.config.SuccessorLinks
	if c.table != nil && own.dates.none() && len(own.links) == 0 {
		t.lifecycles = c.table.lifecycles
		return t
	}
	for i := range c.timeline.versions {
		v := &c.timeline.versions[i]
		l := lifecycle{dates: v.dates, links: v.links}
		if t.Has(i) {
			l.dates = l.dates.join(own.dates)
			l.links = slices.Concat(own.links, v.links)
		}
		t.lifecycles = append(t.lifecycles, l.ready())
	}
	return t
}

// listsOf returns the lists of the versions that have a route, by stage.
func (c *Catalogue) listsOf(choices []int) []*Lists {
	has := make([]bool, len(choices))
	for i, choice := range choices {
		has[i] = choice >= 0
	}
	lists, _ := c.lists.LoadOrStore(fmt.Sprint(has), c.timeline.lists(has, c.config.reports()))
	return lists.([]*Lists)
}

// ServedField returns the field that carries the served version. ok is false
// when the configuration has no ServedHeader, or c is nil.
func (c *Catalogue) ServedField(index int) (field Field, ok bool) {
	if c == nil || c.served == nil {
		return Field{}, false
	}
	return c.served[index], true
}

// ExposeField returns the field that lets scripts of other origins read the
// fields of the catalogue. ok is false unless ExposeHeaders is set.
func (c *Catalogue) ExposeField() (field Field, ok bool) { return c.expose, c.expose.Name != "" }

// FieldNames returns the names of the response fields that the catalogue may add
// and that scripts of other origins can read only if they are exposed. It is for
// middleware that writes Access-Control-Expose-Headers itself.
func (c *Catalogue) FieldNames() []string {
	names := []string{DeprecationField, SunsetField, LinkField, "Retry-After"}
	for _, r := range c.config.reports() {
		names = append(names, r.field)
	}
	if c.config.ServedHeader != "" {
		names = append(names, textproto.CanonicalMIMEHeaderKey(c.config.ServedHeader))
	}
	return names
}
