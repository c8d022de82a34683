// Package guard finds in the responses of a route what a version must not get: what differs from the
// declared types, and objects that look like the newest form of one. It is above declared, and below
// exchange.
package guard

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goverso/verso/migrate/internal/declared"
	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/message"
	"github.com/goverso/verso/migrate/internal/rewrite"
	"github.com/goverso/verso/migrate/internal/shape"
)

// Mistakes returns how the body of a response differs from what the route declares for a status of the newest
// version. It only looks, and changes nothing of a response.
func Mistakes(b *declared.Bodies, v edits.Version, status int, mediaType string, body []byte) (list []string) {
	if mediaType == "" && !message.BeginsLikeJSON(body) { // net/http finds the type in the body, too
		mediaType = message.MediaType(http.DetectContentType(body))
	}
	if b.Is[declared.Passes(mediaType)] {
		return nil
	}
	isJSON := message.IsJSONResponse(mediaType) || b.Is[declared.LinesOf(mediaType)] || mediaType == "" &&
		message.BeginsLikeJSON(body)
	// A route without a declared body is the same in all versions, by its own word: the
	// newest form of an edited type is not.
	if b.IsBare() {
		if isJSON && json.Valid(body) {
			return Newest(Unlikely(b, Forms(v)), body, "", true)
		}
		return nil
	}
	check := func(t reflect.Type, raw []byte, open bool) {
		if !json.Valid(raw) {
			list = append(list, "the body is no JSON")
		} else {
			list = append(list, misfits(v, t, raw, "", open)...)
		}
	}
	returns := b.OfSuccess(status)
	switch {
	case status >= 400:
		errors := b.Errors(status)
		t := errors[mediaType]
		// What answers for the whole service, such as a rejection, has the older media type already.
		for _, newest := range slices.Sorted(maps.Keys(errors)) {
			each := errors[newest]
			if _, older := v.Form(each); t == nil && older != "" && older == mediaType {
				t = each
			}
		}
		if t != nil {
			check(t, body, true)
			return list
		}
		advice := "add Fails"
		if !isJSON {
			advice += fmt.Sprintf(", or Passes(%q) if it is the same in all versions", mediaType)
		}
		list = append(list, fmt.Sprintf("an error of type %s, which the route does not declare: %s", mediaType, advice))
	case mediaType == "text/event-stream" && returns == nil && len(b.Events) == 0, isJSON && returns == nil:
		list = append(list, fmt.Sprintf("it is %s, and the route does not declare what it returns: add Returns",
			mediaType))
	case mediaType == "text/event-stream":
		_ = (&rewrite.Events{Lower: func(name string, data []byte) ([]byte, error) {
			if t := b.Event(name); t != nil && !b.Passing.Have(name, data) {
				check(t, data, false)
			}
			return data, nil
		}}).Write(body)
	// Each line is a value of the type, as an event is.
	case message.IsLines(mediaType), b.Is[declared.LinesOf(mediaType)]:
		body = bytes.Clone(body)
		rewrite.Unseparate(body)
		for d := json.NewDecoder(bytes.NewReader(body)); d.More(); {
			var raw json.RawMessage
			if err := d.Decode(&raw); err != nil {
				return append(list, "the body is no JSON")
			}
			check(returns, raw, false)
		}
	case isJSON:
		check(returns, body, false)
	case status < 300 && returns != nil:
		list = append(list, fmt.Sprintf("it is %s: add Passes(%q) if it is the same in all versions", mediaType,
			mediaType))
	}
	return list
}

// misfits returns how a value differs from a type, in the version. It reads the Go types, as
// Schema does, and not the plans that made the response: a mistake of a plan must not hide
// itself. An open object may have other members (RFC 9457), and need not have all.
func misfits(v edits.Version, newest reflect.Type, raw []byte, at string, open bool) (list []string) {
	for _, e := range slices.Backward(v.Wholes(shape.Deref(newest))) {
		older, key := e.Form(v.All, shape.Deref(newest))
		if key == "" {
			return misfits(v, older, raw, at, open)
		}
		var members map[string]json.RawMessage
		if json.Unmarshal(raw, &members) != nil || members != nil && members[key] == nil {
			return []string{fmt.Sprintf("%q: %s is in an object, as %q, and this is %.40s", at, shape.NameOf(newest), key, raw)}
		}
		if raw, at = members[key], at+"/"+key; members == nil { // null
			return nil
		}
	}
	say := func(format string, args ...any) {
		list = append(list, fmt.Sprintf("%q: ", at)+fmt.Sprintf(format, args...))
	}
	raw = bytes.TrimSpace(raw)
	t, _ := v.Form(newest)
	if v.IsValue(t) {
		m, text := v.Members(t)[0], ""
		if len(m.Values) > 0 && json.Unmarshal(raw, &text) == nil && text != "" && !slices.Contains(m.Values, text) {
			say("%q is not among the values %q: add NewValue, or give it to Values", text, m.Values)
		}
		t = m.Typ
	}
	kind := shape.Kind(t)
	// The first byte of a value gives its kind away (RFC 8259, section 3), but an integer is a number without
	// a fraction and an exponent: Go decodes no other.
	want := map[string]string{"string": `"`, "integer": "-0123456789", "number": "-0123456789", "boolean": "tf",
		"list": "[", "map": "{", "object": "{"}[kind]
	switch {
	case v.Union(t) != nil && string(raw) != "null":
		if raw[0] != '{' {
			say("%s is an object, and this is %.40s", shape.NameOf(t), raw)
			return list
		}
		text, isThere := v.Union(t).TextIn(raw)
		variants := v.Members(t)
		if i := shape.Find(variants, text); i >= 0 && variants[i].Typ != nil && (text == "") != isThere {
			return misfits(v, variants[i].Typ, raw, at, open)
		}
		say("%q is the text of no variant of %s", text, shape.NameOf(t))
	// Nothing is declared here, so only the newest form itself can be recognised.
	case kind == "any":
		return Newest(Forms(v), raw, at, false)
	// A pointer, a list and a map of Go write null, and a type that edits cannot reach may be
	// anything.
	case string(raw) == "null" || want == "":
		return nil
	case !strings.ContainsRune(want, rune(raw[0])), kind == "integer" && bytes.ContainsAny(raw, ".eE"):
		say("%s is %s, and this is %.40s", shape.NameOf(t), kind, raw)
	case kind == "list":
		var elements []json.RawMessage
		_ = json.Unmarshal(raw, &elements)
		for i, each := range elements {
			list = append(list, misfits(v, t.Elem(), each, fmt.Sprintf("%s/%d", at, i), open)...)
		}
	case kind == "map":
		var members map[string]json.RawMessage
		_ = json.Unmarshal(raw, &members)
		for _, name := range slices.Sorted(maps.Keys(members)) {
			list = append(list, misfits(v, t.Elem(), members[name], at+"/"+name, open)...)
		}
	case kind == "object":
		return misfitsIn(v, t, raw, at, open)
	}
	return list
}

