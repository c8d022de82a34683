package compare

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goverso/verso/openapi/internal/draft/document"
	"github.com/goverso/verso/openapi/internal/draft/gotype"
)

// drafter compares the documents of two versions that follow each other.
type drafter struct {
	*Draft
	a, b    *side // the older, and the newer
	edits   map[string][]*Edit
	done    map[string]bool
	mains   map[string]string // a Go type to the older schema that it is compared with
	owns    map[string]string // a Go type and another older schema, to the Go type of that place
	around  []surrounding
	earlier []*drafter // of newer versions
	routes  map[string]*Route
	only    bool // the older document is the only one
}

// surrounding is a struct whose members are compared: edits move members in or out of it.
type surrounding struct {
	name  string
	fresh document.Object // what is new there
}

// add drafts an edit of a member of a Go type: a call of a function of package migrate with the member and the rest of
// its arguments.
func (d *drafter) add(name, kind, member, rest string, todos ...string) *Edit {
	arguments := strconv.Quote(member)
	if rest != "" {
		arguments += ", " + rest
	}
	return d.forms(name, kind, member, "", todos, arguments)
}

// forms drafts an edit with several forms, each first with what documents it.
func (d *drafter) forms(name, kind, member, before string, todos []string, arguments ...string) *Edit {
	e := &Edit{Member: member, Todos: todos}
	e.Kind, _, _ = strings.Cut(kind, "[")
	for _, list := range arguments {
		form := fmt.Sprintf("migrate.%s(%s)", kind, list)
		if before != "" {
			e.Options = append(e.Options, before+form)
		}
		e.Options = append(e.Options, form)
	}
	d.edits[name] = append(d.edits[name], e)
	return e
}

// documents drafts an edit of how a member is described.
func (m *members) documents(member string, keywords any, todos ...string) *Edit {
	return m.add(m.name, "Documented", member, "`"+raw(keywords)+"`", todos...)
}

// documented returns an edit of how a member is described, in front of another one.
func documented(member string, keywords any) string {
	return fmt.Sprintf("migrate.Documented(%q, `%s`),\n", member, raw(keywords))
}

// components compares those that both documents have, at no place in particular.
func (d *drafter) components() {
	for _, c := range document.Names(d.b.Schemas()) {
		if d.a.Schema(c) == nil || d.b.names[c] == "" {
			continue
		}
		d.place(document.Ref(c), document.Ref(c), c, d.a.RolesOf(c).And(d.b.RolesOf(c)))
	}
}

// place returns the Go type of a newer schema at a place where an older one was, and drafts its edits.
// A component that replaces several older components has a Go type for each of these.
func (d *drafter) place(v, w any, hint string, roles document.Roles) string {
	t, isStruct := d.b.typ(w, hint)
	if v == nil || w == nil {
		return t
	}
	x, y := d.a.View(v), d.b.View(w)
	switch {
	case isJoined(x) != isJoined(y):
		d.note("%s: one form is several: no edit reaches them", hint)
		return t
	case isStruct && d.wasMap(x, y):
		return d.structOf(t, v, w, hint, roles)
	case x.Kind == "list" && y.Kind == "list":
		return "[]" + d.place(x.Schema["items"], y.Schema["items"], hint, roles)
	case x.Kind == "map" && y.Kind == "map" && document.Obj(x.Schema["additionalProperties"]) != nil &&
		strings.HasPrefix(t, "map["):
		return "map[string]" + d.place(x.Schema["additionalProperties"], y.Schema["additionalProperties"], hint, roles)
	case x.Kind == "union" && y.Kind == "union":
		d.union(t, x, y, roles)
		d.became(v, t)
		return t
	case x.Kind != y.Kind && (x.Kind == "union" || y.Kind == "union"):
		d.note("%s: one form is several: no edit reaches them", hint)
		return t
	case !isStruct || x.Kind != "object":
		return t
	}
	t = d.structOf(t, v, w, hint, roles)
	d.became(v, t)
	return t
}

// became notes the type of an older schema for still older documents.
func (d *drafter) became(v any, t string) {
	if !d.only {
		d.a.became(v, t)
	}
}

// isAnyObject reports whether a schema is an object without a description of its members.
func isAnyObject(w document.View) bool {
	return w.Kind == "map" && len(document.Obj(w.Schema["additionalProperties"])) == 0
}

