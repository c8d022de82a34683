// Package params rewrites parameters by the plans of bodies with the same members: those of a query, of
// header fields, of a link, and of a form, urlencoded or multipart.
package params

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/message"
	"github.com/goverso/verso/migrate/internal/plans"
	"github.com/goverso/verso/migrate/internal/refusal"
	"github.com/goverso/verso/migrate/internal/rewrite"
	"github.com/goverso/verso/migrate/internal/shape"
)

// Plan is the plan of parameters. It is looked up by name, since the parameters of a request
// come in any order and number.
type Plan struct {
	list []*param          // of the source's version, in their order
	by   map[string]*param // by name
	read map[string]*param // by the name that the binder reads
	Made []*rewrite.Made
	// reserved are names that only the target's version has, folded; refused are the ones
	// that a request may not have.
	reserved, refused map[string]bool

	binder    verso.Binder
	paths     map[string]bool // that may precede names: OUTER.INNER.
	isForeign bool            // only another place is declared
}

// lookup returns what becomes of a name, as the binder reads it: unknown if it stays, gone if it is
// dropped. It fails if a request of the version may not have the name.
func (p *Plan) lookup(name string) (*param, error) {
	m := p.by[name]
	if m == nil {
		m = p.read[p.spelled(name)]
	}
	if m != nil {
		return m, nil
	}
	// Names are compared as no binder does it alone: a service may have another one.
	bare := p.bare(strings.ReplaceAll(name, "[]", ""))
	if p.binder.Nested {
		bare, _, _ = strings.Cut(bare, ".") // of a struct as one parameter
	}
	switch {
	case !p.reserved[jsontext.Fold(name)] && (p.by[bare] != nil || !p.reserved[jsontext.Fold(bare)]):
		return unknown, nil
	// A name of the newer version alone: an older client cannot mean it.
	case p.refused[jsontext.Fold(name)], p.refused[jsontext.Fold(strings.TrimSuffix(name, "[]"))]:
		return nil, refusal.Parameter(name, rewrite.ErrNewer)
	}
	return gone, nil
}

// bare returns the name that the binder reads.
func (p *Plan) bare(name string) string {
	if p.binder.Name != nil {
		name = p.binder.Name(name)
	}
	// No path has more parts than there are paths. A client decides how many a name has.
	bare, at := name, 0
	for range p.paths {
		dot := strings.IndexByte(name[at:], '.')
		if dot < 0 {
			break
		}
		if at += dot + 1; p.paths[jsontext.Fold(name[:at])] {
			bare = name[at:]
		}
	}
	return bare
}

// spelled returns a name as the binder compares it.
func (p *Plan) spelled(name string) string {
	if name = p.bare(name); p.binder.IgnoresCase {
		return jsontext.Fold(name)
	}
	return name
}

// addPaths adds the paths of the structs that a struct embeds: Outer., Outer.Inner., Inner.
func (p *Plan) addPaths(t reflect.Type) {
	for _, m := range shape.MembersOf(t) {
		for i := range m.Embedded {
			var path []string
			for _, in := range m.Embedded[i:] {
				name, _, _ := strings.Cut(in.Name(), "[") // of a generic type
				path = append(path, jsontext.Fold(name))
				p.paths[strings.Join(path, ".")+"."] = true
			}
		}
	}
}

// param is what becomes of a parameter.
type param struct {
	*rewrite.Planned
	to      string       // "" if it is not copied
	escaped string       // to, in a query
	typ     reflect.Type // of one value
	isList  bool
	keeps   bool // it stays under its name, also beside to
	awaited bool // something is made if it is absent

	field     reflect.StructField
	separator string // of values of a list, or ""
}

// New returns the plan of the parameters of a place between the newest version and the one at
// index, or nil if nothing is to be done. It comes from the plan of a body with the same members,
// so that each edit is written once.
//
// other is declared for another place, which the binder of this one reads too: those of Gin and
// Echo, and FormValue, read a form and the query. What only other declares is not made anew, since
// it may be in its own place, and its older names stay: the handler may read them for itself.
func New(all *plans.Table, own, other reflect.Type, index int, d plans.Direction, binder verso.Binder) *Plan {
	p := &Plan{by: map[string]*param{}, read: map[string]*param{}, reserved: map[string]bool{},
		refused: map[string]bool{}, paths: map[string]bool{}, isForeign: own == nil, binder: binder}
	known := map[string]bool{}
	if own != nil {
		p.add(all, own, index, d, nil)
		for _, m := range slices.Concat(shape.MembersOf(own), all.Edits.TakeBack(own, index, nil)) {
			known[jsontext.Fold(m.Name)] = true
		}
	}
	if p.add(all, other, index, plans.Modify, known); len(p.list)+len(p.reserved) == 0 {
		return nil
	}
	return p
}

