package compare

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/goverso/verso/openapi/internal/draft/document"
	"github.com/goverso/verso/openapi/internal/draft/gotype"
)

// property drafts the edits of a member p of the older version, whose newer form y has under the same
// name. retype gives it another Go type.
func (m *members) property(p string, y document.View, retype func(t string)) {
	v, w := m.a.View(m.x.Props[p]), m.b.View(y.Props[p])
	hint := m.name + " " + p
	if v.Kind != w.Kind || isJoined(v) != isJoined(w) {
		m.mapped(p, y)
		return
	}
	if isParameters(m.name) && v.Kind == "object" && !isForm(m.name) {
		m.objectParameter(p, y, v, w)
		m.presence(p, y, v)
		return
	}
	before, _ := m.b.typ(y.Props[p], hint)
	if t := m.place(m.x.Props[p], y.Props[p], hint, m.roles); t != before {
		retype(t)
	}
	if isJoined(m.x) && (len(m.a.ways(m.x, p)) > 1 || len(m.b.ways(y, p)) > 1) {
		if !slices.Equal(m.a.ways(m.x, p), m.b.ways(y, p)) {
			m.note("%s.%s is described in two ways by several forms, and changed: no edit reaches it", m.name, p)
		}
		return
	}
	isNamed := m.named(p, y, v, w)
	elemX, elemY := v, w
	for elemX.Kind == "list" {
		vi, wi := m.a.View(elemX.Schema["items"]), m.b.View(elemY.Schema["items"])
		if vi.Kind != wi.Kind {
			m.mapped(p, y)
			return
		}
		elemX, elemY = vi, wi
	}
	a, b := maps.Clone(beside(v.Schema, m.x.Props[p])), maps.Clone(beside(w.Schema, y.Props[p]))
	if isNamed {
		delete(a, "nullable")
		v.Nullable = w.Nullable // as the component is
	}
	isOmitted := m.x.Required[p] && !y.Required[p]
	if isOmitted { // an edit of null is about the member that older clients always read
		m.presence(p, y, v)
	}
	if !v.Nullable && w.Nullable && m.roles.Response && !isParameters(m.name) {
		delete(a, "nullable")
		delete(b, "nullable")
		constant := m.zero(m.x.Props[p], hint)
		todo := fmt.Sprintf("%q may be null now: older clients read %s for null. If not, give another constant", p, constant)
		if !m.x.Required[p] || strings.Contains(constant, "(nil)") { // older clients know its absence
			constant = absent
			todo = fmt.Sprintf("%q may be null now: older clients do not get it then. If not, give a constant", p)
		}
		m.add(m.name, "NotNull", p, constant, todo)
	}
	drafted := len(m.edits[m.name])
	m.rawForms(p, y, before)
	m.keywords(p, a, b, v, w)
	m.listedValues(p, v, w, elemX, elemY)
	if drafted == len(m.edits[m.name]) {
		m.inPlace(p, y, v)
	}
	if !isOmitted {
		m.presence(p, y, v)
	}
}

// named documents the component that a member had, if the newest document has it as it was at other places, or the older
// one has another of the new name: clients know the form by this name.
func (m *members) named(p string, y, v, w document.View) bool {
	of, by := m.x.Props[p], y.Props[p]
	inList := v.Kind == "list" && w.Kind == "list"
	if inList {
		of, by = v.Schema["items"], w.Schema["items"]
		v, w = m.a.View(of), m.b.View(by)
	}
	was, now := m.a.Component(of), m.b.Component(by)
	if v.Kind != "object" || w.Kind != "object" || isParameters(m.name) || was == "" || now == "" || was == now ||
		m.b.Schema(was) == nil && m.a.Schema(now) == nil {
		return false
	}
	if w.Nullable && !v.Nullable || v.Nullable && !w.Nullable && !m.a.View(document.Ref(was)).Nullable ||
		!m.staysBelow(of, map[string]bool{}) {
		return false
	}
	m.carry(of)
	whole := maps.Clone(document.Obj(document.Shaped(of)))
	if whole["$ref"] == nil && whole["allOf"] == nil {
		whole["allOf"] = nil
	}
	if inList {
		whole = document.Object{"items": whole}
	}
	m.documents(p, whole)
	return !inList
}

