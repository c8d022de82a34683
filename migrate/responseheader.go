package migrate

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/goverso/verso/migrate/internal/declared"
	"github.com/goverso/verso/migrate/internal/expr"
	"github.com/goverso/verso/migrate/internal/message"
	"github.com/goverso/verso/migrate/internal/openapi"
	"github.com/goverso/verso/migrate/internal/shape"
)

// ResponseHeader declares that the change has renamed a header field of the responses of a
// route, from old to name, with all its lines. A client reads a header field by its exact name,
// so the old one is not sent beside the new one. A trailer and a field of an informational
// response keep the new name.
func (c *Change) ResponseHeader(old, name string) Body {
	old, name = http.CanonicalHeaderKey(old), http.CanonicalHeaderKey(name)
	return c.answer(declared.Answer{
		Text: fmt.Sprintf("the header %q was %q", name, old), About: "header", Was: old, Is: name,
		Fields: func(f message.Fields, _ int) {
			lines := f.Lines(name)
			if lines == nil { // it stays unset
				return
			}
			f.Del(name)
			f.Del(old)
			for _, line := range lines {
				f.Add(old, line)
			}
		},
		Document: func(o *openapi.Operation) {
			for _, status := range openapi.StatusesIn(o.Responses) {
				o.Change(status, "headers", func(all map[string]any) {
					if key, header := fieldIn(all, name); key != "" {
						delete(all, key)
						all[old] = header
					}
				})
			}
		},
	}, checkField(old), checkField(name))
}

// AddedResponseHeader declares a new header field of responses with some statuses, or below 400. Older clients do not get
// it, but for a field that not only handlers write, such as Link: only their documents lack this one.
func (c *Change) AddedResponseHeader(name string, statuses ...int) Body {
	name = http.CanonicalHeaderKey(name)
	a := declared.Answer{
		Text: fmt.Sprintf("the header %q%s is new", name, ofStatuses(statuses)), About: "new header", Was: name, Is: name,
		Statuses: statuses, Harmless: true, // clients have to ignore fields that they do not know
	}
	if !slices.Contains(notOnlyHandlers, name) {
		a.Fields = func(f message.Fields, status int) {
			if a.Has(status) {
				f.Del(name)
			}
		}
	}
	a.Document = func(o *openapi.Operation) {
		for _, status := range o.StatusesOf(a.Has, statuses == nil) {
			o.Change(status, "headers", func(all map[string]any) {
				key, _ := fieldIn(all, name)
				delete(all, key)
			})
		}
	}
	var err error
	if name == "" {
		err = errNoField
	}
	return c.answer(a, err)
}

// RemovedResponseHeader declares that responses with some statuses, or below 400, have a header field no longer. Older
// clients read a constant: a text, a number or a bool, whose Go type their documents have, beside the name as it is written
// here. If the name ends in ",omitempty", and the constant is empty, they read nothing.
func (c *Change) RemovedResponseHeader(name string, constant any, statuses ...int) Body {
	written, isEmpty, err := expr.CutOptions(name)
	name = http.CanonicalHeaderKey(written)
	a := declared.Answer{
		Text:  fmt.Sprintf("the header %q%s is removed", name, ofStatuses(statuses)),
		About: "gone header", Was: name, Is: name, Statuses: statuses,
	}
	t, value := reflect.TypeOf(constant), fmt.Sprint(constant)
	switch {
	case t == nil || !slices.Contains([]string{"string", "integer", "number", "boolean"}, shape.Kind(t)):
		err = errors.Join(err, errors.New("give a text, a number or a bool that older clients read"))
	case isEmpty != nil && isEmpty(reflect.ValueOf(constant)):
	case value == "":
		err = errors.Join(err, fmt.Errorf("a field without a value is none: name it %q", name+",omitempty"))
	default:
		err = errors.Join(err, checkField(name))
		a.Text += fmt.Sprintf("; older clients read %q", value)
		a.Fields = func(f message.Fields, status int) {
			if a.Has(status) && f.Lines(name) == nil {
				f.Add(name, value)
			}
		}
	}
	a.Document = func(o *openapi.Operation) {
		for _, status := range o.StatusesOf(a.Has, statuses == nil) {
			o.Change(status, "headers", func(all map[string]any) {
				key, _ := fieldIn(all, name)
				delete(all, key)
				all[written] = map[string]any{"schema": o.SchemaOf(t, false)}
			})
		}
	}
	return c.answer(a, err)
}

// fieldIn finds a header of a response by its canonical name.
func fieldIn(all map[string]any, name string) (key string, header any) {
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if http.CanonicalHeaderKey(key) == name {
			return key, all[key]
		}
	}
	return "", nil
}

// ofStatuses names the responses that an edit is about.
func ofStatuses(statuses []int) string {
	if statuses == nil {
		return ""
	}
	return " of status " + strings.Trim(fmt.Sprint(statuses), "[]")
}

// notOnlyHandlers are header fields that not only handlers write: they belong to HTTP, or Verso adds to
// them. To rename one would take the other lines along.
var notOnlyHandlers = []string{"Content-Encoding", "Content-Length", "Content-Type", "Deprecation", "Etag", "Link",
	"Set-Cookie",
	"Sunset", "Vary"}

var errNoField = errors.New("give its name")

// checkField refuses a field that the rewriting cannot know to be the handler's.
func checkField(name string) error {
	switch {
	case name == "":
		return errNoField
	case slices.Contains(notOnlyHandlers, name):
		return errors.New("not only the handler writes this field: ask in the handler whether the change is Active")
	}
	return nil
}
