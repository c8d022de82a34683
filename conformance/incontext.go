package conformance

import (
	"errors"
	"fmt"
	"net/url"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

// contexts ask for the version in handlers that look at nothing but the context. Business code
// below a handler has a context and no request of any framework. It must get the same version
// and the same links from it.
var contexts = []groupCheck{
	{
		"context", verso.First(inPrefix, verso.MediaType("application/vnd.acme.{version}+json")),
		verso.Config{AllowedVersions: []string{"v1", "v2"}, Links: verso.LinkConfig{
			TrustedHosts: []string{"127.0.0.1", "*.example.com"}, OriginFunc: originOfUser,
		}},
		App{InContext: true, Routes: append(inGroup(&Group{EachVersion: true},
			newRoute("", "user", "/api/users/{id}", fromContext),
			newRoute("", "", "/api/choice", nil).choosing(map[string]func(Call) Response{"v1": fromContext,
				"v2": fromContext}),
			newRoute("", "", "/api/neutral", fromContext).with(verso.Neutral()),
		), Route{Method: "GET", Pattern: "/outside", Outside: true, Handle: fromContext})},
	},
	{"no-context", inHeader, serving("v1", "v2"), App{Routes: []Route{newRoute("", "", "/users", fromContext)}}},
}

// originOfUser is the origin of links in a request to the route of a user. It reads a path
// parameter, which only the framework knows, through the context.
func originOfUser(r source.Request) string {
	if id, ok := r.PathParam("id"); ok && id != "" {
		return "http://user-" + id + ".example.com"
	}
	return ""
}

// fromContext answers with what is in the context, or reports that the adapter's own
// function builds another link.
func fromContext(call Call) Response {
	result, ok := verso.FromContext(call.Context)
	target := verso.Target{Name: "user", Params: verso.Params{"id": 7}}
	link, err := result.Link(target)
	if other, _ := call.Link(target); err == nil && other != link {
		return Response{Body: fmt.Sprintf("the link %s, and %s in the context", other, link)}
	}
	if call.Own != nil {
		if own, isThere := verso.FromContext(call.Own); isThere != ok || own.Version() != result.Version() {
			return Response{Body: fmt.Sprintf("%t %s in the framework's own context", isThere, own.Version())}
		}
	}
	path := ""
	if built, err := url.Parse(link); err == nil {
		path = built.Path
	}
	contentType, _ := result.ContentType("")
	return Response{Body: fmt.Sprintf("%t %s %t %s %s", ok, result.Version(), result.AtLeast("v2"), path, contentType)}
}

// checkContextEnds checks that InContext leaves the context of a request its end. A wrapper
// that forgets Done makes work outlive its client.
func checkContextEnds(tb testing.TB, mount Mount) error {
	tb.Helper()
	var wrong complaints
	var ends [2]bool
	// Frameworks differ in whether the context ends at all, so the two are compared with each
	// other.
	for i := range ends {
		app := App{API: verso.MustNew(inHeader, serving("v1", "v2")), InContext: i == 1}
		app.Routes = inGroup(new(Group), newRoute("", "", "/x", func(call Call) Response {
			ends[i] = call.Context.Done() != nil
			return Response{}
		}))
		server := mount(tb, app)
		_, err := parseAsking("GET /x v1").sendTo(server.Address)
		wrong = append(wrong, err, server.stop())
	}
	wrong.unless(ends[0] == ends[1], "the context of a request that ends is %t, and behind InContext %t", ends[0],
		ends[1])
	return errors.Join(wrong...)
}
