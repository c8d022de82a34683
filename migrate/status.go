package migrate

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/message"
)

// Status declares that the change has another status on a route: where the handler answers
// with now, clients of versions before the change get old. If old is 204, they get no body.
// The member "status" of problem details (RFC 9457) follows.
//
//	var created = migrate.Behaves("A new booking has status 201.")
//	...
//	v.Rewrite(history.Route(migrate.Returns[Booking](), created.Status(200, 201))).POST("/bookings", create)
func (c *Change) Status(old, now int) Body {
	return func(b *bodies) { b.answers = append(b.answers, answer{c, answerEdit{old: old, now: now}}) }
}

// ResponseHeader declares that the change has renamed a header field of the responses of a
// route, from old to name, with all its lines. A client reads a header field by its exact name,
// so the old one is not sent beside the new one. A trailer and a field of an informational
// response keep the new name.
func (c *Change) ResponseHeader(old, name string) Body {
	old, name = http.CanonicalHeaderKey(old), http.CanonicalHeaderKey(name)
	return func(b *bodies) {
		b.answers = append(b.answers, answer{c, answerEdit{part: "header", was: old, is: name}})
	}
}

// MediaType declares that the change has another media type on a route: where a response below
// status 400 has now, clients of versions before the change get old. The body is lowered by
// its new media type: JSON, lines of JSON, or what the route [Passes].
func (c *Change) MediaType(old, now string) Body {
	old, now = message.MediaType(old), message.MediaType(now)
	return func(b *bodies) {
		b.answers = append(b.answers, answer{c, answerEdit{part: "media type", was: old, is: now}})
	}
}

// answerEdit is an edit of the first line or the header of a response. It belongs to a route,
// not to a type: two routes with the same body may answer differently.
type answerEdit struct {
	change   string // the text of its change
	version  string // that its release makes
	old, now int    // of a status
	part     string // "header" or "media type"; "" for a status
	was, is  string // its names
}

func (a answerEdit) String() string {
	if a.part == "" {
		return fmt.Sprintf("status %d was %d", a.now, a.old)
	}
	return fmt.Sprintf("the %s %q was %q", a.part, a.is, a.was)
}

// answer is an answerEdit of a change, which a release has.
type answer struct {
	change *Change
	answerEdit
}

// answersIn returns the edits that the responses of the version at index do not have, the
// newest first.
func (all revisions) answersIn(b *bodies, index int) (list []answerEdit) {
	for _, r := range all[:index] {
		for _, c := range slices.Backward(r.changes) {
			for _, a := range slices.Backward(b.answers) {
				if a.change == c {
					a.answerEdit.version, a.answerEdit.change = r.name, c.text
					list = append(list, a.answerEdit)
				}
			}
		}
	}
	return list
}

// shared are header fields that not only handlers write: they belong to HTTP, or Verso adds to
// them. To rename one would take the other lines along.
var shared = []string{"Content-Encoding", "Content-Length", "Content-Type", "Deprecation", "Etag", "Link", "Set-Cookie",
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
			return releases[a.change] == releases[other.change] && a.part == other.part &&
				(a.now == other.now && a.is == other.is || a.now == other.old && a.is == other.was ||
					a.old == other.now && a.was == other.is || a.part == "header" && a.was == other.was)
		}
		isMediaType := a.part == "media type"
		switch {
		case releases[a.change] == "":
			b.refuse("%s: the change %q is in no release: give it to one", a, a.change.text)
		case a.part == "" && (http.StatusText(a.old) == "" || http.StatusText(a.now) == "" || a.old < 200 ||
			a.now < 200 || a.old == http.StatusResetContent): // which has no body
			b.refuse("%s: give two statuses from 200 on, but not 205 for older clients", a)
		case a.now == http.StatusNoContent && b.returns != nil && a.old < 300:
			b.refuse("%s: older clients read a body, and the newest response has none: answer with status 200 and a body, and use Status(204, 200) the other way round", a)
		case isMediaType && (!strings.Contains(a.is, "/") || !strings.Contains(a.was, "/") || a.is == a.was ||
			framing(a.is) != framing(a.was)):
			b.refuse("%s: give two media types whose bodies are of one form: events and records stay these", a)
		case a.part == "header" && (a.was == "" || a.is == ""):
			b.refuse("%s: give two names", a)
		case slices.Contains(shared, a.was) || slices.Contains(shared, a.is):
			b.refuse("%s: not only the handler writes this field: ask in the handler whether the change is Active", a)
		case slices.ContainsFunc(b.answers[:i], isBoth):
			b.refuse("%s: another change of the same release is about the same %s: join them, or declare a release for each", a, cmp.Or(a.part, "status"))
		}
	}
}

// statusOf returns the status of the version for a newest status. Several versions may have
// changed it, and the newest change is taken back first.
func (e *edition) statusOf(status int) int {
	for _, a := range e.answers {
		if a.now == status && a.part == "" {
			status = a.old
		}
	}
	return status
}

// mediaTypeOf returns the media type that the version has instead of a newest one, "" for the
// same.
func (e *edition) mediaTypeOf(status int, contentType string) (older string) {
	if status >= 400 || contentType == "" {
		return ""
	}
	for _, a := range e.answers {
		if a.part == "media type" && a.is == cmp.Or(older, message.MediaType(contentType)) {
			older = a.was
		}
	}
	return older
}

// follows reports whether the status in the body of a response follows its status line.
func (e *edition) follows(status int, contentType string) bool {
	return e.statusOf(status) != status && message.MediaType(contentType) == verso.ProblemType
}

// follow returns problem details with the status that the version has. What is not JSON, or
// has another status, stays.
func (e *edition) follow(status int, body []byte, f message.Fields) []byte {
	// Only the member of the outer object counts, and the rest stays byte for byte.
	begin, end, _ := jsontext.Find(body, "status", false)
	if begin < 0 || string(body[begin:end]) != strconv.Itoa(status) {
		return body
	}
	for _, name := range bodyFields[1:] { // the length stays
		f.Del(name)
	}
	return slices.Concat(body[:begin], strconv.AppendInt(nil, int64(e.statusOf(status)), 10), body[end:])
}

// headers renames the fields of a response, with all their lines. A field that the handler did
// not set stays unset.
func (e *edition) headers(f message.Fields) {
	for _, a := range e.answers {
		lines := f.Lines(a.is)
		if a.part != "header" || lines == nil {
			continue
		}
		f.Del(a.is)
		f.Del(a.was)
		for _, line := range lines {
			f.Add(a.was, line)
		}
	}
}
