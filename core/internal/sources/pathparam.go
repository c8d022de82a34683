package sources

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/source"
)

// This file reads a version from a path parameter. In comes the parameter as the router has matched it; the path itself
// is never parsed here, since routers decode and clean it in their own ways.

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
		findings = append(findings, finding.Of(codes.PathParam, s.name, "version"))
	}
	hasSlash := func(version string) bool { return strings.Contains(version, "/") }
	hasSpace := func(version string) bool { return strings.ContainsAny(version, " \t\r\n") }
	return slices.Concat(findings,
		refused(served, hasSlash, codes.VersionSlash),
		refused(served, hasSpace, codes.VersionNotInPath))
}
