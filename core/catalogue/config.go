package catalogue

import (
	"slices"
	"time"
)

// Bounds of a catalogue. More are refused: within them it is made in
// milliseconds and takes no more than a few megabytes, whatever the dates.
const (
	MaxVersions     = 200
	MaxInstants     = 1000    // different instants at which something changes
	maxVersionBytes = 8 << 10 // all versions together, where they are in header fields
)

// Config says which versions there are, and what happens to them when. It
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
// [ParseDate] says what a date is. A key that is absent or null is not set. A key
// that is unknown or occurs twice is an error. Decode with [Parse]: the
// syntax errors of [encoding/json.Unmarshal] do not say the line.
type Config struct {
	// Versions in order, the oldest first. Required.
	Versions []Entry `json:"versions"`

	// AfterSunset is what happens to a version after its sunset. Optional.
	// "": [Serve].
	AfterSunset Action `json:"after_sunset,omitempty"`

	// Report puts the lists of versions on responses: Api-Supported-Versions
	// and Api-Deprecated-Versions. Optional.
	Report bool `json:"report,omitempty"`

	// ServedHeader names the response field with the version that is served,
	// such as "Api-Version". Optional, but [FallForward] needs it. "": none.
	ServedHeader string `json:"served_header,omitempty"`

	// SuccessorLinks puts a Link to the same resource in the successor on
	// responses (RFC 5829, section 3.6). Callers write it: see
	// [Table.SuccessorLink]. Optional.
	SuccessorLinks bool `json:"successor_links,omitempty"`

	// ExposeHeaders lets scripts of other origins read the fields of the
	// catalogue: see [Catalogue.ExposeField]. Optional.
	ExposeHeaders bool `json:"expose_headers,omitempty"`
}

// Entry is one version of a [Config] with its dates. Dates are whole seconds
// after 1970; the zero time is none. The order is Released, Deprecated, Sunset,
// and two of them may be equal.
type Entry struct {
	// Version is the text of the version, compared byte by byte. Required.
	Version string `json:"version"`

	// Released is the first second in which the version is known. Optional.
	// None: always.
	Released time.Time `json:"released,omitzero"`

	// Deprecated is the first second in which the version is deprecated. The
	// Deprecation field announces it before (RFC 9745). Optional.
	Deprecated time.Time `json:"deprecated,omitzero"`

	// Sunset is the first second after the time of the version. The Sunset
	// field announces it before (RFC 8594). What happens then is up to
	// AfterSunset. Optional.
	Sunset time.Time `json:"sunset,omitzero"`

	// Successor is the version that clients should move to, listed after this
	// one. Optional.
	Successor string `json:"successor,omitempty"`

	// Preview keeps the version out of lists: it is served to clients that
	// name it, and nothing falls forward or succeeds to it. Optional.
	Preview bool `json:"preview,omitempty"`

	// Links stand in the Link field of every response of the version, in this
	// order: at most [MaxLinks], [MaxLinkBytes] together. Optional.
	Links []Link `json:"links,omitempty"`

	// Brownouts are windows in which the version is rejected. Optional.
	Brownouts []Brownout `json:"brownouts,omitempty"`

	// AfterSunset is what happens to this version after its sunset. Optional.
	// "": as the catalogue says.
	AfterSunset Action `json:"after_sunset,omitempty"`
}

// Action is what happens to a version after its sunset.
type Action string

// The actions.
const (
	Serve       Action = "serve"        // nothing: the version is served, but no longer listed
	Gone        Action = "gone"         // the version is rejected
	FallForward Action = "fall_forward" // the oldest listed version after it answers; where there is none, it is rejected
)

// ends reports whether the sunset ends a version.
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
