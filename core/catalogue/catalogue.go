package catalogue

import (
	"net/textproto"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Catalogue is the versions of an API over time. It is made by [New], immutable,
// and safe for concurrent use. Versions are referred to by their index in the
// order of the configuration, the oldest first.
type Catalogue struct {
	config   Config
	versions []version
	names    []string
	index    map[string]int
	instants []int64               // at which anything changes
	changes  []int64               // at which the state of a version changes: brownouts aside
	stages   []stage               // one more than changes
	current  atomic.Pointer[stage] // the stage of the latest request: usually that of the next one
	served   []Field
	expose   Field
	table    *Table

	mu    sync.Mutex
	lists map[string][]*Lists // by the set of versions, see setKey
}

// New checks a configuration and makes its catalogue. The error joins every
// mistake, each an [*Error]. It does not depend on the time at which New is
// called.
func New(config Config) (*Catalogue, error) {
	var m mistakes
	config = config.clone()
	versions := m.check(&config)
	if len(versions) > MaxVersions {
		m.add("versions", CodeVersionBound, "%d versions: leave at most %d, without those that nobody asks for any more", len(versions), MaxVersions)
	}
	instants := instantsOf(versions)
	if len(instants) > MaxInstants {
		m.add("versions", CodeInstantBound, "something changes at %d instants: leave at most %d, without the brownouts that are over", len(instants), MaxInstants)
	}
	if err := m.err(); err != nil {
		return nil, err
	}
	return newCatalogue(config, versions, instants), nil
}

// List makes the catalogue of a plain list of versions, the oldest first: all of
// them always supported, without a date. It has no bound on the number of
// versions.
func List(versions ...string) (*Catalogue, error) {
	var m mistakes
	var config Config
	for _, text := range versions {
		config.Versions = append(config.Versions, Entry{Version: text})
	}
	checked := m.check(&config)
	if err := m.err(); err != nil {
		return nil, err
	}
	return newCatalogue(config, checked, nil), nil
}

// IsPlain reports whether the catalogue says no more than a list of versions: no
// date, no link, no field. Requests then need not ask it.
func (c *Catalogue) IsPlain() bool {
	config := c.config
	config.Versions, config.AfterSunset = nil, ""
	return reflect.ValueOf(config).IsZero() && !slices.ContainsFunc(c.config.Versions, func(e Entry) bool {
		e.Version = ""
		return !reflect.ValueOf(e).IsZero()
	})
}

// newCatalogue computes a catalogue from a configuration without mistakes.
func newCatalogue(config Config, versions []version, instants []int64) *Catalogue {
	c := &Catalogue{
		config:   config,
		versions: versions,
		names:    make([]string, len(versions)),
		index:    make(map[string]int, len(versions)),
		instants: instants,
		lists:    make(map[string][]*Lists),
	}
	for i, v := range versions {
		c.names[i] = v.text
		c.index[v.text] = i
	}
	if config.ServedHeader != "" {
		name := textproto.CanonicalMIMEHeaderKey(config.ServedHeader)
		for i := range c.names {
			c.served = append(c.served, Field{Name: name, Lines: c.names[i : i+1 : i+1]})
		}
	}
	if config.ExposeHeaders {
		c.expose = newField(ExposeHeadersField, strings.Join(c.FieldNames(), ", "))
	}
	c.changes = changesOf(versions)
	c.stages = newStages(c)
	c.current.Store(&c.stages[0])
	c.table = c.newTable(lifecycle{dates: dates{never, never}}, allOf(len(versions)))
	return c
}

// Versions returns all versions in order, the oldest first. Callers must not
// modify the slice.
func (c *Catalogue) Versions() []string {
	return c.names
}

// Index returns the index of a version. ok is false for a text that is no version
// of the catalogue.
func (c *Catalogue) Index(version string) (index int, ok bool) {
	index, ok = c.index[version]
	return index, ok
}

// Entry returns the configuration of a version. Callers must not modify its
// slices.
func (c *Catalogue) Entry(index int) Entry {
	return c.config.Versions[index]
}

// At returns the moment of a time, which is cut to the second. It is two
// comparisons while nothing changes, and a binary search otherwise.
func (c *Catalogue) At(now time.Time) Moment {
	second := now.Unix()
	s := c.current.Load()
	if second < s.from || s.until <= second {
		s = c.stageOf(second)
		c.current.Store(s)
	}
	return Moment{second: second, stage: s}
}

// Table returns the table of a route that every version has and that has no dates
// and links of its own.
func (c *Catalogue) Table() *Table {
	return c.table
}

// ServedField returns the field that says which version is served. ok is false
// when the configuration names none.
func (c *Catalogue) ServedField(index int) (field Field, ok bool) {
	if c.served == nil {
		return Field{}, false
	}
	return c.served[index], true
}

// ExposeField returns the field that lets scripts of other origins read the
// fields of the catalogue. ok is false unless the configuration asks for it.
func (c *Catalogue) ExposeField() (field Field, ok bool) {
	return c.expose, c.expose.Name != ""
}

// FieldNames returns the names of the response fields that the catalogue may
// cause and that scripts of other origins cannot read unless they are exposed:
// for a middleware that writes Access-Control-Expose-Headers itself.
func (c *Catalogue) FieldNames() []string {
	names := []string{DeprecationField, SunsetField, LinkField, "Retry-After"}
	if c.config.Report {
		names = append(names, SupportedVersionsField, DeprecatedVersionsField)
	}
	if c.config.ServedHeader != "" {
		names = append(names, textproto.CanonicalMIMEHeaderKey(c.config.ServedHeader))
	}
	return names
}

// stageOf returns the stage of a second.
func (c *Catalogue) stageOf(second int64) *stage {
	return &c.stages[reached(c.changes, second)]
}