// add adds the parameters of a struct whose names are not known. known is nil for the place's own.
func (p *Plan) add(all *plans.Table, t reflect.Type, index int, d plans.Direction, known map[string]bool) {
	if p.binder.Nested && t != nil {
		p.addPaths(t)
	}
	n := all.Changing(t, index, d)
	if n == nil {
		return
	}
	members := shape.MembersOf(t)
	if d != plans.Down {
		members = all.Edits.TakeBack(t, index, nil)
	}
	p.Made = slices.Concat(p.Made, n.Object.Made)
	maps.Copy(p.refused, n.Object.Refused)
	for name := range n.Object.Reserved { // folded or not, of a plan
		if name = jsontext.Fold(name); !known[name] {
			p.reserved[name] = true
		}
	}
	for _, m := range members {
		pl := n.Object.Members[m.Name]
		each := &param{Planned: pl, typ: shape.ParamType(m.Typ), isList: shape.IsList(m.Typ), field: m.Field}
		if pl.Key != nil {
			each.to = keyText(pl.Key)
			each.escaped = url.QueryEscape(each.to)
		}
		if each.isList && p.binder.Separator != nil && m.Field.Name != "" {
			each.separator = p.binder.Separator(m.Field)
		}
		if known[jsontext.Fold(m.Name)] || known[jsontext.Fold(each.to)] {
			continue
		}
		isMade := func(made *rewrite.Made) bool { return keyText(made.Key) == m.Name }
		each.keeps = each.to == m.Name || known != nil && !slices.ContainsFunc(pl.Feeds, isMade)
		each.awaited = slices.ContainsFunc(n.Object.Made, func(made *rewrite.Made) bool { return made.Unless == pl })
		p.list, p.by[m.Name] = append(p.list, each), each
		if read := p.spelled(m.Name); p.read[read] == nil { // the first of equal names
			p.read[read] = each
		}
		// What both versions have passes, however it is spelled.
		if each.stays() {
			delete(p.reserved, jsontext.Fold(m.Name))
		}
	}
}

// What a plan does not know stays or goes.
var unknown, gone = &param{Planned: new(rewrite.Planned), keeps: true}, &param{Planned: new(rewrite.Planned)}

// isRenamed reports whether a parameter is copied under another name.
func (m *param) isRenamed() bool { return m.to != "" && m.to != m.Name }

// stays reports whether nothing becomes of a parameter.
func (m *param) stays() bool { return m.to == m.Name && m.Feeds == nil }

// keyText returns the name in the key of a plan, which is written for JSON.
func keyText(key []byte) string {
	text, _ := jsontext.Unquote(key[:len(key)-1])
	return string(text)
}

// Pairs rewrites the parameters of a query or a form. Those that stay, stay byte for
// byte: a cache or a signature may depend on their spelling. Of what is dropped, 256 KB are too
// much: a limit that the handler sets never sees it.
func (p *Plan) Pairs(raw string) (lifted string, err error) {
	defer rewrite.Recovered(&err)
	dropped, r := 0, reading{plan: p}
	// Enough for a longer name or two: growing would copy the whole query.
	r.query.Grow(len(raw) + 32)
	for pair := range strings.SplitSeq(raw, "&") {
		if pair == "" {
			continue
		}
		rawName, text, _ := strings.Cut(pair, "=")
		m := unknown
		// What cannot be decoded is for the handler to refuse, as it did before.
		if name, failed := url.QueryUnescape(rawName); failed == nil {
			if m, err = p.lookup(name); err != nil {
				return "", err
			}
		}
		if m == gone {
			dropped += len(pair)
		}
		if dropped > rewrite.MaxBuffered {
			return "", refusal.Of(rewrite.ErrDropped)
		}
		if m.keeps {
			r.pair(pair, "")
		}
		if m.isRenamed() {
			r.pair(m.escaped, pair[len(rawName):])
		}
		// Without an edit that reads the value, it is not decoded: most parameters only have
		// another name, if at all.
		if m.Feeds != nil {
			if text, err = url.QueryUnescape(text); err != nil {
				return "", refusal.Parameter(m.Name, err)
			}
		}
		if err := r.feed(m, text); err != nil {
			return "", err
		}
	}
	if err := r.rest(); err != nil {
		return "", err
	}
	return r.query.String(), nil
}

