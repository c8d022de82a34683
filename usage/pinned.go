package usage

import (
	"context"
	"fmt"
	"slices"
	"time"

	verso "github.com/goverso/verso/core"
)

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

const (
	maxPins     = 100_000 // in one answer
	pinsTimeout = 5 * time.Second
)

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
			for n, err := range r.reader.Clients(r.ctx, v.Version, r.wanted(r.Time.Unix())) {
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