// rawForms documents the older forms of a member, which are written in place, if they are raw JSON, or objects of other components.
func (m *members) rawForms(p string, y document.View, t string) {
	a, b := document.Obj(m.x.Props[p]), document.Obj(y.Props[p])
	isOthers := isJoined(m.a.View(a)) && !slices.Equal(m.a.forms(a), m.b.forms(b))
	if a["$ref"] != nil || b["$ref"] != nil || isParameters(m.name) ||
		!isOthers && !m.Set.Is(strings.TrimPrefix(t, "[]"), gotype.Raw) {
		return
	}
	forms := document.Object{}
	for _, k := range []string{"oneOf", "anyOf"} {
		if document.Shape(a[k]) != document.Shape(b[k]) {
			forms[k] = document.Shaped(a[k])
		}
	}
	if len(forms) == 0 {
		return
	}
	m.carry(forms)
	m.documents(p, forms,
		fmt.Sprintf("%q has other forms, and no edit reaches them: only documents differ, and the values stay as "+
			"they are", p))
}

// presence drafts the edits of a member that only one version requires.
func (m *members) presence(p string, y document.View, v document.View) {
	zero := m.zero(m.x.Props[p], m.name+" "+p)
	isNil := strings.Contains(zero, "(nil)")
	switch {
	case m.x.Required[p] && !y.Required[p] && m.roles.Response && !m.roles.Request && (!isNil || v.Nullable):
		m.add(m.name, "Omitted", p, zero,
			fmt.Sprintf("%q may be absent now, and older clients require it: they read %s then", p, zero))
	case m.x.Required[p] && !y.Required[p] && m.roles.Response:
		if t, isStruct := m.b.typ(y.Props[p], m.name+" "+p); isStruct && !m.roles.Request {
			m.add(m.name, "Omitted", p, t+"{}", fmt.Sprintf("%q may be absent now, and older "+
				"clients require it: they read an empty one then", p))
		} else {
			m.note("%s.%s may be absent now, and older clients require it", m.name, p)
		}
	case !m.x.Required[p] && y.Required[p] && m.roles.Request && !isNil:
		m.absent(p, zero, v)
	case !m.x.Required[p] && y.Required[p] && m.roles.Request:
		m.note("%s.%s is required now, and older clients may leave it out", m.name, p)
	}
}

// absent drafts the meaning of a member that older clients leave out: the default in their document, or zero.
func (m *members) absent(p, zero string, v document.View) {
	published, before := v.Schema["default"], ""
	switch t, _ := m.a.typ(m.x.Props[p], m.name+" "+p); {
	case published == nil && (!isParameters(m.name) || isForm(m.name)):
		before = documented(p, document.Object{"default": nil})
	case published == nil:
	case t == "string":
		zero = strconv.Quote(document.Str(published))
	case slices.Contains(parameterTypes, t) && t != "[]string":
		zero = fmt.Sprintf("%s(%s)", t, document.Compact(published))
	}
	m.forms(m.name, "Default", p, before, []string{fmt.Sprintf("%q is required now, and older clients may leave it out: that means %s",
		p, zero)}, fmt.Sprintf("%q, %s", p, zero))
}

