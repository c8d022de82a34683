package adapter

import (
	"slices"

	verso "github.com/goverso/verso/core"
)

// Chain is what runs after the check of the routes of a group: middleware of type M, and in its
// place among them the rewriter. The methods return a copy.
type Chain[M any] struct {
	Rewriter verso.Rewriter // nil: bodies stay

	list []M
	at   int // of the rewriter
}

// With adds middleware.
func (c Chain[M]) With(middleware ...M) Chain[M] {
	c.list = slices.Concat(c.list, middleware)
	return c
}

// Rewrite adds a rewriter with its middleware, and removes the default: see
// [verso.DefaultRewriter]. Call [Binding.CheckRewrite] before.
func (c Chain[M]) Rewrite(rewriter verso.Rewriter, middleware M) Chain[M] {
	c = c.WithoutDefault()
	c.Rewriter, c.at = rewriter, len(c.list)
	return c.With(middleware)
}

// WithoutDefault removes the default, which is not for a handler for each version.
func (c Chain[M]) WithoutDefault() Chain[M] {
	if isDefault(c.Rewriter) {
		c.Rewriter, c.list = nil, slices.Concat(c.list[:c.at], c.list[c.at+1:])
	}
	return c
}

// List returns the middleware, the outermost first.
func (c Chain[M]) List() []M { return c.list }
