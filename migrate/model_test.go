package migrate_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

// The model rewrites decoded values, one edit of one version after the other. It has
// no plan, and knows no stream.

// modelEdit is an edit of the model. Its members mean what the edit's own do.
type modelEdit struct {
	op, name, other, third string
	constant               string // JSON, or ""
	inside                 map[string]string
	real                   map[string]bool // the names inside of what cannot be null
}

func (e modelEdit) edit() migrate.Edit {
	raw := json.RawMessage(e.constant)
	switch e.op {
	case "renamed":
		return migrate.Renamed(e.other, e.name)
	case "added":
		if e.constant == "" {
			return migrate.Added(e.name, migrate.Absent)
		}
		return migrate.Added(e.name, raw)
	case "removed":
		return migrate.Removed(e.name, raw)
	case "removed from":
		return migrate.RemovedFrom(e.name, e.other, func(raw json.RawMessage) (json.RawMessage, error) { return raw, nil })
	case "default":
		return migrate.Default(e.name, raw)
	case "values":
		return migrate.Values(e.name, map[string]string{"o": "n", "x": "o"}, migrate.NewValue("z", "o"), migrate.OldValue("y", "q"))
	case "mapped":
		return migrate.Mapped(e.name, toCents, toEuros)
	case "joined":
		return migrate.Joined(e.other, e.third, e.name, joinSpace, splitSpace)
	case "split":
		return migrate.Split(e.third, e.name, e.other, splitSpace, joinSpace)
	}
	switch e.op {
	case "nothing":
		return migrate.Removed(e.name)
	case "nothing of text":
		return migrate.Removed(e.name+",omitempty", "")
	case "removed from several":
		return migrate.RemovedFrom(e.name, "", func(in several) (string, error) { return in.text(), nil })
	case "documented":
		return migrate.Documented(e.name, `{"title":"t"}`)
	case "documented object":
		return migrate.Documented("", `{"title":"t","required":[]}`)
	case "additive":
		return migrate.Additive(e.name)
	case "mapped omitzero":
		return migrate.Mapped(e.name+",omitzero", toCents, toEuros)
	case "omitted":
		return migrate.Omitted(e.name, raw)
	case "not null":
		return migrate.NotNull(e.name, raw)
	case "not null, but nothing":
		return migrate.NotNull(e.name, migrate.Absent)
	case "refused":
		return migrate.Added(e.name, migrate.Refused)
	case "flattened":
		return migrate.Flattened[struct {
			P any `json:"p,omitempty"`
			Q any `json:"q,omitempty"`
		}](e.name, e.inside)
	}
	return migrate.Nested(e.name, e.inside)
}

// several are members that a function reads.
type several struct {
	A json.RawMessage `json:"a"`
	B json.RawMessage `json:"b"`
}

func (s several) text() string { return string(s.A) + "|" + string(s.B) }

type modelMember struct {
	name, kind string
	optional   bool
	real       bool // its Go type is that of a text or a number, which cannot be null
}

// fit gives the edit a constant of the kind.
func (e *modelEdit) fit(kind string) {
	if other := map[string]string{"string": `"x y"`, "int": "17"}[kind]; other != "" && e.constant != "" {
		e.constant = other
	}
}

func isScalar(kind string) bool { return kind == "string" || kind == "int" || kind == "any" }

// modelHistory is a random history of a type A, which embeds E, and contains B and C, alone and in two unions: of U older
// clients read another value, and their lists lack what is new in L.
type modelHistory struct {
	types    map[string]reflect.Type
	members  map[string][][]modelMember // by type, of each version, the newest first
	edits    map[string][][]modelEdit   // by type, of each version but the oldest, in the order in which they were made
	variants map[string][]modelVariant  // of U and L: at most one edit in each version but the oldest
	versions []string
	history  *migrate.History
}

// modelVariant is an edit of a union, "" for none.
type modelVariant struct{ op, old, now, instead string }

type (
	unionU any
	unionL any
)

// textsOf are the texts of the newest version.
var textsOf = map[string]string{"b": "B", "bb": "B", "c": "C"}

