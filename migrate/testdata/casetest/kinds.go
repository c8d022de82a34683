package casetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/goverso/verso/migrate"
)

// Row is an edit as a case has it, and as the random model makes it up.
type Row map[string]json.RawMessage

// row returns a row of pairs of a key and a value, without those that are nil.
func row(pairs ...any) Row {
	r := Row{}
	for i := 0; i < len(pairs); i += 2 {
		raw, ok := pairs[i+1].(json.RawMessage)
		if !ok {
			raw, _ = json.Marshal(pairs[i+1]) // texts and maps of texts
		}
		if raw != nil {
			r[pairs[i].(string)] = raw
		}
	}
	return r
}

// Text returns a text of the row, or "".
func (r Row) Text(key string) (s string) {
	if r[key] != nil {
		must(json.Unmarshal(r[key], &s))
	}
	return s
}

func (r Row) texts(key string) (m map[string]string) {
	if r[key] != nil {
		must(json.Unmarshal(r[key], &m))
	}
	return m
}

func (r Row) constant() (value any) {
	must(json.Unmarshal(r["constant"], &value))
	return value
}

// name returns the name of the member with the options of its tag.
func (r Row) name() string {
	if tag := r.Text("tag"); tag != "" {
		return r.Text("name") + "," + tag
	}
	return r.Text("name")
}

// Kind returns the name of the kind in [Kinds].
func (r Row) Kind() string { return strings.TrimSpace(r.Text("op") + " " + r.Text("fn")) }

func (r Row) kind() Kind {
	k, ok := Kinds[r.Kind()]
	if !ok {
		panic(fmt.Sprintf("the module has no edit %s", r))
	}
	return k
}

// Edit returns the edit of the row.
func (r Row) Edit() migrate.Edit { return r.kind().edit(r) }

// IsNew reports whether the row leaves elements out of lists.
func (r Row) IsNew() bool { return r.kind().isNew }

// IsAround reports whether the row is about what is around the whole object.
func (r Row) IsAround() bool { return r.kind().isAround }

// Kind is all that tests know of a kind of edit.
type Kind struct {
	edit func(r Row) migrate.Edit

	// choose takes a random edit back in the members of the model, or returns nil if no member
	// fits. A kind without it is in cases only.
	choose func(c *Choice) Row

	// down and up rewrite the members of an object of the model; nil: they stay.
	down, up func(o *Object, r Row)

	// moves returns the names that a member has before and after the edit, on its way up, since a refused member stays refused.
	moves func(r Row) (from, to []string)

	// isNew is of the edit that leaves elements out of lists, whose function the model makes.
	isNew bool

	// isAround is of an edit of what is around a whole object, which the model rewrites.
	isAround bool
}

