package migrate

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate/internal/openapi"
	"github.com/goverso/verso/migrate/internal/rewrite"
	"github.com/goverso/verso/migrate/internal/shape"
	"github.com/goverso/verso/migrate/internal/watch"
)

// History is what changed between the versions of an API. [New] returns one; the zero History
// is not valid. It is safe for concurrent use.
// New fixes everything but the types of routes, so requests need no lock.
type History struct {
	api       *verso.Versioning
	revisions revisions
	opaque    map[reflect.Type]bool // types whose JSON is the same in all versions
	index     map[verso.Version]int
	plans

	places int // the edits so far, in New

	watch atomic.Pointer[func(watch.Answer)] // nil: no test watches the responses

	mu       sync.Mutex
	bodies   []reflect.Type // what routes read and write, and what is sent
	webhooks []*webhook     // by name
}

// Revision is a version, with what it changed in the one before it: see [Release]. [New] refuses
// the zero Revision.
type Revision struct {
	name    string
	changes []*Change
	opaque  reflect.Type // of [Opaque], nil for a version
	union   *union       // of [OneOf]
}

// Release lists what a version changed, in the order in which it was changed. The
// oldest version changes nothing.
func Release(version string, changes ...*Change) Revision {
	return Revision{name: version, changes: changes}
}

// Opaque declares, beside the releases of [New], that a type that marshals itself, such as a
// time, a decimal or an ID, has the same JSON in all versions, wherever it is. Without it
// each member of the type has to be [Open] in each route.
func Opaque[T any]() Revision { return Revision{opaque: reflect.TypeFor[T]()} }

// TypeEdits are the edits of the JSON object made of a Go type: see [For]. [New] refuses
// the zero TypeEdits.
type TypeEdits struct {
	typ   reflect.Type
	edits []Edit
}

// For gives edits to the struct T, as the newest version has it. They apply wherever
// a T is: in a body, a member, a list, a map, another T.
func For[T any](edits ...Edit) TypeEdits { return ForType(reflect.TypeFor[T](), edits...) }

// ForType is [For] for a type that the compiler does not know. It is for generated code and for
// tests, which find types by reflection.
func ForType(t reflect.Type, edits ...Edit) TypeEdits { return TypeEdits{t, edits} }

// edits are all edits of a history by the Go types of its objects, the newest first.
type edits map[reflect.Type][]placed

// placed is an edit, and where it is declared. Without its change and its release, an edit
// could not be named in a message.
type placed struct {
	edit
	index   int          // of the release
	version string       // that the release makes
	change  string       // its text
	place   int          // among all edits, the newest first
	of      reflect.Type // the embedded struct that it is an edit of; nil: the type itself
}

// New returns the history of an API. The revisions are those of api.Versions, the
// newest first. The error joins all mistakes: versions that do not agree, and edits
// that do not fit the Go types.
func New(api *verso.Versioning, revisions ...Revision) (*History, error) {
	// All mistakes are collected: a history is long, and a team would otherwise mend one a run.
	h := &History{api: api, opaque: map[reflect.Type]bool{}, index: map[verso.Version]int{},
		plans: plans{edits: edits{}, made: map[planKey]*rewrite.Node{}}}
	var found mistakes
	for _, r := range revisions {
		switch u := r.union; {
		case u != nil:
			h.edits[u.typ] = append(h.edits[u.typ], placed{edit: edit{union: u}, index: maxIndex, place: maxIndex})
		case r.opaque == nil:
			h.revisions = append(h.revisions, r)
		// All members of raw JSON would be open, also those in which a service puts what has edits.
		case !shape.IsOpaque(shape.Pointee(r.opaque)) || shape.Pointee(r.opaque) == reflect.TypeFor[json.RawMessage]():
			found.add("migrate: Opaque[%s]: give it a type of your own that marshals itself, and declare members of other types Open", shape.Pointee(r.opaque))
		default:
			h.opaque[shape.Pointee(r.opaque)] = true
		}
	}
	for i, v := range h.revisions.versions() {
		h.index[v] = i
	}
	h.revisions.compare(api, &found)
	for i, r := range h.revisions {
		for _, c := range slices.Backward(r.changes) {
			h.addChange(i, c, &found)
		}
	}
	// Edits are only checked in a history whose versions agree: their order would be wrong
	// otherwise.
	if len(found) == 0 {
		h.edits.check(&found)
	}
	if err := errors.Join(found...); err != nil {
		return nil, err
	}
	return h, nil
}

// revisions list the releases of a history, the newest first.
type revisions []Revision

// compare compares the revisions with the versions of the API.
func (all revisions) compare(api *verso.Versioning, found *mistakes) {
	if api == nil {
		found.add("migrate: the versioning is nil: check the error of verso.New")
		return
	}
	// A version without a release would get the newest form of all bodies.
	served := api.Versions()
	slices.Reverse(served)
	released := all.versions()
	if len(served) == 0 || !slices.Equal(served, released) {
		found.add("migrate: the releases are %q, and the versions of the API, the newest first, %q: write a Release for each of these, in their order", released, served)
	}
	if n := len(all); n > 0 && len(all[n-1].changes) > 0 {
		oldest := all[n-1]
		found.add("migrate: %s: %q: the oldest version has none before it that it could change: move the change to a later release", oldest.name, oldest.changes[0].text)
	}
}