func newModelHistory(t *testing.T, random *rand.Rand) *modelHistory {
	t.Helper()
	m := &modelHistory{types: map[string]reflect.Type{}, members: map[string][][]modelMember{}, edits: map[string][][]modelEdit{}, variants: map[string][]modelVariant{}}
	m.types["U"], m.types["L"] = reflect.TypeFor[unionU](), reflect.TypeFor[unionL]()
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	for _, name := range []string{"E", "B", "C", "A"} {
		var fields []reflect.StructField
		var members []modelMember
		for i, member := range random.Perm(6)[:3+random.IntN(3)] {
			kind := pick("string", "string", "int", "int", "any", "object")
			if name == "A" {
				kind = pick("string", "int", "any", "B", "*B", "[]B", "map[string]B", "U", "[]U", "map[string]U", "[]L")
			}
			mm, tag := modelMember{name: string(rune('a' + member)), kind: kind, optional: random.IntN(2) == 0}, ""
			if name == "E" {
				mm.name = "e" + mm.name
			}
			if mm.optional {
				tag = ",omitempty"
			}
			members = append(members, mm)
			fields = append(fields, reflect.StructField{
				Name: "F" + strconv.Itoa(i), Type: m.goType(kind),
				Tag: reflect.StructTag(fmt.Sprintf(`json:%q type:%q`, mm.name+tag, name)),
			})
		}
		switch {
		case name == "B" || name == "C":
			members = append(members, modelMember{name: "kind", kind: "text", optional: false})
			fields = append(fields, reflect.StructField{Name: "Kind", Type: reflect.TypeFor[string](), Tag: `json:"kind"`})
		case name == "A" && random.IntN(2) == 0:
			fields = append(fields, reflect.StructField{Name: "E", Type: m.types["E"], Anonymous: true})
			members = append(members, modelMember{name: "", kind: "E", optional: false}) // its members are promoted
		}
		m.types[name], m.members[name] = reflect.StructOf(fields), [][]modelMember{members}
	}
	var revisions []migrate.Revision
	for _, union := range []string{"U", "L"} {
		revisions = append(revisions, migrate.OneOfType(m.types[union], "kind", migrate.VariantType(m.types["B"], "b", "bb"), migrate.VariantType(m.types["C"], "c")))
	}
	count := 2 + random.IntN(4)
	for i := range count {
		m.versions = append(m.versions, "v"+strconv.Itoa(count-i))
	}
	texts := map[string][]string{"U": {"b", "bb", "c"}, "L": {"b", "bb", "c"}} // of the version, by those of the newest
	for i := range count - 1 {
		var changes []*migrate.Change
		for _, name := range []string{"E", "A", "B", "C"} {
			older := slices.Clone(m.members[name][i])
			var edits []modelEdit
			for range random.IntN(5) {
				if e, ok := randomEdit(random, &older, name); ok {
					edits = append([]modelEdit{e}, edits...)
				}
			}
			m.members[name], m.edits[name] = append(m.members[name], older), append(m.edits[name], edits)
			var declared []migrate.Edit
			for _, e := range edits {
				if e.op == "withheld" {
					declared = append(declared, migrate.WithheldRaw(m.types[name], isNewInModel(m.members[name][0][0].name)))
				} else {
					declared = append(declared, e.edit())
				}
			}
			changes = append(changes, migrate.Changed("A change.", migrate.ForType(m.types[name], declared...)))
		}
		for _, name := range []string{"U", "L"} {
			v, declared := randomVariant(random, texts[name], i, name == "L")
			m.variants[name] = append(m.variants[name], v)
			changes = append(changes, migrate.Changed("A variant.", migrate.ForType(m.types[name], declared...)))
		}
		revisions = append(revisions, migrate.Release(m.versions[i], changes...))
	}
	h, err := migrate.New(apiOf(m.versions...), append(revisions, migrate.Release("v1"))...)
	require.NoError(t, err)
	m.history = h
	return m
}

// isNewInModel is the function of withheld elements: those with a text in a member of the newest version.
func isNewInModel(name string) func([]byte) bool {
	return func(raw []byte) bool {
		var members map[string]json.RawMessage
		_ = json.Unmarshal(raw, &members)
		return string(members[name]) == `"o"`
	}
}

// randomVariant takes a random edit of a union back. texts are of the version, by their place in the newest one, "" for
// those that the version lacks.
func randomVariant(random *rand.Rand, texts []string, version int, isList bool) (v modelVariant, declared []migrate.Edit) {
	at := random.IntN(len(texts))
	switch v.now = texts[at]; random.IntN(5) {
	case 0:
		if v.now == "" {
			return modelVariant{}, nil
		}
		v.op, v.old = "renamed", fmt.Sprint("r", version)
		texts[at] = v.old
		return v, []migrate.Edit{migrate.RenamedVariant(v.old, v.now)}
	case 1:
		if v.now == "" {
			return modelVariant{}, nil
		}
		texts[at] = ""
		v.op, v.instead = "new", []string{"null", "null", "absent", "other"}[random.IntN(4)]
		other := slices.IndexFunc(texts, func(text string) bool { return text != "" })
		switch {
		case v.instead == "absent" && isList:
			return v, []migrate.Edit{migrate.NewVariant(v.now, migrate.Absent)}
		case v.instead == "other" && other >= 0:
			v.instead = fmt.Sprintf(`{"kind":%q,"zz":1}`, []string{"b", "bb", "c"}[other])
			return v, []migrate.Edit{migrate.NewVariant(v.now, json.RawMessage(v.instead))}
		}
		v.instead = "null"
		return v, []migrate.Edit{migrate.NewVariant(v.now, nil)}
	case 2:
		v = modelVariant{op: "removed", old: fmt.Sprint("g", version)}
		return v, []migrate.Edit{migrate.RemovedVariant(v.old)}
	}
	return modelVariant{}, nil
}