// Kinds are the kinds of edits by the name and the function of a row.
var Kinds = map[string]Kind{
	"additive": {
		edit: func(r Row) migrate.Edit { return migrate.Additive(r.name()) },
		choose: func(c *Choice) Row {
			if m := c.one(); m != nil {
				return row("name", m.Name)
			}
			return nil
		},
	},
	"added": {
		edit: func(r Row) migrate.Edit {
			switch {
			case r["refused"] != nil:
				return migrate.Added(r.name(), migrate.Refused)
			case r["default"] == nil:
				return migrate.Added(r.name())
			}
			return migrate.Added(r.name(), r["default"])
		},
		choose: func(c *Choice) Row {
			m := c.one()
			if m == nil {
				return nil
			}
			r := row("name", m.Name)
			switch {
			case c.random.IntN(3) == 0:
				r["refused"] = json.RawMessage("true")
			case c.random.IntN(2) == 0 && m.isScalar():
				r["default"] = c.constantOf(m.Kind)
			}
			c.remove(m.Name)
			return r
		},
		down: func(o *Object, r Row) { o.take(r.Text("name")) },
		up: func(o *Object, r Row) {
			switch {
			case o.Mode == "POST" && r["default"] != nil:
				o.Of[r.Text("name")] = constant(r["default"])
			default:
				o.take(r.Text("name"))
			}
			if r["refused"] != nil {
				o.Refused[r.Text("name")] = []string{r.Text("name")}
			}
		},
	},
	"renamed": {
		edit: func(r Row) migrate.Edit { return migrate.Renamed(r.Text("old"), r.Text("new")) },
		choose: func(c *Choice) Row {
			m := c.one()
			if m == nil {
				return nil
			}
			r := row("old", c.fresh(), "new", m.Name)
			m.Name = r.Text("old")
			return r
		},
		down:  func(o *Object, r Row) { o.put(r.Text("old"), o.take(r.Text("new"))) },
		up:    func(o *Object, r Row) { o.put(r.Text("new"), o.take(r.Text("old"))) },
		moves: func(r Row) (from, to []string) { return []string{r.Text("old")}, []string{r.Text("new")} },
	},
	"removed": {
		edit: func(r Row) migrate.Edit {
			switch {
			case r["constant"] == nil:
				return migrate.Removed(r.name())
			case r["tag"] == nil:
				return migrate.Removed(r.name(), r["constant"])
			}
			return migrate.Removed(r.name(), r.constant())
		},
		choose: func(c *Choice) Row {
			m := Member{Name: c.fresh(), Kind: "any"}
			r := row("name", m.Name)
			switch c.random.IntN(3) {
			case 0:
				r["constant"] = c.constantOf("any")
			case 1:
				m.Optional = true
			default:
				r["constant"], r["tag"] = json.RawMessage(`""`), json.RawMessage(`"omitempty"`)
				m.Kind, m.Optional, m.Real = "string", true, true
			}
			c.add(m)
			return r
		},
		down: func(o *Object, r Row) {
			if r["constant"] != nil && r["tag"] == nil {
				o.Of[r.Text("name")] = constant(r["constant"])
			}
		},
		up:    func(o *Object, r Row) { o.take(r.Text("name")) },
		moves: gone,
	},
	"removed_from same": {
		edit: func(r Row) migrate.Edit {
			return migrate.RemovedFrom(r.name(), r.Text("from"), func(raw json.RawMessage) (json.RawMessage, error) { return raw, nil })
		},
		choose: func(c *Choice) Row {
			m := c.one()
			if m == nil {
				return nil
			}
			r := row("name", c.fresh(), "from", m.Name)
			c.add(Member{Name: r.Text("name"), Kind: "any", Optional: m.Optional})
			return r
		},
		down:  func(o *Object, r Row) { o.put(r.Text("name"), o.Of[r.Text("from")]) },
		up:    func(o *Object, r Row) { o.take(r.Text("name")) },
		moves: gone,
	},
	"removed_from several": {
		edit: func(r Row) migrate.Edit {
			return migrate.RemovedFrom(r.name(), "", func(in several) (string, error) { return in.text(), nil })
		},
		choose: func(c *Choice) Row {
			a, b := c.named("a"), c.named("b")
			if a == nil || b == nil || !a.isScalar() || !b.isScalar() {
				return nil
			}
			m := Member{Name: c.fresh(), Kind: "string", Optional: a.Optional && b.Optional, Real: true}
			c.add(m)
			return row("name", m.Name)
		},
		down: func(o *Object, r Row) {
			if a, b := o.Of["a"], o.Of["b"]; a != nil || b != nil {
				o.Of[r.Text("name")] = func() (json.RawMessage, error) { return severalOf(a, b) }
			}
		},
		up:    func(o *Object, r Row) { o.take(r.Text("name")) },
		moves: gone,
	},
	"removed_from n_and_a": {edit: func(r Row) migrate.Edit {
		return migrate.RemovedFrom(r.name(), "", func(in struct {
			N int    `json:"n"`
			A string `json:"a"`
		}) (string, error) {
			return strconv.Itoa(in.N) + in.A, nil
		})
	}},
	"removed_from unless_x": {edit: func(r Row) migrate.Edit {
		return migrate.RemovedFrom(r.name(), r.Text("from"), func(text string) (string, error) { return strings.TrimPrefix(text, "x"), nil })
	}},
	"removed_from inner_x": {edit: func(r Row) migrate.Edit {
		return migrate.RemovedFrom(r.name(), r.Text("from"), func(in Inner) (string, error) { return in.X, nil })
	}},
	"removed_from first": {edit: func(r Row) migrate.Edit {
		return migrate.RemovedFrom(r.name(), r.Text("from"), func(list []json.RawMessage) (json.RawMessage, error) {
			return slices.Concat(list, []json.RawMessage{json.RawMessage("null")})[0], nil
		})
	}},
	"withheld a_is_new": {edit: func(Row) migrate.Edit {
		return migrate.Withheld(func(x Thing) bool { return x.A == "new" })
	}},
	"withheld": {choose: func(*Choice) Row { return row() }, isNew: true},
	"unwrapped": {
		edit: func(r Row) migrate.Edit {
			return migrate.Unwrapped[struct {
				P any `json:"p"`
			}](r.Text("key"))
		},
		choose: func(c *Choice) Row {
			if !c.isWhole {
				return nil
			}
			return row("key", "p")
		},
		isAround: true,
	},
	"wrapped": {edit: func(r Row) migrate.Edit { return migrate.Wrapped(r.Text("key")) }},
	"default": {
		edit: func(r Row) migrate.Edit { return migrate.Default(r.name(), r["old"]) },
		choose: func(c *Choice) Row {
			m := c.one()
			if m == nil || !m.isScalar() {
				return nil
			}
			return row("name", m.Name, "old", c.constantOf(m.Kind))
		},
		up: func(o *Object, r Row) {
			if o.Mode != "PATCH" {
				o.Of[r.Text("name")] = orElse(o.Of[r.Text("name")], r["old"])
			}
		},
	},
	"omitted": {
		edit: func(r Row) migrate.Edit { return migrate.Omitted(r.name(), r.constant()) },
		choose: func(c *Choice) Row {
			m := c.one()
			if m == nil || !m.isScalar() || !m.Optional {
				return nil
			}
			m.Optional = false
			return row("name", m.Name, "constant", c.constantOf(m.Kind))
		},
		down: func(o *Object, r Row) {
			o.Of[r.Text("name")] = orElse(o.Of[r.Text("name")], r["constant"])
		},
	},
	"not_null": {
		edit: func(r Row) migrate.Edit {
			if r["constant"] == nil {
				return migrate.NotNull(r.name(), migrate.Absent)
			}
			return migrate.NotNull(r.name(), r.constant())
		},
		choose: func(c *Choice) Row {
			m := c.one("any")
			if m == nil {
				return nil
			}
			r := row("name", m.Name)
			if constant := c.constantOf("any"); c.random.IntN(2) == 0 && string(constant) != "null" {
				r["constant"] = constant
			} else {
				m.Optional = true
			}
			return r
		},
		down: func(o *Object, r Row) { o.then(r.Text("name"), instead("null", r["constant"])) },
	},
	"documented": {
		edit: func(r Row) migrate.Edit { return migrate.Documented(r.name(), string(r["keywords"])) },
		choose: func(c *Choice) Row {
			m := c.one()
			if m == nil || c.random.IntN(2) == 0 {
				return row("name", "", "keywords", json.RawMessage(`{"title":"t","required":[]}`))
			}
			return row("name", m.Name, "keywords", json.RawMessage(`{"title":"t"}`))
		},
	},
	"values": {
		edit: func(r Row) migrate.Edit {
			var others []migrate.Value
			for value, read := range r.texts("new") {
				others = append(others, migrate.NewValue(value, read))
			}
			for value, now := range r.texts("gone") {
				others = append(others, migrate.OldValue(value, now))
			}
			return migrate.Values(r.name(), r.texts("values"), others...)
		},
		choose: func(c *Choice) Row {
			m := c.one("string")
			if m == nil {
				return nil
			}
			return row("name", m.Name, "values", map[string]string{"o": "n", "x": "o"}, "new", map[string]string{"z": "o"},
				"gone", map[string]string{"y": "q"})
		},
		down: func(o *Object, r Row) { o.then(r.Text("name"), typed(valueDown)) },
		up:   func(o *Object, r Row) { o.then(r.Text("name"), typed(valueUp)) },
	},
	"mapped euros_cents": {
		edit: func(r Row) migrate.Edit { return migrate.Mapped(r.name(), ToCents, ToEuros) },
		choose: func(c *Choice) Row {
			m := c.one("int")
			if m == nil {
				return nil
			}
			m.Real = true
			r := row("name", m.Name)
			if c.random.IntN(2) == 0 {
				r["tag"], m.Optional = json.RawMessage(`"omitzero"`), true
			}
			return r
		},
		down: func(o *Object, r Row) {
			if o.then(r.Text("name"), typed(ToEuros)); r["tag"] != nil {
				o.then(r.Text("name"), isNotEmpty)
			}
		},
		up: func(o *Object, r Row) {
			if o.then(r.Text("name"), typed(ToCents)); r["tag"] != nil && o.Mode == "POST" {
				o.then(r.Text("name"), isNotEmpty)
			}
		},
	},
	"mapped plain_text": {edit: func(r Row) migrate.Edit {
		return migrate.Mapped(r.name(), func(text string) (int, error) {
			if text == "" {
				return 0, nil
			}
			return strconv.Atoi(text)
		}, func(n int) (string, error) {
			if n == 0 {
				return "", nil
			}
			return strconv.Itoa(n), nil
		})
	}},
	"mapped int_text": {edit: func(r Row) migrate.Edit {
		return migrate.Mapped(r.name(), func(n int64) (string, error) { return strconv.FormatInt(n, 10), nil }, canonicalInt)
	}},
	"mapped bool_status": {edit: func(r Row) migrate.Edit {
		return migrate.Mapped(r.name(), func(active bool) (string, error) {
			return map[bool]string{true: "active", false: "inactive"}[active], nil
		}, func(s string) (bool, error) {
			if s != "active" && s != "inactive" {
				return false, ErrValue
			}
			return s == "active", nil
		})
	}},
	"mapped int_money": {edit: func(r Row) migrate.Edit {
		return migrate.Mapped(r.name(), func(n int64) (Money, error) { return Money{n, "EUR"}, nil }, func(m Money) (int64, error) {
			if m.Currency != "EUR" {
				return 0, ErrValue
			}
			return m.Amount, nil
		})
	}},
	"mapped one_list": {edit: func(r Row) migrate.Edit {
		return migrate.Mapped(r.name(), func(s string) ([]string, error) { return []string{s}, nil }, func(list []string) (string, error) {
			if len(list) != 1 {
				return "", ErrValue
			}
			return list[0], nil
		})
	}},
	"split space": {
		edit: func(r Row) migrate.Edit {
			return migrate.Split(r.Text("old"), r.Text("a"), r.Text("b"), SplitSpace, JoinSpace)
		},
		choose: func(c *Choice) Row {
			a := c.one("string")
			if a == nil {
				return nil
			}
			for _, b := range c.members {
				if b.Name != a.Name && b.Kind == "string" {
					r := row("old", c.fresh(), "a", a.Name, "b", b.Name)
					a.Name, a.Optional, a.Real = r.Text("old"), a.Optional && b.Optional, true
					c.remove(b.Name)
					return r
				}
			}
			return nil
		},
		down:  func(o *Object, r Row) { o.join(r.Text("a"), r.Text("b"), r.Text("old"), false) },
		up:    func(o *Object, r Row) { o.part(r.Text("old"), r.Text("a"), r.Text("b")) },
		moves: func(r Row) (from, to []string) { return []string{r.Text("old")}, []string{r.Text("a"), r.Text("b")} },
	},
	"joined": {
		edit: func(r Row) migrate.Edit {
			return migrate.Joined(r.Text("a"), r.Text("b"), r.name(), JoinSpace, SplitSpace)
		},
		choose: func(c *Choice) Row {
			m := c.one("string")
			if m == nil {
				return nil
			}
			r := row("name", m.Name, "a", c.fresh(), "b", c.fresh())
			m.Name, m.Real = r.Text("a"), true
			c.add(Member{Name: r.Text("b"), Kind: "string", Optional: m.Optional, Real: true})
			return r
		},
		down:  func(o *Object, r Row) { o.part(r.Text("name"), r.Text("a"), r.Text("b")) },
		up:    func(o *Object, r Row) { o.join(r.Text("a"), r.Text("b"), r.Text("name"), o.Mode == "PATCH") },
		moves: func(r Row) (from, to []string) { return []string{r.Text("a"), r.Text("b")}, []string{r.Text("name")} },
	},
	"nested": {
		edit: func(r Row) migrate.Edit { return migrate.Nested(r.name(), r.texts("members")) },
		choose: func(c *Choice) Row {
			m := c.one("object")
			if m == nil {
				return nil
			}
			p, q := c.fresh(), c.fresh()
			r := row("name", m.Name, "members", map[string]string{p: "p", q: "q"})
			m.Name, m.Kind, m.Optional = p, "any", true
			c.add(Member{Name: q, Kind: "any", Optional: true})
			return r
		},
		down: func(o *Object, r Row) {
			if from := o.take(r.Text("name")); from != nil {
				for name, inside := range r.texts("members") {
					o.Of[name] = memberIn(from, inside, false, false, false)
				}
			}
		},
		up: func(o *Object, r Row) {
			inside := map[string]Lazy{}
			for name, in := range r.texts("members") {
				inside[in] = o.take(name)
			}
			o.Of[r.Text("name")] = objectOf(inside)
		},
		moves: func(r Row) (from, to []string) {
			for name := range r.texts("members") {
				from = append(from, name)
			}
			return from, []string{r.Text("name")}
		},
	},
	"flattened": {
		edit: func(r Row) migrate.Edit { return flattened(r.Text("old"), r.texts("members")) },
		choose: func(c *Choice) Row {
			var flat []Member
			for _, m := range c.members {
				if m.isScalar() && len(flat) < 2 {
					flat = append(flat, *m)
				}
			}
			if len(flat) < 2 {
				return nil
			}
			r := row("old", c.fresh(), "members", map[string]string{"p": flat[0].Name, "q": flat[1].Name})
			if flat[0].Real {
				r["real p"] = json.RawMessage("true")
			}
			if flat[1].Real {
				r["real q"] = json.RawMessage("true")
			}
			c.remove(flat[0].Name)
			c.remove(flat[1].Name)
			c.add(Member{Name: r.Text("old"), Kind: "flat", Optional: flat[0].Optional && flat[1].Optional})
			return r
		},
		down: func(o *Object, r Row) {
			inside := map[string]Lazy{}
			for in, name := range r.texts("members") {
				if from := o.take(name); from != nil {
					inside[in] = from
				}
			}
			if len(inside) > 0 {
				o.Of[r.Text("old")] = objectOf(inside)
			}
		},
		up: func(o *Object, r Row) {
			if from := o.take(r.Text("old")); from != nil {
				for inside, name := range r.texts("members") {
					o.Of[name] = memberIn(from, inside, true, o.Mode != "POST", r["real "+inside] != nil)
				}
			}
		},
		moves: func(r Row) (from, to []string) {
			for _, name := range r.texts("members") {
				to = append(to, name)
			}
			return []string{r.Text("old")}, to
		},
	},
}

