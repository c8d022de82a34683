package migrate

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"strconv"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate/internal/declared"
	"github.com/goverso/verso/migrate/internal/message"
	"github.com/goverso/verso/migrate/internal/openapi"
)

// Status declares that the change has another status on a route: where the handler answers
// with now, clients of versions before the change get old. If old is 204, they get no body.
// The member "status" of problem details (RFC 9457) follows.
//
//	var created = migrate.Behaves("A new booking has status 201.")
//	...
//	v.Rewrite(history.Route(migrate.Returns[Booking](), created.Status(200, 201))).POST("/bookings", create)
func (c *Change) Status(old, now int) Body {
	return c.answer(declared.Answer{
		Text: fmt.Sprintf("status %d was %d", now, old), About: "status", Was: strconv.Itoa(old), Is: strconv.Itoa(now),
		Status: func(status int) int {
			if status == now {
				return old
			}
			return status
		},
		Document: func(o *openapi.Operation) { moveStatus(o, old, now) },
	}, checkStatus(old), checkStatus(now), checkMoved(old, now))
}

// AddedStatus declares that the change has a new status on a route. Older clients get it as it is, and their
// documents lack it. To send them another one, use [Change.Status]. 4 is the range 4XX of a document, and 0 is its default.
func (c *Change) AddedStatus(status int) Body {
	key, err := strconv.Itoa(status), checkStatus(status)
	switch {
	case status == 0:
		key, err = "default", nil
	case 2 <= status && status <= 5:
		key, err = key+"XX", nil
	}
	return c.answer(declared.Answer{
		Text: fmt.Sprintf("status %s is new", key), About: "new status", Was: key, Is: key,
		// A client reads an unknown error by its class (RFC 9110, section 15).
		Harmless: key >= "4",
		Document: func(o *openapi.Operation) { delete(o.Responses, key) },
	}, err)
}

// RemovedStatus declares that a route answers with a status no longer: documents of older versions have it, with
// the body that [Returns] or [Fails] gives here, or without a body.
func (c *Change) RemovedStatus(status int, body ...Body) Body {
	return func(b *bodies) {
		of, key := newBodies(b.opaque), strconv.Itoa(status)
		for _, each := range body {
			if each != nil {
				each(of)
			}
		}
		content, err := of.describing(status), errors.Join(of.mistakes...)
		if err == nil && len(content) == 0 && !of.IsBare() {
			err = errors.New("its body is of other statuses: give Returns below 400, and Fails from there on")
		}
		c.answer(declared.Answer{
			Text: fmt.Sprintf("status %d is removed", status), About: "gone status", Was: key, Is: key,
			Document: func(o *openapi.Operation) { bringBack(o, status, content) },
		}, checkStatus(status), err)(b)
	}
}

// checkStatus refuses a number without a meaning in HTTP, informational ones, and 205, which has no body.
func checkStatus(status int) error {
	if status < 200 || status > 599 || status == http.StatusResetContent {
		return errors.New("give statuses from 200 to 599, but not 205")
	}
	return nil
}

func checkMoved(old, now int) error {
	if old == now {
		return errors.New("both are the same: remove it")
	}
	return nil
}

// moveStatus moves a response to the key of its older status.
func moveStatus(o *openapi.Operation, old, now int) {
	was, is := strconv.Itoa(old), strconv.Itoa(now)
	given, ok := o.Responses[is]
	if !ok {
		return
	}
	// RFC 9457 repeats the status in the body.
	response := maps.Clone(openapi.Map(o.Resolve(given)))
	content := maps.Clone(openapi.Map(response["content"]))
	for mediaType, media := range content {
		if message.MediaType(mediaType) == verso.ProblemType {
			content[mediaType] = o.WithExamples(openapi.Map(media), "", func(example any, _ string) any {
				if problem := openapi.Map(example); fmt.Sprint(problem["status"]) == is {
					example = openapi.Merged(problem, map[string]any{"status": json.Number(was)})
				}
				return example
			})
			response["content"], given = content, response
		}
	}
	// The client gets no body with such a status (RFC 9110, section 6.4.1).
	if message.IsBodyless(old) {
		delete(response, "content")
		given = response
	}
	delete(o.Responses, is)
	// If the newest version has a response under the old status, clients of the version get
	// either, which one description must cover.
	there := openapi.Map(o.Resolve(o.Responses[was]))
	if there == nil {
		o.Responses[was] = given
	} else if !reflect.DeepEqual(schemasOf(there), schemasOf(response)) {
		o.Refuse("/responses/"+is, "it has status %s, whose response has another body: describe both with one response", was)
	}
}

// schemasOf returns the schemas of a response by their media types.
func schemasOf(response map[string]any) map[string]any {
	schemas := map[string]any{}
	for mediaType, media := range openapi.Map(response["content"]) {
		schemas[mediaType] = openapi.Map(media)["schema"]
	}
	return schemas
}

// describing returns the types that describe a response in documents, by media type.
func (b *bodies) describing(status int) map[string]reflect.Type {
	if status >= http.StatusBadRequest {
		return b.Errors(status)
	}
	types := map[string]reflect.Type{}
	if t := b.OfSuccess(status); t != nil {
		types["application/json"] = t
	}
	return types
}

// bringBack adds a response with the types of its body.
func bringBack(o *openapi.Operation, status int, types map[string]reflect.Type) {
	key := strconv.Itoa(status)
	if o.Responses[key] != nil {
		o.Refuse("/responses/"+key, "the status is there, and was removed: %w", openapi.ErrNotNewest)
	}
	content := map[string]any{}
	for mediaType, t := range types {
		content[mediaType] = map[string]any{"schema": o.SchemaOf(t, true)}
	}
	response := map[string]any{"description": http.StatusText(status)}
	if len(content) > 0 {
		response["content"] = content
	}
	o.Responses[key] = response
}
