// Package plans compiles the edits between two versions of a Go type into a plan of package rewrite. It
// is above edits, and below declared.
package plans

import (
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/expr"
	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/rewrite"
	"github.com/goverso/verso/migrate/internal/shape"
)

// Direction is how a plan rewrites: a response, or the body of a request. What a missing member
// means depends on it, and so do defaults: a PATCH leaves out what stays.
type Direction uint8

// The directions.
const (
	Down    Direction = iota
	Create            // a request with all members: POST
	Replace           // one with all members that its client knows: PUT
	Modify            // one with the members that change: PATCH
)

// planKey is what a plan depends on: routes of the same types share it. The table of plans is
// also what ends the compilation of a type that contains itself.
type planKey struct {
	typ   reflect.Type
	index int // of the older version
	Direction
}

// Table are the plans of the types of a history. Each is made once, since many routes have the
// same types. They are made when routes are registered. The lock is for routes that are
// registered while requests are served.
type Table struct {
	Edits  edits.All
	making sync.Mutex
	made   map[planKey]*rewrite.Node
}

// New returns the plans of edits.
func New(all edits.All) *Table { return &Table{Edits: all, made: map[planKey]*rewrite.Node{}} }

// Plan returns the plan between the newest version and the one at index. It fails if edits do
// not fit where their type is.
func (p *Table) Plan(t reflect.Type, index int, d Direction) (*rewrite.Node, error) {
	p.making.Lock()
	defer p.making.Unlock()
	if n := p.made[planKey{shape.Deref(t), index, d}]; n != nil {
		return n, nil
	}
	if err := p.Edits.CheckUse(t); err != nil {
		return nil, fmt.Errorf("migrate: %w", err)
	}
	c := compiler{Table: p, index: index, Direction: d}
	n := c.node(t)
	// Types can contain each other, so one pass in any order is not enough.
	for changed := true; changed; { // a change below changes all above
		changed = false
		for _, n := range c.fresh {
			if n.Same && !n.IsSame() {
				n.Same, changed = false, true
			}
		}
	}
	return n, nil
}

// compiler makes the plans between the newest version and an older one.
type compiler struct {
	*Table
	index int // of the older version
	Direction
	fresh []*rewrite.Node
}

// node returns the plan of a type. A type may be in itself, so it is there before it is complete, and
// whether all is the same is known at the end.
func (c *compiler) node(t reflect.Type) *rewrite.Node {
	t = shape.Deref(t)
	key := planKey{t, c.index, c.Direction}
	if n := c.made[key]; n != nil {
		return n
	}
	n := &rewrite.Node{Same: true, Typ: shape.NameOf(t)}
	c.made[key] = n // before its members, which may be of this type
	c.fresh = append(c.fresh, n)
	inner := n
	for _, e := range slices.Backward(c.Edits.Wholes(t, c.index)) {
		inner = e.Plan(inner, c.Direction == Down)
		c.fresh = append(c.fresh, inner)
	}
	c.fill(inner, t)
	if inner != n {
		n.Withheld, inner.Withheld = inner.Withheld, nil
	}
	return n
}

// fill plans what is in a value.
func (c *compiler) fill(n *rewrite.Node, t reflect.Type) {
	switch {
	case c.Edits.IsValue(t):
		c.value(n, t)
	// Its own marshaler decides on its JSON, which no tag describes.
	case shape.IsOpaque(t):
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Array, t.Kind() == reflect.Map:
		n.Elem, n.List = c.node(t.Elem()), t.Kind() != reflect.Map
	case t.Kind() == reflect.Struct:
		c.structure(n, t)
	case c.Edits.Union(t) != nil:
		c.union(n, c.Edits.Union(t))
	}
}

// structure plans an object. The edits are applied to expressions, not to values: a member
// with three names has one at the end, and a value without a reader is never computed. So a hundred
// changes cost as much as one.
func (c *compiler) structure(n *rewrite.Node, t reflect.Type) {
	lacked := c.lacked(t)
	// A maker takes the whole object. The edits before it belong to its older type, and run inside.
	if maker := c.Edits.Maker(t); maker != nil && len(lacked) > 0 {
		// The plan of the older type comes from the same table, so two types may share one.
		older, _ := maker.Older()
		n.Taken = maker.Plan(c.node(older), c.Direction == Down)
		_, n.MediaType = c.Edits.Older(t, c.index)
		return
	}
	// A response is read in the newest form and written in the older one; a request the other way round.
	sources, targets := c.Edits.MembersOf(t), c.Edits.TakeBack(t, c.index, nil)
	if c.Direction != Down {
		sources, targets = targets, sources
	}
	v := &expr.Values{Of: map[string]*expr.Expr{}, Fills: c.Direction == Create, Partial: c.Direction == Modify}
	for _, m := range sources {
		v.Of[m.Name] = &expr.Expr{Source: &m.Name}
	}
	for _, e := range lacked {
		v.Newer = func() []shape.Member {
			newer := slices.DeleteFunc(c.Edits.Of(t), func(p edits.Placed) bool { return p.Place >= e.Place })
			return c.Edits.Without(t, newer, nil)
		}
		if e.IsNew != nil && c.Direction == Down {
			n.Withheld = append(n.Withheld, e.IsNew)
		}
		apply := e.Up
		if c.Direction == Down {
			apply = e.Down
		}
		if apply != nil {
			apply(v)
		}
	}
	o := &rewrite.Object{Members: map[string]*rewrite.Planned{}, Reserved: map[string]bool{},
		Refused: map[string]bool{}}
	n.Object = o
	// Requests only: their spelling is the client's.
	if c.Direction != Down {
		o.Folded = map[string]*rewrite.Planned{}
	}
	for i, m := range sources {
		p := &rewrite.Planned{Name: m.Name, Number: i, Slot: -1, Next: c.node(m.Typ)}
		o.Members[m.Name] = p
		// Of two members that differ in case only, encoding/json takes the first as well.
		if folded := jsontext.Fold(m.Name); o.Folded != nil && o.Folded[folded] == nil {
			o.Folded[folded] = p
		}
	}
	// The names of the version that is written are reserved: an unknown member must not take such
	// a name.
	for _, m := range targets {
		o.Reserved[o.Spelled(m.Name)] = true
		if x := v.Of[m.Name]; x != nil {
			put(o, m.Name, x)
		}
	}
	o.Unmarked = make([]bool, len(o.Members)+len(o.Made))
}