// addChange adds a change of the revision at index; the newer ones are there already. Changes
// of a release are in the order in which they were made; edits are taken back in the other one.
func (h *History) addChange(index int, c *Change, found *mistakes) {
	version := h.revisions[index].name
	if c == nil || strings.TrimSpace(c.text) == "" {
		found.add("migrate: %s: a change has no text: write what clients see", version)
		return
	}
	older := map[verso.Version]bool{}
	for _, v := range h.revisions[index+1:].versions() {
		older[v] = true
	}
	// Handlers call [Change.Active] in each request, so it is one look into a map.
	c.inactive.Store(&older)
	for _, t := range slices.Backward(c.types) {
		switch {
		case t.typ == nil || t.typ.Kind() != reflect.Struct && h.edits.union(t.typ) == nil:
			found.add("%s: this is not a struct: give the edits to the struct of the JSON object, or declare the interface with OneOf", at(version, c.text, t.typ))
		case shape.IsOpaque(t.typ):
			found.add("%s: the type marshals itself, so its members are not known: use Mapped for the members of this type", at(version, c.text, t.typ))
		}
		h.edits[t.typ] = slices.Clone(h.edits[t.typ]) // there, also without edits
		for _, e := range slices.Backward(t.edits) {
			h.places++
			h.edits[t.typ] = append(h.edits[t.typ], placed{edit: e.edit, index: index, version: version, change: c.text, place: h.places})
		}
	}
}

// at returns where an edit is declared: a history is long, and all its mistakes are reported at
// once.
func at(version, change string, t reflect.Type) string {
	return fmt.Sprintf("migrate: %s: %q: %s", version, change, shape.NameOf(t))
}

// isLost reports whether documents of older versions lack what an edit describes: it is about
// another form of the member.
func (p *placed) isLost(older placed) bool {
	for keyword := range p.keywords {
		if older.forgets && slices.Contains(older.needs, p.needs[0]) && !slices.Contains(openapi.MappedKeywords, keyword) {
			return true
		}
	}
	return false
}

// mistakes collects the mistakes of a declaration: a team would otherwise mend one a run.
type mistakes []error

// add notes a mistake, once. It names types as all messages do.
func (m *mistakes) add(format string, args ...any) {
	for i, arg := range args {
		if t, ok := arg.(reflect.Type); ok {
			args[i] = shape.NameOf(t)
		}
	}
	mistake := fmt.Errorf(format, args...)
	if !slices.ContainsFunc(*m, func(other error) bool { return other.Error() == mistake.Error() }) {
		*m = append(*m, mistake)
	}
}

// check takes all edits back, from the newest version to the oldest.
// Each edit is checked against the form that the later ones leave, as it was when it was written: so a
// name may come back years later.
func (all edits) check(found *mistakes) {
	for _, t := range shape.Sorted(all) {
		say := func(p placed, err error) { found.add("%s: %s: %w", at(p.version, p.change, t), p.text, err) }
		all.takeBack(t, maxIndex, say)
		if u := all.union(t); u != nil {
			for _, err := range all.checkUnion(u, say) {
				found.add("migrate: OneOf[%s]: %w", t, err)
			}
			continue
		}
		for i, p := range all[t] {
			for _, older := range all[t][i+1:] {
				if older.index == p.index && p.isLost(older) {
					say(p, fmt.Errorf("documents of older versions do not show it: leave it out, or list it before this edit: %s", older.text))
				}
			}
			switch {
			case p.reshaped != nil && len(all.of(t)) > 1:
				say(p, errors.New("a reshaped type can have no other edit: write them into the functions"))
			case p.reshaped != nil && all.isCircle(p.reshaped):
				say(p, errors.New("the older type is made of this one again: give it a type of its own"))
			}
		}
		if err := all.checkUse(t); err != nil {
			found.add("migrate: %w", err)
		}
	}
}

// takeBack returns the members that the type has in the version at index, without regard to
// [Reshaped]. say, if it is not nil, gets what does not fit. An edit that does not fit is
// skipped, so that the ones before it are still checked.
func (all edits) takeBack(t reflect.Type, index int, say func(placed, error)) []shape.Member {
	return all.without(t, all.after(t, index), say)
}

// without is takeBack for a part of the edits of a type, the newest first.
func (all edits) without(t reflect.Type, list []placed, say func(placed, error)) []shape.Member {
	members := shape.MembersOf(t)
	if u := all.union(t); u != nil {
		members = all.newest(u)
	}
	var newer [][]shape.Member // of each edit
	for i, p := range list {
		newer = append(newer, members)
		older, err := all.stepBack(t, p, members)
		if err == nil {
			members = older
		} else if say != nil {
			say(p, fmt.Errorf("%w (it has %s)%s", err, shape.Names(members), all.placeFor(t, list, i, newer)))
		}
	}
	return members
}

