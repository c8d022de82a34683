package sources

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/source"
)

var invalidURLPathVersion = source.Rejection{Status: 404, Message: source.InvalidURLPathVersion}

// PathParam is the source of this name in package verso.
func PathParam(name string) source.Source { return newOwn(&pathParam{name}) }

type pathParam struct{ name string }

func (s *pathParam) read(r *source.Request, _ *source.ServedVersions, reading *source.Reading) {
	if text, ok := r.PathParam(s.name); ok {
		reading.Outcome, reading.Text = source.Found, text
	}
}

func (s *pathParam) write(w *source.Written, v source.Version) { w.SetParam(s.name, v.String()) }

func (s *pathParam) Describe() source.Description {
	return source.Description{
		Name: fmt.Sprintf("path parameter %q", s.name), PathParam: s.name, Place: source.InPath,
		Invalid: invalidURLPathVersion, Check: s.check,
	}
}

func (s *pathParam) check(served *source.ServedVersions) (findings []source.Finding) {
	if plain := strings.Trim(s.name, ":{}*"); plain != s.name || s.name == "" || strings.ContainsAny(s.name, "/ ") {
		findings = append(findings, finding.Refuse("path_param", "Source",
			"the path parameter %q is not a name: write the name alone, such as %q, for a route like /:version or /{version}", s.name, "version"))
	}
	hasSlash := func(version string) bool { return strings.Contains(version, "/") }
	hasSpace := func(version string) bool { return strings.ContainsAny(version, " \t\r\n") }
	return slices.Concat(findings,
		refused(served, hasSlash, "version_slash",
			"version %q can never be a path parameter, which a slash ends: remove the slash"),
		refused(served, hasSpace, "version_white_space",
			"version %q has white space in it, which no client writes in a path: remove it"))
}
