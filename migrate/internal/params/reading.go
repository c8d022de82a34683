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

	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/message"
	"github.com/goverso/verso/migrate/internal/refusal"
	"github.com/goverso/verso/migrate/internal/rewrite"
	"github.com/goverso/verso/migrate/internal/shape"
)

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
		m, written := unknown, pair
		// What cannot be decoded is for the handler to refuse, as it did before.
		if name, failed := url.QueryUnescape(rawName); failed == nil {
			if m, err = p.lookup(name); err != nil {
				return "", err
			}
			// Beside a default in another place, a binder prefers the exact name.
			if m.awaited && m.to == m.Name && name != m.Name {
				written = m.escaped + pair[len(rawName):]
			}
		}
		if m == gone {
			dropped += len(pair)
		}
		if dropped > rewrite.MaxBuffered {
			return "", refusal.Of(rewrite.ErrDropped)
		}
		if m.keeps {
			r.pair(written, "")
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
			slog.Error("migrate: a link lacks a parameter, which cannot be lowered", "version", version, "parameter",
				name,
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
