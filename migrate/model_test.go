package migrate_test

import (
	"bytes"
	"encoding/json"
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
	"github.com/goverso/verso/migrate/testdata/casetest"
)

// The model rewrites decoded values, one edit of one version after the other. It has
// no plan, and knows no stream.

// modelHistory is a random history of a type A, which embeds E, and contains B and C, alone and in two unions: of U older
// clients read another value, and their lists lack what is new in L. Some of its members have D in place of B, by At.
type modelHistory struct {
	types    map[string]reflect.Type
	members  map[string][][]casetest.Member // by type, of each version, the newest first
	edits    map[string][][]casetest.Row    // by type, of each version but the oldest, in the order in which they were made
	variants map[string][]modelVariant      // of U and L: at most one edit in each version but the oldest
	versions []string
	numbers  bool // the texts of unions are those of integers
	history  *migrate.History
}

// text returns a text of a union as the history has it.
func (m *modelHistory) text(of string) string {
	if m.numbers {
		return strings.NewReplacer("bb", "2", "b", "1", "c", "3", "r", "10", "g", "-20").Replace(of)
	}
	return of
}

// spelled returns a text of a union in JSON.
func (m *modelHistory) spelled(text string) string {
	if m.numbers {
		return m.text(text)
	}
	return strconv.Quote(text)
}

