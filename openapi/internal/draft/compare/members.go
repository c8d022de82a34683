package compare

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goverso/verso/openapi/internal/draft/document"
	"github.com/goverso/verso/openapi/internal/draft/gotype"
)

// members has the members of a struct in both versions, and the names that no edit explains yet.
type members struct {
	*drafter
	name        string
	x, y        document.View
	roles       document.Roles
	gone, fresh []string
	into        []string // new members into which gone ones went
}

// object drafts the edits of a struct.
func (d *drafter) object(name string, x, y document.View, roles document.Roles) {
	if d.done[name] {
		return
	}
	d.done[name] = true
	x.Props, x.Required, y.Props = maps.Clone(x.Props), maps.Clone(x.Required), maps.Clone(y.Props)
	for _, props := range []document.Object{x.Props, y.Props} {
		maps.DeleteFunc(props, func(p string, _ any) bool { return !validTag(p) })
	}
	d.lacking(name, x, y)
	m := &members{drafter: d, name: name, x: x, y: y, roles: roles}
	m.gone, m.fresh = missing(x.Props, y.Props), missing(y.Props, x.Props)
	here := surrounding{name, document.Object{}}
	for _, n := range m.fresh {
		here.fresh[n] = y.Props[n]
	}
	d.around = append(d.around, here)
	defer func() { d.around = d.around[:len(d.around)-1] }()
	if x.Kind == "map" {
		m.fromMap()
		return
	}
	if isJoined(x) {
		m.besideForms()
		m.removed()
	} else {
		m.whole()
		m.flattened()
		m.nested()
		m.renamed()
		m.removed()
	}
	m.added()
	for _, p := range document.Names(m.x.Props) {
		if y.Props[p] != nil {
			m.property(p, m.y, func(t string) { d.retype(name, p, t) })
		}
	}
}

// fromMap drafts the edits of an object in place of a map.
func (m *members) fromMap() {
	if isAnyObject(m.x) {
		for i, n := range m.fresh {
			if e := m.add(m.name, "Added", n, ""); i == 0 {
				e.Todos = []string{m.a.Version + " does not describe the members of this object: its clients do not " +
					"get them, and their own members are dropped"}
			}
		}
		return
	}
	of := m.inlined(m.x.Schema["additionalProperties"])
	m.carry(of)
	older := document.Object{"properties": nil, "required": []any{}}
	older["additionalProperties"] = inPlaceOf(m.y.Schema["additionalProperties"], of)
	for _, k := range []string{"propertyNames", "maxProperties", "minProperties"} {
		if was, now := m.x.Schema[k], m.y.Schema[k]; was != nil || now != nil {
			older[k] = inPlaceOf(now, m.inlined(was))
		}
	}
	if inParts(m.y.Schema) {
		older["type"] = "object" // a keyword of the whole opens the allOf
	}
	m.documents("", older, "this was a map: older clients read each member as a value, and lose values under another name")
}

// besideForms keeps the gone members that an edit brings back, which are those beside the forms of both versions.
func (m *members) besideForms() {
	was, now := m.a.Document.View(m.x.Schema).Props, m.b.Document.View(m.y.Schema).Props
	m.gone = slices.DeleteFunc(m.gone, func(g string) bool {
		isLost := was[g] == nil || len(now) == 0
		if isLost {
			m.note("%s.%s is gone, which only some of several forms had: no edit brings it back", m.name, g)
		}
		return isLost
	})
}

// retype gives a member of a Go type another type.
func (d *drafter) retype(name, member, t string) {
	if of := d.Set.Get(name); of != nil {
		if f := of.Field(member); f != nil {
			f.Type = t
			d.at(of, member, t)
		}
	}
}

// pairs prints a map of names.
func pairs(list []string) string { return "map[string]string{" + strings.Join(list, ", ") + "}" }

