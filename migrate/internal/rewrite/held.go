package rewrite

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"sync"

	"github.com/goverso/verso/migrate/internal/jsontext"
)

// holder rewrites a value that an edit of a [Rewriter] needs whole: it is in memory, and valid JSON.
// Edits may need values in it whole as well, to any depth. Each byte is read once and written once, so
// that a client pays for the length of a body, and not for its depth:
//
//   - the outline of the text has the end of each value. The text of a variant may come last, and is
//     found without reading the members before it;
//   - a value that edits move is not copied. It is written where the output has come to, and is a chain
//     of pieces of the output, which becomes a part of the chain of the value around it. The pieces are
//     put in a row at the end.
//
// Only functions of a service get bytes of their own: see [reads].
type holder struct {
	Mode
	jsontext.Outline
	output
	marks  []bool
	args   []value // of what is made next
	path   []step  // to the value, for errors
	judged map[*Withheld]func(at int) (isNew, isKnown bool)
}

// step leads to a value: the name of a member, or else the number of an element.
type step struct {
	name  []byte
	index int
}

// maxPooled is how long the output of a holder may be for another use of it. Most values that edits need are small.
const maxPooled = 4 << 10

var holders = sync.Pool{New: func() any { return new(holder) }}

// Held rewrites a value of valid JSON. It returns nil for an element that
// lists leave out.
func Held(n *Node, raw []byte, m Mode, isElement bool) ([]byte, error) {
	if n.Same {
		return raw, nil
	}
	if m.reads == nil {
		m.reads = &reads{held: int64(len(raw))}
	}
	h := holders.Get().(*holder)
	defer h.free()
	h.Reset(raw)
	boxes, depth := h.Size()
	h.Mode, h.out, h.now = m, slices.Grow(h.out[:0], len(raw)+len(raw)/4), chain{}
	h.pieces = append(slices.Grow(h.pieces[:0], 4*boxes+1), piece{})
	h.marks, h.path = h.marks[:0], slices.Grow(h.path[:0], depth)
	p := h.First()
	f, err := h.find(n, p, isElement)
	if err != nil || f.leftOut {
		return nil, err
	}
	if _, err = h.put(f, p, false); err != nil {
		return nil, err
	}
	return bytes.Clone(h.bytes(value{chain: h.now})), nil
}

func (h *holder) free() {
	if h.judged = nil; cap(h.out) <= maxPooled {
		h.Mode, h.Text = Mode{}, nil
		clear(h.args[:cap(h.args)])
		clear(h.path[:cap(h.path)])
		holders.Put(h)
	}
}

// found is what becomes of a value.
type found struct {
	n       *Node  // its plan, nil: it is copied
	at      int    // where text stands instead of a member's value, or -1
	text    []byte // of the discriminator
	instead []byte // of the whole value, or nil
	leftOut bool
}

// find returns what becomes of a value, before anything of it is written.
func (h *holder) find(n *Node, p jsontext.Place, isElement bool) (f found, err error) {
	f.at = -1
	kind := kindOf(h.Text[p.At])
	switch {
	case n == nil || n.Same:
		return f, nil
	case n.isOther(kind):
		if h.Strict && kind != 'n' {
			err = h.fail(n.misfit(kind))
		}
		return f, err
	case kind == 'n':
		return f, nil
	}
	if isElement {
		if f.leftOut, err = h.isWithheld(n, p); err != nil || f.leftOut {
			return f, err
		}
	}
	if n.Choices == nil {
		f.n = n
		return f, nil
	}
	at, text, err := h.textOf(n.By, p)
	if err != nil {
		return f, err
	}
	c, err := choose(n, text, h.Mode)
	switch {
	case err != nil:
		return f, h.fail(err)
	case c == nil:
		return f, nil
	case c.Lacks && c.Instead == nil:
		f.leftOut = true
		return f, nil
	case c.Lacks:
		f.instead, err = Held(n, c.Instead, h.Mode, isElement)
		f.leftOut = f.instead == nil
		return f, h.fail(err)
	}
	if c.Text != nil {
		f.at, f.text = at, c.Text
	}
	if !c.Plan.Same {
		f.n = c.Plan
	}
	if isElement {
		f.leftOut, err = h.isWithheld(c.Plan, p)
	}
	return f, err
}

// textOf returns where in an object the value of a member is, and its bytes, nil if the object lacks it.
func (h *holder) textOf(name string, p jsontext.Place) (at int, raw []byte, err error) {
	q, isThere, err := h.placeOf(name, p)
	if err != nil || !isThere {
		return 0, nil, err
	}
	return q.At, h.Raw(q), nil
}

