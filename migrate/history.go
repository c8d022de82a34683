package migrate

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/guard"
	"github.com/goverso/verso/migrate/internal/plans"
	"github.com/goverso/verso/migrate/internal/rewrite"
	"github.com/goverso/verso/migrate/internal/shape"
	"github.com/goverso/verso/migrate/internal/watch"
)

// History is what changed between the versions of an API. [New] returns one; the zero History
// is not valid. It is safe for concurrent use.
// New fixes everything but the types of routes, so requests need no lock.
type History struct{ history }

// history is what its routes, its webhooks and its changelog share.
type history struct {
	api       *verso.Versioning
	revisions revisions
	opaque    map[reflect.Type]bool // types whose JSON is the same in all versions
	index     map[verso.Version]int
	edits     edits.All
	plans     *plans.Table
	forms     []func() []guard.Form // by version, of the types that it has in another form than the newest

	places int // the edits so far, in New

	watch atomic.Pointer[func(watch.Answer)] // nil: no test watches the responses

	mu       sync.Mutex
	used     map[reflect.Type]bool // the types in bodies, and what these embed
	open     []reflect.Type        // those of Open in routes
	bodies   []reflect.Type        // what routes read and write, and what is sent
	webhooks []*webhook            // by name
}

// Revision is a version, with what it changed in the one before it: see [Release]. [New] refuses
// the zero Revision.
type Revision struct {
	name    string
	changes []*Change
	opaque  reflect.Type    // of [Opaque], nil for a version
	union   *edits.Union    // of [OneOf]
	at      *edits.Override // of [At]
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

// New returns the history of an API. The revisions are those of api.Versions, the
// newest first. The error joins all mistakes: versions that do not agree, and edits
// that do not fit the Go types.
func New(api *verso.Versioning, revisions ...Revision) (*History, error) {
	// All mistakes are collected: a history is long, and a team would otherwise mend one a run.
	h := &History{history{api: api, opaque: map[reflect.Type]bool{}, index: map[verso.Version]int{},
		edits: edits.All{}, used: map[reflect.Type]bool{}}}
	h.plans = plans.New(h.edits)
	var found edits.Mistakes
	for _, r := range revisions {
		switch u := r.union; {
		case r.at != nil && (r.at.Of == nil || r.at.As == nil || r.at.Of.Kind() != reflect.Struct || shape.IsOpaque(r.at.Of)):
			found.Add("migrate: At[%s, %s]: give a struct, and names of its members", shape.NameOf(r.at.Of),
				shape.NameOf(r.at.As))
		case r.at != nil:
			h.edits[r.at.Of] = append(h.edits[r.at.Of],
				edits.Placed{Edit: edits.Edit{Override: r.at}, Index: edits.Oldest, Place: edits.Oldest})
		case u != nil:
			h.edits[u.Typ] = append(h.edits[u.Typ],
				edits.Placed{Edit: edits.Edit{Union: u}, Index: edits.Oldest, Place: edits.Oldest})
		case r.opaque == nil:
			h.revisions = append(h.revisions, r)
		// All members of raw JSON would be open, also those in which a service puts what has edits.
		case !shape.IsOpaque(shape.Pointee(r.opaque)) || shape.Pointee(r.opaque) == reflect.TypeFor[json.RawMessage]():
			found.Add(
				"migrate: Opaque[%s]: give it a type of your own that marshals itself, and declare members of other types Open", shape.Pointee(r.opaque))
		default:
			h.opaque[shape.Pointee(r.opaque)] = true
		}
	}
	for i, v := range h.revisions.versions() {
		h.index[v] = i
		h.forms = append(h.forms, sync.OnceValue(func() []guard.Form {
			return guard.Forms(edits.Version{All: h.edits, Index: i})
		}))
	}
	h.revisions.compare(api, &found)
	given := map[*Change]bool{}
	for i, r := range h.revisions {
		for _, c := range slices.Backward(r.changes) {
			if c != nil && given[c] {
				found.Add("migrate: %s: %q is given to two releases, or twice to one: remove one", r.name, c.text)
			}
			given[c] = true
			h.addChange(i, c, &found)
		}
	}
	// Edits are only checked in a history whose versions agree: their order would be wrong
	// otherwise.
	if len(found) == 0 {
		h.edits.Check(&found)
	}
	if err := errors.Join(found...); err != nil {
		return nil, err
	}
	api.AddReview(h.review)
	return h, nil
}

// revisions list the releases of a history, the newest first.
type revisions []Revision

// compare compares the revisions with the versions of the API.
func (all revisions) compare(api *verso.Versioning, found *edits.Mistakes) {
	if api == nil {
		found.Add("migrate: the versioning is nil: check the error of verso.New")
		return
	}
	// A version without a release would get the newest form of all bodies.
	served := api.Versions()
	slices.Reverse(served)
	released := all.versions()
	if len(served) == 0 || !slices.Equal(served, released) {
		found.Add(
			"migrate: the releases are %q, and the versions of the API, the newest first, %q: write a Release for each of these, in their order", released, served)
	}
	if n := len(all); n > 0 && len(all[n-1].changes) > 0 {
		oldest := all[n-1]
		found.Add(
			"migrate: %s: %q: the oldest version has none before it that it could change: move the change to a later release", oldest.name, oldest.changes[0].text)
	}
}

// addChange adds a change of the revision at index; the newer ones are there already. Changes
// of a release are in the order in which they were made; edits are taken back in the other one.
func (h *history) addChange(index int, c *Change, found *edits.Mistakes) {
	version := h.revisions[index].name
	if c == nil || strings.TrimSpace(c.text) == "" {
		found.Add("migrate: %s: a change has no text: write what clients see", version)
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
		case t.typ != nil && t.typ.Name() != "" && slices.Contains([]reflect.Kind{reflect.Slice, reflect.Map}, t.typ.Kind()) &&
			!slices.ContainsFunc(t.edits, func(e Edit) bool { return !e.edit.OfList }):
		case edits.MayBeValue(t.typ):
			for _, e := range t.edits {
				if !e.edit.OfValue || slices.ContainsFunc(e.edit.Needs, func(name string) bool { return name != "" }) {
					found.Add("%s: %s: this is not a struct: give Values, Mapped or Documented of the name \"\"",
						edits.PlaceOf(version, c.text, t.typ), e.edit.Text)
				}
			}
		case t.typ == nil || t.typ.Kind() != reflect.Struct && h.edits.Union(t.typ) == nil:
			found.Add(
				"%s: this is not a struct: give the edits to the struct of the JSON object, or declare the interface with OneOf", edits.PlaceOf(version, c.text, t.typ))
		case shape.IsOpaque(t.typ):
			found.Add(
				"%s: the type marshals itself, so its members are not known: use Mapped for the members of this type", edits.PlaceOf(version, c.text, t.typ))
		}
		h.edits[t.typ] = slices.Clone(h.edits[t.typ]) // there, also without edits
		for _, e := range slices.Backward(t.edits) {
			h.places++
			h.edits[t.typ] = append(h.edits[t.typ],
				edits.Placed{Edit: e.edit, Index: index, Version: version, Change: c.text, Place: h.places})
		}
	}
}