// variant returns what becomes of an object of a union: its text in the other version, whether an element is left out, and
// what is read instead.
func (m *modelHistory) variant(union, text string, index int, up bool) (other, instead string, known bool, err error) {
	edits := m.variants[union][:index]
	if !up {
		if textsOf[text] == "" {
			return "", "", false, nil
		}
		for _, v := range edits {
			switch {
			case v.op == "new" && v.now == text:
				return "", v.instead, true, nil
			case v.op == "renamed" && v.now == text:
				text = v.old
			}
		}
		return text, "", true, nil
	}
	// The texts of the version, and those that only newer ones have.
	own, newer := map[string]string{"b": "b", "bb": "bb", "c": "c"}, map[string]bool{}
	for _, v := range edits {
		now, has := own[v.now]
		delete(own, v.now)
		if v.op == "renamed" || v.op == "new" {
			newer[v.now] = true
		}
		switch {
		case v.op == "renamed" && has:
			own[v.old] = now
		case v.op == "removed":
			own[v.old] = "" // which no newer version has
			if has {
				own[v.now] = now
			}
		}
	}
	now, has := own[text]
	switch {
	case has && now == "", !has && newer[text]:
		return "", "", true, errModelValue
	case !has:
		return "", "", false, nil
	}
	return now, "", true, nil
}

func (m *modelHistory) goType(kind string) reflect.Type {
	switch kind {
	case "B":
		return m.types["B"]
	case "*B":
		return reflect.PointerTo(m.types["B"])
	case "[]B":
		return reflect.SliceOf(m.types["B"])
	case "map[string]B":
		return reflect.MapOf(reflect.TypeFor[string](), m.types["B"])
	case "U":
		return m.types["U"]
	case "[]U", "[]L":
		return reflect.SliceOf(m.types[kind[2:]])
	case "map[string]U":
		return reflect.MapOf(reflect.TypeFor[string](), m.types["U"])
	case "object":
		return basic["any"]
	}
	return basic[kind]
}

// randomEdit takes a random edit back.
func randomEdit(random *rand.Rand, members *[]modelMember, of string) (e modelEdit, ok bool) {
	taken := func(name string) bool {
		return slices.ContainsFunc(*members, func(m modelMember) bool { return m.name == name })
	}
	free := len(*members) * 10 // names of this edit, when all short ones are taken
	fresh := func() string {
		for range 100 {
			name := string(rune('a' + random.IntN(12)))
			if of == "E" {
				name = "e" + name
			}
			if !taken(name) && name != e.other && name != e.third {
				return name
			}
		}
		free++
		return of + "free" + strconv.Itoa(free)
	}
	one := func(kinds ...string) int {
		for _, i := range random.Perm(len(*members)) {
			if k := (*members)[i].kind; len(kinds) == 0 && k != "text" && k != "E" || slices.Contains(kinds, k) {
				return i
			}
		}
		return -1
	}
	constants := []string{"1", `"o"`, "null", "[1,2]", `{"p":1}`, `"x y"`}
	ops := []string{"renamed", "added", "removed", "removed from", "default", "values", "mapped", "split", "joined", "nested", "nothing", "omitted", "refused", "flattened",
		"nothing of text", "removed from several", "documented", "additive", "withheld", "mapped omitzero", "not null", "not null, but nothing", "documented object"}
	e = modelEdit{op: ops[random.IntN(len(ops))]}
	e.constant = constants[random.IntN(len(constants))]
	i := one()
	if i < 0 && e.op != "removed" && e.op != "nothing" && e.op != "nothing of text" {
		return e, false
	}
	switch e.op {
	case "renamed":
		e.name, e.other = (*members)[i].name, fresh()
		(*members)[i].name = e.other
	case "added":
		if random.IntN(2) == 0 || !isScalar((*members)[i].kind) {
			e.constant = ""
		}
		e.name = (*members)[i].name
		e.fit((*members)[i].kind)
		*members = slices.Delete(*members, i, i+1)
	case "removed":
		e.name = fresh()
		*members = append(*members, modelMember{name: e.name, kind: "any", optional: false})
	case "nothing":
		e.name = fresh()
		*members = append(*members, modelMember{name: e.name, kind: "any", optional: true})
	case "omitted":
		if !isScalar((*members)[i].kind) || !(*members)[i].optional {
			return e, false
		}
		e.name = (*members)[i].name
		e.fit((*members)[i].kind)
		(*members)[i].optional = false
	case "not null", "not null, but nothing":
		if i = one("any"); i < 0 || e.constant == "null" {
			return e, false
		}
		e.name = (*members)[i].name
		(*members)[i].optional = (*members)[i].optional || e.op == "not null, but nothing"
	case "refused":
		e.name = (*members)[i].name
		*members = slices.Delete(*members, i, i+1)
	case "flattened":
		var flat []modelMember
		for _, m := range *members {
			if isScalar(m.kind) && len(flat) < 2 {
				flat = append(flat, m)
			}
		}
		if len(flat) < 2 {
			return e, false
		}
		e.inside = map[string]string{"p": flat[0].name, "q": flat[1].name}
		e.real = map[string]bool{"p": flat[0].real, "q": flat[1].real}
		e.name = fresh()
		*members = slices.DeleteFunc(*members, func(m modelMember) bool { return m == flat[0] || m == flat[1] })
		*members = append(*members, modelMember{name: e.name, kind: "flat", optional: flat[0].optional && flat[1].optional})
	case "removed from":
		e.other = (*members)[i].name
		optional := (*members)[i].optional
		e.name = fresh()
		*members = append(*members, modelMember{name: e.name, kind: "any", optional: optional})
	case "default":
		if !isScalar((*members)[i].kind) { // whose constant does not fit
			return e, false
		}
		e.name = (*members)[i].name
		e.fit((*members)[i].kind)
	case "nothing of text":
		e.name = fresh()
		*members = append(*members, modelMember{name: e.name, kind: "string", optional: true, real: true})
	case "removed from several":
		optional := true
		for _, name := range []string{"a", "b"} {
			at := slices.IndexFunc(*members, func(m modelMember) bool { return m.name == name && isScalar(m.kind) })
			if at < 0 {
				return e, false
			}
			optional = optional && (*members)[at].optional
		}
		e.name = fresh()
		*members = append(*members, modelMember{name: e.name, kind: "string", optional: optional, real: true})
	case "documented", "additive":
		e.name = (*members)[i].name
	case "withheld", "documented object":
	case "values", "mapped", "mapped omitzero":
		if i = one(map[string]string{"values": "string", "mapped": "int", "mapped omitzero": "int"}[e.op]); i < 0 {
			return e, false
		}
		e.name = (*members)[i].name
		(*members)[i].optional = (*members)[i].optional || e.op == "mapped omitzero"
		(*members)[i].real = (*members)[i].real || e.op != "values"
	case "split":
		a := one("string")
		if a < 0 {
			return e, false
		}
		b := -1
		for j, m := range *members {
			if j != a && m.kind == "string" {
				b = j
			}
		}
		if b < 0 {
			return e, false
		}
		e.name, e.other = (*members)[a].name, (*members)[b].name
		e.third = fresh()
		(*members)[a].name, (*members)[a].optional, (*members)[a].real = e.third, (*members)[a].optional && (*members)[b].optional, true
		*members = slices.Delete(*members, b, b+1)
	case "joined":
		if i = one("string"); i < 0 {
			return e, false
		}
		e.name = (*members)[i].name
		e.other = fresh()
		e.third = fresh()
		(*members)[i].name, (*members)[i].real = e.other, true
		*members = append(*members, modelMember{name: e.third, kind: "string", optional: (*members)[i].optional, real: true})
	case "nested":
		if i = one("object"); i < 0 {
			return e, false
		}
		e.name = (*members)[i].name
		e.other = fresh()
		e.third = fresh()
		e.inside = map[string]string{e.other: "p", e.third: "q"}
		*members = slices.Concat((*members)[:i], (*members)[i+1:], []modelMember{{name: e.other, kind: "any", optional: true}, {name: e.third, kind: "any", optional: true}})
	}
	return e, true
}

