package route_test

import (
	"testing"

	"github.com/goverso/verso/core/route"
)

func TestTemplate(t *testing.T) {
	for name, test := range map[string]struct {
		pattern route.Pattern
		want    string
	}{
		"Echo":           {route.Colons("/users/:id/files/*"), "/users/{id}/files/{+*}"},
		"Gin":            {route.Colons("/users/:pk/files/*path"), "/users/{pk}/files/{+path}"},
		"net/http":       {route.Braces("/users/{user}/files/{path...}"), "/users/{user}/files/{+path}"},
		"next to text":   {route.Braces("/{id}.{format}"), "/{id}.{format}"},
		"root":           {route.Colons(""), "/"},
		"braces as text": {route.Colons("/{}"), "/%7B%7D"},
		"not understood": {route.Braces("/{}"), ""},
		"none":           {route.Pattern{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := test.pattern.Template(); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}
