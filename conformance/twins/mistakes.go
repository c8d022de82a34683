package twins

import (
	"maps"
	"slices"

	verso "github.com/goverso/verso/core"
)

// Mistake is the Op of statements that Verso must refuse, wherever they are. Opt is the text of the panic. The framework
// alone has none.
const Mistake = "mistake"

// perRouteTwice is the text for the other mistakes of PerRoute, too, in a program with a PerRoute.
const perRouteTwice = "PerRoute: the routes have a function already"

// Mistakes are calls that the routes of an adapter refuse, by the text of the panic.
type Mistakes[R any] map[string]func(v R)

// MistakesOf adds to those of an adapter what each refuses. handle registers a route.
func MistakesOf[R interface {
	Namespace(namespace string) R
	With(options ...verso.RouteOption) R
	Rewrite(rewriter verso.Rewriter) R
	PerRoute(choose func(v R, method, path string) R) R
}](handle func(v R), own Mistakes[R]) Mistakes[R] {
	same := func(v R, _, _ string) R { return v }
	all := Mistakes[R]{
		`Namespace needs a name, such as "v1"`: func(v R) { v.Namespace("") },
		"With: an option is nil: remove it":    func(v R) { v.With(nil) },
		"Rewrite gets nil":                     func(v R) { v.Rewrite(nil) },
		"PerRoute: the function is nil":        func(v R) { v.PerRoute(nil) },
		perRouteTwice:                          func(v R) { v.PerRoute(same).PerRoute(same) },
		"the function returns nil for": func(v R) {
			handle(v.PerRoute(func(R, string, string) (none R) { return none }))
		},
		"the function returns other routes for": func(v R) {
			handle(v.PerRoute(func(R, string, string) R { return v }))
		},
	}
	maps.Copy(all, own)
	return all
}

// Texts are for [Framework.Mistakes].
func (m Mistakes[R]) Texts() []string { return slices.Sorted(maps.Keys(m)) }

// Make makes the mistake of a statement.
func (m Mistakes[R]) Make(s *Statement, v R) {
	m[s.Opt](v)
	panic("this is taken")
}

// addMistake puts a mistake somewhere into a program.
func (g *Gen) addMistake(p *Program, texts []string) {
	body := &p.Body
	for {
		s := One(g, *body...)
		if len(s.Body) == 0 || s.By == ByFramework || s.Op != "group" && s.Op != "route" || g.OneIn(4) {
			break
		}
		body = &s.Body
	}
	made := &Statement{Op: Mistake, ID: g.Next(), Opt: One(g, texts...)}
	*body = slices.Insert(*body, g.IntN(len(*body)+1), made)
}

// withoutMistakes returns the statements that a program consists of.
func withoutMistakes(body []*Statement) []*Statement {
	refused := make(map[*Statement]string)
	all(body, nil, func(s *Statement, _ []*Statement) {
		if s.Op == Mistake {
			refused[s] = ""
		}
	})
	return without(body, refused)
}