// flattened finds objects, or envelopes, whose members came out.
func (m *members) flattened() {
	for _, g := range m.gone {
		w := m.a.View(m.x.Props[g])
		inside := document.Names(w.Props)
		common := slices.DeleteFunc(slices.Clone(inside), func(in string) bool { return !slices.Contains(m.fresh, in) })
		clash := slices.ContainsFunc(inside, func(in string) bool { return m.x.Props[in] != nil })
		if w.Kind != "object" || len(common) == 0 || 2*len(common) < len(inside) || clash || isParameters(m.name) {
			continue
		}
		t := &gotype.Type{Name: m.Set.Free(m.name + gotype.Name(g) + m.a.suffix),
			Doc: fmt.Sprintf("is the member %s of %s in %s", g, m.name, m.a.Version)}
		m.Set.Add(t)
		delete(m.x.Props, g)
		var list []string
		for _, in := range inside {
			list = append(list, fmt.Sprintf("%q: %q", in, in))
			f := gotype.Field{Key: "json", Member: in}
			f.Type, f.Pointer = m.typeOf(w.Props[in], m.name+" "+g+" "+in)
			if !w.Required[in] || !m.y.Required[in] {
				f.Options = ",omitempty"
			}
			t.NewField(f)
			m.x.Props[in] = w.Props[in]
			m.x.Required[in] = w.Required[in] && m.x.Required[g]
			if m.y.Props[in] == nil {
				m.gone = append(m.gone, in)
			}
			m.fresh = without(m.fresh, in)
		}
		delete(m.x.Required, g)
		m.gone = without(m.gone, g)
		slices.Sort(m.gone)
		m.add(m.name, "Flattened["+t.Name+"]", g, pairs(list),
			fmt.Sprintf("all of %q came out of it, by the names. If not, use Removed", g))
	}
}

// nested finds objects, or envelopes, that members went into.
func (m *members) nested() {
	for _, n := range m.fresh {
		w := m.b.View(m.y.Props[n])
		if w.Kind != "object" || isParameters(m.name) || m.b.View(m.y.Props[n]).Nullable && len(w.Props) == 0 {
			continue
		}
		moved, took := map[string]string{}, map[string]bool{}
		for _, g := range m.gone {
			for _, in := range document.Names(w.Props) {
				same := m.a.View(m.x.Props[g]).Kind == m.b.View(w.Props[in]).Kind
				if same && !took[in] && moved[g] == "" && (gotype.Norm(g) == gotype.Norm(in) ||
					gotype.Norm(g) == gotype.Norm(n+in)) {
					moved[g], took[in] = in, true
				}
			}
		}
		if len(moved) == 0 {
			continue
		}
		t, _ := m.b.typ(m.y.Props[n], m.name+" "+n)
		inside := "" // the type of this place, if a moved member has another type here
		var list []string
		for _, g := range slices.Sorted(maps.Keys(moved)) {
			in := moved[g]
			list = append(list, fmt.Sprintf("%q: %q", g, in))
			m.gone = without(m.gone, g)
			m.property(g, document.View{Props: document.Object{g: w.Props[in]},
				Required: map[string]bool{g: w.Required[in]}},
				func(of string) {
					if inside == "" {
						inside = m.Set.Free(m.name + gotype.Name(n) + "Inside")
						m.Set.Copy(t, inside)
						m.Set.Get(inside).Doc = fmt.Sprintf("is %s in the member %s of %s", t, n, m.name)
						m.retype(m.name, n, inside)
					}
					m.retype(inside, in, of)
				})
		}
		m.fresh, m.into = without(m.fresh, n), append(m.into, n)
		m.add(m.name, "Nested", n, pairs(list),
			fmt.Sprintf("these went into %q, by the names. If not, use Removed and Added", n))
	}
}

