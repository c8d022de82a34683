package migrate

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/plans"
	"github.com/goverso/verso/migrate/internal/rewrite"
)

// ErrNoSuchEvent matches the error of a webhook that the version of the receiver does not have.
// It is the only error after which nothing is to be sent.
var ErrNoSuchEvent = errors.New("the version does not have the webhook")

// Webhook is an event that a service sends by itself, to each receiver in the version that the
// service has stored for it: a webhook, or a message of a queue. [Sends] declares it; the
// methods of the zero Webhook return an error. It is immutable and safe for concurrent use.
type Webhook[T any] struct{ *webhook }

// Sends declares an event by its name, and by its body T as the newest version has it: all of
// it, with its envelope, or only the data that the service puts into one. Every version has it
// unless [verso.Since] or [verso.RemovedIn] are among the options; [Open] is as in a route.
// Declare it once, after [New] and before Frozen of package migratetest.
//
// Sends panics with all mistakes: no name, a name declared already, another option, an
// unknown version, and a T in which edits could be missed: see [History.Route].
func Sends[T any](h *History, name string, options ...any) Webhook[T] {
	if h == nil {
		panic(fmt.Errorf("migrate: webhook %q: the history is nil: give it what New returns", name))
	}
	w := &webhook{name: name, typ: reflect.TypeFor[T]()}
	if err := h.declare(w, options); err != nil {
		panic(fmt.Errorf("migrate: webhook %q: %w", name, err))
	}
	return Webhook[T]{w}
}

// declare adds a webhook to the history. The error joins all mistakes.
func (h *history) declare(w *webhook, options []any) error {
	b := newBodies(h.opaque)
	var found edits.Mistakes
	var ranged []verso.RouteOption
	for _, option := range options {
		switch option := option.(type) {
		case verso.RouteOption:
			ranged = append(ranged, option)
		case Body:
			option(b)
		default:
			found.Add("%T is not an option: use verso.Since, verso.RemovedIn or Open", option)
		}
	}
	plain := newBodies(h.opaque)
	if plain.open, plain.mistakes = b.open, b.mistakes; !reflect.DeepEqual(b, plain) {
		found.Add("a webhook has no body but its type: of the options of a route, use only Open")
	}
	var err error
	w.sent, err = adapter.NewSent(h.api, ranged...)
	b.checkKnown(h.edits, w.typ, map[reflect.Type]bool{})
	if err := errors.Join(append(b.mistakes, err, h.edits.CheckUse(w.typ))...); err != nil {
		found.Add("%w", err)
	}
	if strings.TrimSpace(w.name) == "" {
		found.Add("it has no name")
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	at, twice := slices.BinarySearchFunc(h.webhooks, w.name,
		func(other *webhook, name string) int { return cmp.Compare(other.name, name) })
	if twice {
		found.Add("it is declared twice: use the value of the first declaration")
	}
	if err := errors.Join(found...); err != nil {
		return err
	}
	w.plans, w.headers = map[verso.Version]*rewrite.Node{}, map[verso.Version]http.Header{}
	for index, v := range h.revisions.versions() {
		if n := h.plans.Changing(w.typ, index, plans.Down); n != nil {
			w.plans[v] = n
		}
		_, mediaType := h.edits.Older(w.typ, index)
		w.headers[v] = http.Header{"Content-Type": {cmp.Or(mediaType, "application/json")}}
		if field := w.sent.ServedField(v); field.Name != "" {
			w.headers[v][field.Name] = field.Lines
		}
	}
	h.webhooks = slices.Insert(slices.Clone(h.webhooks), at, w) // it may be read meanwhile
	h.add(w.typ)
	return nil
}

// Message is an event as its receiver gets it. Store it as it is: a retry sends and signs the
// same bytes, also after the end of the version.
type Message struct {
	Body    []byte        // JSON, the same for equal events
	Version verso.Version // whose form it has

	header http.Header
}

// Header returns the header fields of the message: its Content-Type, application/json unless
// [Reshaped] gives another, and the field in which responses name their version, if the
// catalogue has one.
func (m Message) Header() http.Header { return m.header.Clone() }

// Marshal returns an event for a receiver whose version the service has stored. It fails as In and
// [History.Lower] do.
func (w Webhook[T]) Marshal(stored verso.Version, event T) (Message, error) {
	v, err := w.version(stored)
	if err != nil {
		return Message{}, err
	}
	raw, err := json.Marshal(event)
	if n := w.plans[v]; n != nil && err == nil {
		raw, err = rewrite.Whole(n, raw, rewrite.Mode{Ours: true})
	}
	if err != nil {
		return Message{}, fmt.Errorf("migrate: webhook %q in %s: %w", w.name, v, err)
	}
	return Message{raw, v, w.headers[v]}, nil
}

// In returns nil if a receiver with a stored version gets the event now. The catalogue decides
// as for a request, without brownouts, since a lost event is not repeated. After the end of the
// version, In fails with the [*verso.Error] of a request, unless the version is still served or
// falls forward. If the version that would answer does not have the event, the error matches
// [ErrNoSuchEvent].
//
// Another error matches [verso.ErrUnknownVersion]: the stored version is none, is not released,
// or is unknown to this process, which may be older than the process that stored it. Log it,
// and try again.
func (w Webhook[T]) In(stored verso.Version) error {
	_, err := w.version(stored)
	return err
}

// version returns the version whose form a receiver gets.
func (w *webhook) version(stored verso.Version) (verso.Version, error) {
	if w == nil {
		return verso.Version{}, errors.New("migrate: the webhook is not declared: call Sends")
	}
	v, err := w.sent.Version(stored)
	if errors.Is(err, verso.ErrUnknownVersion) {
		return v, fmt.Errorf("migrate: webhook %q: %w: store the version of the request that created the receiver",
			w.name, err)
	}
	if errors.Is(err, verso.ErrNotInVersion) {
		err = ErrNoSuchEvent
	}
	if err != nil {
		err = fmt.Errorf("migrate: webhook %q in %s: %w", w.name, stored, err)
	}
	return v, err
}