// misfitsIn is misfits of an object.
func misfitsIn(v edits.Version, t reflect.Type, raw []byte, at string, open bool) (list []string) {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(raw, &members)
	for _, m := range v.Members(t) {
		value, there := members[m.Name]
		delete(members, m.Name)
		var text string
		switch {
		// A member without omitempty is always written, so its absence means another type: a
		// page, a map, an edited struct.
		case !there && !m.Optional && !open:
			list = append(list, fmt.Sprintf("%q: %s has always a member %q, and this object has none", at, shape.NameOf(t),
				m.Name))
		// A number with the option ,string is text.
		case !there, m.Quoted:
		case len(m.Values) > 0 && json.Unmarshal(value, &text) == nil && text != "" &&
			!slices.Contains(m.Values, text):
			list = append(list, fmt.Sprintf(
				"%q: %q is not among the values %q: add NewValue, or give it to Values", at+"/"+m.Name, text, m.Values))
		default:
			list = append(list, misfits(v, m.Typ, value, at+"/"+m.Name, open)...)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		// A client cannot rely on a member that its contract lacks, and the next change could
		// break it without notice.
		if !open {
			list = append(list, fmt.Sprintf("%q: %s has no member %q", at, shape.NameOf(t), name))
		}
	}
	return list
}

// Form is how the newest objects of a type can be recognised.
type Form struct {
	typ    reflect.Type
	all    []shape.Member
	newer  []shape.Member // those that the version does not have
	isLost bool           // the version always has a member that they do not have
}

// Forms returns the forms of the types that the version has in another form.
func Forms(v edits.Version) (list []Form) {
	for _, t := range shape.Sorted(v.All) {
		if v.IsValue(t) {
			continue
		}
		f, older := Form{typ: t, all: shape.MembersOf(t)}, v.Members(t)
		for _, m := range f.all {
			if shape.Find(older, m.Name) < 0 {
				f.newer = append(f.newer, m)
			}
		}
		f.isLost = slices.ContainsFunc(older,
			func(m shape.Member) bool { return !m.Optional && shape.Find(f.all, m.Name) < 0 })
		// A type whose edits only change values looks the same in each version, so its name alone
		// would accuse old forms.
		if f.newer != nil || f.isLost {
			list = append(list, f)
		}
	}
	return list
}

// isOf reports whether an object has the form: if exact, it has no member but those of the form.
func (f *Form) isOf(members map[string]any, exact bool) bool {
	has := func(m shape.Member) bool { _, there := members[m.Name]; return there }
	if slices.ContainsFunc(f.all, func(m shape.Member) bool { return !m.Optional && !has(m) }) {
		return false
	}
	for name := range members {
		if exact && shape.Find(f.all, name) < 0 {
			return false
		}
	}
	return slices.ContainsFunc(f.newer, has) || exact && f.isLost && len(members) > 0
}

// Unlikely leaves out the forms of types that the route only resembles.
func Unlikely(b *declared.Bodies, forms []Form) []Form {
	if len(b.Unlike) == 0 {
		return forms
	}
	return slices.DeleteFunc(slices.Clone(forms), func(f Form) bool { return b.Unlike[f.typ] })
}

// Newest returns where in JSON of any type an object looks like the newest form of a type,
// which edits do not reach. It goes by names of members, since nothing else is known there, and
// asks for all that the type always has, so that an object which shares a name is not
// suspected. The JSON is read once, and few places are named: a client may have sent it, as deep as
// it likes.
func Newest(forms []Form, raw []byte, at string, exact bool) (list []string) {
	var path []string
	var visit func(value any)
	below := func(name string, value any) {
		path = append(path, name)
		visit(value)
		path = path[:len(path)-1]
	}
	visit = func(value any) {
		if len(list) > 9 {
			return
		}
		switch value := value.(type) {
		case []any:
			for i, each := range value {
				below(strconv.Itoa(i), each)
			}
		case map[string]any:
			for _, f := range forms {
				if f.isOf(value, exact) {
					list = append(list, fmt.Sprintf(
						"%q: this looks like the newest form of %s, in a member of any type: name the type, or lower it with History.Lower; if it is another type, add Open[%s]() to the route", strings.Join(append([]string{at}, path...), "/"), shape.NameOf(f.typ), shape.NameOf(f.typ)))
				}
			}
			for _, name := range slices.Sorted(maps.Keys(value)) {
				below(name, value[name])
			}
		}
	}
	visit(jsontext.Decoded(raw))
	return list
}