// renamed finds the members whose form and a word agree, if only one is so on each side.
func (m *members) renamed() {
	found := map[string][]string{}
	for _, g := range m.gone {
		if found[g] = m.alike(g); len(found[g]) == 0 {
			found[g] = m.only(g)
		}
	}
	for _, g := range m.gone {
		if len(found[g]) != 1 {
			continue
		}
		n := found[g][0]
		rival := slices.ContainsFunc(m.gone, func(h string) bool { return h != g && slices.Contains(found[h], n) })
		if rival {
			continue
		}
		m.gone, m.fresh = without(m.gone, g), without(m.fresh, n)
		m.property(g, document.View{Props: document.Object{g: m.y.Props[n]},
			Required: map[string]bool{g: m.y.Required[n]}},
			func(t string) { m.retype(m.name, n, t) })
		m.add(m.name, "Renamed", g, strconv.Quote(n),
			fmt.Sprintf("%q is %q now: the form and a word are the same. If not, older clients read another "+
				"value: use Removed and Added", g, n))
	}
}

// alike returns the new members of the same form whose name has the name of g in it, or the other way
// round, or that have the same description.
func (m *members) alike(g string) (found []string) {
	text := document.Str(document.Obj(m.x.Props[g])["description"])
	for _, n := range m.fresh {
		named := isIn(g, n) || isIn(n, g)
		described := text != "" && text == document.Str(document.Obj(m.y.Props[n])["description"])
		if (named || described) && document.Shape(m.x.Props[g]) == document.Shape(m.y.Props[n]) {
			found = append(found, n)
		}
	}
	return found
}

// isIn reports whether a name is in another one: as a word of it, if it is as short as id, which is also in provider.
func isIn(name, other string) bool {
	short, long := gotype.Norm(name), gotype.Norm(other)
	if len(short) > 2 {
		return strings.Contains(long, short)
	}
	return short == long || slices.ContainsFunc(shortWords.FindAllString(other, -1), func(word string) bool {
		return strings.EqualFold(word, short)
	})
}

var shortWords = regexp.MustCompile(`[A-Z]?[a-z0-9]+|[A-Z]+`)

// only returns the new member of the same form that shares a word with g, if both are the only ones of
// this form.
func (m *members) only(g string) []string {
	alike := func(props document.Object, names []string) (l []string) {
		for _, n := range names {
			if document.Shape(props[n]) == document.Shape(m.x.Props[g]) {
				l = append(l, n)
			}
		}
		return l
	}
	if a, b := alike(m.x.Props, m.gone), alike(m.y.Props, m.fresh); len(a) == 1 && len(b) == 1 && sharesWord(g, b[0]) {
		return b
	}
	return nil
}

// removed drafts the edits of members that are gone.
func (m *members) removed() {
	fresh := document.Object{}
	for _, n := range m.fresh {
		fresh[n] = m.y.Props[n]
	}
	for _, g := range m.gone {
		before := m.describedGone(g)
		var todos []string
		candidates := m.candidates(m.x.Props[g], g, fresh)
		switch {
		case candidates != "" && !isParameters(m.name):
			todos = append(todos, fmt.Sprintf("%q is gone, and %s came: is its data there? Then use RemovedFrom, "+
				"Renamed or Nested; as it is, older clients do not read it", g, candidates))
		case candidates != "":
			todos = append(todos, fmt.Sprintf("the parameter %q is gone, and %s came: is it the same? Then use "+
				"Renamed; as it is, %q is dropped", g, candidates, g))
		case m.roles.Request:
			todos = append(todos, fmt.Sprintf("%q is dropped from requests of older clients", g))
		}
		if twice := m.twice(g); twice != "" && candidates == "" {
			todos = append(todos, fmt.Sprintf("%q is gone, and %s stays: is its data there? Then use RemovedFrom; as it is, "+
				"older clients do not read it", g, twice))
		}
		zero := m.zero(m.x.Props[g], m.name+" "+g)
		plain, optional := strconv.Quote(g), fmt.Sprintf("%q, %s", g+",omitempty", zero)
		if !m.x.Required[g] {
			m.forms(m.name, "Removed", g, before, todos, optional, plain)
			continue
		}
		if t, isStruct := m.typeOf(m.x.Props[g], m.name+" "+g); isStruct {
			zero = t + "{}"
		}
		todos = append(todos, fmt.Sprintf("older clients require %q: which constant do they read? Or use "+
			"RemovedFrom", g))
		m.forms(m.name, "Removed", g, before, todos, plain+", "+zero, optional, plain)
	}
}

