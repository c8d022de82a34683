// Package edits has the edits of a history by the Go types of its objects, and takes them back: it
// knows which members, variants and types each version has, and which edits do not fit. It is above
// expr and openapi, and below plans.
package edits

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/goverso/verso/migrate/internal/expr"
	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/openapi"
	"github.com/goverso/verso/migrate/internal/rewrite"
	"github.com/goverso/verso/migrate/internal/shape"
)

// Edit is an [github.com/goverso/verso/migrate.Edit], as plans, contracts and documents see it.
type Edit struct {
	Text     string   // for the changelog
	Needs    []string // members of the newer version
	Lacks    []string // names that only the older version has
	Err      error
	Back     func(m []shape.Member, edited Others) ([]shape.Member, error) // nil: the older version has the same members
	Down, Up func(v *expr.Values)                                          // nil: nothing
	// the member that a [github.com/goverso/verso/migrate.Mapped] maps, "" for other edits
	Mapped string
	// texts of the older version alone; nil: the edit does not change texts alone
	OldTexts []string
	Document func(*openapi.Object) // makes the schema of the older version; nil: it is the same
	// clients that move to the newer version need not change
	Harmless bool
	Keywords map[string]json.RawMessage // of a [github.com/goverso/verso/migrate.Documented], nil for other edits
	Forgets  bool                       // schemas of older versions lack the keywords of its members
	Narrows  bool                       // upwards it drops or refuses members and texts, and changes none
	BodyOnly bool                       // parameters cannot have it
	IsNew    *rewrite.Withheld          // of a [github.com/goverso/verso/migrate.Withheld]
	Maker    Maker                      // nil: its values are not made of those of another type
	Union    *Union
	Variant  *Variant
	Override *Override
	OfValue  bool  // it may be of all values of a type other than a struct
	OfList   bool  // it may be of a named list or map
	Apart    error // why an embedded struct, and a variant, cannot have it; nil: they can
	Whole    Whole // nil: it is of members
	// why no request can have a value of its type; nil: requests can
	NoRequests error
	// checks it beside the members; hasOlder: its type has an edit before it; nil: nothing is to check
	Check func(all Others, t reflect.Type, hasOlder bool) error
}

// Others are the edits of all types, as each of them sees these.
type Others interface {
	Count(t reflect.Type) int // of the edits that it has
	Maker(t reflect.Type) Maker
	Refuse(t reflect.Type) error
	MembersOf(t reflect.Type) []shape.Member
}

// Whole is an edit of all values of a type, whatever is in them. Its methods are all that plans, contracts,
// documents and guards ask of it, so a new kind is known in the file of its type alone.
type Whole interface {
	// Form returns the type of values of the older version, given the edited type. With a key it is the type of an
	// object around the edited value, which is this member.
	Form(all Others, t reflect.Type) (older reflect.Type, key string)

	// Plan sets the plan of a value, and returns the plan of the edited type in it.
	Plan(n *rewrite.Node, isDown bool) (inner *rewrite.Node)

	// Part returns the name and the schema of the property, in a schema of the newest version, whose value the older
	// version has alone. It is called if Form has no key.
	Part(own map[string]any) (name string, part any)
}

// Maker is an edit by which functions of the service make the values of a type of those of another one. Nothing else
// looks into these values: what is in them has the edits of the other type.
type Maker interface {
	// Older returns the other type, and the media type of its values, "" for the same.
	Older() (older reflect.Type, mediaType string)

	// Plan returns the plan of a value, given that of the other type.
	Plan(older *rewrite.Node, isDown bool) rewrite.Reshape
}

// Computes reports whether the edit has functions or constants for values as a whole, of a type of values or of objects.
func (e *Edit) Computes(isValue bool) bool {
	isMapped := isValue && e.OfValue && e.Keywords == nil
	return isMapped || e.Maker != nil || e.Whole != nil || e.IsNew != nil || e.Variant != nil
}

// Lifts reports whether the edit may change what requests of older clients mean, and not only keep new things from them
// and old ones from the newest version.
func (e *Edit) Lifts() bool {
	changes := e.Up != nil || e.Computes(true) && (e.Variant == nil || e.Variant.Old != "") || e.Override != nil
	return changes && !e.Narrows
}

