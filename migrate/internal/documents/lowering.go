// Package documents lowers the OpenAPI documents of the newest version to older ones, with the edits of
// the types that routes declare. Package migrate alone uses it, and it is above edits and openapi.
package documents

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/openapi"
	"github.com/goverso/verso/migrate/internal/shape"
)

// lowering lowers a document. Its methods return lowered parts, and do not change the given
// ones: a part that several operations share may be lowered for a single operation.
type lowering struct {
	openapi.Document
	edits   edits.Version
	version string
	lower   func(t reflect.Type, raw []byte) ([]byte, error)
	later   []func() // takes the edits of a schema back
	errs    []error  // what cannot be lowered, each once: methods go on, and their results are not used

	within   []reflect.Type        // the structs around a schema of a Go type
	joining  []*joining            // the schemas around one whose parts become one, and those that contain themselves
	changing map[reflect.Type]bool // whether the version has a type in another form

	accepted   map[reflect.Type]bool   // the types of requests
	components map[reflect.Type]string // the components of types, "" if a type has two
	collected  map[openapi.Key]bool    // what was looked at for them
	named      map[string]bool         // the components of which a type has the name
}

// joining is a schema whose parts become one.
type joining struct {
	of    map[string]any
	typ   reflect.Type
	edits int
	made  map[string]any
	copy  any // a reference to it, nil if it does not contain itself
}

// fail notes an error at a place of the document.
func (l *lowering) fail(place, format string, args ...any) {
	l.note(fmt.Errorf("%s: "+format, append([]any{place}, args...)...))
}

// note notes an error. A component that several types describe fails once.
func (l *lowering) note(err error) {
	isSame := func(other error) bool { return err.Error() == other.Error() }
	if err != nil && !slices.ContainsFunc(l.errs, isSame) {
		l.errs = append(l.errs, err)
	}
}

// refuse notes what cannot be lowered.
func (l *lowering) refuse(place, format string, args ...any) {
	l.fail(place, "in %s "+format, append([]any{l.version}, args...)...)
}

// changes reports whether a type, or one below it, has edits that the version lacks. A schema
// without such a type is left as it is, in all its forms, however unusual.
func (l *lowering) changes(t reflect.Type) bool {
	if t == nil {
		return false
	}
	found, known := l.changing[t]
	if !known {
		found = l.edits.Changes(t)
		l.changing[t] = found
	}
	return found
}

// isForm reports whether an edit changes what is sent, and not only how it is described.
func isForm(p edits.Placed) bool { return p.Keywords == nil }

// isCounted reports whether objects may have another number of members with an edit.
func isCounted(p edits.Placed) bool { return isForm(p) && p.OldTexts == nil }

// reforms reports whether bodies of a type, or of one below it, have another form.
func (l *lowering) reforms(t reflect.Type) (found bool) {
	if t != nil {
		l.edits.Walk(t, func(t reflect.Type) { found = found || slices.ContainsFunc(l.edits.Lacked(t), isForm) })
	}
	return found
}

// stays reports whether a JSON pointer leads to the same member in the version as in the newest one.
func (l *lowering) stays(t reflect.Type, pointer string) bool {
	for _, token := range strings.Split(pointer, "/")[1:] {
		t = shape.Deref(t)
		if t.Kind() != reflect.Struct {
			return false
		}
		name := jsontext.UnescapePointer.Replace(token)
		isAbout := func(p edits.Placed) bool {
			names := slices.Concat(p.Needs, p.Lacks) // none: the edit is of the whole object
			return isForm(p) && (len(names) == 0 || slices.Contains(names, name))
		}
		members := l.edits.MembersOf(t)
		i := shape.Find(members, name)
		switch {
		case l.edits.Union(t) != nil || slices.ContainsFunc(l.edits.Lacked(t), isAbout):
			return false
		case i < 0: // edits are of members that the struct has
			return true
		}
		t = members[i].Typ
	}
	return pointer != "" && !l.reforms(t)
}

// value lowers an example. An example that the code cannot lower is an error: it is not in the
// newest form.
func (l *lowering) value(value any, t reflect.Type, place string) any {
	raw, err := json.Marshal(value)
	if err == nil {
		raw, err = l.lower(t, raw)
	}
	if err != nil {
		l.fail(place, "%w", err)
		return value
	}
	return jsontext.Decoded(raw)
}

// isNamed reports whether a type has the name of a component, as Go writes it.
func isNamed(ref string, t reflect.Type) bool {
	_, name := openapi.CutLast(ref)
	return strings.EqualFold(notInGo.ReplaceAllString(name, ""), shape.ShortName(t))
}

// notInGo are the characters that names of components have, and types do not.
var notInGo = regexp.MustCompile(`[^A-Za-z0-9]`)
