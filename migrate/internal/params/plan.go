// Package params rewrites parameters by the plans of bodies with the same members: those of a query, of
// header fields, of a link, and of a form, urlencoded or multipart. It is above plans, and below
// exchange.
package params

import (
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate/internal/jsontext"
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