// takeBack returns the members of the older version. It may change those of the newer. All
// mistakes of an edit are reported together, so that it is mended once. The members of an older
// version are found by taking edits back from those of the Go type, one release after the
// other.
func (e *Edit) takeBack(m []shape.Member, edited Others) ([]shape.Member, error) {
	problems := []error{e.Err}
	if e.Text == "" {
		problems = append(problems,
			errors.New("the edit is empty: make it with a function of this package, such as Renamed"))
	}
	for _, name := range e.Needs {
		if shape.Find(m, name) < 0 {
			problems = append(problems, fmt.Errorf("there is no member %q", name))
		}
	}
	problems = append(problems, RefuseOptions(slices.Concat(e.Needs, e.Lacks)...))
	for _, name := range e.Lacks {
		if shape.Find(m, name) >= 0 {
			problems = append(problems, fmt.Errorf("there is a member %q already", name))
		}
	}
	if err := errors.Join(problems...); err != nil || e.Back == nil {
		return m, err
	}
	return e.Back(m, edited)
}

// RefuseOptions returns an error for a name twice, and for the options of a json tag: an edit
// without them would take them for a part of the name.
func RefuseOptions(names ...string) error {
	var problems []error
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			problems = append(problems, fmt.Errorf("%q is given twice", name))
		}
		if strings.Contains(name, ",") {
			problems = append(problems, fmt.Errorf(
				"%q has a comma: options of a tag are for the member that Removed, RemovedFrom or Mapped brings back", name))
		}
	}
	return errors.Join(problems...)
}

// All are all edits of a history by the Go types of its objects, the newest first.
type All map[reflect.Type][]Placed

// Placed is an edit, and where it is declared. Without its change and its release, an edit
// could not be named in a message.
type Placed struct {
	Edit
	Index   int          // of the release
	Version string       // that the release makes
	Change  string       // its text
	Place   int          // among all edits, the newest first
	of      reflect.Type // the embedded struct that it is an edit of; nil: the type itself
}

// Oldest is beyond the oldest version.
const Oldest = 1 << 30

// Union is a type whose values are several structs.
type Union struct {
	Typ      reflect.Type
	By       string
	Variants []shape.Member // also those that only older versions have
	Closed   bool
	Err      error
}

// TypeOf returns the struct of a text, or nil.
func (u *Union) TypeOf(text string) reflect.Type {
	if i := shape.Find(u.Variants, text); i >= 0 {
		return u.Variants[i].Typ
	}
	return nil
}

// AreNumbers reports whether the texts name integers, by the Go types of the member by.
func (u *Union) AreNumbers() bool {
	return slices.ContainsFunc(u.Variants, func(v shape.Member) bool {
		members := shape.MembersOf(v.Typ)
		at := shape.Find(members, u.By)
		return at >= 0 && shape.Kind(members[at].Typ) == "integer" && !members[at].Quoted
	})
}

// TextIn returns the text of an object, "" if its member is of another kind.
func (u *Union) TextIn(object []byte) (text string, isThere bool) {
	begin, end, _ := jsontext.Find(object, u.By, false)
	switch {
	case begin < 0:
		return "", false
	case u.AreNumbers():
		return jsontext.NumberOf(object[begin:end]), true
	}
	return jsontext.TextOf(object[begin:end]), true
}

// Variant is an edit of a union: of a new variant without old, of a removed one without now.
type Variant struct {
	Old, Now string
	Instead  []byte // of a new one; nil: lists leave it out
}

// Back returns the variants of the older version.
func (e *Variant) Back(m []shape.Member, _ Others) ([]shape.Member, error) {
	now := shape.Find(m, e.Now)
	switch {
	case e.Old == "" && e.Now == "", e.Now != "" && now < 0:
		return m, fmt.Errorf("there is no variant %q", e.Now)
	case e.Old != "" && shape.Find(m, e.Old) >= 0:
		return m, fmt.Errorf("there is a variant %q already", e.Old)
	case e.Old == "":
		return slices.Delete(m, now, now+1), nil
	case e.Now != "":
		m[now].Name = e.Old
		return m, nil
	}
	return append(m, shape.Member{Name: e.Old, Now: e.Old, Gone: true, Optional: true}), nil
}

// Override gives members of a struct another type, with the same members and edits of its own.
type Override struct {
	Of, As  reflect.Type
	Members []string
}