// stepBack returns the members before an edit.
func (all edits) stepBack(t reflect.Type, p placed, members []shape.Member) ([]shape.Member, error) {
	for _, name := range p.needs {
		// An edit of an embedded struct has nothing to edit in the JSON of the outer one.
		if i := shape.Find(members, name); p.of != nil && i >= 0 && !slices.Contains(members[i].Embedded, p.of) {
			return nil, fmt.Errorf("%s is embedded, and its member %q is hidden by another one: give the embedded struct a name", shape.NameOf(p.of), name)
		}
	}
	u := all.union(t)
	if u != nil && p.variant == nil {
		return nil, fmt.Errorf("%s is an interface: give the edit to its structs", shape.NameOf(t))
	}
	if u == nil && p.variant != nil {
		return nil, fmt.Errorf("%s is not an interface of OneOf: give the edit to the interface", shape.NameOf(t))
	}
	if of := cmp.Or(p.of, t); p.withheld != nil && p.withheld != of {
		return nil, fmt.Errorf("the function reads %s: let it read %s", shape.NameOf(p.withheld), shape.NameOf(of))
	}
	older, err := p.takeBack(slices.Clone(members), all)
	if err != nil {
		return nil, err
	}
	// What such an edit brings back is promoted, too.
	for i, m := range older {
		if p.of != nil && m.Embedded == nil && shape.Find(members, m.Name) < 0 {
			older[i].Embedded = []reflect.Type{p.of}
		}
		if m.Gone {
			older[i].Typ = u.typeOf(m.Now)
		}
	}
	return older, nil
}

// placeFor returns advice where in its release an edit fits that does not fit where it is.
func (all edits) placeFor(t reflect.Type, list []placed, at int, newer [][]shape.Member) string {
	fit := func(members []shape.Member, order ...placed) (err error) {
		for _, p := range order {
			if members, err = all.stepBack(t, p, members); err != nil {
				return err
			}
		}
		return nil
	}
	p := list[at]
	for i := at - 1; i >= 0 && list[i].index == p.index; i-- {
		if fit(newer[i], slices.Insert(slices.Clone(list[i:at]), 0, p)...) == nil {
			return ": list it after this edit: " + list[i].text
		}
	}
	for i := at + 1; i < len(list) && list[i].index == p.index; i++ {
		if fit(newer[at], append(slices.Clone(list[at+1:i+1]), p)...) == nil {
			return ": list it before this edit: " + list[i].text
		}
	}
	return ""
}

// after returns the edits of a type that the version at index lacks, the newest first.
func (all edits) after(t reflect.Type, index int) []placed {
	return slices.DeleteFunc(all.of(t), func(p placed) bool { return p.index >= index })
}

// of returns the edits of a type, the newest first, with those of the structs that it embeds:
// encoding/json promotes their members, so an edit of one is an edit of the outer object.
func (all edits) of(t reflect.Type) []placed {
	list := slices.Clone(all[t])
	for _, from := range shape.EmbeddedIn(t) {
		for _, p := range all[from] {
			p.of = from
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(a, b placed) int { return cmp.Compare(a.place, b.place) })
	return list
}

// has reports whether a type has edits.
func (all edits) has(t reflect.Type) bool { return len(all.after(t, maxIndex)) > 0 }

// checkUse checks in a type what New knows of its parts alone: the edits of embedded structs,
// where they are embedded, and unions of which older lists lack elements.
func (all edits) checkUse(t reflect.Type) error {
	var found mistakes
	checkOut := func(what string, t reflect.Type) {
		if all.leavesOut(t) {
			found.add("%s is %s, whose NewVariant is Absent for older clients: it may be in lists only", what, t)
		}
	}
	checkOut("a body", t)
	all.walk(t, func(t reflect.Type) {
		switch t.Kind() {
		case reflect.Map:
			checkOut("the value of a map", t.Elem())
		case reflect.Struct:
			for _, m := range shape.MembersOf(t) {
				checkOut(fmt.Sprintf("the member %q of %s", m.Name, shape.NameOf(t)), m.Typ)
			}
			for f := range t.Fields() {
				if f.Anonymous && all.union(shape.Deref(f.Type)) != nil && f.Tag.Get("json") == "" {
					found.add("%s embeds %s: give the interface a name", t, f.Type)
				}
			}
		}
		for _, from := range shape.EmbeddedIn(t) {
			if len(all[from]) == 0 {
				continue
			}
			if all.reshaped(from) != nil {
				found.add("%s is embedded in %s, whose members it has: it cannot be Reshaped there", from, t)
			}
			all.takeBack(t, maxIndex, func(p placed, mistake error) {
				found.add("%s embeds %s, whose edits apply: %s: %w", t, from, p.text, mistake)
			})
		}
	})
	return errors.Join(found...)
}

// maxIndex is beyond the oldest version.
const maxIndex = 1 << 30

// Versions returns the versions of the history, the newest first.
func (h *History) Versions() []verso.Version { return h.revisions.versions() }

func (all revisions) versions() []verso.Version {
	versions := make([]verso.Version, len(all))
	for i, r := range all {
		versions[i] = verso.V(r.name)
	}
	return versions
}