// placeOf returns where in an object the value of a member is.
func (h *holder) placeOf(name string, p jsontext.Place) (place jsontext.Place, isThere bool, err error) {
	for q := h.Into(p); h.Text[q.At] != '}'; q = h.After(h.End(q)) {
		key := h.Raw(q)
		q = h.After(h.End(q))
		if !jsontext.IsName(key, name, !h.Ours) {
			continue
		}
		if isThere {
			return place, false, jsontext.ErrTwice
		}
		if place, isThere = q, true; h.Ours {
			break
		}
	}
	return place, isThere, nil
}

// isWithheld reports whether lists leave an element out.
func (h *holder) isWithheld(n *Node, p jsontext.Place) (is bool, err error) {
	for _, w := range n.Withheld {
		isNew, isKnown := false, false
		if judge := h.judged[w]; judge != nil {
			isNew, isKnown = judge(p.At)
		}
		if !isKnown {
			if err = h.reads.add(len(h.Raw(p))); err != nil {
				return false, h.fail(err)
			}
			judge, err := w.Judge(&h.Outline, p)
			if err != nil {
				return false, h.fail(err)
			}
			if h.judged == nil {
				h.judged = map[*Withheld]func(int) (bool, bool){}
			}
			h.judged[w] = judge
			isNew, _ = judge(p.At)
		}
		if is = is || isNew; is {
			return true, nil
		}
	}
	return false, nil
}

// put writes a value. Of an object to look into it writes nothing, and returns the members.
func (h *holder) put(f found, p jsontext.Place, isLookedInto bool) (v value, err error) {
	switch raw := h.Raw(p); {
	case f.instead != nil:
		h.write(f.instead...)
	case f.n == nil && f.at >= 0:
		h.write(raw[:f.at-p.At]...)
		h.write(f.text...)
		h.write(raw[len(h.Raw(jsontext.Place{At: f.at}))+f.at-p.At:]...)
	case f.n == nil:
		h.write(raw...)
	case f.n.Taken != nil:
		return h.take(f.n.Taken, p, isLookedInto)
	case raw[0] == '[':
		return v, h.list(f.n.Elem, p)
	default:
		return h.object(f, p, nil, isLookedInto)
	}
	return v, nil
}

func (h *holder) list(elem *Node, p jsontext.Place) error {
	h.write('[')
	some := false
	for q, i := h.Into(p), 0; h.Text[q.At] != ']'; q, i = h.After(h.End(q)), i+1 {
		h.path = append(h.path, step{index: i})
		f, err := h.find(elem, q, true)
		if err == nil && !f.leftOut {
			if some {
				h.write(',')
			}
			some = true
			_, err = h.put(f, q, false)
		}
		if err != nil {
			return err
		}
		h.path = h.path[:len(h.path)-1]
	}
	h.write(']')
	return nil
}

// object is what a holder knows of an object while it reads it.
type object struct {
	found
	isLookedInto bool
	some         bool    // a member is written
	known        bool    // a member of its type was read
	strange      bool    // another member was read
	marks        int     // where its own begin
	kept         []value // by slot
	entries      []entry
}

// object writes an object: what is at a place, or else, if there is a name, an object around it.
func (h *holder) object(f found, p jsontext.Place, name []byte, isLookedInto bool) (v value, err error) {
	o := object{found: f, isLookedInto: isLookedInto, marks: len(h.marks)}
	plan := f.n.Object
	if plan != nil {
		h.marks = append(h.marks, plan.Unmarked...)
		o.kept = make([]value, len(plan.Unkept))
	}
	if !isLookedInto {
		h.write('{')
	}
	if name != nil {
		err = h.member(&o, name, p)
	} else {
		err = h.members(&o, p)
	}
	if err != nil {
		return v, err
	}
	if plan != nil {
		if h.Strict && h.Ours && o.strange && !o.known {
			return v, h.fail(f.n.stranger())
		}
		for _, m := range plan.Made {
			if m.Unless != nil && h.marks[o.marks+m.Unless.Number] {
				continue
			}
			h.load(&o, m)
			if err = h.make(&o, m); err != nil {
				return v, err
			}
		}
	}
	h.marks = h.marks[:o.marks]
	if isLookedInto {
		return value{kind: '{', entries: o.entries}, nil
	}
	h.write('}')
	return v, nil
}

// members rewrites the members of an object.
func (h *holder) members(o *object, p jsontext.Place) error {
	for q := h.Into(p); h.Text[q.At] != '}'; q = h.After(h.End(q)) {
		name := h.Raw(q)
		q = h.After(h.End(q))
		h.path = append(h.path, step{name: name})
		if err := h.member(o, name, q); err != nil {
			return err
		}
		h.path = h.path[:len(h.path)-1]
	}
	return nil
}

