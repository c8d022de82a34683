package migrate

import (
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/shape"
)

// direction is how a plan rewrites: a response, or the body of a request. What a missing member
// means depends on it, and so do defaults: a PATCH leaves out what stays.
type direction uint8

const (
	down    direction = iota
	create            // a request with all members: POST
	replace           // one with all members that its client knows: PUT
	modify            // one with the members that change: PATCH
)

// planKey is what a plan depends on: routes of the same types share it. The table of plans is
// also what ends the compilation of a type that contains itself.
type planKey struct {
	typ   reflect.Type
	index int // of the older version
	direction
}

// node is the plan of one JSON value. What is nil has no plan, and is copied.
type node struct {
	elem      *node                            // of each element of a list, or each value of a map
	list      bool                             // it is a list
	object    *object                          // of an object that is a struct
	withheld  []func(raw []byte) (bool, error) // which of its values lists of the version do not have
	reshape   func(raw []byte) ([]byte, error)
	mediaType string // of what is reshaped, "" if it stays
	union     *union
	choices   map[string]*choice // of a union, by the text of the variant; nil for other types
	same      bool               // nothing is to be done, here and below
	typ       string             // for messages
}

// misfit returns the error of a value of another kind. Clients do not get it: it is for the log.
func (n *node) misfit(kind jsontext.Kind) error {
	return fmt.Errorf("%s was declared, and this is %s", n.typ, map[jsontext.Kind]string{
		'{': "an object", '[': "a list", '"': "a text", '0': "a number", 't': "a boolean", 'f': "a boolean",
	}[kind])
}

// object is the plan of a JSON object, by the members that it has in the version of
// the body. The rest is copied, unless its name is one of the other version.
type object struct {
	members  map[string]*planned
	folded   map[string]*planned // by folded name; nil: names are exact
	reserved map[string]bool     // names of the other version, folded if names are
	refused  map[string]bool     // of these, those that a request may not have
	made     []*made

	// A rewriter appends these to its own for each object, which is faster than clearing.
	unmarked []bool   // of a rewriter: one for each member, and for each made one
	unkept   [][]byte // one for each slot
}

// planned is what becomes of a member. All names and positions are settled when the plan is
// made, so a body costs one look-up for each member.
type planned struct {
	name   string
	number int    // of its mark in a rewriter
	key    []byte // `"name":`, under which the value is copied; nil: it is not
	next   *node
	feeds  []*made // what is built from it
	slot   int     // where its value is kept for what is made of several, -1: nowhere
}

// made is a member with a value of its own: built from members, or constant. It is written
// once, when its last source was read, or at the end of the object.
type made struct {
	number int // of its mark in a rewriter
	key    []byte
	value  func(args [][]byte) ([]byte, error)
	from   []*planned // the args
	unless *planned   // is copied under the key: if it is there, nothing is made
}

// plans are the plans of the types of a history. Each is made once, since many routes have the
// same types. They are made when routes are registered. The lock is for routes that are
// registered while requests are served.
type plans struct {
	edits  edits
	making sync.Mutex
	made   map[planKey]*node
}

// plan returns the plan between the newest version and the one at index. It fails if edits do
// not fit where their type is.
func (p *plans) plan(t reflect.Type, index int, d direction) (*node, error) {
	p.making.Lock()
	defer p.making.Unlock()
	if n := p.made[planKey{shape.Deref(t), index, d}]; n != nil {
		return n, nil
	}
	if err := p.edits.checkUse(t); err != nil {
		return nil, fmt.Errorf("migrate: %w", err)
	}
	c := compiler{plans: p, index: index, direction: d}
	n := c.node(t)
	// Types can contain each other, so one pass in any order is not enough.
	for changed := true; changed; { // a change below changes all above
		changed = false
		for _, n := range c.fresh {
			if n.same && !n.isSame() {
				n.same, changed = false, true
			}
		}
	}
	return n, nil
}

// compiler makes the plans between the newest version and an older one.
type compiler struct {
	*plans
	index int // of the older version
	direction
	fresh []*node
}

// node returns the plan of a type. A type may be in itself, so it is there before it is complete, and
// whether all is the same is known at the end.
func (c *compiler) node(t reflect.Type) *node {
	t = shape.Deref(t)
	key := planKey{t, c.index, c.direction}
	if n := c.made[key]; n != nil {
		return n
	}
	n := &node{same: true, typ: shape.NameOf(t)}
	c.made[key] = n // before its members, which may be of this type
	c.fresh = append(c.fresh, n)
	switch {
	// Its own marshaler decides on its JSON, which no tag describes.
	case shape.IsOpaque(t):
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Array, t.Kind() == reflect.Map:
		n.elem, n.list = c.node(t.Elem()), t.Kind() != reflect.Map
	case t.Kind() == reflect.Struct:
		c.structure(n, t)
	case c.edits.union(t) != nil:
		c.union(n, c.edits.union(t))
	}
	return n
}

