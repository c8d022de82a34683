package migrate

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/goverso/verso/migrate/internal/declared"
	"github.com/goverso/verso/migrate/internal/expr"
	"github.com/goverso/verso/migrate/internal/message"
	"github.com/goverso/verso/migrate/internal/shape"
)

// Status declares that the change has another status on a route: where the handler answers
// with now, clients of versions before the change get old. If old is 204, they get no body.
// The member "status" of problem details (RFC 9457) follows.
//
//	var created = migrate.Behaves("A new booking has status 201.")
//	...
//	v.Rewrite(history.Route(migrate.Returns[Booking](), created.Status(200, 201))).POST("/bookings", create)
func (c *Change) Status(old, now int) Body {
	return func(b *bodies) { b.answers = append(b.answers, answer{c, declared.Answer{Old: old, Now: now}}) }
}

// ResponseHeader declares that the change has renamed a header field of the responses of a
// route, from old to name, with all its lines. A client reads a header field by its exact name,
// so the old one is not sent beside the new one. A trailer and a field of an informational
// response keep the new name.
func (c *Change) ResponseHeader(old, name string) Body {
	old, name = http.CanonicalHeaderKey(old), http.CanonicalHeaderKey(name)
	return func(b *bodies) {
		b.answers = append(b.answers, answer{c, declared.Answer{Part: declared.Header, Was: old, Is: name}})
	}
}

// MediaType declares that the change has another media type on a route: where a response below
// status 400 has now, clients of versions before the change get old. The body is lowered by
// its new media type: JSON, lines of JSON, or what the route [Passes].
func (c *Change) MediaType(old, now string) Body {
	old, now = message.MediaType(old), message.MediaType(now)
	return func(b *bodies) {
		b.answers = append(b.answers, answer{c, declared.Answer{Part: declared.MediaType, Was: old, Is: now}})
	}
}

// AddedStatus declares that the change has a new status on a route. Older clients get it as it is, and their
// documents lack it. To send them another one, use [Change.Status].
func (c *Change) AddedStatus(status int) Body {
	return c.answer(declared.Answer{Part: declared.NewStatus, Old: status, Now: status})
}

// RemovedStatus declares that a route answers with a status no longer: documents of older versions have it, with
// the body that [Returns] or [Fails] gives here, or without a body.
func (c *Change) RemovedStatus(status int, body ...Body) Body {
	return func(b *bodies) {
		of := newBodies(b.opaque)
		for _, each := range body {
			if each != nil {
				each(of)
			}
		}
		c.answer(declared.Answer{Part: declared.GoneStatus, Old: status, Now: status, Bodies: &of.Bodies})(b)
	}
}

// AddedResponseHeader declares a new header field of responses with some statuses, or below 400. Older clients do not get
// it, but for a field that not only handlers write, such as Link: only their documents lack this one.
func (c *Change) AddedResponseHeader(name string, statuses ...int) Body {
	name = http.CanonicalHeaderKey(name)
	return c.answer(declared.Answer{Part: declared.NewHeader, Was: name, Is: name, Statuses: statuses})
}

// RemovedResponseHeader declares that responses with some statuses, or below 400, have a header field no longer. Older
// clients read a constant: a text, a number or a bool, whose Go type their documents have, beside the name as it is written
// here. If the name ends in ",omitempty", and the constant is empty, they read nothing.
func (c *Change) RemovedResponseHeader(name string, constant any, statuses ...int) Body {
	name, isEmpty, err := expr.CutOptions(name)
	a := declared.Answer{Part: declared.GoneHeader, Was: name, Is: http.CanonicalHeaderKey(name), Statuses: statuses,
		Type: reflect.TypeOf(constant)}
	if isEmpty == nil || !isEmpty(reflect.ValueOf(constant)) {
		a.Value = fmt.Sprint(constant)
	}
	return func(b *bodies) {
		isScalar := a.Type != nil && slices.Contains([]string{"string", "integer", "number", "boolean"}, shape.Kind(a.Type))
		switch {
		case err != nil:
			b.refuse("%s: %w", a, err)
		case !isScalar:
			b.refuse("the header %q is removed: give a text, a number or a bool that older clients read", a.Is)
		case a.Value == "" && isEmpty == nil:
			b.refuse("the header %q is removed: a field without a value is none: name it %q", a.Is, a.Is+",omitempty")
		}
		c.answer(a)(b)
	}
}

// Documented declares how documents of older versions describe the operation of a route, by keywords such as
// {"deprecated": true, "security": []}, merged into it (RFC 7396): null takes one away. Clients notice nothing.
func (c *Change) Documented(keywords string) Body {
	return c.documented(declared.Answer{Part: declared.Operation}, keywords, "parameters", "requestBody", "responses", "callbacks")
}

// DocumentedParameter is [Change.Documented] for a parameter of a route, also of its path: {"style": "simple"}, or
// {"schema": {"maxLength": 8}}. In is query, header, path or cookie, and the name is the newest one.
func (c *Change) DocumentedParameter(in, name, keywords string) Body {
	return c.documented(declared.Answer{Part: declared.Parameter, Was: in, Is: name}, keywords, "in", "name", "$ref")
}