// member rewrites a member.
func (h *holder) member(o *object, name []byte, p jsontext.Place) error {
	m := o.n.planned(name)
	switch m {
	case nil:
		o.strange = true
		return h.copy(o, append(slices.Clip(name), ':'), o.n.Elem, p)
	case dropped, forbidden:
		if o.strange = true; m == forbidden && h.Text[p.At] != 'n' {
			return h.fail(&ValueError{Err: ErrNewer})
		}
	default:
		o.known = true
		if was := &h.marks[o.marks+m.Number]; *was && !h.Ours {
			return jsontext.ErrTwice
		} else {
			*was = true
		}
	}
	switch {
	case m.Feeds != nil:
		return h.feed(o, m, p)
	case m.Key != nil:
		return h.copy(o, m.Key, m.Next, p)
	}
	if h.Lost == nil {
		return nil
	}
	if *h.Lost += int64(len(h.Raw(p))); *h.Lost > MaxHeld {
		return h.fail(&ValueError{Err: ErrDropped})
	}
	return nil
}

// copy writes a member, whose value may have edits of its own.
func (h *holder) copy(o *object, key []byte, n *Node, p jsontext.Place) error {
	if o.isLookedInto || p.At == o.at {
		v, err := h.read(o, n, p, false)
		h.emit(o, key, v)
		return err
	}
	h.key(o, key)
	f, err := h.find(n, p, false)
	if err != nil {
		return err
	}
	if f.leftOut { // New refuses such variants where there is no list
		h.write(jsontext.Null...)
		return nil
	}
	_, err = h.put(f, p, false)
	return err
}

// read returns the rewritten value of a member, which nothing has yet.
func (h *holder) read(o *object, n *Node, p jsontext.Place, isLookedInto bool) (v value, err error) {
	if p.At == o.at {
		// A discriminator is a text or a number, which no plan changes.
		return value{kind: o.text[0], raw: o.text}, nil
	}
	f, err := h.find(n, p, false)
	if err != nil || f.leftOut {
		return v, err
	}
	if f.n == nil && f.at < 0 && f.instead == nil {
		raw := h.Raw(p)
		return value{kind: raw[0], raw: raw}, nil
	}
	return h.aside(f, p, isLookedInto)
}

// aside returns the rewritten value, which nothing has yet.
func (h *holder) aside(f found, p jsontext.Place, isLookedInto bool) (v value, err error) {
	around := h.now
	h.now = chain{}
	if v, err = h.put(f, p, isLookedInto); err == nil && v.kind == 0 {
		v = value{chain: h.now}
		v.kind = h.out[h.pieces[v.first].begin]
	}
	h.now = around
	return v, err
}

// feed reads a value that other members are built from, and writes those for which nothing else is
// missing.
func (h *holder) feed(o *object, m *Planned, p jsontext.Place) error {
	v, err := h.read(o, m.Next, p, m.IsLookedInto && m.Key == nil)
	if err != nil {
		return err
	}
	if m.Key != nil {
		h.emit(o, m.Key, v)
	}
	if m.Slot >= 0 {
		o.kept[m.Slot] = v
	}
	for _, made := range m.Feeds {
		h.args = append(h.args[:0], v)
		if len(made.From) == 1 || h.load(o, made) {
			if err := h.make(o, made); err != nil {
				return err
			}
		}
	}
	return nil
}

// load sets h.args to the sources of a member, and reports whether all of them are there.
func (h *holder) load(o *object, m *Made) (complete bool) {
	h.args, complete = h.args[:0], true
	for _, p := range m.From {
		var v value
		if p.Slot >= 0 {
			v = o.kept[p.Slot]
		}
		h.args, complete = append(h.args, v), complete && v.kind != 0
	}
	return complete
}

// make writes a made member of h.args, once.
func (h *holder) make(o *object, m *Made) error {
	isOut := &h.marks[o.marks+m.number]
	if *isOut {
		return nil
	}
	*isOut = true
	v, err := h.build(m.Part, h.args, h.reads)
	if err != nil {
		return h.fail(err)
	}
	h.emit(o, m.Key, v)
	return nil
}

// emit writes a member, or nothing if its value is absent.
func (h *holder) emit(o *object, key []byte, v value) {
	switch {
	case v.kind == 0:
	case o.isLookedInto:
		o.entries = append(o.entries, entry{key, v})
	default:
		h.key(o, key)
		h.link(v)
	}
}

// key writes the name of a member, and its comma.
func (h *holder) key(o *object, key []byte) {
	if o.some {
		h.write(',')
	}
	o.some = true
	h.write(key...)
}

// fail adds to an error where in the value an edit failed. It has the names of the body.
func (h *holder) fail(err error) error {
	if err == nil {
		return nil // what follows allocates
	}
	var inner *ValueError
	if !errors.As(err, &inner) {
		return err
	}
	var pointer []byte
	for _, s := range h.path {
		pointer = append(pointer, '/')
		if s.name == nil {
			pointer = strconv.AppendInt(pointer, int64(s.index), 10)
			continue
		}
		name, _ := jsontext.Unquote(s.name) // with replacement characters, if it is not valid
		pointer = append(pointer, jsontext.EscapePointer.Replace(string(name))...)
	}
	return &ValueError{string(pointer) + inner.Pointer, inner.Err}
}