// reading is the state of parameters that are rewritten one after the other.
type reading struct {
	plan   *Plan
	query  strings.Builder               // what is written of a query
	values map[string][]string           // what is written of header fields, or of a link; nil: of the rest
	write  func(name, text string) error // writes the multipart form, nil: the rest
	isLink bool
	// Most requests have no parameter that an edit reads, so the map comes with the first.
	kept    map[*rewrite.Planned][]byte // the first value of what an edit reads
	present []*rewrite.Planned          // of what is awaited
}

// pair writes a pair of a query: the name, and the rest as it is.
func (r *reading) pair(name, rest string) {
	if r.query.Len() > 0 {
		r.query.WriteByte('&')
	}
	r.query.WriteString(name)
	r.query.WriteString(rest)
}

// emit writes what was made, unless it is null: a parameter cannot be null, so it is absent. A
// constant can be a list.
func (r *reading) emit(m *rewrite.Made, value []byte) (err error) {
	// A list is decoded into a new slice: in a slice with value in it, its elements would overwrite
	// value, which belongs to the plan.
	var list []json.RawMessage
	if len(value) == 0 || value[0] != '[' || json.Unmarshal(value, &list) != nil {
		list = []json.RawMessage{value}
	}
	for _, each := range list {
		switch text, ok := TextOf(each); {
		case !ok || err != nil:
		case r.values != nil:
			name := keyText(m.Key)
			r.values[name] = append(r.values[name], text)
		case r.write != nil:
			err = r.write(keyText(m.Key), text)
		default:
			r.pair(url.QueryEscape(keyText(m.Key)), "="+url.QueryEscape(text))
		}
	}
	return err
}

// feed gives a value to the edits that read it: of a list each one, also of several that the binder
// finds in one.
func (r *reading) feed(m *param, text string) error {
	if m.awaited {
		r.present = append(r.present, m.Planned)
	}
	if m.Feeds == nil {
		return nil
	}
	if r.kept == nil {
		r.kept = map[*rewrite.Planned][]byte{}
	}
	texts := []string{text}
	if m.separator != "" {
		texts = strings.Split(text, m.separator)
	}
	for _, text := range texts {
		// Of several, most binders take the first, unless the parameter is a list.
		if r.kept[m.Planned] != nil && !m.isList && !r.plan.binder.Last {
			break
		}
		value, err := jsonOf(text, m.typ)
		if err != nil {
			return refusal.Parameter(m.Name, err)
		}
		r.kept[m.Planned] = value
		for _, made := range m.Feeds {
			if len(made.From) > 1 {
				continue
			}
			raw, err := made.Value([][]byte{value})
			if err != nil {
				return refusal.Parameter(m.Name, err)
			}
			// A form sends each of its fields, and an empty one means that a person left it so.
			if text == "" && jsontext.IsNull(raw) { // empty stays empty
				raw = []byte(`""`)
			}
			if err := r.emit(made, raw); err != nil {
				return err
			}
		}
	}
	return nil
}

// rest makes what is built from several parameters, or from nothing. It runs at the end, since
// a parameter that several feed must see them all, whatever their order in the query.
func (r *reading) rest() error {
	for _, m := range r.plan.Made {
		isMade := len(m.From) == 1 && r.kept[m.From[0]] != nil
		if isMade || m.Unless != nil && slices.Contains(r.present, m.Unless) {
			continue
		}
		var args [][]byte
		name := ""
		for _, from := range m.From {
			if args = append(args, r.kept[from]); r.kept[from] != nil {
				name = from.Name
			}
		}
		value, err := m.Value(args)
		switch {
		// A link goes without what the version cannot have: half of it would be another value.
		case err != nil && r.isLink:
			slog.Error("migrate: a link lacks a parameter, which cannot be lowered", "parameter", keyText(m.Key),
				"error", err)
			continue
		case err != nil:
			return refusal.Parameter(name, err)
		}
		if err := r.emit(m, value); err != nil {
			return err
		}
	}
	return nil
}

