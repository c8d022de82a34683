package source

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goverso/verso/core/internal/prefix"
)

// PathPrefix returns the source that reads a literal segment of the matched route's
// pattern. With the template "/api/{version}", the route /api/v2/lists has the version
// v2, and /api/lists has the default version. The template begins with a slash and has
// {version} in its last segment, which may have text around it: "/v{version}". A
// segment that is not a listed version is part of the path, unless the template has
// text around {version} and the segment has a digit in its place: such a version is not
// served, and rejected with status 404. A path parameter in that place takes a listed
// version, too: the route has the default version, and Explain warns of it. The versions
// must be listed.
//
// A link has the prefix of its version. A link in the default version has it if the
// request had a prefix. docs/start.md shows the ways to register routes.
func PathPrefix(template string) Source { return &pathPrefix{prefix.Parse(template)} }

var errUnknownRoute = errors.New("the pattern of the matched route is not known: register the route with the adapter, or describe it with route.NewPattern")

type pathPrefix struct{ *prefix.Prefix }

func (s *pathPrefix) Read(r Request, served *ServedVersions) Reading {
	return readBy(s.read, r, served)
}

func (s *pathPrefix) read(r *Request, served *ServedVersions, reading *Reading) {
	reading.Outcome = NoPlace
	at := r.Route()
	if at == nil || at.Pattern.Err() != nil {
		reading.Outcome, reading.Err = Failed, errUnknownRoute
		return
	}
	text := at.PrefixVersion
	if at.Resource == "" { // it was not placed when it was registered
		text, _ = s.Place(&at.Pattern, served.in().Set())
	}
	if text != "" {
		reading.Outcome, reading.Text = Found, text
	}
}

func (s *pathPrefix) Write(w Written, v Version) (Written, error) { return writeBy(s.write, w, v) }

func (s *pathPrefix) write(w *Written, v Version) {
	if w.part > 0 || !w.stays {
		w.prefix, w.prefixVersion, w.carries = s.Prefix, v.String(), true
	}
}

func (s *pathPrefix) Describe() Description {
	return Description{
		Name: fmt.Sprintf("path prefix %q", s.Template), Place: InPath, PathPrefix: s.Template,
		Invalid: invalidURLPathVersion, Missing: invalidURLPathVersion, Check: s.check,
	}
}

func (s *pathPrefix) check(served *ServedVersions) (findings []Finding) {
	if !s.IsValid() {
		findings = append(findings, refuse("prefix_template", "Source",
			"the template %q: write it like %q: a slash first, %s once, in the last segment, no other parameter, no empty segment, no slash at the end",
			s.Template, "/api/{version}", prefix.Placeholder))
	}
	if len(served.Versions()) == 0 {
		findings = append(findings, refuse("prefix_needs_versions", "AllowedVersions", "a path prefix is one of the listed versions: list them"))
	}
	for _, version := range served.Versions() {
		if version == "" || version == "." || version == ".." || strings.ContainsAny(version, "/:*{}+?% \t\r\n\\") {
			findings = append(findings, refuse("version_unreachable", "AllowedVersions",
				"version %q cannot be a literal segment of a path in every framework: write it with letters, digits, dots and hyphens", version))
		}
	}
	return findings
}