// twice returns the member of the name and the form of a gone one in an object beside it, or "".
func (m *members) twice(g string) string {
	for _, n := range document.Names(m.y.Props) {
		if in := m.b.View(m.y.Props[n]).Props[g]; in != nil && !isParameters(m.name) && m.a.form(m.x.Props[g]) == m.b.form(in) {
			return n + "." + g
		}
	}
	return ""
}

// added drafts the edits of members that are new.
func (m *members) added() {
	of := m.Set.Get(m.name)
	for _, n := range m.fresh {
		tells := of != nil && slices.ContainsFunc(of.Union, func(u string) bool {
			return m.Set.Get(u) != nil && m.Set.Get(u).By == n
		})
		switch {
		case tells:
			m.note("%s.%s distinguishes the variants now, and is new", m.name, n)
		case m.y.Required[n] && m.roles.Request:
			m.add(m.name, "Added", n, "",
				fmt.Sprintf("%q is required now: what does a request of an older client mean without it?", n))
		default:
			m.add(m.name, "Added", n, "")
			m.Additive = append(m.Additive, m.name+"."+n)
		}
	}
}

// candidates returns the members that may have the data of a gone member: they have the same form or a
// common word, in the same object, and one level in or out. The objects of a list are
// one level in, too, and so is the new form of a member that stays. What was in the gone member may be here. Of an
// object of which nothing stays all new members may have it.
func (m *members) candidates(v any, g string, fresh document.Object) string {
	var near, far []string
	look := func(all document.Object, where string) {
		for _, n := range document.Names(all) {
			if m.a.form(v) != m.b.form(all[n]) && !sharesWord(g, n) {
				continue
			}
			if sharesWord(g, n) || document.Shape(v) == document.Shape(all[n]) {
				near = append(near, where+n)
			} else {
				far = append(far, where+n)
			}
		}
	}
	look(fresh, "")
	for _, n := range m.into {
		look(document.Object{n: m.y.Props[n]}, "")
	}
	here := m.around[len(m.around)-1].fresh // also what other members moved into
	for _, n := range document.Names(m.y.Props) {
		if here[n] == nil && (m.x.Props[n] == nil || m.a.form(m.x.Props[n]) == m.b.form(m.y.Props[n])) {
			continue
		}
		w, where := m.b.View(m.y.Props[n]), n+"."
		if w.Kind == "list" {
			w, where = m.b.View(w.Schema["items"]), n+"[]."
		}
		if w.Kind == "object" {
			look(w.Props, where)
		}
	}
	if len(m.around) > 1 {
		out := m.around[len(m.around)-2]
		look(out.fresh, out.name+".")
	}
	within := m.a.View(v)
	if within.Kind == "list" {
		within = m.a.View(within.Schema["items"])
	}
	for _, n := range document.Names(fresh) { // what came out of it
		if within.Props[n] != nil && !slices.Contains(near, n) {
			near, far = append(near, n), without(far, n)
		}
	}
	for _, n := range document.Names(here) {
		if path := m.b.inside(m.y.Props[n], g, map[string]bool{}); path != "" && !slices.Contains(near, n+path) {
			near = append(near, n+path)
		}
	}
	near = append(near, m.b.extended(m.y, g)...)
	all := slices.Concat(near, far)
	if len(all) == 0 && len(m.gone) == len(m.x.Props) && !isParameters(m.name) { // nothing of the object stays
		all = slices.Clone(m.fresh)
	}
	if len(all) > 4 {
		all = append(all[:4], "others")
	}
	return strings.Join(all, ", ")
}