func (c *Change) documented(a declared.Answer, keywords string, others ...string) Body {
	var given map[string]json.RawMessage // numbers stay as they are written
	err := json.Unmarshal([]byte(keywords), &given)
	text, _ := json.Marshal(given)
	a.Keywords = string(text)
	return func(b *bodies) {
		switch {
		case err != nil:
			b.refuse("%s: the keywords are not a JSON object: %w", a.Part, err)
		case a.Part == declared.Parameter && (a.Is == "" || !slices.Contains([]string{"query", "header", "path", "cookie"}, a.Was)):
			b.refuse("%s: give query, header, path or cookie, and a name", a)
		}
		for _, keyword := range others {
			if _, ok := given[keyword]; ok {
				b.refuse("%s: the keyword %s is for edits, statuses and header fields: declare these", a, keyword)
			}
		}
		c.answer(a)(b)
	}
}

func (c *Change) answer(a declared.Answer) Body {
	return func(b *bodies) { b.answers = append(b.answers, answer{c, a}) }
}

// sent returns the answers that a client notices.
func sent(list []declared.Answer) []declared.Answer {
	isShared := func(name string) bool { return slices.Contains(notOnlyHandlers, name) }
	return slices.DeleteFunc(slices.Clone(list), func(a declared.Answer) bool { return !a.IsSent(isShared) })
}

// answersIn returns the edits that the responses of the version at index do not have, the
// newest first.
func (all revisions) answersIn(b *bodies, index int) (list []declared.Answer) {
	for _, r := range all[:index] {
		for _, c := range slices.Backward(r.changes) {
			for _, a := range slices.Backward(b.answers) {
				if a.change == c {
					a.Version, a.Change = r.name, c.text
					list = append(list, a.Answer)
				}
			}
		}
	}
	return list
}

// notOnlyHandlers are header fields that not only handlers write: they belong to HTTP, or Verso adds to
// them. To rename one would take the other lines along.
var notOnlyHandlers = []string{"Content-Encoding", "Content-Length", "Content-Type", "Deprecation", "Etag", "Link",
	"Set-Cookie",
	"Sunset", "Vary"}

// checkAnswers notes what does not fit in the edits of a response. A change that no release has
// would never apply, silently.
func (all revisions) checkAnswers(b *bodies) {
	releases := map[*Change]string{}
	for _, r := range all {
		for _, c := range r.changes {
			releases[c] = r.name
		}
	}
	framing := func(mediaType string) string {
		if mediaType == "text/event-stream" || message.IsRecords(mediaType) {
			return mediaType
		}
		return ""
	}
	for i, a := range b.answers {
		// Of one release, each applies to what the handler wrote.
		isBoth := func(other answer) bool {
			return releases[a.change] == releases[other.change] && a.Part == other.Part &&
				(a.Now == other.Now && a.Is == other.Is || a.Now == other.Old && a.Is == other.Was ||
					a.Old == other.Now && a.Was == other.Is || a.Part == declared.Header && a.Was == other.Was) &&
				(a.Statuses == nil || other.Statuses == nil ||
					slices.ContainsFunc(a.Statuses, func(status int) bool { return slices.Contains(other.Statuses, status) }))
		}
		isMediaType := a.Part == declared.MediaType
		isStatus := slices.Contains([]declared.Part{"", declared.NewStatus, declared.GoneStatus}, a.Part)
		isText := a.Part == declared.Operation || a.Part == declared.Parameter
		switch {
		case releases[a.change] == "":
			b.refuse("%s: the change %q is in no release: give it to one", a, a.change.text)
		case isStatus && (http.StatusText(a.Old) == "" || http.StatusText(a.Now) == "" || a.Old < 200 ||
			a.Now < 200 || a.Old == http.StatusResetContent): // which has no body
			b.refuse("%s: give statuses from 200 on, but not 205 for older clients", a)
		case a.Part == "" && a.Now == http.StatusNoContent && b.Returns != nil && a.Old < 300:
			b.refuse(
				"%s: older clients read a body, and the newest response has none: answer with status 200 and a body, and use Status(204, 200) the other way round", a)
		case isMediaType && (!strings.Contains(a.Is, "/") || !strings.Contains(a.Was, "/") || a.Is == a.Was ||
			framing(a.Is) != framing(a.Was)):
			b.refuse("%s: give two media types whose bodies are of one form: events and records stay these", a)
		case !isStatus && !isText && (a.Was == "" || a.Is == ""):
			b.refuse("%s: give its name", a)
		case a.IsSent(func(string) bool { return true }) &&
			(slices.Contains(notOnlyHandlers, a.Was) || slices.Contains(notOnlyHandlers, a.Is)):
			b.refuse("%s: not only the handler writes this field: ask in the handler whether the change is Active", a)
		case slices.ContainsFunc(b.answers[:i], isBoth):
			b.refuse(
				"%s: another change of the same release is about the same %s: join them, or declare a release for each", a, cmp.Or(string(a.Part), "status"))
		}
	}
}