// lazy is a value that is made when it is needed. nil: it is absent.
type lazy func() (json.RawMessage, error)

var errModelValue = errors.New("value")

func typed[In, Out any](from lazy, fn func(In) (Out, error)) lazy {
	return func() (json.RawMessage, error) {
		raw, err := from()
		if err != nil || raw == nil || string(raw) == "null" {
			return raw, err
		}
		var in In
		if json.Unmarshal(raw, &in) != nil {
			return nil, errModelValue
		}
		out, err := fn(in)
		if err != nil {
			return nil, errModelValue
		}
		return json.Marshal(out)
	}
}

func constant(text string) lazy {
	return func() (json.RawMessage, error) { return json.RawMessage(text), nil }
}

func valueDown(s string) (string, error) {
	if older, ok := map[string]string{"n": "o", "o": "x", "z": "o"}[s]; ok {
		return older, nil
	}
	return s, nil
}

func valueUp(s string) (string, error) {
	switch s {
	case "o":
		return "n", nil
	case "x":
		return "o", nil
	case "n", "z":
		return "", errModelValue
	case "y":
		return "q", nil
	}
	return s, nil
}

func (e modelEdit) apply(of map[string]lazy, mode string, refused map[string][]string) {
	up := mode != "down"
	if up {
		e.refuse(refused)
	}
	move := func(from, to string) {
		value := of[from]
		delete(of, from)
		if value != nil {
			of[to] = value
		}
	}
	switch {
	case e.op == "renamed" && up:
		move(e.other, e.name)
	case e.op == "renamed":
		move(e.name, e.other)
	case e.op == "added" && mode == "POST" && e.constant != "":
		of[e.name] = constant(e.constant)
	case e.op == "added", e.op == "refused", up && (strings.HasPrefix(e.op, "removed") || strings.HasPrefix(e.op, "nothing")):
		delete(of, e.name)
	case e.op == "omitted" && !up:
		of[e.name] = orElse(of[e.name], e.constant)
	case e.op == "not null" && !up && of[e.name] != nil:
		of[e.name] = notNull(of[e.name], json.RawMessage(e.constant))
	case e.op == "not null, but nothing" && !up && of[e.name] != nil:
		of[e.name] = notNull(of[e.name], nil)
	case e.op == "flattened" && up:
		from := of[e.name]
		delete(of, e.name)
		if from != nil {
			for inside, name := range e.inside {
				of[name] = memberIn(from, inside, true, mode != "POST", e.real[inside])
			}
		}
	case e.op == "flattened":
		p, q := of[e.inside["p"]], of[e.inside["q"]]
		delete(of, e.inside["p"])
		delete(of, e.inside["q"])
		if p != nil || q != nil {
			of[e.name] = func() (json.RawMessage, error) { return object(p, q) }
		}
	case e.op == "removed":
		of[e.name] = constant(e.constant)
	case e.op == "removed from several":
		a, b := of["a"], of["b"]
		if a != nil || b != nil {
			of[e.name] = func() (json.RawMessage, error) { return severalOf(a, b) }
		}
	case e.op == "removed from":
		if from := of[e.other]; from != nil {
			of[e.name] = from
		}
	case e.op == "default" && up && mode != "PATCH":
		of[e.name] = orElse(of[e.name], e.constant)
	case of[e.name] != nil && e.op == "values" && up:
		of[e.name] = typed(of[e.name], valueUp)
	case of[e.name] != nil && e.op == "values":
		of[e.name] = typed(of[e.name], valueDown)
	case of[e.name] != nil && e.op == "mapped" && up:
		of[e.name] = typed(of[e.name], toCents)
	case of[e.name] != nil && e.op == "mapped":
		of[e.name] = typed(of[e.name], toEuros)
	case of[e.name] != nil && e.op == "mapped omitzero" && up:
		if of[e.name] = typed(of[e.name], toCents); mode == "POST" {
			of[e.name] = notZero(of[e.name])
		}
	case of[e.name] != nil && e.op == "mapped omitzero":
		of[e.name] = notZero(typed(of[e.name], toEuros))
	case e.op == "split" && up && of[e.third] != nil:
		parted(of, e.third, e.name, e.other)
	case e.op == "joined" && !up && of[e.name] != nil:
		parted(of, e.name, e.other, e.third)
	case e.op == "split" && !up, e.op == "joined" && up:
		from, whole := [2]string{e.name, e.other}, e.third
		if up {
			from, whole = [2]string{e.other, e.third}, e.name
		}
		a, b := of[from[0]], of[from[1]]
		delete(of, from[0])
		delete(of, from[1])
		of[whole] = func() (json.RawMessage, error) { return joined(a, b, e.op == "joined" && mode == "PATCH") }
	case e.op == "nested" && up:
		p, q := of[e.other], of[e.third]
		delete(of, e.other)
		delete(of, e.third)
		of[e.name] = func() (json.RawMessage, error) { return object(p, q) }
	case e.op == "nested":
		from := of[e.name]
		delete(of, e.name)
		if from == nil {
			return
		}
		for name, inside := range e.inside {
			of[name] = memberIn(from, inside, false, false, false)
		}
	}
}

