package twins

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	verso "github.com/goverso/verso/core"
)

// Linked returns the server with the Link of an adapter, which gives paths for the routes with a Name.
func (s Server) Linked(link func(verso.Target) (string, error)) Server {
	s.link = link
	return s
}

// nameRoutes gives names to some routes of Verso itself.
func (g *Gen) nameRoutes(p *Program) {
	all(p.Body, nil, func(s *Statement, around []*Statement) {
		isOther := func(outer *Statement) bool {
			return outer.By == ByFramework || outer.Op == "host" || outer.Opt != "" || hasHandler(outer)
		}
		isOne := slices.Contains([]string{"method", "handle", "add", "get"}, s.Op) && s.By != ByFramework && s.Only != Both
		if isOne && s.Opt != "named" && !slices.ContainsFunc(around, isOther) && g.OneIn(4) {
			s.Name = fmt.Sprint("n", s.ID)
		}
	})
}

// links checks that links to the routes with a name have their paths.
func (c *comparison) links(p *Program, own built, seed uint64) {
	p.eachPath(func(s *Statement, around []*Statement, full string) {
		if s.Name == "" || own.link == nil || strings.Contains(full, "?") { // an optional parameter has no link
			return
		}
		target := verso.Target{Name: s.Name, Version: verso.V(Last)}
		for _, outer := range append(slices.Clip(around), s) {
			target.Version = verso.V(or(outer.Only, target.Version.String()))
		}
		want := parameter.ReplaceAllStringFunc(full, func(name string) string {
			value := "7"
			switch {
			case name == "{$}":
				return ""
			case strings.HasPrefix(name, "*"), strings.HasSuffix(name, "...}"), name == "+":
				value = "f/g"
			}
			target.Args = append(target.Args, value)
			return value
		})
		link, err := own.link(target)
		if err == nil {
			to, _ := url.Parse(link)
			if plain, _ := url.PathUnescape(want); !strings.HasSuffix(cleaned(to.Path), cleaned(plain)) {
				err = fmt.Errorf("not %s", plain)
			}
		}
		if err != nil {
			detail := s.Name + " " + link + ": " + err.Error()
			c.note(&finding{kind: "4 a link", detail: detail, program: clone(p), seed: seed}, masked(err.Error()))
		}
	})
}