// wasMap reports whether a newer object was one without a description of its members, or a map whose values were like
// each of them.
func (d *drafter) wasMap(x, y document.View) bool {
	if x.Kind != "map" || y.Kind != "object" || isAnyObject(x) {
		return isAnyObject(x)
	}
	of := x.Schema["additionalProperties"]
	for _, p := range y.Props {
		c := d.a.Component(of)
		isSame := c != "" && c == d.b.Component(p)
		if !isSame && document.Shape(d.a.Follow(of)) != document.Shape(d.b.Follow(p)) {
			return false
		}
	}
	return true
}

// structOf is place for an object.
func (d *drafter) structOf(t string, v, w any, hint string, roles document.Roles) string {
	x, y := d.a.View(v), d.b.View(w)
	ca, cb := d.a.Component(v), d.b.Component(w)
	key := ca
	if key == "" {
		key = document.Shape(d.a.Follow(v))
	}
	main, known := d.mains[t]
	if !known {
		if main = key; d.a.Schema(cb) != nil {
			main = cb
		}
		d.mains[t] = main
	}
	if key == main {
		if cb != "" {
			roles = roles.And(d.b.RolesOf(cb))
		}
		d.object(t, x, y, roles)
		return t
	}
	was := v
	if ca != "" {
		was = document.Ref(ca)
	}
	if s := d.a.Schema(main); s != nil && document.Shape(s) == document.Shape(d.a.Follow(was)) {
		return t
	}
	own := d.owns[t+" "+key]
	if own == "" {
		of := ca
		if of == "" {
			of = hint
		}
		own = d.Set.Free(t + "Of" + gotype.Name(of))
		d.owns[t+" "+key] = own
		d.Set.Copy(t, own)
		d.Set.Get(own).Doc = fmt.Sprintf("is %s where %s has %s", t, d.a.Version, of)
		for _, newer := range d.earlier { // what happened to the newer form happened to this one
			newer.edits[own] = slices.Clone(newer.edits[t])
		}
		d.object(own, x, y, roles)
	}
	return own
}

// typeOf returns the Go type of an older schema: the type of the newer schema, if its edits are there.
func (d *drafter) typeOf(v any, hint string) (t string, isStruct bool) { return d.a.typ(v, hint) }

func without(l []string, p string) []string {
	return slices.DeleteFunc(slices.Clone(l), func(q string) bool { return p == q })
}

// missing returns the names that only the first has, sorted.
func missing(a, b document.Object) (l []string) {
	for _, p := range document.Names(a) {
		if b[p] == nil {
			l = append(l, p)
		}
	}
	return l
}

// isParameters reports whether a Go type is of parameters, by its name.
func isParameters(name string) bool { return parametersName.MatchString(name) }

// isForm is isParameters for those of a form alone.
func isForm(name string) bool {
	found := parametersName.FindStringSubmatch(name)
	return found != nil && found[1] == "Form"
}

var parametersName = regexp.MustCompile(`Params(Query|Headers|Form)\d*$`)

var words = regexp.MustCompile(`[A-Z]?[a-z]{3,}`)

// sharesWord reports whether two names have a word in common, or one has its plural.
func sharesWord(a, b string) bool {
	for _, v := range words.FindAllString(a, -1) {
		for _, w := range words.FindAllString(b, -1) {
			if strings.EqualFold(singular(v), singular(w)) {
				return true
			}
		}
	}
	return false
}

// singular returns a word without the end of a plural.
func singular(word string) string {
	if stem, ok := strings.CutSuffix(word, "ies"); ok {
		return stem + "y"
	}
	return strings.TrimSuffix(word, "s")
}

// raw returns JSON that can be between back quotes.
func raw(v any) string { return strings.ReplaceAll(document.Compact(v), "`", `\u0060`) }

// innermost returns what lists and maps in each other hold in both versions, and whether a map is among them.
func (d *drafter) innermost(v, w any, inMap bool) (x, y document.View, isInMap bool) {
	x, y = d.a.View(v), d.b.View(w)
	of := map[string]string{"list": "items", "map": "additionalProperties"}[x.Kind]
	if x.Kind != y.Kind || document.Obj(x.Schema[of]) == nil || document.Obj(y.Schema[of]) == nil {
		return x, y, inMap || x.Kind == "map"
	}
	return d.innermost(x.Schema[of], y.Schema[of], inMap || x.Kind == "map")
}