// textIn returns the text that a value of the discriminator has.
func (m *modelHistory) textIn(value json.RawMessage) (text string, isText bool) {
	for _, text := range []string{"b", "bb", "c", "r0", "r1", "r2", "r3", "r4", "g0", "g1", "g2", "g3", "g4"} {
		if m.numbers && string(value) == m.text(text) {
			return text, true
		}
	}
	if m.numbers || value == nil || value[0] != '"' {
		return "", false
	}
	_ = json.Unmarshal(value, &text) // it is a text
	return text, true
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
	m := &modelHistory{types: map[string]reflect.Type{}, members: map[string][][]casetest.Member{}, edits: map[string][][]casetest.Row{}, variants: map[string][]modelVariant{}}
	m.types["U"], m.types["L"] = reflect.TypeFor[unionU](), reflect.TypeFor[unionL]()
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	var places []string // the members of A with D
	for _, name := range []string{"E", "B", "C", "A"} {
		var fields []reflect.StructField
		var members []casetest.Member
		for i, member := range random.Perm(6)[:3+random.IntN(3)] {
			kind := pick("string", "string", "int", "int", "any", "object")
			if name == "A" {
				kind = pick("string", "int", "any", "B", "*B", "[]B", "map[string]B", "U", "[]U", "map[string]U", "[]L")
			}
			mm, tag := casetest.Member{Name: string(rune('a' + member)), Kind: kind, Optional: random.IntN(2) == 0}, ""
			if name == "E" {
				mm.Name = "e" + mm.Name
			}
			if at := strings.TrimSuffix(kind, "B"); name == "A" && at != kind && random.IntN(3) == 0 {
				mm.Kind, places = at+"D", append(places, mm.Name)
			}
			if mm.Optional {
				tag = ",omitempty"
			}
			members = append(members, mm)
			fields = append(fields, reflect.StructField{
				Name: "F" + strconv.Itoa(i), Type: m.goType(kind),
				Tag: reflect.StructTag(fmt.Sprintf(`json:%q type:%q`, mm.Name+tag, name)),
			})
		}
		switch {
		case name == "E":
			m.numbers = len(members) == 4
		case name == "B" || name == "C":
			kind := reflect.TypeFor[string]()
			if m.numbers {
				kind = reflect.TypeFor[int]()
			}
			members = append(members, casetest.Member{Name: "kind", Kind: "text"})
			fields = append(fields, reflect.StructField{Name: "Kind", Type: kind, Tag: `json:"kind"`})
		case name == "A" && random.IntN(2) == 0:
			fields = append(fields, reflect.StructField{Name: "E", Type: m.types["E"], Anonymous: true})
			members = append(members, casetest.Member{Kind: "E"}) // its members are promoted
		}
		m.types[name], m.members[name] = reflect.StructOf(fields), [][]casetest.Member{members}
		if name == "B" { // D has the members of B in the newest version
			fields[0].Tag += ` is:"D"`
			m.types["D"], m.members["D"] = reflect.StructOf(fields), [][]casetest.Member{members}
		}
	}
	var revisions []migrate.Revision
	for _, union := range []string{"U", "L"} {
		revisions = append(revisions, migrate.OneOfType(m.types[union], "kind", migrate.VariantType(m.types["B"], m.text("b"), m.text("bb")), migrate.VariantType(m.types["C"], m.text("c"))))
	}
	if places != nil {
		revisions = append(revisions, migrate.AtType(m.types["A"], m.types["D"], places...))
	}
	count := 2 + random.IntN(4)
	for i := range count {
		m.versions = append(m.versions, "v"+strconv.Itoa(count-i))
	}
	texts := map[string][]string{"U": {"b", "bb", "c"}, "L": {"b", "bb", "c"}} // of the version, by those of the newest
	for i := range count - 1 {
		var changes []*migrate.Change
		for _, name := range []string{"E", "A", "B", "C", "D"} {
			older := casetest.NewChoice(random, m.members[name][i], map[string]string{"E": "e"}[name], name == "A" || name == "D")
			var edits []casetest.Row
			for range random.IntN(5) {
				if r := older.Next(); r != nil {
					edits = append([]casetest.Row{r}, edits...)
				}
			}
			m.members[name], m.edits[name] = append(m.members[name], older.Values()), append(m.edits[name], edits)
			var declared []migrate.Edit
			for _, r := range edits {
				if r.IsNew() {
					declared = append(declared, migrate.WithheldRaw(isNewInModel(m.members[name][0][0].Name)))
				} else {
					declared = append(declared, r.Edit())
				}
			}
			changes = append(changes, migrate.Changed("A change.", migrate.ForType(m.types[name], declared...)))
		}
		for _, name := range []string{"U", "L"} {
			v, declared := m.randomVariant(random, texts[name], i, name == "L")
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
func (m *modelHistory) randomVariant(random *rand.Rand, texts []string, version int, isList bool) (v modelVariant, declared []migrate.Edit) {
	at := random.IntN(len(texts))
	switch v.now = texts[at]; random.IntN(5) {
	case 0:
		if v.now == "" {
			return modelVariant{}, nil
		}
		v.op, v.old = "renamed", fmt.Sprint("r", version)
		texts[at] = v.old
		return v, []migrate.Edit{migrate.RenamedVariant(m.text(v.old), m.text(v.now))}
	case 1:
		if v.now == "" {
			return modelVariant{}, nil
		}
		texts[at] = ""
		v.op, v.instead = "new", []string{"null", "null", "absent", "other"}[random.IntN(4)]
		other := slices.IndexFunc(texts, func(text string) bool { return text != "" })
		switch {
		case v.instead == "absent" && isList:
			return v, []migrate.Edit{migrate.NewVariant(m.text(v.now), migrate.Absent)}
		case v.instead == "other" && other >= 0:
			v.instead = fmt.Sprintf(`{"kind":%s,"zz":1}`, m.spelled([]string{"b", "bb", "c"}[other]))
			return v, []migrate.Edit{migrate.NewVariant(m.text(v.now), json.RawMessage(v.instead))}
		}
		v.instead = "null"
		return v, []migrate.Edit{migrate.NewVariant(m.text(v.now), nil)}
	case 2:
		v = modelVariant{op: "removed", old: fmt.Sprint("g", version)}
		return v, []migrate.Edit{migrate.RemovedVariant(m.text(v.old))}
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
		return "", "", true, casetest.ErrValue
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

// rewrite is what the model makes of a value.
func (m *modelHistory) rewrite(kind string, index int, mode string, raw json.RawMessage) (json.RawMessage, error) {
	up := mode != "down"
	raw = bytes.TrimSpace(raw)
	kind = strings.TrimPrefix(kind, "*")
	around := m.around(kind, index)
	for range around {
		if up {
			var err error
			if raw, err = openedInModel(raw); err != nil {
				return nil, err
			}
		}
	}
	made, err := m.rewriteInside(kind, index, mode, raw)
	for range around {
		if !up && err == nil && string(raw) != "null" {
			made = fmt.Appendf(nil, `{"p":%s}`, made)
		}
	}
	return made, err
}

// around returns how many objects the version has around those of a type.
func (m *modelHistory) around(kind string, index int) (count int) {
	for i := range min(index, len(m.edits[kind])) {
		for _, r := range m.edits[kind][i] {
			if r.IsAround() {
				count++
			}
		}
	}
	return count
}

// openedInModel returns the value in an object around it.
func openedInModel(raw json.RawMessage) (value json.RawMessage, err error) {
	if string(raw) == "null" {
		return raw, nil
	}
	if raw[0] != '{' {
		return nil, casetest.ErrValue
	}
	for _, p := range pairsOf(raw) {
		if strings.EqualFold(p.name, "p") {
			value = p.value.(json.RawMessage)
		}
	}
	if value == nil {
		return nil, casetest.ErrValue
	}
	return value, nil
}

// rewriteInside is what the model makes of a value inside of the objects around it.
func (m *modelHistory) rewriteInside(kind string, index int, mode string, raw json.RawMessage) (json.RawMessage, error) {
	up := mode != "down"
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
	case raw[0] != '{', kind != "A" && kind != "B" && kind != "C" && kind != "D" && !strings.HasPrefix(kind, "map"):
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
	o := &casetest.Object{Of: map[string]casetest.Lazy{}, Mode: mode, Refused: map[string][]string{}}
	var others []pair
	for _, p := range pairs {
		i := slices.IndexFunc(source, func(m casetest.Member) bool { return same(m.Name, p.name) })
		if i < 0 {
			if !slices.ContainsFunc(target, func(m casetest.Member) bool { return same(m.Name, p.name) }) {
				others = append(others, p)
			}
			continue
		}
		o.Of[source[i].Name] = func() (json.RawMessage, error) {
			return m.rewrite(source[i].Kind, index, mode, p.value.(json.RawMessage))
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
			o.Apply(e)
		}
	}
	isRefused := func(p pair) bool {
		return slices.ContainsFunc(slices.Concat(slices.Collect(maps.Values(o.Refused))...), func(name string) bool { return same(name, p.name) }) &&
			!slices.ContainsFunc(source, func(m casetest.Member) bool { return same(m.Name, p.name) })
	}
	if slices.ContainsFunc(pairs, func(p pair) bool { return isRefused(p) && string(p.value.(json.RawMessage)) != "null" }) {
		return nil, casetest.ErrValue
	}
	for _, member := range target {
		if o.Of[member.Name] == nil {
			continue
		}
		raw, err := o.Of[member.Name]()
		if err != nil {
			return nil, err
		}
		if raw != nil {
			put(member.Name, raw)
		}
	}
	for _, p := range slices.DeleteFunc(others, isRefused) {
		put(p.name, p.value.(json.RawMessage))
	}
	return json.RawMessage("{" + strings.Join(out, ",") + "}"), nil
}

// embeds reports whether a type embeds E.
func (m *modelHistory) embeds(kind string) bool {
	return slices.ContainsFunc(m.members[kind][0], func(m casetest.Member) bool { return m.Kind == "E" })
}

// membersIn returns the members of a type with the promoted ones.
func (m *modelHistory) membersIn(kind string, index int) []casetest.Member {
	members := slices.DeleteFunc(slices.Clone(m.members[kind][index]), func(m casetest.Member) bool { return m.Kind == "E" })
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
		var is struct{ Kind json.RawMessage }
		_ = json.Unmarshal(raw, &is)
		text, _ := m.textIn(is.Kind)
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
			if slices.ContainsFunc(m.edits[of][i], casetest.Row.IsNew) && isNewInModel(m.members[of][0][0].Name)(raw) {
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
	text, isText := m.textIn(pairs[at].value.(json.RawMessage))
	if !isText {
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
			value = json.RawMessage(m.spelled(other))
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
	if around := m.around(kind, index); around > 0 && random.IntN(12) > 0 {
		made := m.bodyInside(random, kind, index, up)
		for range around {
			made = fmt.Sprintf(`{"o":1, %q:%s}`, []string{"p", "P"}[random.IntN(2)], made)
		}
		return made
	}
	return m.bodyInside(random, kind, index, up)
}

func (m *modelHistory) bodyInside(random *rand.Rand, kind string, index int, up bool) string {
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
		if at := random.IntN(11); at < 8 {
			return m.spelled([]string{"b", "bb", "c", "r0", "r1", "r2", "g0", "g1"}[at])
		} else if m.numbers {
			return []string{`"1"`, "null", "1.0"}[at-8]
		} else {
			return []string{`"cash"`, "null", "7"}[at-8]
		}
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
			put(member.Name, m.body(random, member.Kind, index, up))
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
	agreed, kinds := map[string]int{}, map[string]int{}
	for seed := range uint64(400) {
		random := rand.New(rand.NewPCG(seed, 37))
		m := newModelHistory(t, random)
		m.count(kinds)
		for range 12 {
			m.compare(t, random, agreed, fmt.Sprint("seed ", seed))
		}
	}
	t.Log(agreed, kinds)
	for _, kind := range casetest.Chosen() {
		require.Greater(t, kinds[kind], 10, kind)
	}
	for _, outcome := range []string{"down", "down fails", "POST", "POST fails", "PUT", "PUT fails", "PATCH", "PATCH fails"} {
		require.Greater(t, agreed[outcome], 100, outcome)
	}
}

// count counts the edits of each kind.
func (m *modelHistory) count(kinds map[string]int) {
	for _, versions := range m.edits {
		for _, r := range slices.Concat(versions...) {
			kinds[r.Kind()]++
		}
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
	held, heldErr := m.history.Held(mode, version, rootType, []byte(in))
	require.Equal(t, err != nil, heldErr != nil, "%s: held %s of %s: %v", name, outcome, in, heldErr)
	if err == nil {
		require.Equal(t, compacted(t, got), compacted(t, held), "%s: held %s of %s", name, outcome, in)
	}
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