// described returns the edits that document a member of the older version, which its Go type does not
// describe. They are before the edit that brings the member back.
func (d *drafter) described(g string, v any) (before string) {
	w := d.a.View(v)
	if whole := d.wholeScalar(v, w); whole != nil {
		return documented(g, whole)
	}
	doc := keywordsOf(beside(w.Schema, v), nil, true)
	if w.Kind == "list" && !w.Nullable { // a list of Go may be null
		doc["nullable"] = nil
	}
	if len(doc) > 0 && w.Kind != "object" && w.Kind != "union" {
		before = documented(g, doc)
	}
	of := v
	if w.Kind == "list" {
		of = w.Schema["items"]
	}
	c, orNull := d.a.Component(of), document.Obj(of)["oneOf"] != nil || document.Obj(of)["anyOf"] != nil
	if kind := d.a.View(of).Kind; (orNull || c == "" && d.a.Component(v) == "") && (kind == "object" || kind == "union") {
		whole := document.Obj(document.Shaped(d.inlined(v)))
		d.carry(whole)
		if whole["nullable"] == nil {
			whole["nullable"] = nil
		}
		return documented(g, whole)
	} else if c == "" || kind != "object" && kind != "union" || d.b.Schema(c) != nil && d.b.names[c] != "" {
		return before
	}
	if d.b.Schema(c) != nil && document.Shape(d.b.Schema(c)) != document.Shape(d.a.Schema(c)) {
		return before
	}
	d.carry(of)
	if w.Kind != "list" {
		return documented(g, document.Ref(c))
	}
	maps.Copy(doc, document.Object{"type": "array", "items": document.Ref(c), "nullable": nil})
	return documented(g, doc)
}

// parameterTypes are the Go types of parameters.
var parameterTypes = []string{"string", "int64", "bool", "float64", "[]string"}

// zero returns an empty value of an older schema, as an expression of Go.
func (d *drafter) zero(v any, hint string) string {
	t, isStruct := d.a.typ(v, hint)
	parameters := isParameters(strings.Fields(hint)[0])
	switch {
	case parameters && !slices.Contains(parameterTypes, t):
		return `""`
	case isStruct:
		return "(*" + t + ")(nil)"
	case t == "string":
		return `""`
	case t == "int64":
		return "int64(0)"
	case t == "float64":
		return "0.0"
	case t == "bool":
		return "false"
	case strings.HasPrefix(t, "[]"), strings.HasPrefix(t, "map["):
		return t + "{}"
	case d.Set.Is(t, gotype.Raw):
		return "(*" + t + ")(nil)"
	}
	return "*new(" + t + ")"
}

// mapped drafts the functions of a member whose type changed.
func (m *members) mapped(p string, y document.View) {
	hint := m.name + " " + p
	switch {
	case isForm(m.name) && !m.a.View(m.x.Props[p]).IsScalar() && !m.b.View(y.Props[p]).IsScalar():
		m.anyValue(p, y)
		return
	case isParameters(m.name):
		m.parameter(p, y)
		return
	}
	old, _ := m.typeOf(m.x.Props[p], hint)
	now, _ := m.b.typ(y.Props[p], hint)
	if old == now {
		m.anyValue(p, y)
		return
	}
	whole := document.Obj(document.Shaped(m.inlined(m.x.Props[p])))
	if todo := m.moreForms(m.x.Props[p], y.Props[p]); todo != "" && m.staysBelow(whole, map[string]bool{}) {
		m.oneForm(p, whole, y.Props[p], fmt.Sprintf("%q %s, use Mapped", p, todo))
		return
	}
	f := gotype.Local(m.name) + gotype.Name(p)
	up, down, todo := conversion(old, now)
	if isTime := m.a.isTime(m.x.Props[p]) || m.b.isTime(y.Props[p]); isTime {
		up, down, todo = timeConversion(old, now, up, down, todo)
	}
	if m.Set.Is(old, gotype.Raw) && m.Set.Is(now, gotype.Raw) {
		up, down, todo = "return "+now+"(old), nil", "return "+old+"(now), nil", "the JSON stays as it is. If one "+
			"version does not read the other's, write both functions"
	}
	todo = fmt.Sprintf("%q was %s and is %s: %s", p, old, now, todo)
	m.forms(m.name, "Mapped", p, m.described(p, m.x.Props[p]), []string{todo}, fmt.Sprintf("%q, %sUp, %sDown", p, f, f))
	m.Funcs = append(m.Funcs,
		&Func{Todo: todo, Name: f + "Up", Old: "old " + old, New: "now " + now, Body: up},
		&Func{Todo: todo, Name: f + "Down", Old: "now " + now, New: "old " + old, Body: down})
}

