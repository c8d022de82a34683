package migrate

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate/internal/documents"
	"github.com/goverso/verso/migrate/internal/edits"
)

// LowerDocument makes the OpenAPI document of a version in place: document is decoded JSON of
// the newest version. routes are the operations of the version by their JSON pointers, such as
// "/paths/~1users/get", with their Rewriters, or nil. It changes the operations whose routes
// are of this history, and returns the routes with nil for those.
//
// A schema is lowered with the edits of the Go type that the route declares for it, and its
// examples with the code that lowers responses. Extensions named x-changes list the texts of
// the changes that the version lacks. Schemas without properties stay. If an operation whose
// route is not rewritten needs the newest form of a component, the lowered copy has the version
// at the end of its name. The webhooks that [Sends] declares are lowered too, or left out where
// the version does not have them; other webhooks and callbacks stay. A pointer that leads nowhere
// belongs to a route of another version, which has the same webhooks. Errors have the place of what cannot be lowered:
//
//   - a schema that lacks a property that an edit needs, or is of another kind than the Go type:
//     the document is not the newest one;
//   - a schema of an edited type with conditions, or in several forms (oneOf, anyOf) that are not all objects, or an
//     edit of it without a member, such as Removed: which form it is of is not known;
//   - server-sent events of an edited type;
//   - links and callbacks that refer to an edited body, query or header.
func (r *Route) LowerDocument(version string, document map[string]any,
	routes map[string]verso.Rewriter) (rest map[string]verso.Rewriter, err error) {
	h := r.history
	index, ok := h.index[verso.V(version)]
	if !ok {
		return nil, fmt.Errorf("migrate: version %q is not in the history", version)
	}
	rest = maps.Clone(routes)
	var operations []documents.Operation
	// A fixed order makes the same mistake of a document the same error each time.
	for _, pointer := range slices.Sorted(maps.Keys(routes)) {
		o := documents.Operation{Pointer: pointer}
		if route, ok := routes[pointer].(*Route); ok && route.history == h {
			rest[pointer] = nil
			o.Bodies, o.Answers = &route.bodies.Bodies, h.revisions.answersIn(route.bodies, index)
		}
		operations = append(operations, o)
	}
	var sent []documents.Webhook
	for _, w := range h.sends() {
		sent = append(sent, documents.Webhook{Name: w.name, Type: w.typ, Has: w.sent.In(verso.V(version))})
	}
	err = documents.Lower(document, version, edits.Version{All: h.edits, Index: index}, operations, sent,
		func(t reflect.Type, raw []byte) ([]byte, error) { return h.lower(verso.V(version), t, raw) })
	if err != nil {
		return nil, fmt.Errorf("migrate: %w", err)
	}
	return rest, nil
}

// Webhooks returns the names of what the history of the route sends in a version: see [Sends].
func (r *Route) Webhooks(version string) (names []string) {
	for _, w := range r.history.sends() {
		if w.sent.In(verso.V(version)) {
			names = append(names, w.name)
		}
	}
	return names
}
