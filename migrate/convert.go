package migrate

import (
	"encoding/json"
	"fmt"
	"reflect"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate/internal/plans"
	"github.com/goverso/verso/migrate/internal/refusal"
	"github.com/goverso/verso/migrate/internal/rewrite"
	"github.com/goverso/verso/migrate/internal/shape"
)

// Lower returns a value of the newest version as JSON of another version, for a rejection or a
// test. What a service sends by itself has [Sends], which knows dates. It fails if the value
// cannot be marshaled, and if the history does not have the version, or an edit cannot read the
// value.
func (h *History) Lower(v verso.Version, value any) ([]byte, error) {
	raw, err := json.Marshal(value)
	// null has no type, and is the same in each version.
	if err != nil || value == nil {
		return raw, err
	}
	return h.LowerJSON(v, reflect.TypeOf(value), raw)
}

// LowerJSON is [History.Lower] for JSON of a type. Unknown members stay.
func (h *History) LowerJSON(v verso.Version, t reflect.Type, raw []byte) ([]byte, error) {
	return h.lower(v, t, raw)
}

func (h *history) lower(v verso.Version, t reflect.Type, raw []byte) ([]byte, error) {
	n, err := h.planOf(v, t, plans.Down)
	if err != nil || n == nil {
		return raw, err
	}
	lowered, err := rewrite.Whole(n, raw, rewrite.Mode{Ours: true})
	if err != nil {
		return nil, fmt.Errorf("migrate: %s in %s: %w", shape.NameOf(shape.Deref(t)), v, err)
	}
	return lowered, nil
}

// Lift returns the T of which a client of a version sends the JSON in a POST. The error is an
// [*Error], that of encoding/json, or that the history does not have the version. It is for
// what reaches a service without its router: a queue, an import, a test.
func Lift[T any](h *History, v verso.Version, raw []byte) (value T, err error) {
	if raw, err = h.LiftJSON(v, reflect.TypeFor[T](), raw); err == nil {
		err = json.Unmarshal(raw, &value)
	}
	return value, err
}

// LiftJSON is [Lift] for a type that the compiler does not know; it returns JSON of
// the newest version.
func (h *History) LiftJSON(v verso.Version, t reflect.Type, raw []byte) ([]byte, error) {
	return h.lift(v, t, plans.Create, raw)
}

// lift takes bodies of any kind: a queue or a test has no route that declares one.
func (h *history) lift(v verso.Version, t reflect.Type, d plans.Direction, raw []byte) ([]byte, error) {
	n, err := h.planOf(v, t, d)
	if err != nil || n == nil {
		return raw, err
	}
	if raw, err = rewrite.Whole(n, raw, rewrite.Mode{}); err != nil {
		return nil, asError(refusal.Of(err))
	}
	return raw, nil
}

// planOf returns the plan for a version, nil for the newest one and without a version. A
// request without a version is served in the newest form.
// Without a plan, the caller returns its input: nothing is to be done.
func (h *history) planOf(v verso.Version, t reflect.Type, d plans.Direction) (*rewrite.Node, error) {
	index, ok := h.index[v]
	if !ok && !v.IsNone() {
		return nil, fmt.Errorf("migrate: the history does not have version %q: write a Release for it", v)
	}
	if index == 0 {
		return nil, nil
	}
	return h.plans.Plan(t, index, d)
}
