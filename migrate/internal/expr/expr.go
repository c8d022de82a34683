// Package expr builds a member of one version from the members of another: as a copy, a constant, or by
// a function of the service. Edits are applied to expressions once, when a plan is made. It is above
// rewrite, and below edits.
package expr

import (
	"slices"

	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/rewrite"
	"github.com/goverso/verso/migrate/internal/shape"
)

// Values has the expression of each member, while edits are applied one by one. Edits run once,
// on this, when a plan is made. With a body only the expressions that are left are computed.
type Values struct {
	Of      map[string]*Expr
	Fills   bool                  // the body has all members: defaults of members that were added are set
	Partial bool                  // an absent member means no change
	Newer   func() []shape.Member // of the newer version of the applied edit
}

// Take removes a member and returns its expression, nil if it has none: an edit that moves a member
// leaves nothing behind.
func (v *Values) Take(name string) *Expr {
	x := v.Of[name]
	delete(v.Of, name)
	return x
}

// Put sets a member. One that nothing gives a value is absent, and what is built from it too.
func (v *Values) Put(name string, x *Expr) {
	if x == nil {
		return
	}
	if x.Refused != nil {
		named := *x
		named.Refused = append(slices.Clip(x.Refused), name)
		x = &named
	}
	v.Of[name] = x
}

// Expr builds a member: a member of the body, a constant, or a function of
// members. It is a tree over the members of the body, however many edits lie between.
type Expr struct {
	Source   *string // a member of the body
	Constant []byte
	Never    bool     // no body has it
	Refused  []string // names under which no request of the version may have it, or nil

	fn     func(in [][]byte) ([]byte, error) // gets nil for what is absent, and is not called if all are
	in     []*Expr
	part   *rewrite.Part // what fn does with in, nil: only fn knows
	OrElse []byte        // if all are absent, or the source is
}

// never is the expression of a member that no body has, for functions that need an argument for it.
var never = &Expr{Never: true}

// NotYet is the expression of a member that older clients may not send: it has its names when
// it is put.
var NotYet = &Expr{Never: true, Refused: []string{}}

// Applied is a function of x, nil if x is. What may not be sent has no value.
func Applied(fn func([][]byte) ([]byte, error), x *Expr) *Expr {
	if x == nil || x.Never {
		return x
	}
	return &Expr{fn: fn, in: []*Expr{x}, Refused: x.Refused}
}

// Member is a member of an object, under any spelling of its name if it folds. null is called for a null
// object; without it the member is absent.
func Member(object *Expr, name string, folds bool, null func() ([]byte, error)) *Expr {
	x := Applied(func(in [][]byte) ([]byte, error) {
		if null != nil && jsontext.IsNull(in[0]) {
			return null()
		}
		return jsontext.Member(in[0], name, folds)
	}, object)
	return x.as(&rewrite.Part{Name: &name, Folds: folds, Null: null})
}

// NotNull is x, or a value where x is null: absent if it is nil.
func NotNull(x *Expr, instead []byte) *Expr {
	null := func() ([]byte, error) { return instead, nil }
	x = Applied(func(in [][]byte) ([]byte, error) {
		if jsontext.IsNull(in[0]) {
			return instead, nil
		}
		return in[0], nil
	}, x)
	return x.as(&rewrite.Part{Null: null})
}

// as describes the function of an expression.
func (x *Expr) as(part *rewrite.Part) *Expr {
	if x != nil && x.fn != nil {
		x.part = part
	}
	return x
}

// Or is x, or a value where x is absent. What is copied stays so, and is not held.
func (x *Expr) Or(value []byte) *Expr {
	switch {
	case x == nil: // nothing of the version is it
		return &Expr{Constant: value}
	case x.Source != nil && x.OrElse != nil:
		return x
	case x.Source != nil:
		return &Expr{Source: x.Source, OrElse: value}
	}
	same := func(in [][]byte) ([]byte, error) { return in[0], nil }
	return &Expr{fn: same, in: []*Expr{x}, Refused: x.Refused, OrElse: value, part: &rewrite.Part{}}
}

// Part is [Expr.Compile] for values in pieces.
func (x *Expr) Part(arg func(source string) int) *rewrite.Part {
	switch {
	case x.Never:
		return &rewrite.Part{Arg: -1}
	case x.Constant != nil:
		return &rewrite.Part{Arg: -1, OrElse: x.Constant}
	case x.Source != nil:
		return &rewrite.Part{Arg: arg(*x.Source), OrElse: x.OrElse}
	}
	p := &rewrite.Part{Make: x.fn}
	if x.part != nil {
		*p = *x.part
	}
	for _, each := range x.in {
		p.Of = append(p.Of, each.Part(arg))
	}
	p.OrElse = x.OrElse
	return p
}

// Compile returns a function of the values of the members that it needs. arg returns
// the position of a member's value.
func (x *Expr) Compile(arg func(source string) int) func(args [][]byte) ([]byte, error) {
	switch {
	case x.Never:
		return func([][]byte) ([]byte, error) { return nil, nil }
	case x.Constant != nil:
		return func([][]byte) ([]byte, error) { return x.Constant, nil }
	case x.Source != nil:
		at := arg(*x.Source)
		return func(args [][]byte) ([]byte, error) {
			if args[at] == nil {
				return x.OrElse, nil
			}
			return args[at], nil
		}
	}
	// Functions of functions are compiled once; a value of an edit is then one call.
	var in []func([][]byte) ([]byte, error)
	plain := true // it is a function of the args as they are
	for i, each := range x.in {
		in = append(in, each.Compile(arg))
		plain = plain && each.Source != nil && each.OrElse == nil && arg(*each.Source) == i
	}
	return func(args [][]byte) ([]byte, error) {
		// The usual edit has its arguments in the right order already, and needs no list of its
		// own.
		values := args[:min(len(in), len(args))]
		if !plain {
			values = make([][]byte, len(in))
			for i, each := range in {
				var err error
				if values[i], err = each(args); err != nil {
					return nil, err
				}
			}
		}
		// With nothing to compute from, the member is absent, or has its default.
		if !slices.ContainsFunc(values, func(value []byte) bool { return value != nil }) {
			return x.OrElse, nil
		}
		made, err := x.fn(values)
		if err != nil {
			return nil, &rewrite.ValueError{Err: err}
		}
		return made, nil
	}
}

// Object is an object of members under their names inside, nil if the version has no such
// member. A PATCH of an older client has some of them, and the rest must stay as it is.
func Object(insides, outsides []string, get func(name string) *Expr) *Expr {
	object := new(Expr)
	var keys [][]byte
	for i, name := range outsides {
		if x := get(name); x != nil {
			object.in, keys = append(object.in, x), append(keys, jsontext.Key(insides[i]))
			object.Refused = append(object.Refused, x.Refused...)
		}
	}
	if keys == nil {
		return nil
	}
	object.part = &rewrite.Part{Keys: keys}
	object.fn = func(values [][]byte) ([]byte, error) {
		out := []byte{'{'}
		for i, raw := range values {
			if raw == nil {
				continue
			}
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(append(out, keys[i]...), raw...)
		}
		return append(out, '}'), nil
	}
	return object
}