// refuse tells which names may not be sent, by the name that the member has: Renamed and others move it.
func (e modelEdit) refuse(refused map[string][]string) {
	take := func(names ...string) (all []string) {
		for _, name := range names {
			all = append(all, refused[name]...)
			delete(refused, name)
		}
		return all
	}
	put := func(all []string, names ...string) {
		for _, name := range names {
			if len(all) > 0 {
				refused[name] = append(slices.Clone(all), name)
			}
		}
	}
	switch e.op {
	case "refused":
		refused[e.name] = []string{e.name}
	case "renamed":
		put(take(e.other), e.name)
	case "split":
		put(take(e.third), e.name, e.other)
	case "flattened":
		put(take(e.name), e.inside["p"], e.inside["q"])
	case "joined", "nested":
		put(take(e.other, e.third), e.name)
	case "removed", "removed from", "nothing", "nothing of text", "removed from several":
		take(e.name)
	}
}

// notNull has another value for null, or none.
func notNull(from lazy, instead json.RawMessage) lazy {
	return func() (json.RawMessage, error) {
		raw, err := from()
		if string(raw) == "null" {
			return instead, err
		}
		return raw, err
	}
}

// notZero leaves out 0 and null.
func notZero(from lazy) lazy {
	return func() (json.RawMessage, error) {
		raw, err := from()
		if string(raw) == "0" || string(raw) == "null" {
			return nil, err
		}
		return raw, err
	}
}

func severalOf(a, b lazy) (json.RawMessage, error) {
	var s several
	for to, from := range map[*json.RawMessage]lazy{&s.A: a, &s.B: b} {
		if from != nil {
			raw, err := from()
			if err != nil {
				return nil, err
			}
			*to = raw
		}
	}
	if s.A == nil && s.B == nil {
		return nil, nil
	}
	return json.Marshal(s.text())
}

func orElse(from lazy, constant string) lazy {
	return func() (json.RawMessage, error) {
		if from != nil {
			if raw, err := from(); raw != nil || err != nil {
				return raw, err
			}
		}
		return json.RawMessage(constant), nil
	}
}

