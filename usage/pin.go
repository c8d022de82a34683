package usage

import (
	"cmp"
	"fmt"
	"time"
)

// Pin is a version that the service has stored for a client, for example with a receiver of
// webhooks. The end of the version breaks the client, whatever it calls.
type Pin struct {
	Client string `json:"-"` // as the Client of the adapter returns it: the same hash, if that returns one. Required.

	// For is what has the version, such as "webhook https://example.com/hooks". The page shows
	// its first 200 bytes, so it must hold no secret. Required.
	For   string    `json:"for"`
	Since time.Time `json:"since,omitzero"` // Optional.

	// Account is set for the version of an account, which decides requests only: these are
	// counted in it, so the pin matters while no version was ever counted for the client.
	Account bool `json:"account,omitempty"`
}

const maxPinsEach = 10 // of a client, in lists

// pins are what is pinned to a version.
type pins struct {
	of      map[string]*pinned // by client
	err     error              // they are not all known
	partial bool               // of one client only
}

// pinned are the pins of a client.
type pinned struct {
	Pins  []Pin `json:"pins,omitempty"`       // the first of them
	Count int   `json:"pins_count,omitempty"` // of all

	receives bool      // something besides an account is pinned
	since    time.Time // of the newest
}

func (all *pins) add(pin Pin) {
	pin.For = bounded(pin.For, maxForBytes)
	of := all.of[pin.Client]
	if of == nil {
		of = new(pinned)
		all.of[pin.Client] = of
	}
	if of.Count++; len(of.Pins) < maxPinsEach {
		of.Pins = append(of.Pins, pin)
	}
	if of.receives = of.receives || !pin.Account; pin.Since.After(of.since) {
		of.since = pin.Since
	}
}

// Shown returns the first of what is pinned, and how many more there are, or "".
func (p *pinned) Shown() string {
	if p == nil {
		return ""
	}
	text := p.Texts()[0]
	if p.Count > 1 {
		text += " and " + number(uint64(p.Count-1)) + " more"
	}
	return text
}

// Texts returns what is pinned, and since when.
func (p *pinned) Texts() (texts []string) {
	if p == nil {
		return nil
	}
	for _, pin := range p.Pins {
		text := printable(cmp.Or(pin.For, "(not known)"))
		if !pin.Since.IsZero() {
			text += " since " + date(pin.Since)
		}
		texts = append(texts, text)
	}
	if more := p.Count - len(p.Pins); more > 0 {
		texts = append(texts, fmt.Sprintf("and %s more", number(uint64(more))))
	}
	return texts
}
