package twins

import (
	"regexp"
	"slices"
)

// Renamed is a flag of programs for RegisterVersions whose paths have other names of parameters in the last version.
const Renamed = "renamed"

// VersionsFor returns the functions for RegisterVersions, which register statements: with the flag "two" one for each
// version, else one for the first.
func VersionsFor[R any](p *Program, body []*Statement, register func(r R, body []*Statement)) map[string]func(R) {
	functions, last := map[string]func(R){First: func(r R) { register(r, body) }}, body
	if p.Has(Renamed) {
		last = renamed(body)
	}
	if p.Has("two") {
		functions[Last] = func(r R) { register(r, last) }
	}
	return functions
}

var names = regexp.MustCompile(`([{:])(id|x)\b`)

// Named returns the name that a parameter of a program has in a statement.
func (s *Statement) Named(name string) string { return named(name, s.of != nil) }

// Named returns the name that a parameter of a program has around a middleware.
func (w Ware) Named(name string) string { return named(name, w.renames) }

func named(name string, isOther bool) string {
	if other, ok := map[string]string{"id": "x", "x": "id"}[name]; ok && isOther {
		return other
	}
	return name
}

// renamed returns copies of statements with other names of parameters.
func renamed(body []*Statement) (copies []*Statement) {
	for _, s := range body {
		other := *s
		other.of, other.Wares = s, slices.Clone(s.Wares)
		isHandler := s.Op == "handle" || s.Opt == "typed" || s.Opt == "wrapped"
		if !isHandler { // with a router of its own
			other.Body = renamed(s.Body)
		}
		for i := range other.Wares {
			other.Wares[i].renames = true
		}
		other.Path = names.ReplaceAllStringFunc(s.Path, func(text string) string {
			return text[:1] + named(text[1:], true)
		})
		copies = append(copies, &other)
	}
	return copies
}