func memberIn(from lazy, inside string, folded, clears, cannot bool) lazy {
	return func() (json.RawMessage, error) {
		raw, err := from()
		switch {
		case clears && cannot && err == nil && string(raw) == "null":
			return nil, errModelValue
		case clears && err == nil && string(raw) == "null":
			return raw, nil
		case err != nil || raw == nil || string(raw) == "null":
			return nil, err
		}
		var members map[string]json.RawMessage
		if json.Unmarshal(raw, &members) != nil {
			return nil, errModelValue
		}
		if upper := members[strings.ToUpper(inside)]; folded && upper != nil {
			return upper, nil
		}
		return members[inside], nil
	}
}

func parted(of map[string]lazy, whole, a, b string) {
	from := of[whole]
	delete(of, whole)
	of[a] = typed(from, func(s string) (string, error) { a, _, err := splitSpace(s); return a, err })
	of[b] = typed(from, func(s string) (string, error) { _, b, err := splitSpace(s); return b, err })
}

func joined(a, b lazy, both bool) (json.RawMessage, error) {
	count := 0
	var texts [2]string
	some, all := false, true
	for i, from := range []lazy{a, b} {
		if from == nil {
			continue
		}
		raw, err := from()
		if err != nil {
			return nil, err
		}
		if raw != nil {
			count++
		}
		some = some || raw != nil
		all = all && (raw == nil || string(raw) == "null")
		if raw != nil && json.Unmarshal(raw, &texts[i]) != nil {
			return nil, errModelValue
		}
	}
	switch {
	case !some:
		return nil, nil
	case both && count == 1:
		return nil, errModelValue
	case all:
		return json.RawMessage("null"), nil
	}
	text, _ := joinSpace(texts[0], texts[1])
	return json.Marshal(text)
}

func object(p, q lazy) (json.RawMessage, error) {
	var parts []string
	for name, from := range map[string]lazy{"p": p, "q": q} {
		if from == nil {
			continue
		}
		raw, err := from()
		if err != nil {
			return nil, err
		}
		if raw != nil {
			parts = append(parts, fmt.Sprintf("%q:%s", name, raw))
		}
	}
	if len(parts) == 0 {
		return nil, nil
	}
	return json.RawMessage("{" + strings.Join(parts, ",") + "}"), nil
}

// rewrite is what the model makes of a value.
func (m *modelHistory) rewrite(kind string, index int, mode string, raw json.RawMessage) (json.RawMessage, error) {
	up := mode != "down"
	raw = bytes.TrimSpace(raw)
	kind = strings.TrimPrefix(kind, "*")
	switch {
	case strings.HasPrefix(kind, "[]") && raw[0] == '[':
		var list []json.RawMessage
		if err := json.Unmarshal(raw, &list); err != nil {
			return nil, err
		}
		made := []json.RawMessage{}
		for _, each := range list {
			if !up && m.isWithheld(kind[2:], index, each) {
				continue
			}
			raw, err := m.rewrite(kind[2:], index, mode, each)
			if err != nil {
				return nil, err
			}
			if raw != nil {
				made = append(made, raw)
			}
		}
		return json.Marshal(made)
	case (kind == "U" || kind == "L") && raw[0] == '{':
		return m.rewriteUnion(kind, index, mode, raw)
	case raw[0] != '{', kind != "A" && kind != "B" && kind != "C" && !strings.HasPrefix(kind, "map"):
		return raw, nil
	}
	var out []string
	put := func(name string, raw json.RawMessage) {
		quoted, _ := json.Marshal(name) // of a text it cannot fail
		out = append(out, fmt.Sprintf("%s:%s", quoted, raw))
	}
	pairs := pairsOf(raw)
	if inner, ok := strings.CutPrefix(kind, "map[string]"); ok {
		for _, p := range pairs {
			value, err := m.rewrite(inner, index, mode, p.value.(json.RawMessage))
			if err != nil {
				return nil, err
			}
			put(p.name, value)
		}
		return json.RawMessage("{" + strings.Join(out, ",") + "}"), nil
	}
	source, target := m.membersIn(kind, 0), m.membersIn(kind, index)
	if up {
		source, target = target, source
	}
	same := func(a, b string) bool { return a == b || up && strings.EqualFold(a, b) }
	of, refused := map[string]lazy{}, map[string][]string{}
	var others []pair
	for _, p := range pairs {
		i := slices.IndexFunc(source, func(m modelMember) bool { return same(m.name, p.name) })
		if i < 0 {
			if !slices.ContainsFunc(target, func(m modelMember) bool { return same(m.name, p.name) }) {
				others = append(others, p)
			}
			continue
		}
		of[source[i].name] = func() (json.RawMessage, error) {
			return m.rewrite(source[i].kind, index, mode, p.value.(json.RawMessage))
		}
	}
	for i := range index {
		at := index - 1 - i
		if !up {
			at = i
		}
		edits := slices.Clone(m.edits[kind][at])
		if m.embeds(kind) { // its names are others
			edits = slices.Concat(edits, m.edits["E"][at])
		}
		if !up {
			slices.Reverse(edits)
		}
		for _, e := range edits {
			e.apply(of, mode, refused)
		}
	}
	isRefused := func(p pair) bool {
		return slices.ContainsFunc(slices.Concat(slices.Collect(maps.Values(refused))...), func(name string) bool { return same(name, p.name) }) &&
			!slices.ContainsFunc(source, func(m modelMember) bool { return same(m.name, p.name) })
	}
	if slices.ContainsFunc(pairs, func(p pair) bool { return isRefused(p) && string(p.value.(json.RawMessage)) != "null" }) {
		return nil, errModelValue
	}
	for _, member := range target {
		if of[member.name] == nil {
			continue
		}
		raw, err := of[member.name]()
		if err != nil {
			return nil, err
		}
		if raw != nil {
			put(member.name, raw)
		}
	}
	for _, p := range slices.DeleteFunc(others, isRefused) {
		put(p.name, p.value.(json.RawMessage))
	}
	return json.RawMessage("{" + strings.Join(out, ",") + "}"), nil
}