// add notes types of routes and of what is sent. The caller holds the lock.
func (h *history) add(types ...reflect.Type) {
	h.bodies = append(h.bodies, types...)
	for _, t := range types {
		h.edits.Walk(t, func(inner reflect.Type) {
			h.used[inner] = true
			for _, from := range shape.EmbeddedIn(inner) {
				h.used[from] = true
			}
		})
	}
}

// unused returns the types with edits or open members, by name, which neither a route nor a webhook uses.
func (h *history) unused() []reflect.Type {
	h.mu.Lock()
	defer h.mu.Unlock()
	unused := map[reflect.Type]bool{}
	for t := range h.edits {
		if !h.used[t] && h.edits.Count(t) > 0 {
			unused[t] = true
		}
	}
	for _, t := range h.open {
		if !h.used[t] {
			unused[t] = true
		}
	}
	return shape.Sorted(unused)
}

// review finds changes that nothing has.
func (h *History) review() (found []verso.Finding) {
	for _, release := range h.revisions {
		for _, c := range release.changes {
			if !c.behaves && len(c.types) == 0 && !c.declared.Load() {
				found = append(found, verso.Finding{
					Level: verso.LevelWarning, Code: "change_without_edits", Field: "Routes",
					Message: fmt.Sprintf("the change %q of %s changes nothing for older versions: give it edits by For, declare what it changes of a route, or write Behaves", c.text, release.name),
				})
			}
		}
	}
	for _, t := range h.unused() {
		found = append(found, verso.Finding{
			Level: verso.LevelWarning, Code: "edits_unused", Field: "Routes",
			Message: fmt.Sprintf("no route and no webhook has %s, so its edits or Open change nothing: declare it where it is read or written, or remove them, or acknowledge this if you give it to Lower or Lift", shape.NameOf(t)),
		})
	}
	return found
}

// Versions returns the versions of the history, the newest first.
func (h *History) Versions() []verso.Version { return h.revisions.versions() }

func (all revisions) versions() []verso.Version {
	versions := make([]verso.Version, len(all))
	for i, r := range all {
		versions[i] = verso.V(r.name)
	}
	return versions
}

type webhook struct {
	name    string
	typ     reflect.Type
	sent    *adapter.Sent
	plans   map[verso.Version]*rewrite.Node // of versions with another form
	headers map[verso.Version]http.Header   // of messages
}

// webhooks are what a service sends, by name.
type webhooks []*webhook

// sends returns the webhooks by their names.
func (h *history) sends() webhooks {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.webhooks
}
