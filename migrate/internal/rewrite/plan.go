// Package rewrite rewrites JSON by a plan, one token at a time. It knows neither Go types nor versions
// nor messages: a plan has what becomes of each member, and [Rewriter] does it in one pass. It is
// above jsontext, and below expr.
package rewrite

import (
	"bytes"
	"fmt"

	"github.com/goverso/verso/migrate/internal/jsontext"
)

// Node is the plan of one JSON value. What is nil has no plan, and is copied.
type Node struct {
	Elem      *Node              // of each element of a list, or each value of a map
	List      bool               // it is a list
	Object    *Object            // of an object that is a struct
	Withheld  []*Withheld        // which of its values lists of the version do not have
	Taken     Taken              // it is held, and rewritten whole
	MediaType string             // of what is reshaped, "" if it stays
	By        string             // of a union, the member with the text of the variant
	Numbers   bool               // the texts are numbers
	Closed    bool               // a value of another text is an error
	Choices   map[string]*Choice // of a union, by text; nil for other types
	Same      bool               // nothing is to be done, here and below
	Typ       string             // for messages
}

// Taken is a [Reshape] or an [*Envelope]: how a held value of any kind is rewritten whole.
type Taken interface{ taken() }

// Reshape is a function of a service that makes the value.
type Reshape func(raw []byte, m Mode) ([]byte, error)

func (Reshape) taken() {}

// Withheld decides which elements of lists older clients do not get.
type Withheld struct {
	// Judge reads a value with all values in it. Its function reports whether the value at a place is new, if
	// it knows it.
	Judge func(text *jsontext.Outline, p jsontext.Place) (func(at int) (isNew, isKnown bool), error)
}

// isOther reports whether a value is of another kind than the plan.
func (n *Node) isOther(kind jsontext.Kind) bool {
	return n.Taken == nil && (n.List != (kind == '[') || kind != '{' && kind != '[')
}

// kindOf returns the kind of a value by its first byte.
func kindOf(first byte) jsontext.Kind {
	if first == '-' || '0' <= first && first <= '9' {
		return '0'
	}
	return jsontext.Kind(first)
}

// stranger returns the error of an object with members, but without those of its type.
func (n *Node) stranger() error {
	return &ValueError{Err: fmt.Errorf("%s was declared, and this object does not have any of its members", n.Typ)}
}

// misfit returns the error of a value of another kind. Clients do not get it: it is for the log.
func (n *Node) misfit(kind jsontext.Kind) error {
	return &ValueError{Err: fmt.Errorf("%s was declared, and this is %s", n.Typ, map[jsontext.Kind]string{
		'{': "an object", '[': "a list", '"': "a text", '0': "a number", 't': "a boolean", 'f': "a boolean",
	}[kind])}
}

// Object is the plan of a JSON object, by the members that it has in the version of
// the body. The rest is copied, unless its name is one of the other version.
type Object struct {
	Members  map[string]*Planned
	Folded   map[string]*Planned // by folded name; nil: names are exact
	Reserved map[string]bool     // names of the other version, folded if names are
	Refused  map[string]bool     // of these, those that a request may not have
	Made     []*Made

	// A rewriter appends these to its own for each object, which is faster than clearing.
	Unmarked []bool   // of a rewriter: one for each member, and for each made one
	Unkept   [][]byte // one for each slot
}

// Planned is what becomes of a member. All names and positions are settled when the plan is
// made, so a body costs one look-up for each member.
type Planned struct {
	Name   string
	Number int    // of its mark in a rewriter
	Key    []byte // `"name":`, under which the value is copied; nil: it is not
	Next   *Node
	Feeds  []*Made // what is built from it
	Slot   int     // where its value is kept for what is made of several, -1: nowhere

	IsLookedInto bool // a member of it is a part of what it feeds
}

// Made is a member with a value of its own: built from members, or constant. It is written
// once, when its last source was read, or at the end of the object.
type Made struct {
	number int // of its mark in a rewriter
	Key    []byte
	Value  func(args [][]byte) ([]byte, error)
	Part   *Part      // the same, for values in pieces
	From   []*Planned // the args
	Unless *Planned   // is copied under the key: if it is there, nothing is made
}

// Part is how a value is built: of a source, of other parts, or else of nothing.
type Part struct {
	Arg    int                            // the position of the source, without Of
	Of     []*Part                        // the parts, one without Keys and Make
	Keys   [][]byte                       // it is an object of them, each with its key
	Make   func([][]byte) ([]byte, error) // a function makes it, of nil for an absent part
	Name   *string                        // it is a member of the part
	Folds  bool                           // with any spelling
	Null   func() ([]byte, error)         // instead of a null part
	OrElse []byte                         // if all of them are absent
}

// IsSame reports whether the plan changes nothing here. Such values are copied without looking
// at them, which most of a body is.
func (n *Node) IsSame() bool {
	same := func(n *Node) bool { return n == nil || n.Same }
	if n.Taken != nil || n.Withheld != nil || !same(n.Elem) {
		return false
	}
	for _, choice := range n.Choices {
		if choice.Text != nil || choice.Lacks || choice.Refused || !choice.Plan.Same {
			return false
		}
	}
	if n.Object == nil {
		return true
	}
	if len(n.Object.Made) > 0 || len(n.Object.Refused) > 0 || len(n.Object.Reserved) != len(n.Object.Members) {
		return false
	}
	for name, m := range n.Object.Members {
		if string(m.Key) != string(jsontext.Key(name)) || !same(m.Next) {
			return false
		}
	}
	return true
}

// Add adds a made member, whose mark comes behind those of the members.
func (o *Object) Add(m *Made) {
	m.number = len(o.Members) + len(o.Made)
	o.Made = append(o.Made, m)
}

// Spelled returns a name as the names of the body are compared. Only requests fold names, since
// only they come from other encoders.
func (o *Object) Spelled(name string) string {
	if o.Folded == nil {
		return name
	}
	return jsontext.Fold(name)
}

// planned returns what becomes of a member, by its name in the text; nil: it is copied. A map has names
// that edits do not know.
func (n *Node) planned(quoted []byte) *Planned {
	if n.Object == nil {
		return nil
	}
	// Names have escapes so seldom that the text between the quotes nearly always is the name.
	text := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(text, '\\') >= 0 {
		text, _ = jsontext.Unquote(quoted) // with replacement characters, if it is not valid
	}
	return n.Object.lookup(text)
}

// lookup finds a member by its name in the body, or returns nil if it passes: the body's version does
// not have it, and its name is not a name of the other version.
func (o *Object) lookup(name []byte) *Planned {
	if m := o.Members[string(name)]; m != nil {
		return m
	}
	spelled := o.Spelled(string(name))
	switch m := o.Folded[spelled]; {
	case m != nil:
		return m
	case o.Refused[spelled]:
		return forbidden
	case o.Reserved[spelled]:
		return dropped
	}
	return nil
}

// Choice is what becomes of a value of a union with a text.
type Choice struct {
	Plan    *Node  // of its struct
	Text    []byte // that the other version has, nil: the same
	Lacks   bool   // the older version does not have it
	Instead []byte // what it reads, in the newest form; nil: lists leave it out
	Refused bool
}

// dropped is the plan of each member that disappears: under its name the other version has another
// member, or does not know it.
var dropped = new(Planned)

// forbidden is the plan of each member that the client's version may not send.
var forbidden = new(Planned)
