package catalogue

import (
	"net/textproto"
	"slices"
	"strings"
	"sync"
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
	instants []int64 // at which anything changes
	changes  []int64 // at which the state of a version changes, or whether it is listed
	served   []Field
	expose   Field
	table    *Table
	lists    sync.Map // of the versions that a route has to []*Lists
}

// New checks a configuration and makes its catalogue. The error joins every
// mistake, each an [*Error]. It does not depend on the time at which New is
// called.
func New(config Config) (*Catalogue, error) {
	var m mistakes
	config = config.clone()
	versions := m.check(&config)
	if len(versions) > MaxVersions {
		m.add("versions", "version_bound", "%d versions: leave at most %d, without those that nobody asks for any more", len(versions), MaxVersions)
	}
	instants := instantsOf(versions)
	if len(instants) > MaxInstants {
		m.add("versions", "instant_bound", "something changes at %d instants: leave at most %d, without the brownouts that are over", len(instants), MaxInstants)
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
	config := &c.config
	return !config.Report && config.ServedHeader == "" && !config.SuccessorLinks && !config.ExposeHeaders &&
		len(c.changes) == 0 && !slices.ContainsFunc(config.Versions, func(e Entry) bool { return e.Preview || len(e.Links) > 0 })
}

// newCatalogue computes a catalogue from a configuration without mistakes.
func newCatalogue(config Config, versions []version, instants []int64) *Catalogue {
	c := &Catalogue{
		config:   config,
		versions: versions,
		names:    make([]string, len(versions)),
		index:    make(map[string]int, len(versions)),
		instants: instants,
		changes:  changesOf(versions),
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
	c.table = c.newTable(lifecycle{dates: dates{never, never}}, make([]int, len(versions)))
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

// At returns the moment of a time, which is cut to the second.
func (c *Catalogue) At(now time.Time) Moment {
	return c.moment(now.Unix())
}

func (c *Catalogue) moment(second int64) Moment {
	return Moment{c, second, reached(c.changes, second)}
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
