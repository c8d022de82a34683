package conformance

import (
	"fmt"
	"net/url"

	verso "github.com/goverso/verso/core"
)

// contexts ask for the version in handlers that look at nothing but the context.
var contexts = []groupCheck{
	{
		name: "context", rule: "behind InContext the context of a request has its result, and otherwise none",
		source: verso.First(inPrefix, verso.MediaType("application/vnd.acme.{version}+json")),
		config: verso.Config{AllowedVersions: []string{"v1", "v2"}, Links: verso.LinkConfig{TrustedHosts: []string{"127.0.0.1"}}},
		app: func(*marks) App {
			asks := Route{Method: "GET", Handle: fromContext}
			user, choice, neutral, outside := asks, asks, asks, asks
			user.Name, user.Pattern = "user", "/api/users/{id}"
			choice.Pattern, choice.Handlers = "/api/choice", map[string]func(Call) Response{"v1": fromContext, "v2": fromContext}
			neutral.Pattern, neutral.Options = "/api/neutral", []verso.RouteOption{verso.Neutral()}
			outside.Pattern, outside.Outside = "/outside", true
			return App{InContext: true, Routes: append(inGroup(&Group{EachVersion: true}, user, choice, neutral), outside)}
		},
		requests: []string{
			"GET /api/v1/users/7: 200 true v1 false /api/v1/users/7 application/vnd.acme.v1+json |",
			"GET /api/v2/users/7: 200 true v2 true /api/v2/users/7 application/vnd.acme.v2+json |",
			"GET /api/v2/choice: 200 true v2 true /api/v2/users/7 application/vnd.acme.v2+json |",
			"GET /api/v1/neutral: 200 true  false   |", "GET /outside: 200 false  false   |",
		},
	},
	{
		name: "no-context", rule: "without InContext the context of a request has no result",
		source: inHeader, config: serving("v1", "v2"),
		app: func(*marks) App {
			return App{Routes: []Route{{Method: "GET", Pattern: "/users", Handle: fromContext}}}
		},
		requests: []string{"GET /users v2: 200 false  false   |"},
	},
}

// fromContext answers with what is in the context, or says that the adapter's own function
// builds another link.
func fromContext(call Call) Response {
	result, ok := verso.FromContext(call.Context)
	target := verso.Target{Name: "user", Params: verso.Params{"id": 7}}
	link, err := result.Link(target)
	if other, _ := call.Link(target); err == nil && other != link {
		return Response{Body: fmt.Sprintf("the link %s, and %s in the context", other, link)}
	}
	path := ""
	if built, err := url.Parse(link); err == nil {
		path = built.Path
	}
	contentType, _ := result.ContentType("")
	return Response{Body: fmt.Sprintf("%t %s %t %s %s", ok, result.Version(), result.AtLeast("v2"), path, contentType)}
}
