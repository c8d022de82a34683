package catalogue

import (
	"slices"
	"time"
)

// Bounds of a catalogue. [New] refuses more. Within them a catalogue takes
// milliseconds to make and at most a few megabytes, whatever the dates.
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
	// responses (RFC 5829, section 3.6). Callers write it: see
	// [Table.NamesSuccessor]. Optional.
	SuccessorLinks bool `json:"successor_links,omitempty"`

	// ExposeHeaders lets scripts of other origins read the fields of the
	// catalogue: see [Catalogue.ExposeField]. Optional.
	ExposeHeaders bool `json:"expose_headers,omitempty"`
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
	Serve       Action = "serve"        // the version is still served, but not listed
	Gone        Action = "gone"         // the version is rejected
	FallForward Action = "fall_forward" // the oldest listed version after it answers; without one, the version is rejected
)

// ends reports whether the action ends the version.
func (a Action) ends() bool {
	return a == Gone || a == FallForward
}

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
