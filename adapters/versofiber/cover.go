package versofiber

import (
	"strings"

	"github.com/gofiber/fiber/v3"
)

// cover is middleware that a function installs by path.
type cover struct {
	path     string
	handlers []any
	chain    []fiber.Handler // of handlers
}

// before returns the middleware for a route. A request skips it outside its path, and where it has run already: Fiber
// puts its own routes for HEAD at the end.
func (of *cover) before(path string, config fiber.Config) (chain []fiber.Handler) {
	isStrict := config.StrictRouting && strings.HasSuffix(of.path, "/") // then not at the path without its slash
	isBelow := !isStrict && strings.HasPrefix(path+"/", strings.TrimRight(of.path, "/")+"/")
	for _, handler := range of.chain {
		chain = append(chain, func(c fiber.Ctx) error {
			if c.Locals(of) != nil || !isBelow && !of.runs(c, path, config) {
				return c.Next()
			}
			return handler(c)
		})
	}
	return chain
}

// runs reports whether a request to a route is below the path of the middleware.
func (of *cover) runs(c fiber.Ctx, path string, config fiber.Config) bool {
	prefix := strings.TrimSuffix(c.Route().Path, path)
	return runs(use{join(prefix, of.path), true}, c.Path(), config)
}
