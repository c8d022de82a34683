package conformance

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// App is an application of the suite, which a [Mount] builds on a framework.
type App struct {
	Scheme   verso.Scheme // the scheme to install the middleware with
	Produces []string     // the media types that the service produces, none if empty
	Routes   []Route      // the routes to register

	Translator verso.Translator // translates refusals; nil: they are in English
	Strict     verso.Strictness // refuses what the specification lets through
}

// Route is a route of an [App].
type Route struct {
	Method    string
	Namespace string // "api:v1", or "" for none
	Name      string // within the namespace
	Pattern   string // "/users/{id}/files/{path*}": see [Route.Path]

	// Handle answers a request to the route. The handler that a [Mount]
	// registers passes it the version that the adapter determined and the
	// adapter's reversal, and nothing else.
	Handle func(w http.ResponseWriter, r *http.Request, call Call)
}

// Call is what a handler of the framework can ask the adapter for.
type Call struct {
	Version verso.Version
	Reverse func(verso.Target) (string, error)
	Param   func(name string) string // the named argument of the path, decoded; needed for [RoundTrip] only
}

// FullName returns the name of the route with its namespace: "api:v1:users".
func (r Route) FullName() string {
	return route.Join(r.Namespace, r.Name)
}

// Path returns the pattern of the route in a framework's own syntax. The
// function is given each parameter: its name, and whether it takes the rest of
// the path instead of one segment; it returns what stands for it, as in
//
//	route.Path(func(name string, rest bool) string {
//		if rest {
//			return "*" + name
//		}
//		return ":" + name
//	})
func (r Route) Path(param func(name string, rest bool) string) string {
	return placeholder.ReplaceAllStringFunc(r.Pattern, func(text string) string {
		name := strings.Trim(text, "{}")
		plain, rest := strings.CutSuffix(name, "*")
		return param(plain, rest)
	})
}

var placeholder = regexp.MustCompile(`\{[^}]*\}`)

// Mount builds app on a framework, behind its adapter, and returns the handler
// of the whole. It is called once for each case and registers the scheme, what
// is produced and all routes before it returns.
type Mount func(tb testing.TB, app App) http.Handler