// whole drafts the edits of the object itself: its keywords, and the required members that no other
// edit shows.
func (m *members) whole() {
	if isParameters(m.name) {
		return
	}
	keywords := document.Object{}
	for _, k := range []string{"additionalProperties", "maxProperties", "minProperties"} {
		a := m.x.Schema[k]
		isBound := a != nil && k != "additionalProperties" &&
			(len(m.gone)+len(m.fresh) > 0 || !maps.Equal(m.x.Required, m.y.Required))
		if (isBound || document.Compact(a) != document.Compact(m.y.Schema[k])) && document.Obj(a) == nil {
			keywords[k] = a
		}
	}
	if isDeprecated(m.x.Schema) != isDeprecated(m.y.Schema) && !inParts(m.y.Schema) {
		keywords["deprecated"] = m.x.Schema["deprecated"]
	}
	if inParts(m.y.Schema) && !inParts(m.x.Schema) {
		keywords["type"] = "object" // a keyword of the whole opens the allOf
	}
	needed := false
	required := []any{}
	for _, p := range document.Names(m.x.Props) {
		if m.x.Required[p] {
			required = append(required, p)
		}
		if m.y.Props[p] == nil { // an edit brings it back
			isRenamed := len(m.alike(p))+len(m.only(p)) > 0
			w := m.a.View(m.x.Props[p])
			needed = needed || m.x.Required[p] && (m.roles.Request && !isRenamed || m.isNested(p) ||
				slices.Contains([]string{"object", "union", "any"}, w.Kind)) ||
				!m.x.Required[p] && slices.ContainsFunc(m.fresh, func(n string) bool { return w.Props[n] != nil && m.y.Required[n] })
			continue
		}
		isNil := strings.Contains(m.zero(m.x.Props[p], m.name+" "+p), "(nil)")
		switch {
		case m.x.Required[p] && !m.y.Required[p]:
			mapped := m.a.form(m.x.Props[p]) != m.b.form(m.y.Props[p])
			needed = needed || mapped || m.roles.Request || isNil && !m.a.View(m.x.Props[p]).Nullable
		case !m.x.Required[p] && m.y.Required[p]:
			needed = needed || !m.roles.Request || isNil
		}
	}
	if needed {
		keywords["required"] = required
	}
	if len(keywords) > 0 {
		m.documents("", keywords)
	}
}

// isNested reports whether a gone member was in an object that came, whose edit cannot require it.
func (m *members) isNested(p string) bool {
	return slices.ContainsFunc(m.fresh, func(n string) bool {
		w := m.b.View(m.y.Props[n])
		return w.Props[p] != nil && (!m.y.Required[n] || !w.Required[p])
	})
}

// inParts reports whether a schema is an allOf of several parts.
func inParts(s document.Object) bool {
	n := len(document.List(s["allOf"]))
	return n > 1 || n == 1 && s["properties"] != nil
}

// describedGone is described for a gone member. The Go types of raw JSON, and of a list or an object among parameters,
// describe nothing.
func (m *members) describedGone(g string) (before string) {
	v := m.x.Props[g]
	t, _ := m.a.typ(v, m.name+" "+g)
	if !isParameters(m.name) || slices.Contains(parameterTypes, t) {
		before = m.described(g, v)
		if before != "" || !m.Set.Is(t, gotype.Raw) {
			return before
		}
	}
	whole := maps.Clone(document.Obj(document.Shaped(m.inlined(v))))
	if len(whole) == 0 && !isParameters(m.name) {
		return ""
	}
	m.carry(whole)
	for _, k := range []string{"type", "nullable"} {
		if whole[k] == nil {
			whole[k] = nil
		}
	}
	return documented(g, whole)
}