// moreForms returns a question about two schemas, or the elements of two lists, if one is raw JSON with a form like the
// other, or "".
func (m *members) moreForms(was, now any) string {
	x, y := m.a.View(was), m.b.View(now)
	if x.Kind == "list" && y.Kind == "list" {
		return m.moreForms(x.Schema["items"], y.Schema["items"])
	}
	has := func(s *side, w document.View, kind string) bool {
		by, _ := s.Texts(w)
		return w.Kind == "union" && by == "" &&
			slices.ContainsFunc(w.Variants, func(form any) bool { return s.View(form).Kind == kind })
	}
	switch {
	case has(m.b, y, x.Kind):
		return "has more forms now: the JSON stays as it is. If older clients do not read all of them"
	case has(m.a, x, y.Kind):
		return "had more forms: the JSON stays as it is. If the service does not read all of them"
	}
	return ""
}

// oneForm documents an older member whose JSON stays as it is.
func (m *members) oneForm(p string, whole document.Object, now any, todo string) {
	m.carry(whole)
	for _, k := range []string{"$ref", "type", "oneOf", "anyOf", "allOf", "nullable"} {
		if whole[k] == nil && document.Obj(now)[k] != nil {
			whole[k] = nil
		}
	}
	m.documents(p, whole, todo)
}

// anyValue documents an older object, or any value, where the Go types of both versions are the same JSON.
func (m *members) anyValue(p string, y document.View) {
	was, now := m.a.View(m.x.Props[p]), m.b.View(y.Props[p])
	older := keywordsOf(was.Schema, now.Schema, false)
	for _, k := range []string{"type", "additionalProperties"} {
		if document.Compact(was.Schema[k]) != document.Compact(now.Schema[k]) {
			older[k] = was.Schema[k]
		}
	}
	if len(older) > 0 {
		m.documents(p, older, fmt.Sprintf(
			"%q was %s and is %s: the JSON stays as it is. If one version does not read the other's, use Mapped", p,
			was.Kind, now.Kind))
	}
}

// isTime reports whether a schema is a text with a date and a time.
func (s *side) isTime(v any) bool {
	w := s.View(v)
	return w.Kind == "string" && document.Str(w.Schema["format"]) == "date-time"
}

// timeConversion is conversion between a text with a time and a number.
func timeConversion(old, now, up, down, todo string) (string, string, string) {
	const toText = "return time.Unix(%s, 0).UTC().Format(time.RFC3339), nil"
	const toNumber = "at, err := time.Parse(time.RFC3339, %s)\nreturn at.Unix(), err"
	const why = "the number has the seconds since 1970. If not, the times are wrong"
	switch {
	case old == "int64" && now == "string":
		return fmt.Sprintf(toText, "old"), fmt.Sprintf(toNumber, "now"), why
	case old == "string" && now == "int64":
		return fmt.Sprintf(toNumber, "old"), fmt.Sprintf(toText, "now"), why
	}
	return up, down, todo
}

// conversion returns the bodies of functions between two Go types.
func conversion(old, now string) (up, down, todo string) {
	const toText, parse = "return strconv.FormatInt(%s, 10), nil", "return strconv.ParseInt(%s, 10, 64)"
	const first = "if len(%[1]s) > 0 {\n%[2]s = %[1]s[0]\n}\nreturn %[2]s, nil"
	switch {
	case old == "string" && now == "int64":
		return fmt.Sprintf(parse, "old"), fmt.Sprintf(toText, "now"), "the text is the number. If not, requests are 400"
	case old == "int64" && now == "string":
		return fmt.Sprintf(toText, "old"), fmt.Sprintf(parse, "now"),
			"the text is the number. If not, responses are 500"
	case old == "int64" && now == "float64":
		return "return float64(old), nil", "return int64(now), nil", "older clients lose the fraction"
	case old == "float64" && now == "int64":
		return "return int64(old), nil", "return float64(now), nil", "requests of older clients lose the fraction"
	case now == "[]"+old:
		return "return []" + old + "{old}, nil", fmt.Sprintf(first, "now", "old"), "older clients read the first"
	case old == "[]"+now:
		return fmt.Sprintf(first, "old", "now"), "return []" + now + "{now}, nil",
			"requests of older clients mean the first"
	}
	return "return now, nil", "return old, nil", "write both functions: until then the value is lost, in requests " +
		"and in responses"
}
