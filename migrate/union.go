package migrate

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/shape"
)

// OneOf declares, beside the releases of [New], the structs whose values an interface holds, by
// the text of their member by, or by its integer, which is given as a text: "2". Edits of these structs then apply
// wherever the interface is.
// A value of another text, or without one, is the same in all versions, with one log line for a
// route that writes it, unless the union is [Closed].
func OneOf[T any](by string, list ...OfOne) Revision {
	return OneOfType(reflect.TypeFor[T](), by, list...)
}

// OneOfType is [OneOf] for a type that the compiler does not know.
func OneOfType(t reflect.Type, by string, list ...OfOne) Revision {
	u := &union{edits.Union{Typ: t, By: by}}
	for i, of := range list {
		if of == nil {
			u.Err = errors.Join(u.Err, fmt.Errorf("part %d is nil: remove it", i+1))
			continue
		}
		of(u)
	}
	return Revision{union: &u.Union}
}

// OfOne is a part of [OneOf].
type OfOne func(*union)

// union is what the parts of [OneOf] declare.
type union struct{ edits.Union }

// Variant names the struct of values, or of pointers, with any of these texts, "" for objects
// without the member, or with "" or null. A [Closed] union refuses the last two.
func Variant[T any](texts ...string) OfOne { return VariantType(reflect.TypeFor[T](), texts...) }

// VariantType is [Variant] for a type that the compiler does not know.
func VariantType(t reflect.Type, texts ...string) OfOne {
	return func(u *union) {
		for _, text := range texts {
			u.Variants = append(u.Variants, shape.Member{Name: text, Now: text, Typ: shape.Deref(t), Optional: true})
		}
		if texts == nil {
			u.Err = errors.Join(u.Err, fmt.Errorf("%s has no text: give those of %q", shape.NameOf(t), u.By))
		}
	}
}

// Closed refuses values of another text, or without one, in versions with edits of the union:
// requests are rejected, and responses are answered with status 500.
func Closed() OfOne { return func(u *union) { u.Closed = true } }

// variantOf returns an edit of the interface.
func variantOf(e *edits.Variant, err error, text string, args ...any) Edit {
	return Edit{edits.Edit{Text: fmt.Sprintf(text, args...), Err: err, Variant: e, Back: e.Back}}
}

// NewVariant declares that structs with a text of the discriminator are new. Older clients read
// instead: null, or a value of the newest Go types, of a variant that they have, removed or not.
// With [Absent] their lists lack the element; the variant may then be in lists only. Requests of
// older clients with the text are rejected. It is an edit of the interface.
func NewVariant(text string, instead any) Edit {
	if instead == Absent {
		return variantOf(&edits.Variant{Now: text}, nil, "%q is new; older clients do not get it", text)
	}
	raw, err := json.Marshal(instead)
	return variantOf(&edits.Variant{Now: text, Instead: raw}, err, "%q is new; older clients read %s", text, raw)
}

// RenamedVariant declares that a text of the discriminator has another one now.
func RenamedVariant(old, now string) Edit {
	return variantOf(&edits.Variant{Old: old, Now: now}, nil, "%q is now named %q", old, now)
}

// RemovedVariant declares that the structs with a text are gone. Requests of older clients with
// it are rejected. Keep the older Go type as a [Variant]: contracts and documents need it.
func RemovedVariant(text string) Edit {
	return variantOf(&edits.Variant{Old: text}, nil, "%q is removed", text)
}
