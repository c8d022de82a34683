package catalogue

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/goverso/verso/core/internal/codes"
)

// Bounds of a catalogue. [New] refuses more; [List] does not, since its versions have no
// dates. Within them a catalogue takes milliseconds to make and at most a few megabytes,
// whatever the dates.
const (
	MaxVersions     = 200
	MaxInstants     = 1000    // different instants at which something changes
	maxVersionBytes = 8 << 10 // of all versions together, if they are sent in header fields
)

// Config lists the versions, with what happens to each of them and when. It
// decodes from JSON:
//
//	{
//		"versions": [
//			{
//				"version": "v1",
//				"released": "2024-01-15",
//				"deprecated": "2026-03-01",
//				"sunset": "2026-12-01T00:00:00Z",
//				"successor": "v2",
//				"links": [{"rel": "deprecation", "href": "https://example.com/v1"}],
//				"brownouts": [{"from": "2026-11-03T14:00:00Z", "until": "2026-11-03T15:00:00Z"}]
//			},
//			{"version": "v2"},
//			{"version": "v3", "preview": true}
//		],
//		"after_sunset": "gone",
//		"report": true,
//		"served_header": "Api-Version",
//		"successor_links": true,
//		"expose_headers": true
//	}
//
// [ParseDate] defines the form of a date. A key that is absent or null is not set.
// An unknown or duplicate key is an error. Decode with [Parse]: the syntax errors
// of [encoding/json.Unmarshal] do not name the line.
type Config struct {
	// Versions in order, the oldest first. Required.
	Versions []Entry `json:"versions"`

	// AfterSunset is what happens to a version after its sunset. Optional.
	// "": [Serve].
	AfterSunset Action `json:"after_sunset,omitempty"`

	// Report adds the lists of versions to responses: Api-Supported-Versions
	// and Api-Deprecated-Versions. Optional.
	Report bool `json:"report,omitempty"`

	// ServedHeader is the name of the response field that carries the served
	// version, such as "Api-Version". Required for [FallForward]. "": no field.
	ServedHeader string `json:"served_header,omitempty"`

	// SuccessorLinks adds a Link to the same resource in the successor to
	// responses (RFC 5829, section 3.6), without the query of the request.
	// Callers write it: see [Table.NamesSuccessor]. Optional.
	SuccessorLinks bool `json:"successor_links,omitempty"`

	// ExposeHeaders lets scripts of other origins read the fields of the
	// catalogue: see [Catalogue.ExposeField]. Optional.
	ExposeHeaders bool `json:"expose_headers,omitempty"`
}

// report is a field about the listed versions. Its line names those that are supported or those that are deprecated, the
// oldest first. Without a line there is no field.
type report struct {
	field string
	line  func(supported, deprecated []string) string
}

var (
	supportedReport  = report{SupportedVersionsField, func(supported, _ []string) string { return strings.Join(supported, ", ") }}
	deprecatedReport = report{DeprecatedVersionsField, func(_, deprecated []string) string { return strings.Join(deprecated, ", ") }}
	reports          = []report{supportedReport, deprecatedReport}
)

// reports returns those that the configuration asks for.
func (c *Config) reports() (wanted []report) {
	if c.Report {
		wanted = append(wanted, supportedReport, deprecatedReport)
	}
	return wanted
}

// Entry is one version of a [Config] with its dates. Dates are whole seconds
// after 1970; the zero time means no date. Released must not be after Deprecated,
// and neither may be after Sunset.
type Entry struct {
	// Version is the text of the version, compared byte by byte. Required.
	Version string `json:"version"`

	// Released is the first second in which the version is known. Optional.
	// The zero time: the version is always known.
	Released time.Time `json:"released,omitzero"`

	// Deprecated is the first second in which the version is deprecated. The
	// Deprecation field announces it in advance (RFC 9745). Optional.
	Deprecated time.Time `json:"deprecated,omitzero"`

	// Sunset is the first second after the lifetime of the version. The Sunset
	// field announces it in advance (RFC 8594). AfterSunset determines what
	// happens then. Optional.
	Sunset time.Time `json:"sunset,omitzero"`

	// Successor is the version that clients should move to, listed after this
	// one. Optional.
	Successor string `json:"successor,omitempty"`

	// Preview keeps the version out of the lists. It is served to clients that
	// ask for it, but no version falls forward to it or has it as successor.
	// Optional.
	Preview bool `json:"preview,omitempty"`

	// Links are sent in the Link field of every response of the version, in this
	// order: at most [MaxLinks], and [MaxLinkBytes] together. Optional.
	Links []Link `json:"links,omitempty"`

	// Brownouts are windows in which the version is rejected. Optional.
	Brownouts []Brownout `json:"brownouts,omitempty"`

	// AfterSunset is what happens to this version after its sunset. Optional.
	// "": the AfterSunset of the [Config].
	AfterSunset Action `json:"after_sunset,omitempty"`
}

// Action is what happens to a version after its sunset.
type Action string

