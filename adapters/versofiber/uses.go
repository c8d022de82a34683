package versofiber

import (
	"slices"

	"github.com/gofiber/fiber/v3"
)

// uses are the paths for which others have installed middleware in an app.
type uses struct {
	paths []string
	seen  int // routes of an app that were looked at
}

// look adds the paths of the middleware that was installed since. Fiber has it in the
// list of each method, and tells it from routes by leaving it out of all their lists.
func (u *uses) look(b *bound) {
	stack := b.app.Stack()[0]
	var added []*fiber.Route
	for _, r := range stack[u.seen:] {
		if len(r.Handlers) == 0 { // an app is mounted there
			continue
		}
		if _, own := b.own.Load(&r.Handlers[0]); !own {
			added = append(added, r)
		}
	}
	u.seen = len(stack)
	if len(added) == 0 {
		return
	}
	routes := make(map[*fiber.Handler]bool)
	for _, r := range b.app.GetRoutes(true) {
		routes[&r.Handlers[0]] = true
	}
	for _, r := range added {
		if !routes[&r.Handlers[0]] {
			u.paths = append(u.paths, r.Path)
		}
	}
}

// missing returns a path whose middleware runs for a path, and not for another form of
// it. Middleware that has the same forms is no such.
func (u *uses) missing(b *bound, path string, forms []string) (installed, form string, found bool) {
	for _, installed := range u.paths {
		if !b.runs(installed, path) {
			continue
		}
		twins, _ := b.seam.Forms(installed)
		for _, form := range forms {
			if !b.runs(installed, form) && !slices.ContainsFunc(u.paths, func(other string) bool {
				return slices.Contains(twins, other) && b.runs(other, form)
			}) {
				return installed, form, true
			}
		}
	}
	return "", "", false
}

// runs reports whether the middleware of a path runs for another.
func (b *bound) runs(installed, path string) bool {
	config := b.app.Config()
	return fiber.RoutePatternMatch(path, installed, config) || fiber.RoutePatternMatch(path, join(installed, "/*"), config)
}