// gone is of a member that the newer version lacks.
func gone(r Row) (from, to []string) { return []string{r.Text("name")}, nil }

// several are members that a function reads.
type several struct {
	A json.RawMessage `json:"a"`
	B json.RawMessage `json:"b"`
}

func (s several) text() string { return string(s.A) + "|" + string(s.B) }

// ErrValue is the error of a value that an edit cannot read.
var ErrValue = errors.New("no such value")

// Choice is the form of an object of the model while random edits are taken back.
type Choice struct {
	random  *rand.Rand
	members []*Member
	prefix  string // of its names
	isWhole bool   // it is nowhere embedded, and not a variant of a union
	last    string // of the names that it has made up
}

// Member is a member of the model.
type Member struct {
	Name, Kind string
	Optional   bool
	Real       bool // its Go type is a text or a number, which cannot be null
}

func (m *Member) isScalar() bool { return m.Kind == "string" || m.Kind == "int" || m.Kind == "any" }

// NewChoice returns the form of an object, whose names have a prefix. It is whole if it is not embedded, and not a variant of
// a union.
func NewChoice(random *rand.Rand, members []Member, prefix string, isWhole bool) *Choice {
	c := &Choice{random: random, prefix: prefix, isWhole: isWhole}
	for _, m := range members {
		c.add(m)
	}
	return c
}