// The actions.
const (
	Serve Action = "serve" // the version is still served, but not listed
	Gone  Action = "gone"  // the version is rejected
	// FallForward: the oldest listed version after it answers; without one, it is rejected.
	FallForward Action = "fall_forward"
)

// clone returns a copy that shares nothing with c.
func (c Config) clone() Config {
	c.Versions = slices.Clone(c.Versions)
	for i := range c.Versions {
		entry := &c.Versions[i]
		entry.Links = slices.Clone(entry.Links)
		entry.Brownouts = slices.Clone(entry.Brownouts)
	}
	return c
}

// check finds the mistakes of a configuration and returns its timeline.
func (c *Config) check(m *mistakes) timeline {
	c.checkSettings(m)
	versions := make([]version, len(c.Versions))
	index := make(map[string]int, len(c.Versions))
	headers := len(c.reports()) > 0 || c.ServedHeader != ""
	previews, size := 0, 0
	for i, entry := range c.Versions {
		field := fmt.Sprintf("versions[%d]", i)
		if first, twice := index[entry.Version]; twice {
			m.add(field+".version", codes.EntryTwice, quote(entry.Version), first)
		} else if index[entry.Version] = i; entry.Version == "" {
			m.add(field+".version", codes.EntryEmpty)
		} else if headers && !Listable(entry.Version) {
			m.add(field+".version", codes.EntryNotListable, quote(entry.Version))
		}
		if entry.Preview {
			previews++
		}
		size += len(entry.Version)
		versions[i] = entry.check(m, field, c.AfterSunset)
	}
	for i, entry := range c.Versions {
		versions[i].successor = entry.checkSuccessor(m, i, versions, index)
	}

	switch {
	case len(versions) == 0:
		m.add("versions", codes.NoVersions)
	case previews == len(versions):
		m.add("versions", codes.OnlyPreview)
	case headers && size > maxVersionBytes:
		m.add("versions", codes.VersionBytes, size, maxVersionBytes)
	}
	return newTimeline(versions, index)
}

// checkSettings checks the settings that are not about a single version.
func (c *Config) checkSettings(m *mistakes) {
	c.AfterSunset.check(m, "after_sunset")
	if c.ServedHeader != "" {
		checkFieldName(m, "served_header", c.ServedHeader)
		return
	}
	for _, entry := range c.Versions {
		if cmp.Or(entry.AfterSunset, c.AfterSunset) == FallForward {
			m.add("served_header", codes.ForwardNeedsServedHeader, quote(entry.Version))
			return
		}
	}
}

// check checks an entry, except its text and its successor, and returns its version.
func (e Entry) check(m *mistakes, field string, afterSunset Action) version {
	e.AfterSunset.check(m, field+".after_sunset")
	v := version{text: e.Version, preview: e.Preview, action: cmp.Or(e.AfterSunset, afterSunset), ended: never,
		successor: -1}
	v.released = instant(m, field+".released", e.Released, always)
	v.dates = datesOf(m, field+".", e.Deprecated, e.Sunset)
	if v.action.ends() {
		v.ended = v.sunset
	}
	if v.deprecated < v.released {
		m.add(field+".deprecated", codes.DeprecationBeforeRelease, dateText(v.released))
	}
	if v.sunset < v.released {
		m.add(field+".sunset", codes.SunsetBeforeRelease, dateText(v.released))
	}
	v.links = linkLines(m, field+".links", e.Links)
	if len(e.Brownouts) > 0 && e.Deprecated.IsZero() {
		m.add(field+".brownouts", codes.BrownoutNotDeprecated, quote(e.Version))
	}
	v.runs = runsOf(m, field, e.Brownouts, &v)
	return v
}

// checkSuccessor checks the successor of the entry at i and returns its index.
func (e Entry) checkSuccessor(m *mistakes, i int, versions []version, index map[string]int) int {
	if e.Successor == "" {
		return -1
	}
	field := fmt.Sprintf("versions[%d].successor", i)
	next, known := index[e.Successor]
	switch {
	case !known:
		m.add(field, codes.SuccessorUnknown, quote(e.Successor), quote(e.Version))
	case next == i:
		m.add(field, codes.SuccessorSelf, quote(e.Version))
	case next < i:
		m.add(field, codes.SuccessorOlder, quote(e.Successor), quote(e.Version))
	case versions[next].preview:
		m.add(field, codes.SuccessorPreview, quote(e.Successor))
	case versions[i].sunset != never && versions[next].sunset < versions[i].sunset:
		m.add(field, codes.SuccessorGoneFirst, quote(e.Successor), dateText(versions[next].sunset), quote(e.Version))
	}
	return next
}

// ends reports whether the action ends the version.
func (a Action) ends() bool { return a == Gone || a == FallForward }

// check checks the action at a field.
func (a Action) check(m *mistakes, field string) {
	if !slices.Contains([]Action{"", Serve, Gone, FallForward}, a) {
		m.add(field, codes.AfterSunsetUnknown, quote(string(a)), Serve, Gone, FallForward)
	}
}
