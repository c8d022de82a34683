package verso

import (
	"fmt"

	"github.com/goverso/verso/core/internal/finding"
)

var afterDefaultSunsets = [...]string{RejectUnversioned: "end", MoveUnversioned: "move"}

// checkAfterDefaultSunset returns the mistakes in AfterDefaultSunset.
func (c *Config) checkAfterDefaultSunset() []Finding {
	if c.AfterDefaultSunset == 0 {
		return nil
	}
	if int(c.AfterDefaultSunset) >= len(afterDefaultSunsets) {
		return []Finding{finding.Refuse("when_default_ends", "AfterDefaultSunset",
			"AfterDefaultSunset %d does not exist: use RejectUnversioned or MoveUnversioned", c.AfterDefaultSunset)}
	}
	if c.DefaultVersion.IsNone() || c.Catalogue == nil {
		return []Finding{finding.Warn("when_default_ends", "AfterDefaultSunset",
			"no default version ends: set DefaultVersion, and its sunset in a Catalogue, or remove AfterDefaultSunset")}
	}
	if _, said := c.Catalogue.ServedField(0); c.AfterDefaultSunset == MoveUnversioned && !said {
		return []Finding{finding.Refuse("default_moves_unsaid", "AfterDefaultSunset",
			"after the sunset, requests without a version are answered by a later version, but no response header names it: set ServedHeader in the Catalogue")}
	}
	return nil
}

// AfterDefaultSunset determines how requests without a version are answered after the
// default version's sunset: see [Config.AfterDefaultSunset]. Its text is "end" or "move",
// and "" for the zero value.
type AfterDefaultSunset uint8

// What such a request gets.
const (
	// RejectUnversioned rejects it with status 410, [VersionGone], even if a
	// later version answers requests that name the default version.
	RejectUnversioned AfterDefaultSunset = iota + 1

	// MoveUnversioned answers it in the oldest later version that is still
	// served and not a preview, with that version's response fields. If there
	// is none, the request is rejected as by [RejectUnversioned]. The Catalogue
	// must have a ServedHeader, which names the version that answered.
	MoveUnversioned
)

// MarshalText returns the text.
func (e AfterDefaultSunset) MarshalText() ([]byte, error) {
	if int(e) >= len(afterDefaultSunsets) {
		return nil, fmt.Errorf("verso: AfterDefaultSunset %d does not exist", e)
	}
	return []byte(afterDefaultSunsets[e]), nil
}

// UnmarshalText reads the text. It fails if the text is another.
func (e *AfterDefaultSunset) UnmarshalText(text []byte) error {
	for end, known := range afterDefaultSunsets {
		if string(text) == known {
			*e = AfterDefaultSunset(end)
			return nil
		}
	}
	return fmt.Errorf(`after_default_sunset is %q: write "end" or "move"`, text)
}