// Values returns the members.
func (c *Choice) Values() (members []Member) {
	for _, m := range c.members {
		members = append(members, *m)
	}
	return members
}

// Chosen returns the kinds that the random model knows, by name.
func Chosen() (names []string) {
	for name, k := range Kinds {
		if k.choose != nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Next takes a random edit back, and returns its row, or nil if no member fits.
func (c *Choice) Next() Row {
	names := Chosen()
	name := names[c.random.IntN(len(names))]
	r := Kinds[name].choose(c)
	if r != nil {
		op, fn, _ := strings.Cut(name, " ")
		r["op"], _ = json.Marshal(op)
		r["fn"], _ = json.Marshal(fn)
	}
	return r
}

// one returns a random member of some kinds, of any but an embedded struct and a text of a variant without them, or nil.
func (c *Choice) one(kinds ...string) *Member {
	for _, i := range c.random.Perm(len(c.members)) {
		if k := c.members[i].Kind; len(kinds) == 0 && k != "text" && k != "E" || slices.Contains(kinds, k) {
			return c.members[i]
		}
	}
	return nil
}

func (c *Choice) named(name string) *Member {
	for _, m := range c.members {
		if m.Name == name {
			return m
		}
	}
	return nil
}

func (c *Choice) add(m Member) { c.members = append(c.members, &m) }

func (c *Choice) remove(name string) {
	c.members = slices.DeleteFunc(c.members, func(m *Member) bool { return m.Name == name })
}

// fresh returns a name that no member has, and that it has not returned just before.
func (c *Choice) fresh() string {
	for i := range 1000 {
		name := c.prefix + string(rune('a'+c.random.IntN(12)))
		if i >= 100 {
			name = c.prefix + "free" + strconv.Itoa(i)
		}
		if c.named(name) == nil && name != c.last {
			c.last = name
			return name
		}
	}
	panic("there are too many members")
}

// constantOf returns a random constant that a member of a kind can have.
func (c *Choice) constantOf(kind string) json.RawMessage {
	switch kind {
	case "string":
		return json.RawMessage(`"x y"`)
	case "int":
		return json.RawMessage("17")
	}
	all := []string{"1", `"o"`, "null", "[1,2]", `{"p":1}`, `"x y"`}
	return json.RawMessage(all[c.random.IntN(len(all))])
}
