package verso

import (
	"fmt"

	"github.com/goverso/verso/core/catalogue"
)

// DefaultEnd says what a request that asks for no version gets when the default
// version has ended: see [Config.WhenDefaultEnds]. Its text is "end" or "move", and
// "" for the zero value.
type DefaultEnd uint8

// What such a request gets.
const (
	// RejectUnversioned rejects it with status 410, [VersionGone], even if a
	// later version answers requests that name the default version.
	RejectUnversioned DefaultEnd = iota + 1

	// MoveUnversioned answers it in the oldest later version that is still
	// served and not a preview, with that version's response fields. If there
	// is none, the request is rejected as by [RejectUnversioned]. The Catalogue
	// must have a ServedHeader, which names the version that answered.
	MoveUnversioned
)

var defaultEnds = [...]string{RejectUnversioned: "end", MoveUnversioned: "move"}

// MarshalText returns the text.
func (e DefaultEnd) MarshalText() ([]byte, error) {
	if int(e) >= len(defaultEnds) {
		return nil, fmt.Errorf("verso: DefaultEnd %d does not exist", e)
	}
	return []byte(defaultEnds[e]), nil
}

// UnmarshalText reads the text. It fails if the text is another.
func (e *DefaultEnd) UnmarshalText(text []byte) error {
	for end, known := range defaultEnds {
		if string(text) == known {
			*e = DefaultEnd(end)
			return nil
		}
	}
	return fmt.Errorf(`when_default_ends is %q: write "end" or "move"`, text)
}

// checkDefaultEnd returns the mistakes in WhenDefaultEnds.
func (c *Config) checkDefaultEnd() []Finding {
	if c.WhenDefaultEnds == 0 {
		return nil
	}
	if int(c.WhenDefaultEnds) >= len(defaultEnds) {
		return []Finding{refuse("when_default_ends", "WhenDefaultEnds", "DefaultEnd %d does not exist: use RejectUnversioned or MoveUnversioned", c.WhenDefaultEnds)}
	}
	if c.DefaultVersion.IsNone() || c.Catalogue == nil {
		return []Finding{warn("when_default_ends", "WhenDefaultEnds",
			"there is no default version that ends: set DefaultVersion, and its sunset in a Catalogue, or remove WhenDefaultEnds")}
	}
	if _, said := c.Catalogue.ServedField(0); c.WhenDefaultEnds == MoveUnversioned && !said {
		return []Finding{refuse("default_moves_unsaid", "WhenDefaultEnds",
			"requests without a version move to another one, and no response says which: set ServedHeader in the Catalogue")}
	}
	return nil
}

// decideUnversioned decides on a request that asks for no version, by the default
// version, whose result is given. It returns the result of the version that the
// request is decided by.
func (b *Binding) decideUnversioned(moment catalogue.Moment, table *catalogue.Table, byDefault *Result) (*Result, catalogue.Decision) {
	d := table.Decide(moment, byDefault.index)
	if d.State != catalogue.Ended {
		return byDefault, d
	}
	switch b.api.config.WhenDefaultEnds {
	case RejectUnversioned:
		d = catalogue.Decision{Outcome: catalogue.VersionGone, State: d.State, Version: -1, Fields: d.Fields}
	case MoveUnversioned:
		if next, ok := moment.Next(byDefault.index); ok {
			return &b.served.set.byIndex[next].results[byDefault.part], table.Decide(moment, next)
		}
	}
	return byDefault, d
}
