package rewrite

import (
	"errors"
	"fmt"
	"slices"

	"github.com/goverso/verso/migrate/internal/jsontext"
)

// Envelope is an object around a value, in one version.
type Envelope struct {
	Name     string // of the member with the value
	Key      []byte // `"name":`
	Written  bool   // it is written, and the body lacks it
	Inner    *Node  // of the value, or of the object
	OfObject bool
}

func (*Envelope) taken() {}

// take rewrites a whole value.
func (h *holder) take(how Taken, p jsontext.Place, isLookedInto bool) (v value, err error) {
	if e, ok := how.(*Envelope); ok {
		return h.envelope(e, p, isLookedInto)
	}
	raw := h.Raw(p)
	if err = h.reads.add(len(raw)); err != nil {
		return v, h.fail(err)
	}
	made, err := how.(Reshape)(raw, h.Mode)
	if err != nil {
		return v, h.fail(err)
	}
	h.write(made...)
	return v, nil
}

// envelope writes a value around which an object came or went. What is inside is rewritten where it is: it
// is read once, and what is written of it moves as a chain, however deep envelopes are in each other.
func (h *holder) envelope(e *Envelope, p jsontext.Place, isLookedInto bool) (v value, err error) {
	switch {
	case e.Written && e.OfObject:
		return h.object(found{n: e.Inner, at: -1}, p, slices.Clip(e.Key[:len(e.Key)-1]), isLookedInto)
	case e.Written:
		return h.enclose(e, p, isLookedInto)
	case e.OfObject:
		return h.takeOut(e, p, isLookedInto)
	}
	// The body has the object, whose value has the plan.
	q, err := h.enter(e, p)
	if err != nil {
		return v, err
	}
	h.path = append(h.path, step{name: e.Key[:len(e.Key)-1]})
	f, err := h.find(e.Inner, q, false)
	if err == nil {
		v, err = h.put(f, q, isLookedInto)
	}
	if err == nil {
		h.path = h.path[:len(h.path)-1]
	}
	return v, err
}

// enclose writes the object, with the rewritten value.
func (h *holder) enclose(e *Envelope, p jsontext.Place, isLookedInto bool) (v value, err error) {
	f, err := h.find(e.Inner, p, false)
	switch {
	case err != nil:
		return v, err
	case isLookedInto:
		v, err = h.aside(f, p, false)
		return value{kind: '{', entries: []entry{{e.Key, v}}}, err
	}
	h.write('{')
	h.write(e.Key...)
	_, err = h.put(f, p, false)
	h.write('}')
	return v, err
}

// takeOut writes the value alone that the rewritten object has.
func (h *holder) takeOut(e *Envelope, p jsontext.Place, isLookedInto bool) (v value, err error) {
	f, err := h.find(e.Inner, p, false)
	if err != nil {
		return v, err
	}
	if f.n == nil {
		if p, err = h.enter(e, p); err == nil {
			h.write(h.Raw(p)...)
		}
		return v, err
	}
	if v, err = h.aside(f, p, true); err != nil {
		return v, err
	}
	if v, err = h.memberOf(v, e.Name, false); err == nil && v.kind == 0 {
		err = e.missing()
	}
	switch {
	case err != nil:
		return v, h.fail(&ValueError{Err: err})
	case isLookedInto:
		return v, nil
	}
	h.link(v)
	return value{}, nil
}

// enter returns where in an object of the body the value is.
func (h *holder) enter(e *Envelope, p jsontext.Place) (q jsontext.Place, err error) {
	if h.Text[p.At] != '{' {
		return q, h.fail(&ValueError{Err: errors.New("the value is not an object")})
	}
	q, isThere, err := h.placeOf(e.Name, p)
	if err == nil && !isThere {
		err = h.fail(&ValueError{Err: e.missing()})
	}
	return q, err
}

func (e *Envelope) missing() error { return fmt.Errorf("there is no member %q", e.Name) }