// isSame reports whether the plan changes nothing here. Such values are copied without looking
// at them, which most of a body is.
func (n *node) isSame() bool {
	same := func(n *node) bool { return n == nil || n.same }
	if n.reshape != nil || n.withheld != nil || !same(n.elem) {
		return false
	}
	for _, choice := range n.choices {
		if choice.text != nil || choice.lacks != nil || choice.refused || !choice.plan.same {
			return false
		}
	}
	if n.object == nil {
		return true
	}
	if len(n.object.made) > 0 || len(n.object.refused) > 0 || len(n.object.reserved) != len(n.object.members) {
		return false
	}
	for name, m := range n.object.members {
		if string(m.key) != string(jsontext.Key(name)) || !same(m.next) {
			return false
		}
	}
	return true
}

// structure plans an object. The edits are applied to expressions, not to values: a member
// with three names has one at the end, and a value without a reader is never computed. So a hundred
// changes cost as much as one.
func (c *compiler) structure(n *node, t reflect.Type) {
	edits := c.edits.after(t, c.index)
	// A Reshaped takes the whole object. The edits before it belong to its old type, and run inside.
	if r := c.edits.reshaped(t); r != nil && len(edits) > 0 {
		n.reshape = c.reshape(r)
		_, n.mediaType = c.edits.older(t, c.index)
		return
	}
	// A response is read in the newest form and written in the older one; a request the other way round,
	// with the edits in the other order.
	sources, targets := shape.MembersOf(t), c.edits.takeBack(t, c.index, nil)
	if c.direction != down {
		sources, targets = targets, sources
		slices.Reverse(edits)
	}
	v := &values{of: map[string]*expr{}, fills: c.direction == create, partial: c.direction == modify}
	for _, m := range sources {
		v.of[m.Name] = &expr{source: &m.Name}
	}
	for _, e := range edits {
		v.newer = func() []shape.Member {
			newer := slices.DeleteFunc(c.edits.of(t), func(p placed) bool { return p.place >= e.place })
			return c.edits.without(t, newer, nil)
		}
		if e.isNew != nil && c.direction == down {
			n.withheld = append(n.withheld, e.isNew)
		}
		apply := e.up
		if c.direction == down {
			apply = e.down
		}
		if apply != nil {
			apply(v)
		}
	}
	o := &object{members: map[string]*planned{}, reserved: map[string]bool{}, refused: map[string]bool{}}
	n.object = o
	// Requests only: their spelling is the client's.
	if c.direction != down {
		o.folded = map[string]*planned{}
	}
	for i, m := range sources {
		p := &planned{name: m.Name, number: i, slot: -1, next: c.node(m.Typ)}
		o.members[m.Name] = p
		// Of two members that differ in case only, encoding/json takes the first as well.
		if folded := jsontext.Fold(m.Name); o.folded != nil && o.folded[folded] == nil {
			o.folded[folded] = p
		}
	}
	// The names of the version that is written are reserved: an unknown member must not take such
	// a name.
	for _, m := range targets {
		o.reserved[o.spelled(m.Name)] = true
		if x := v.of[m.Name]; x != nil {
			o.put(m.Name, x)
		}
	}
	o.unmarked = make([]bool, len(o.members)+len(o.made))
}

// put plans a member of the other version. A renamed member is copied. A value built from one
// member is written in its place; a value built from several needs slots, in which they wait.
func (o *object) put(name string, x *expr) {
	for _, name := range x.refused {
		o.refused[o.spelled(name)], o.reserved[o.spelled(name)] = true, true
	}
	if x.never {
		return
	}
	// The bytes of the value do not change, so they never leave the input.
	if x.source != nil {
		p := o.members[*x.source]
		if p.key = jsontext.Key(name); x.orElse != nil {
			o.add(&made{key: p.key, unless: p, value: func([][]byte) ([]byte, error) { return x.orElse, nil }})
		}
		return
	}
	m := &made{key: jsontext.Key(name)}
	m.value = x.compile(func(source string) int {
		p := o.members[source]
		if i := slices.Index(m.from, p); i >= 0 {
			return i
		}
		m.from, p.feeds = append(m.from, p), append(p.feeds, m)
		return len(m.from) - 1
	})
	for _, p := range m.from {
		if len(m.from) > 1 && p.slot < 0 {
			p.slot = len(o.unkept)
			o.unkept = append(o.unkept, nil)
		}
	}
	o.add(m)
}

// add adds a made member, whose mark comes behind those of the members.
func (o *object) add(m *made) {
	m.number = len(o.members) + len(o.made)
	o.made = append(o.made, m)
}

// spelled returns a name as the names of the body are compared. Only requests fold names, since
// only they come from other encoders.
func (o *object) spelled(name string) string {
	if o.folded == nil {
		return name
	}
	return jsontext.Fold(name)
}

// lookup finds a member by its name in the body, or returns nil if it passes: the body's version does
// not have it, and its name is not a name of the other version.
func (o *object) lookup(name []byte) *planned {
	if m := o.members[string(name)]; m != nil {
		return m
	}
	spelled := o.spelled(string(name))
	switch m := o.folded[spelled]; {
	case m != nil:
		return m
	case o.refused[spelled]:
		return forbidden
	case o.reserved[spelled]:
		return dropped
	}
	return nil
}