// embeds reports whether a type embeds E.
func (m *modelHistory) embeds(kind string) bool {
	return slices.ContainsFunc(m.members[kind][0], func(m modelMember) bool { return m.kind == "E" })
}

// membersIn returns the members of a type with the promoted ones.
func (m *modelHistory) membersIn(kind string, index int) []modelMember {
	members := slices.DeleteFunc(slices.Clone(m.members[kind][index]), func(m modelMember) bool { return m.kind == "E" })
	if m.embeds(kind) {
		members = slices.Concat(members, m.members["E"][index])
	}
	return members
}

// isWithheld reports whether a list of the version lacks an element.
func (m *modelHistory) isWithheld(kind string, index int, raw json.RawMessage) bool {
	kind = strings.TrimPrefix(kind, "*")
	if raw = bytes.TrimSpace(raw); raw[0] != '{' {
		return false
	}
	if kind == "U" || kind == "L" {
		var is struct{ Kind any }
		_ = json.Unmarshal(raw, &is)
		text, _ := is.Kind.(string)
		_, instead, known, _ := m.variant(kind, text, index, false)
		switch {
		case instead == "absent":
			return true
		case instead != "":
			return m.isWithheld(kind, index, json.RawMessage(instead))
		case !known:
			return false
		}
		kind = textsOf[text]
	}
	if m.members[kind] == nil {
		return false
	}
	for i := range index {
		for _, of := range []string{kind, "E"} {
			if of == "E" && !m.embeds(kind) {
				continue
			}
			if slices.ContainsFunc(m.edits[of][i], func(e modelEdit) bool { return e.op == "withheld" }) && isNewInModel(m.members[of][0][0].name)(raw) {
				return true
			}
		}
	}
	return false
}

// rewriteUnion is what the model makes of an object of a union.
func (m *modelHistory) rewriteUnion(union string, index int, mode string, raw json.RawMessage) (json.RawMessage, error) {
	up := mode != "down"
	pairs := pairsOf(raw)
	at := slices.IndexFunc(pairs, func(p pair) bool { return p.name == "kind" || up && strings.EqualFold(p.name, "kind") })
	if at < 0 {
		return raw, nil
	}
	var text string
	if value := pairs[at].value.(json.RawMessage); value[0] == '"' {
		_ = json.Unmarshal(value, &text) // it is a text
	} else {
		return raw, nil
	}
	other, instead, known, err := m.variant(union, text, index, up)
	switch {
	case err != nil:
		return nil, err
	case !known:
		return raw, nil
	case instead == "null":
		return json.RawMessage(instead), nil
	case instead != "":
		return m.rewriteUnion(union, index, mode, json.RawMessage(instead))
	}
	now := text
	if up {
		now = other
	}
	var parts []string
	for i, p := range pairs {
		value := p.value.(json.RawMessage)
		if i == at {
			value = json.RawMessage(strconv.Quote(other))
		}
		name, _ := json.Marshal(p.name)
		parts = append(parts, fmt.Sprintf("%s:%s", name, value))
	}
	return m.rewrite(textsOf[now], index, mode, json.RawMessage("{"+strings.Join(parts, ",")+"}"))
}

func pairsOf(raw json.RawMessage) (pairs []pair) {
	d := json.NewDecoder(bytes.NewReader(raw))
	_, _ = d.Token()
	for d.More() {
		key, _ := d.Token()
		var value json.RawMessage
		_ = d.Decode(&value)
		pairs = append(pairs, pair{key.(string), value})
	}
	return pairs
}

