package golang

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/goverso/verso/openapi/internal/draft/compare"
)

var (
	textAfter  = regexp.MustCompile(`\}[^/]`)
	notDivided = regexp.MustCompile(`\}[^/.-]`)
	textBeside = regexp.MustCompile(`\}[^/]|[^/]\{`)
)

// A Router is a framework, and how its adapter registers routes.
type Router struct {
	Name      string         // as the flag -router has it
	Framework string         // the module, or "" for the standard library
	Adapter   string         // the package
	engine    string         // an expression for the router of the framework
	handler   string         // the parameters and the body of a handler that answers 501
	colons    bool           // path parameters are ":id"
	sharing   bool           // routes that share a path up to a parameter must share its name
	odd       *regexp.Regexp // a path that the framework has no pattern for
	call      func(method, path string) string
}

// Routers are those with an adapter.
var Routers = []*Router{
	{
		Name: "gin", Framework: "github.com/gin-gonic/gin", Adapter: "versogin", engine: "gin.New()",
		handler: "(c *gin.Context) {\n\tc.String(http.StatusNotImplemented, \"not implemented\")\n}",
		colons:  true, sharing: true, odd: textAfter, call: func(method, path string) string {
			if method == "TRACE" { // the only one without a method of its own
				return fmt.Sprintf("Handle(%q, %q, notImplemented)", method, path)
			}
			return upper(method, path)
		},
	},
	{
		Name: "echo", Framework: "github.com/labstack/echo/v4", Adapter: "versoecho", engine: "echo.New()",
		handler: "(c echo.Context) error {\n\treturn c.String(http.StatusNotImplemented, \"not implemented\")\n}",
		colons:  true, odd: textAfter, call: upper,
	},
	{
		Name: "echo5", Framework: "github.com/labstack/echo/v5", Adapter: "versoecho5", engine: "echo.New()",
		handler: "(c *echo.Context) error {\n\treturn c.String(http.StatusNotImplemented, \"not implemented\")\n}",
		colons:  true, odd: textAfter, call: upper,
	},
	{
		Name: "chi", Framework: "github.com/go-chi/chi/v5", Adapter: "versochi", engine: "chi.NewRouter()",
		handler: standardHandler, call: capital,
	},
	{
		Name: "http", Adapter: "versohttp", engine: "http.NewServeMux()",
		handler: standardHandler, odd: textBeside, call: func(method, path string) string {
			if strings.HasSuffix(path, "/") {
				path += "{$}" // the path alone, not all below it
			}
			return fmt.Sprintf("HandleFunc(%q, notImplemented)", method+" "+path)
		},
	},
	{
		Name: "fiber", Framework: "github.com/gofiber/fiber/v3", Adapter: "versofiber", engine: "fiber.New()",
		handler: "(c fiber.Ctx) error {\n\treturn c.Status(fiber.StatusNotImplemented).SendString(\"not implemented\")\n}",
		colons:  true, odd: notDivided, call: capital,
	},
}

const standardHandler = "(w http.ResponseWriter, _ *http.Request) {\n\thttp.Error(w, \"not implemented\", " +
	"http.StatusNotImplemented)\n}"

func upper(method, path string) string {
	return fmt.Sprintf("%s(%q, notImplemented)", method, path)
}

func capital(method, path string) string {
	return fmt.Sprintf("%s(%q, notImplemented)", method[:1]+strings.ToLower(method[1:]), path)
}

// RouterNamed returns the router of a name, or nil.
func RouterNamed(name string) *Router {
	for _, r := range Routers {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// Type is the type of the adapter's routes.
func (r *Router) Type() string { return "*" + r.Adapter + ".Routes" }

// New is an expression that makes the adapter's routes.
func (r *Router) New() string { return fmt.Sprintf("%s.New(%s, api)", r.Adapter, r.engine) }

// NotImplemented is the handler of each route.
func (r *Router) NotImplemented() string {
	return "// notImplemented answers in place of the handlers.\nfunc notImplemented" + r.handler + "\n"
}

// Calls returns a call for each route, such as "GET /users/{id}", which registers it, or "" if the framework
// has no pattern for its path.
func (r *Router) Calls(routes []*compare.Route) []string {
	names := map[string]string{} // a path without names up to a parameter, to the name
	calls := make([]string, len(routes))
	for i, route := range routes {
		path := route.Path
		if r.odd != nil && r.odd.MatchString(path) {
			continue
		}
		if r.sharing {
			path = shared(path, names)
		}
		if r.colons {
			path = colons(path)
		}
		calls[i] = r.call(route.Method, path)
	}
	return calls
}

var parameter = regexp.MustCompile(`\{([^{}]*)\}`)

// shared gives the parameters of a path the names that other paths have there.
func shared(path string, names map[string]string) string {
	var made, bare strings.Builder
	at := 0
	for _, m := range parameter.FindAllStringSubmatchIndex(path, -1) {
		made.WriteString(path[at:m[0]])
		bare.WriteString(path[at:m[0]] + "{}")
		if names[bare.String()] == "" {
			names[bare.String()] = path[m[2]:m[3]]
		}
		made.WriteString("{" + names[bare.String()] + "}")
		at = m[1]
	}
	return made.String() + path[at:]
}

// colons writes path parameters as ":id".
func colons(path string) string {
	return parameter.ReplaceAllString(strings.ReplaceAll(path, ":", `\:`), ":$1")
}
