package versofiber

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v3"

	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
)

// router is the [adapter.Router] of an app.
type router struct{ *bound }

// Engine returns what New got.
func (r router) Engine() any { return r.app }

// Routes returns the routes of the outermost app, as far as it is known, which has
// those of mounted apps once it serves. The routes for HEAD that Fiber adds to those
// for GET are left out.
func (r router) Routes() (all []adapter.Listed) {
	app := cmp.Or(r.serving.Load(), r.app)
	isGet := make(map[*fiber.Handler]bool)
	for _, found := range app.GetRoutes(true) {
		first := &found.Handlers[0] // copies of a route share its handlers
		if found.Method == fiber.MethodHead && isGet[first] {
			continue
		}
		isGet[first] = found.Method == fiber.MethodGet
		listed := adapter.Listed{Route: route.Route{Method: found.Method, Path: found.Path, Name: found.Name,
			Pattern: patternOf(found.Path, found.Params, app.Config())}}
		if own, ok := r.own.Load(first); ok {
			listed.Registration = own.(*adapter.Registration) // it may be mounted in another app
		}
		if found.Method == fiber.MethodHead && listed.Registration != nil {
			listed.Name = r.heads[first] // Fiber gives it the name of the route for GET
		}
		all = append(all, listed)
	}
	isOwn := make(map[[2]string]bool) // whether a later route of the place has a check
	for i, listed := range slices.Backward(all) {
		at := [2]string{listed.Method, listed.Path}
		switch {
		case r.joined[at]:
			listed.Foreign = true
			all = append(all, listed)
		case listed.Registration != nil:
			isOwn[at] = true
		default:
			all[i].Foreign = isOwn[at]
		}
	}
	return all
}

// ServesHead reports whether Fiber adds a route for HEAD to each for GET.
func (r router) ServesHead() bool { return !r.app.Config().DisableHeadAutoRegister }

// RestsMayLack reports that /files/* has the path /files, too.
func (router) RestsMayLack() bool { return true }

// TakesFirst reports that the first route with a path gets its requests.
func (router) TakesFirst() bool { return true }

// PathParam returns a path parameter, which Fiber leaves encoded by default. Of
// several whose names differ in case only, Fiber has the first one's value, unless
// the app is CaseSensitive.
func (router) PathParam(c any, name string) (value string, ok bool) {
	ctx := ctxOf(c)
	if name == "*" || name == "+" {
		name += "1" // as Fiber calls it
	}
	if !slices.Contains(ctx.Route().Params, name) {
		return "", false
	}
	value = ctx.Params(name)
	if value == "" && isOptional(ctx.Route().Path, name) {
		return "", false
	}
	if strings.Contains(value, "%") && !ctx.App().Config().UnescapePath {
		if decoded, err := url.PathUnescape(value); err == nil {
			return decoded, true
		}
	}
	return value, true
}

// isOptional reports whether a parameter of a path is optional: ":version?".
func isOptional(path, name string) bool {
	_, behind, found := strings.Cut(path, ":"+name)
	if strings.HasPrefix(behind, "<") {
		_, behind, _ = strings.Cut(behind, ">")
	}
	return found && strings.HasPrefix(behind, "?")
}
