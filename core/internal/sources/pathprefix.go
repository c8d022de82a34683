package sources

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/internal/prefix"
	"github.com/goverso/verso/core/source"
)

// This file reads a version from the literal prefix of a route's pattern. In comes the route, placed when it was
// registered, so that a request only copies a text; a route of other code may be placed here. A route without a
// pattern is an error and not the default version: its path may name another.

// PathPrefix is the source of this name in package verso.
func PathPrefix(template string) source.Source { return newOwn(&pathPrefix{prefix.Parse(template)}) }

var errUnknownRoute = errors.New("the pattern of the matched route is not known: register the route with the adapter, or describe it with route.NewPattern")

type pathPrefix struct{ *prefix.Prefix }

func (s *pathPrefix) read(r *source.Request, served *source.ServedVersions, reading *source.Reading) {
	reading.Outcome = source.NoPlace
	at := r.Route()
	if at == nil || at.Resource == "" && !s.Knows(&at.Pattern) {
		reading.Outcome, reading.Err = source.Failed, errUnknownRoute
		return
	}
	text := at.PrefixVersion
	if at.Resource == "" { // it was not placed when it was registered
		text, _ = s.Place(&at.Pattern, in(served).Set())
	}
	if text != "" {
		reading.Outcome, reading.Text = source.Found, text
	}
}

func (s *pathPrefix) write(w *source.Written, v source.Version) {
	if w.Part() > 0 || !w.Stays() {
		w.SetPrefix(s.Prefix, v.String())
	}
}

func (s *pathPrefix) Describe() source.Description {
	return source.Description{
		Name: fmt.Sprintf("path prefix %q", s.Template), Place: source.InPath, PathPrefix: s.Template,
		Invalid: invalidURLPathVersion, Missing: invalidURLPathVersion, Check: s.check,
	}
}

func (s *pathPrefix) check(served *source.ServedVersions) (findings []source.Finding) {
	if !s.IsValid() {
		findings = append(findings, finding.Of(codes.PrefixTemplate, s.Template, "/api/{version}", prefix.Placeholder))
	}
	if len(served.Versions()) == 0 {
		findings = append(findings, finding.Of(codes.PrefixNeedsVersions))
	}
	findings = append(findings, doubled(s.Template, served)...)
	return append(findings, refused(served, isNoSegment, codes.VersionNotInPrefix)...)
}

// doubled refuses a template with text that the versions have already.
func doubled(template string, served *source.ServedVersions) []source.Finding {
	letters, written, found := prefix.Doubled(template, served.Versions())
	if !found {
		return nil
	}
	return []source.Finding{finding.Of(codes.VersionDoubled, template, letters, written)}
}

func isNoSegment(version string) bool {
	return version == "" || version == "." || version == ".." || strings.ContainsAny(version, "/:*{}+?% \t\r\n\\")
}
