package versofiber

import (
	"slices"
	"strings"

	"github.com/gofiber/fiber/v3"
)

// uses are the middleware that other code has installed in an app, by
// path.
type uses struct {
	all  []use
	seen int // routes of an app that were looked at
}

// use is the path of a middleware.
type use struct {
	path  string
	below bool // it runs for the paths below too
}

// look adds the paths of the middleware that was installed since. Fiber has it in the
// list of each method, and distinguishes it from routes by leaving it out of all their
// lists.
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
	methods := make(map[*fiber.Handler]int)
	for _, r := range b.app.GetRoutes(true) {
		methods[&r.Handlers[0]]++
	}
	for _, r := range added {
		switch methods[&r.Handlers[0]] {
		case 0:
			u.all = append(u.all, use{path: r.Path, below: true})
		case len(b.app.Config().RequestMethods): // a route that calls Next is middleware too
			u.all = append(u.all, use{path: r.Path})
		}
	}
}

// missing returns a path whose middleware runs for a path or a form of it, and not for another form. Middleware with
// the same forms does not count.
func (u *uses) missing(b *bound, path string, forms []string) (installed, form string, found bool) {
	for _, installed := range u.all {
		runs := func(path string) bool { return b.runs(installed, path) }
		missed := slices.DeleteFunc(slices.Clone(forms), runs)
		if len(missed) == 0 || len(missed) == len(forms) && !runs(path) {
			continue
		}
		sameForms := b.formsOf(installed.path)
		for _, form := range missed {
			if !slices.ContainsFunc(u.all, func(other use) bool {
				return slices.Contains(sameForms, other.path) && b.runs(other, form)
			}) {
				return installed.path, form, true
			}
		}
	}
	return "", "", false
}

// runApart reports whether middleware of the paths below a prefix does not run below another one.
func (u *uses) runApart(b *bound, prefix, other string) bool {
	u.look(b)
	return slices.ContainsFunc(u.all, func(installed use) bool {
		return installed.below && b.runs(installed, prefix+"/") && !b.runs(installed, other+"/")
	})
}

// formsOf returns the forms of a path, or those that it is among.
func (b *bound) formsOf(path string) []string {
	if forms, err := b.seam.Forms(path); err == nil {
		return forms
	}
	segments := strings.Split(path, "/")
	for i := range segments { // which of them is the version
		plain := strings.Join(slices.Delete(slices.Clone(segments), i, i+1), "/")
		if forms, err := b.seam.Forms(plain); err == nil && slices.Contains(forms, path) {
			return forms
		}
	}
	return nil
}

// runs reports whether a middleware runs for a path.
func (b *bound) runs(installed use, path string) bool { return runs(installed, path, b.app.Config()) }

func runs(installed use, path string, config fiber.Config) bool {
	for end := 1; end <= len(path); end++ {
		isEnd := end == len(path) || path[end] == '/'
		isSlash := end > 0 && path[end-1] == '/' && strings.HasSuffix(installed.path, "/")
		if (end == len(path) || installed.below && (isEnd || isSlash)) &&
			fiber.RoutePatternMatch(path[:end], installed.path, config) {
			return true
		}
	}
	return installed.below && installed.path == "/"
}