// lacked returns the edits of a type in the order in which they apply: those of requests from the oldest.
func (c *compiler) lacked(t reflect.Type) []edits.Placed {
	lacked := c.Edits.After(t, c.index)
	if c.Direction != Down {
		slices.Reverse(lacked)
	}
	return lacked
}

// value plans the values of a named text, number or bool.
func (c *compiler) value(n *rewrite.Node, t reflect.Type) {
	source := ""
	v := &expr.Values{Of: map[string]*expr.Expr{"": {Source: &source}}}
	for _, e := range c.lacked(t) {
		if apply := map[bool]func(*expr.Values){true: e.Down, false: e.Up}[c.Direction == Down]; apply != nil {
			apply(v)
		}
	}
	if x := v.Of[""]; x.Source == nil {
		fn := x.Compile(func(string) int { return 0 })
		n.Taken = rewrite.Reshape(func(raw []byte, _ rewrite.Mode) ([]byte, error) { return fn([][]byte{raw}) })
	}
}

// put plans a member of the other version. A renamed member is copied. A value built from one
// member is written in its place; a value built from several needs slots, in which they wait.
func put(o *rewrite.Object, name string, x *expr.Expr) {
	for _, name := range x.Refused {
		o.Refused[o.Spelled(name)], o.Reserved[o.Spelled(name)] = true, true
	}
	if x.Never {
		return
	}
	// The bytes of the value do not change, so they never leave the input.
	if x.Source != nil {
		p := o.Members[*x.Source]
		if p.Key = jsontext.Key(name); x.OrElse != nil {
			o.Add(&rewrite.Made{Key: p.Key, Unless: p, Part: &rewrite.Part{Arg: -1, OrElse: x.OrElse},
				Value: func([][]byte) ([]byte, error) { return x.OrElse, nil }})
		}
		return
	}
	m := &rewrite.Made{Key: jsontext.Key(name)}
	arg := func(source string) int {
		p := o.Members[source]
		if i := slices.Index(m.From, p); i >= 0 {
			return i
		}
		m.From, p.Feeds = append(m.From, p), append(p.Feeds, m)
		return len(m.From) - 1
	}
	m.Value, m.Part = x.Compile(arg), x.Part(arg)
	lookInto(m.Part, m.From)
	for _, p := range m.From {
		if len(m.From) > 1 && p.Slot < 0 {
			p.Slot = len(o.Unkept)
			o.Unkept = append(o.Unkept, nil)
		}
	}
	o.Add(m)
}

// lookInto marks the sources of which a part has a member.
func lookInto(part *rewrite.Part, from []*rewrite.Planned) {
	for _, of := range part.Of {
		if lookInto(of, from); part.Name != nil && of.Of == nil && of.Arg >= 0 {
			from[of.Arg].IsLookedInto = true
		}
	}
}

// Changing returns the plan of a body that the version has in another form, or nil. The error
// of a plan is a mistake of the declaration, which Route has checked before.
func (p *Table) Changing(t reflect.Type, index int, d Direction) *rewrite.Node {
	if t == nil {
		return nil
	}
	n, err := p.Plan(t, index, d)
	switch {
	case err != nil:
		panic(err)
	case n.Same:
		return nil
	}
	return n
}

// Computes reports whether edits of a type have functions or constants: the rest only move members.
func (p *Table) Computes(t reflect.Type, versions int) bool {
	for _, e := range p.Edits[t] {
		if e.Computes(p.Edits.IsValue(t)) {
			return true
		}
	}
	for index := range versions {
		for _, d := range []Direction{Down, Create} {
			if n, err := p.Plan(t, index, d); err == nil && n.Object != nil && len(n.Object.Made) > 0 {
				return true
			}
		}
	}
	return false
}

// union plans a value of several structs.
func (c *compiler) union(n *rewrite.Node, u *edits.Union) {
	n.By, n.Numbers, n.Closed, n.Choices = u.By, u.AreNumbers(), u.Closed, map[string]*rewrite.Choice{}
	for _, m := range c.Edits.TakeBack(u.Typ, c.index, nil) {
		from, to := m.Name, m.Now
		if c.Direction == Down {
			from, to = to, from
		}
		made := &rewrite.Choice{Refused: m.Gone && c.Direction != Down}
		if from != to {
			if made.Text = jsontext.Quote(to); n.Numbers {
				made.Text = []byte(to)
			}
		}
		if m.Typ != nil {
			made.Plan = c.node(m.Typ)
		}
		if made.Plan != nil || made.Refused {
			n.Choices[from] = made
		}
	}
	if c.Direction == Down {
		for text, e := range c.Edits.Lacks(u, c.index) {
			n.Choices[text] = &rewrite.Choice{Lacks: true, Instead: e.Instead}
		}
		return
	}
	for _, p := range c.Edits.After(u.Typ, c.index) {
		if e := p.Variant; e != nil && e.Now != "" && n.Choices[e.Now] == nil {
			n.Choices[e.Now] = &rewrite.Choice{Refused: true}
		}
	}
}
