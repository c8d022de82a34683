package catalogue

import (
	"net/textproto"
	"slices"
	"strings"
	"sync"
	"time"
)

// Catalogue holds the versions of an API over time. [New] makes it. It is
// immutable and safe for concurrent use. Versions are identified by their index in
// the order of the configuration, the oldest first.
type Catalogue struct {
	config   Config
	versions []version
	names    []string
	index    map[string]int
	instants []int64 // at which anything changes
	changes  []int64 // at which the state of a version or the lists change
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
	versions := m.check(&config)
	if len(versions) > MaxVersions {
		m.add("versions", "version_bound", "%d versions: list at most %d, and leave out those that nobody asks for any more", len(versions), MaxVersions)
	}
	instants := instantsOf(versions)
	if len(instants) > MaxInstants {
		m.add("versions", "instant_bound", "the versions change at %d instants: leave at most %d, and remove the brownouts that are over", len(instants), MaxInstants)
	}
	if err := m.err(); err != nil {
		return nil, err
	}
	return newCatalogue(config, versions, instants), nil
}

// List makes the catalogue of a plain list of versions, the oldest first. All of
// them are always supported; none has a date. There is no bound on their number.
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

// IsPlain reports whether the catalogue is only a list of versions, without a
// date, a link or a field. Requests then need not consult it.
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

// Index returns the index of a version. ok is false when the catalogue does not
// have the version.
func (c *Catalogue) Index(version string) (index int, ok bool) {
	index, ok = c.index[version]
	return index, ok
}

// Entry returns the configuration of a version. Callers must not modify its
// slices.
func (c *Catalogue) Entry(index int) Entry {
	return c.config.Versions[index]
}

// At returns the moment at a time, truncated to the second.
func (c *Catalogue) At(now time.Time) Moment {
	return c.moment(now.Unix())
}

func (c *Catalogue) moment(second int64) Moment {
	return Moment{c, second, reached(c.changes, second)}
}

// Table returns the table of a route that every version has and that adds no dates
// or links.
func (c *Catalogue) Table() *Table {
	return c.table
}

// ServedField returns the field that carries the served version. ok is false
// when the configuration has no ServedHeader.
func (c *Catalogue) ServedField(index int) (field Field, ok bool) {
	if c.served == nil {
		return Field{}, false
	}
	return c.served[index], true
}

// ExposeField returns the field that lets scripts of other origins read the
// fields of the catalogue. ok is false unless ExposeHeaders is set.
func (c *Catalogue) ExposeField() (field Field, ok bool) {
	return c.expose, c.expose.Name != ""
}

// FieldNames returns the names of the response fields that the catalogue may add
// and that scripts of other origins can read only if they are exposed. It is for
// middleware that writes Access-Control-Expose-Headers itself.
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
