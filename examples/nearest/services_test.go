package nearest

import (
	"fmt"
	"io"
	"net/http"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/internal/frameworks"
)

// service has three routes below a path, which may have the parameter of the version: a user,
// who answers with the version and a link to itself; a report, with a handler for each of two
// versions; and rooms since the second of them.
func service(below, first, second string) frameworks.App {
	say := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }
	}
	user := func(w http.ResponseWriter, r *http.Request) {
		call := frameworks.Of(r)
		link, err := call.Link(verso.Target{Name: "user", Params: verso.Params{"id": 7}})
		_, _ = fmt.Fprint(w, call.Version, " ", link, " ", err, " ", call.AtLeast(second))
	}
	return frameworks.App{NotFound: true, Routes: []frameworks.Route{
		{Method: http.MethodGet, Path: below + "/users/{id}", Name: "user", Handle: user},
		{Method: http.MethodGet, Path: below + "/report", Versions: map[string]http.HandlerFunc{first: say(first), second: say(second)}},
		{Method: http.MethodGet, Path: below + "/rooms", Options: []verso.RouteOption{verso.Since(second)}, Handle: say("rooms")},
	}}
}
