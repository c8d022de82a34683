package migrate

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate/internal/guard"
	"github.com/goverso/verso/migrate/internal/message"
	"github.com/goverso/verso/migrate/internal/plans"
	"github.com/goverso/verso/migrate/internal/refusal"
	"github.com/goverso/verso/migrate/internal/rewrite"
)

// LiftPartial is LiftJSON as for a PATCH.
func (h *History) LiftPartial(v verso.Version, t reflect.Type, raw []byte) ([]byte, error) {
	return h.lift(v, t, plans.Modify, raw)
}

// LiftReplacing is LiftJSON as for a PUT.
func (h *History) LiftReplacing(v verso.Version, t reflect.Type, raw []byte) ([]byte, error) {
	return h.lift(v, t, plans.Replace, raw)
}

// LowerStreamed is LowerJSON for a response that is written in pieces.
func (h *History) LowerStreamed(v verso.Version, t reflect.Type, pieces ...[]byte) ([]byte, error) {
	n, err := h.planOf(v, t, plans.Down)
	if err != nil {
		return nil, err
	}
	from := new(inPieces)
	r := rewrite.New(n, &rewrite.Source{Reader: from}, rewrite.Mode{Ours: true})
	for _, piece := range pieces {
		from.Write(piece)
		if err := r.Run(0); !errors.Is(err, rewrite.ErrMore) {
			return r.Out, errors.Join(err, errors.New("failed before the end"))
		}
	}
	from.ended = true
	err = r.Run(0)
	return r.Out, err
}

// LiftStreamed is LiftJSON for a body that is read in pieces.
func (h *History) LiftStreamed(v verso.Version, t reflect.Type, in io.Reader) ([]byte, error) {
	return h.LiftStreamedAs(http.MethodPost, v, t, in)
}

// LiftStreamedAs is LiftStreamed as for a request of a method.
func (h *History) LiftStreamedAs(method string, v verso.Version, t reflect.Type, in io.Reader) ([]byte, error) {
	n, err := h.planOf(v, t, map[string]plans.Direction{http.MethodPost: plans.Create, http.MethodPut: plans.Replace, http.MethodPatch: plans.Modify}[method])
	if err != nil {
		return nil, err
	}
	s := &rewrite.Source{Reader: in}
	r := rewrite.New(n, s, rewrite.Mode{})
	return io.ReadAll(&message.Pulled{Next: func(n int) ([]byte, error) {
		return r.Piece(n, func(err error) error { return asError(refusal.Of(err)) })
	}})
}

// Held rewrites a body as a value that an edit needs whole.
func (h *History) Held(method string, v verso.Version, t reflect.Type, raw []byte) ([]byte, error) {
	n, err := h.planOf(v, t, map[string]plans.Direction{"down": plans.Down, http.MethodPost: plans.Create, http.MethodPut: plans.Replace, http.MethodPatch: plans.Modify}[method])
	if err != nil {
		return nil, err
	}
	return rewrite.Held(n, raw, rewrite.Mode{Ours: method == "down"}, false)
}

// WithheldRaw is Withheld for a type that the compiler does not know.
func WithheldRaw(isNew func(raw []byte) bool) Edit {
	e := Withheld(func(raw json.RawMessage) bool { return isNew(raw) })
	e.edit.Check = nil
	return e
}

// inPieces is a response that comes in pieces.
type inPieces struct {
	bytes.Buffer
	ended bool
}

func (p *inPieces) Read(b []byte) (int, error) {
	if p.Len() == 0 && !p.ended {
		return 0, rewrite.ErrMore
	}
	return p.Buffer.Read(b)
}

// MistakesIn returns what the guard of tests finds in a body of a version.
func MistakesIn(h *History, r *Route, version string, body []byte) []string {
	return guard.Mistakes(&r.bodies.Bodies, h.schemas(verso.V(version)).edits, http.StatusOK, "application/json", body)
}