// body returns a random body of a version, with names of other versions too.
func (m *modelHistory) body(random *rand.Rand, kind string, index int, up bool) string {
	kind = strings.TrimPrefix(kind, "*")
	inner, isMap := strings.CutPrefix(kind, "map[string]")
	values := []string{`"o"`, `"n"`, `"x y"`, "1e400", "-0", "null", "700", `[null, {"a":1}]`, `{"p":"o", "z":[1]}`, `"\u00e9\\"`, "true", `"z"`, `"y"`}
	anything := func() string { return values[random.IntN(len(values))] }
	switch {
	case random.IntN(12) == 0:
		return anything()
	case strings.HasPrefix(kind, "[]"):
		var parts []string
		for range random.IntN(3) {
			parts = append(parts, m.body(random, kind[2:], index, up))
		}
		return "[" + strings.Join(parts, " , ") + "]"
	case isMap:
		var parts []string
		for i := range random.IntN(3) {
			parts = append(parts, fmt.Sprintf("%q: %s", "k"+strconv.Itoa(i), m.body(random, inner, index, up)))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case kind == "string":
		return []string{`"o"`, `"x"`, `"Ada Lovelace"`, "null", `"e"`}[random.IntN(5)]
	case kind == "int":
		return []string{"700", "0", "-100", "null", "900"}[random.IntN(5)]
	case kind == "object", kind == "flat":
		return []string{`{"p": 1}`, `{"q":null,"p":"x"}`, "{}", "null"}[random.IntN(4)]
	case kind == "any":
		return anything()
	case kind == "text":
		return []string{`"b"`, `"bb"`, `"c"`, `"r0"`, `"r1"`, `"r2"`, `"g0"`, `"g1"`, `"cash"`, "null", "7"}[random.IntN(11)]
	case kind == "U", kind == "L":
		kind = []string{"B", "C"}[random.IntN(2)]
	}
	var parts []string
	used := map[string]bool{}
	put := func(name, value string) {
		if !used[name] {
			used[name] = true
			if up && random.IntN(4) == 0 {
				name = strings.ToUpper(name)
			}
			parts = append(parts, fmt.Sprintf("%q :%s", name, value))
		}
	}
	for _, member := range m.membersIn(kind, index) {
		if random.IntN(6) > 0 {
			put(member.name, m.body(random, member.kind, index, up))
		}
	}
	for range random.IntN(4) {
		put(string(rune('a'+random.IntN(14))), anything())
	}
	random.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	return "{ " + strings.Join(parts, ",\n") + "}"
}

// TestRandomHistories compares the module with the model, whole and split at every byte.
func TestRandomHistories(t *testing.T) {
	agreed := map[string]int{}
	for seed := range uint64(400) {
		random := rand.New(rand.NewPCG(seed, 37))
		m := newModelHistory(t, random)
		for range 12 {
			m.compare(t, random, agreed, fmt.Sprint("seed ", seed))
		}
	}
	t.Log(agreed)
	for _, outcome := range []string{"down", "down fails", "POST", "POST fails", "PUT", "PUT fails", "PATCH", "PATCH fails"} {
		require.Greater(t, agreed[outcome], 100, outcome)
	}
}

func (m *modelHistory) compare(t *testing.T, random *rand.Rand, agreed map[string]int, name string) {
	t.Helper()
	index, mode := 1+random.IntN(len(m.versions)-1), []string{"down", "down", "POST", "PUT", "PATCH"}[random.IntN(5)]
	up := mode != "down"
	root := []string{"A", "[]A", "map[string]A"}[random.IntN(3)]
	version, rootType := verso.V(m.versions[index]), m.rootType(root)
	outcome := "down"
	var in string
	var got []byte
	var err error
	if up {
		in, outcome = m.body(random, root, index, true), mode
		lift := map[string]func(verso.Version, reflect.Type, []byte) ([]byte, error){"POST": m.history.LiftJSON, "PUT": m.history.LiftReplacing, "PATCH": m.history.LiftPartial}[mode]
		got, err = lift(version, rootType, []byte(in))
	} else {
		in = m.body(random, root, 0, false)
		got, err = m.history.LowerJSON(version, rootType, []byte(in))
	}
	want, wantErr := m.rewrite(root, index, mode, json.RawMessage(in))
	if wantErr != nil {
		outcome += " fails"
		require.Error(t, err, "%s: %s of %s\n got %s", name, outcome, in, got)
	} else {
		require.NoError(t, err, "%s: %s of %s\n want %s", name, outcome, in, want)
		require.True(t, sameJSON(got, want, up), "%s: %s of %s\n got  %s\n want %s", name, outcome, in, got, want)
	}
	agreed[outcome]++
	var streamed []byte
	var streamErr error
	if up {
		streamed, streamErr = m.history.LiftStreamedAs(mode, version, rootType, iotest.OneByteReader(strings.NewReader(in)))
	} else {
		streamed, streamErr = m.history.LowerStreamed(version, rootType, split([]byte(in))...)
	}
	require.Equal(t, err != nil, streamErr != nil, "%s: streamed %s of %s: %v", name, outcome, in, streamErr)
	if err == nil {
		require.Equal(t, compacted(t, got), compacted(t, streamed), "%s: streamed %s of %s", name, outcome, in)
	}
}

func (m *modelHistory) rootType(root string) reflect.Type {
	switch root {
	case "[]A":
		return reflect.SliceOf(m.types["A"])
	case "map[string]A":
		return reflect.MapOf(basic["string"], m.types["A"])
	}
	return m.types["A"]
}

func split(raw []byte) (pieces [][]byte) {
	for i := range raw {
		pieces = append(pieces, raw[i:i+1])
	}
	return pieces
}

func compacted(t *testing.T, raw []byte) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, json.Compact(&out, raw), "%s", raw)
	return out.String()
}
