package usage

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	verso "github.com/goverso/verso/core"
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

const (
	maxPins     = 100_000 // in one answer
	maxPinsEach = 10      // of a client, in lists
	maxForBytes = 200
	pinsTimeout = 5 * time.Second
)

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

// pinned reads the pins of the versions that are deprecated or have a sunset, or only those of
// one version or of one client. It is called before a database is read, which may be the same,
// with one connection.
func (p *Page) pinned(ctx context.Context, one, client string) map[string]*pins {
	if p.Pinned == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, pinsTimeout)
	defer cancel()
	read, left := map[string]*pins{}, maxPins
	for i, version := range p.Catalogue.Versions() {
		if e := p.Catalogue.Entry(i); one == version || one == "" && (!e.Deprecated.IsZero() || !e.Sunset.IsZero()) {
			read[version] = p.pinnedTo(ctx, version, bounded(client, verso.MaxClientBytes), &left)
		}
	}
	return read
}

// pinnedTo reads the pins of a version, of which so many are left in all.
func (p *Page) pinnedTo(ctx context.Context, version, client string, left *int) *pins {
	all := &pins{of: map[string]*pinned{}, partial: client != ""}
	list := p.Pinned(ctx, version)
	if list == nil {
		return all
	}
	for pin, err := range list {
		*left--
		switch {
		case err != nil:
			all.err = err
		case ctx.Err() != nil:
			all.err = ctx.Err()
		case *left < 0:
			all.err = fmt.Errorf("there are more than %s", number(maxPins))
		case pin.Client == "":
			all.err = fmt.Errorf("%q has no client", bounded(pin.For, maxForBytes))
		default:
			if pin.Client = bounded(pin.Client, verso.MaxClientBytes); client == "" || pin.Client == client {
				all.add(pin)
			}
			continue
		}
		return all
	}
	all.err = ctx.Err()
	return all
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

// bounded returns a text as valid UTF-8 of at most so many bytes, as core bounds the names of
// clients.
func bounded(text string, most int) string {
	if text = strings.ToValidUTF8(text, "\uFFFD"); len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") // without a part of a character
	}
	return text
}

// addPins gives the clients of a version their pins. Those that do not call it now are pinned, and
// so are those that were never counted.
func addPins(r *report, v *versionReport) {
	if v.pins == nil {
		return
	}
	for i := range v.judged {
		c := &v.judged[i]
		of := v.pins.of[c.Client]
		if of == nil {
			continue
		}
		if c.pinned = of; of.receives && c.Group != groupOnly && c.Group != groupBoth {
			c.Group = groupPinned
		}
	}
	var others []string
	for client, of := range v.pins.of {
		if _, counted := v.at[ClientName{client, false}]; !counted && (of.receives || !isCounted(r, client)) {
			others = append(others, client)
		}
	}
	slices.Sort(others)
	v.judged = slices.Grow(v.judged, len(others))
	for _, client := range others {
		v.judged = append(v.judged, movingClient{Client: client, Group: groupPinned, pinned: v.pins.of[client]})
	}
}

// isCounted reports whether a client has ever called a listed version.
func isCounted(r *report, client string) bool {
	for i := range r.Versions[:len(r.Versions)-1] {
		if _, ok := r.Versions[i].at[ClientName{client, false}]; ok {
			return true
		}
	}
	return r.elsewhere[client]
}

// findAccounts looks for the clients of which only an account is pinned to a version, in the
// versions whose clients were not read.
func findAccounts(r *report) error {
	r.elsewhere = map[string]bool{}
	for i := range r.Versions {
		if v := &r.Versions[i]; v.pins != nil {
			for client, of := range v.pins.of {
				if !of.receives && !isCounted(r, client) {
					r.elsewhere[client] = false
				}
			}
		}
	}
	if len(r.elsewhere) == 0 {
		return nil
	}
	for i := range r.Versions[:len(r.Versions)-1] {
		if v := &r.Versions[i]; v.at == nil {
			for n, err := range r.reader.Clients(r.ctx, v.Version, Wanted{r.only, r.Time.Unix()}) {
				if err != nil {
					return err
				}
				if _, asked := r.elsewhere[n.Client]; asked && !n.Other {
					r.elsewhere[n.Client] = true
				}
			}
		}
	}
	return nil
}

// client returns the counts of a judged client, none if nothing was counted.
func (v *versionReport) client(c *movingClient) *clientReport {
	if at, ok := v.at[ClientName{c.Client, c.Other}]; ok {
		return &v.Clients[at]
	}
	return &clientReport{Client: c.Client}
}

// HasPins reports whether the pins of the version were asked for.
func (v *versionReport) HasPins() bool { return v.pins != nil }

// unread returns why not all pins are known, or "".
func (v *versionReport) unread() string {
	if v.pins == nil || v.pins.err == nil {
		return ""
	}
	return "Not all that is pinned to it is known: " + printable(bounded(v.pins.err.Error(), maxForBytes))
}

// receives reports whether something is pinned besides an account.
func (c *movingClient) receives() bool { return c.pinned != nil && c.pinned.receives }

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
