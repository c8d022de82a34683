package migrate

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/goverso/verso/migrate/internal/declared"
	"github.com/goverso/verso/migrate/internal/message"
	"github.com/goverso/verso/migrate/internal/openapi"
)

// MediaType declares that the change has another media type on a route: where a response with some
// statuses, or below 400, has now, clients of versions before the change get old. The new media type
// decides how the body is lowered: JSON, lines of JSON, the type of [Fails], or a body that the route [Passes].
// If old is "", the body is new: older clients get it, and their documents lack it.
func (c *Change) MediaType(old, now string, statuses ...int) Body {
	old, now = message.MediaType(old), message.MediaType(now)
	a := declared.Answer{
		Text:  fmt.Sprintf("the media type %q%s was %q", now, ofStatuses(statuses), old),
		About: "media type", Was: old, Is: now, Statuses: statuses,
	}
	a.MediaType = func(status int, mediaType string) string {
		if mediaType == now && a.Has(status) {
			return old
		}
		return mediaType
	}
	if old == "" {
		a.Text, a.Was, a.Harmless = fmt.Sprintf("the media type %q%s is new", now, ofStatuses(statuses)), now, true
		a.MediaType = nil
	}
	a.Document = func(o *openapi.Operation) {
		for _, status := range o.StatusesOf(a.Has, statuses == nil) {
			o.Change(status, "content", func(all map[string]any) { renameMediaType(o, "/responses/"+status, all, old, now) })
		}
	}
	return c.answer(a, checkMediaTypes(old, now))
}

// RequestMediaType declares that the change has another media type of requests on a route: where clients of
// versions before the change send old, the handler reads now. What they send as now has status 415. The body is
// lifted by its new media type. If old is "", the body is new: documents of older versions lack it.
func (c *Change) RequestMediaType(old, now string) Body {
	old, now = message.MediaType(old), message.MediaType(now)
	err := checkMediaTypes(old, now)
	if err == nil && old != "" && (message.IsForm(old) || message.IsForm(now)) {
		err = errors.New("the bytes of a form are another body: declare a handler for each version")
	}
	a := declared.Answer{
		Text: fmt.Sprintf("the media type %q of requests was %q", now, old), About: "media type of requests", Was: old, Is: now,
		Request: func(mediaType string) (newer string, isThere bool) {
			if mediaType == old {
				return now, true
			}
			return mediaType, mediaType != now
		},
		Document: func(o *openapi.Operation) {
			o.ChangeRequest("content", func(all map[string]any) { renameMediaType(o, "/requestBody", all, old, now) })
			if body := openapi.Map(o.Members["requestBody"]); old == "" && body["$ref"] == nil && body["content"] == nil {
				delete(o.Members, "requestBody")
			}
		},
	}
	if old == "" {
		a.Text, a.Was, a.Harmless = fmt.Sprintf("the media type %q of requests is new", now), now, true
		a.Request = nil
	}
	return c.answer(a, err)
}

// checkMediaTypes refuses two that bodies cannot follow: events and records are framed in another way.
func checkMediaTypes(old, now string) error {
	framing := func(mediaType string) string {
		if mediaType == "text/event-stream" || message.IsRecords(mediaType) {
			return mediaType
		}
		return ""
	}
	isNew := old == "" && strings.Contains(now, "/")
	if !isNew && (!strings.Contains(old, "/") || !strings.Contains(now, "/") || old == now || framing(old) != framing(now)) {
		return errors.New("give two media types whose bodies are of one form: events and records stay these")
	}
	return nil
}

// renameMediaType renames the media type of a body at a place, with its parameters, or takes it away if old is "".
func renameMediaType(o *openapi.Operation, place string, content map[string]any, old, now string) {
	for _, mediaType := range slices.Sorted(maps.Keys(content)) {
		if message.MediaType(mediaType) != now {
			continue
		}
		if old == "" {
			delete(content, mediaType)
			continue
		}
		older := old + message.Parameters(mediaType)
		given, there := openapi.Map(content[mediaType]), openapi.Map(content[older])
		if there != nil && !reflect.DeepEqual(there["schema"], given["schema"]) {
			o.Refuse(place, "its media type is %s, which is there already, with another body", older)
		}
		delete(content, mediaType)
		content[older] = given
	}
}
