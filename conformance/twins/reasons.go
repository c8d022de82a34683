package twins

import (
	"slices"
	"strings"
)

// hasReason reports whether the program has the reason of a refusal. s is the refused statement, nil for the whole.
func (p *Program) hasReason(text string, s *Statement) bool {
	for part, is := range reasons {
		if strings.Contains(text, part) && !is(p, s) {
			return false
		}
	}
	return true
}

var reasons = map[string]func(p *Program, s *Statement) bool{
	"registered twice":     (*Program).hasTwice,
	"twice: remove either": (*Program).hasTwice,
	"registers no route":   (*Program).lacksRoutes,
	"existing path":        (*Program).hasTwice, // of chi's Mount
	"whose place":          (*Program).hasTwice,
	"never called":         (*Program).contradicts,
	"either neutral or in": (*Program).contradicts,
	"but the route is":     (*Program).contradicts,
	"disagree":             (*Program).hasParameterFirst,
	"duplicate param":      (*Program).hasNameTwice,
}

// eachPath calls found for each statement that registers something, and for groups, with the whole path.
func (p *Program) eachPath(found func(s *Statement, around []*Statement, full string)) {
	all(p.Body, nil, func(s *Statement, around []*Statement) {
		var full strings.Builder
		for _, outer := range append(slices.Clip(around), s) {
			path := outer.Path[strings.IndexByte(outer.Path, ' ')+1:]
			if host, _, _ := strings.Cut(path, "/"); strings.Contains(host, ".") || host == strings.ToUpper(host) {
				path = path[len(host):] // a method may be alone
			}
			full.WriteString("/" + path)
		}
		if hasHandler(s) || s.Op == "route" || s.Op == "group" {
			found(s, around, full.String())
		}
	})
}

func hasHandler(s *Statement) bool {
	isPage := strings.HasPrefix(s.Op, "no") || s.Op == "routenotfound"
	return !isPage && !slices.Contains([]string{Mistake, "use", "group", "route", "host"}, s.Op)
}

// hasTwice reports whether two statements have one path, and may have the same method.
func (p *Program) hasTwice(*Statement) (is bool) {
	methods := make(map[string][]string)
	p.eachPath(func(s *Statement, _ []*Statement, full string) {
		if s.Op == "group" {
			return
		}
		shape := strings.TrimRight(cleaned(strings.ToLower(parameter.ReplaceAllString(full, "{}"))), "/{}")
		own := s.Methods
		if method, _, ok := strings.Cut(s.Path, " "); ok {
			own = []string{method}
		}
		for _, method := range methods[shape] {
			is = is || method == "" || len(own) == 0 || slices.Contains(own, method)
		}
		methods[shape] = append(methods[shape], own...)
		if len(own) == 0 {
			methods[shape] = append(methods[shape], "")
		}
	})
	return is
}

// lacksRoutes reports whether a function of Verso's registers no handler.
func (p *Program) lacksRoutes(s *Statement) bool {
	body := p.Body
	if s != nil {
		body = s.Body
	}
	lacks := true
	all(body, nil, func(s *Statement, around []*Statement) {
		outermost := append(slices.Clip(around), s)[0]
		lacks = lacks && (!hasHandler(s) || outermost.By == ByFramework)
	})
	return lacks
}

// contradicts reports whether a route has two options that are about versions.
func (p *Program) contradicts(*Statement) (is bool) {
	all(p.Body, nil, func(s *Statement, around []*Statement) {
		options := 0
		for _, outer := range append(slices.Clip(around), s) {
			if outer.Only != "" || outer.By == ByNeutral {
				options++
			}
			if outer.Op == "versions" || outer.Only == Both {
				options++
			}
		}
		is = is || options > 1
	})
	return is
}

// hasParameterFirst reports whether a path begins with a parameter, where a version may.
func (p *Program) hasParameterFirst(*Statement) (is bool) {
	p.eachPath(func(s *Statement, _ []*Statement, full string) {
		first := strings.SplitN(cleaned(full)+"//", "/", 3)[1]
		takesRest := (s.Op == "static" || s.Op == "mount") && cleaned(full) == cleaned(first)
		is = is || parameter.MatchString(first) || takesRest
	})
	return is
}

// hasNameTwice reports whether a path has two parameters of one name.
func (p *Program) hasNameTwice(*Statement) (is bool) {
	p.eachPath(func(_ *Statement, _ []*Statement, full string) {
		seen := make(map[string]bool)
		for _, name := range parameter.FindAllString(full, -1) {
			name, _, _ = strings.Cut(strings.Trim(name, "{}:"), ":")
			is = is || seen[name]
			seen[name] = true
		}
	})
	return is
}
