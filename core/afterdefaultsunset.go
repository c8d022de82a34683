package verso

import (
	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
)

// checkAfterDefaultSunset returns the mistakes in AfterDefaultSunset.
func (c *Config) checkAfterDefaultSunset() []Finding {
	if c.AfterDefaultSunset == "" {
		return nil
	}
	if c.AfterDefaultSunset != RejectUnversioned && c.AfterDefaultSunset != MoveUnversioned {
		return []Finding{finding.Of(codes.DefaultEndUnknown, string(c.AfterDefaultSunset), string(RejectUnversioned), string(MoveUnversioned))}
	}
	if c.DefaultVersion.IsNone() || c.Catalogue == nil {
		return []Finding{finding.Of(codes.DefaultNeverEnds)}
	}
	if _, said := c.Catalogue.ServedField(0); c.AfterDefaultSunset == MoveUnversioned && !said {
		return []Finding{finding.Of(codes.DefaultMovesUnsaid)}
	}
	return nil
}

// AfterDefaultSunset determines how requests without a version are answered after the
// default version's sunset: see [Config.AfterDefaultSunset]. "" determines nothing.
type AfterDefaultSunset string

// What such a request gets.
const (
	// RejectUnversioned rejects it with status 410, [VersionGone], even if a
	// later version answers requests that name the default version.
	RejectUnversioned AfterDefaultSunset = "end"

	// MoveUnversioned answers it in the oldest later version that is still
	// served and not a preview, with that version's response fields. If there
	// is none, the request is rejected as by [RejectUnversioned]. The Catalogue
	// must have a ServedHeader, which names the version that answered.
	MoveUnversioned AfterDefaultSunset = "move"
)