// Fields rewrites header fields. All are read before any is written: the old name of a field
// may be the new name of another. Fields that only the newer version has are removed, since an
// older client cannot mean them.
func (p *Plan) Fields(f message.Fields) (err error) {
	defer rewrite.Recovered(&err)
	r := reading{plan: p, values: http.Header{}}
	for _, m := range p.list {
		lines := f.Lines(http.CanonicalHeaderKey(m.Name))
		if strings.Join(lines, "") == "" { // a field without a value is none
			continue
		}
		if m.to != "" && !m.stays() {
			r.values[m.to] = append(r.values[m.to], lines...)
		}
		for _, line := range lines {
			if err := r.feed(m, line); err != nil {
				return err
			}
		}
	}
	if err := r.rest(); err != nil {
		return err
	}
	// Old names go before new ones come, or a field that swaps its name with another would lose
	// its value.
	for _, m := range p.list {
		if !m.stays() {
			f.Del(http.CanonicalHeaderKey(m.Name))
		}
	}
	for name := range p.reserved {
		name = http.CanonicalHeaderKey(name)
		if _, err := p.lookup(name); err != nil && message.Value(f, name) != "" {
			return err
		}
		f.Del(name)
		for path := range p.paths {
			f.Del(http.CanonicalHeaderKey(path + name))
		}
	}
	for name, lines := range r.values {
		for _, line := range lines {
			f.Add(name, line)
		}
	}
	return nil
}

// jsonOf returns the JSON of one value of a parameter: null for an empty number, bool or time.
// Edits are functions of JSON, so that the same edit serves bodies and parameters. The error does
// not repeat the value.
func jsonOf(text string, t reflect.Type) (value []byte, err error) {
	var parsed any
	switch k := t.Kind(); {
	case text == "" && k != reflect.String:
		return jsontext.Null, nil
	case shape.IsOpaque(t):
		return jsontext.Quote(text), nil
	case k == reflect.Bool:
		parsed, err = strconv.ParseBool(text)
	case k >= reflect.Int && k <= reflect.Int64:
		parsed, err = strconv.ParseInt(text, 10, 64)
	case k >= reflect.Uint && k <= reflect.Uintptr:
		parsed, err = strconv.ParseUint(text, 10, 64)
	case k == reflect.Float32 || k == reflect.Float64:
		parsed, err = strconv.ParseFloat(text, 64)
		// Written again, 1.10 would be 1.1, but .5 is not JSON.
		if err == nil && jsontext.IsValid([]byte(text)) {
			return []byte(text), nil
		}
	default:
		return jsontext.Quote(text), nil
	}
	if err == nil {
		value, err = json.Marshal(parsed)
	}
	if err != nil { // also NaN
		return nil, fmt.Errorf("the parameter is not of type %s", shape.Describe(t))
	}
	return value, nil
}

// TextOf returns the text of a parameter. ok is false if it is absent.
func TextOf(value []byte) (text string, ok bool) {
	value = bytes.TrimSpace(value)
	if jsontext.IsNull(value) {
		return "", false
	}
	if value[0] == '"' {
		unquoted, _ := jsontext.Unquote(value)
		return string(unquoted), true
	}
	return string(value), true
}

// LowerQuery returns the query of a link in a version, without what the version cannot have. A nil plan
// changes nothing.
func (p *Plan) LowerQuery(query url.Values, version string) url.Values {
	if p == nil {
		return query
	}
	lowered, err := p.link(query, version)
	if err != nil {
		slog.Error("migrate: a link lacks its query, which cannot be lowered", "version", version, "error", err)
		return url.Values{}
	}
	return lowered
}

// link lowers the query of a link, without what the version cannot have.
func (p *Plan) link(query url.Values, version string) (lowered url.Values, err error) {
	defer rewrite.Recovered(&err)
	lowered = make(url.Values, len(query))
	r := reading{plan: p, values: lowered, isLink: true}
	for _, name := range slices.Sorted(maps.Keys(query)) { // a parameter may have several spellings
		values := query[name]
		m, err := p.lookup(name)
		for i := 0; i < len(values) && err == nil; i++ {
			err = r.feed(m, values[i])
		}
		switch {
		case err != nil:
			slog.Error("migrate: a link lacks a parameter, which cannot be lowered", "version", version, "parameter", name,
				"error", errors.Unwrap(err))
			delete(r.kept, m.Planned)
			for _, made := range m.Feeds {
				delete(lowered, keyText(made.Key))
			}
		case m.keeps:
			lowered[name] = values
		case m.to != "":
			lowered[m.to] = append(lowered[m.to], values...)
		}
	}
	return lowered, r.rest()
}
