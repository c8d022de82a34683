package verso

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/goverso/verso/core/route"
)

const versionPlaceholder = "{version}"

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
func PathPrefix(template string) Source { return &pathPrefix{parsePrefix(template)} }

type pathPrefix struct{ *prefix }

// prefix is the template of a path prefix, "/api/v{version}".
type prefix struct {
	template string
	fixed    string // "/api"
	lead     string // "/api/"
	before   string // "v", around the version in its segment
	behind   string
}

func parsePrefix(template string) *prefix {
	slash := max(0, strings.LastIndexByte(template, '/'))
	p := &prefix{template: template, fixed: template[:slash], lead: template[:slash] + "/"}
	p.before, p.behind, _ = strings.Cut(strings.TrimPrefix(template[slash:], "/"), versionPlaceholder)
	return p
}

func (s *pathPrefix) Read(r Request, served *ServedVersions) Reading {
	return readBy(s.read, r, served)
}

func (s *pathPrefix) read(r *Request, served *ServedVersions, reading *Reading) {
	reading.Outcome = NoPlace
	at := r.route
	if at == nil || at.Pattern.Err() != nil {
		reading.Outcome, reading.Err = Failed, errUnknownRoute
		return
	}
	text := at.PrefixVersion
	if at.Resource == "" { // it was not placed when it was registered
		text, _ = s.place(&at.Pattern, served.set)
	}
	if text != "" {
		reading.Outcome, reading.Text, reading.version = Found, text, served.lookup(text)
	}
}

// place returns the version that a pattern is under, and its segment, or "".
func (p *prefix) place(pattern *route.Pattern, set *versionSet) (version, segment string) {
	text, segment, ok := p.split(pattern)
	if !ok || set.lookup(text) == nil && !p.isVersion(text) {
		return "", ""
	}
	return text, segment
}

// isVersion reports whether the text in the place of a version can be nothing else.
func (p *prefix) isVersion(text string) bool {
	return p.before+p.behind != "" && '0' <= text[0] && text[0] <= '9'
}

// split returns the text in the place of the version, and its segment.
func (p *prefix) split(pattern *route.Pattern) (text, segment string, ok bool) {
	lead, whole := pattern.Lead()
	behind, ok := strings.CutPrefix(lead, p.lead)
	if !ok {
		return "", "", false
	}
	segment, _, closed := strings.Cut(behind, "/")
	if !closed && !whole {
		return "", "", false
	}
	plain := segment
	if strings.IndexByte(segment, '%') >= 0 {
		plain, _ = url.PathUnescape(segment)
	}
	if text, ok = strings.CutPrefix(plain, p.before); ok {
		text, ok = strings.CutSuffix(text, p.behind)
	}
	return text, segment, ok && text != ""
}

// hasParam reports whether a pattern has a parameter in the place of the version, and does
// not take the whole rest of the path there.
func (p *prefix) hasParam(pattern *route.Pattern) bool {
	behind, ok := strings.CutPrefix(pattern.Shape(), p.lead)
	place, _, _ := strings.Cut(behind, "/")
	return ok && strings.Contains(place, "{}")
}

// resource returns the shape of a pattern without the segment of the version, which
// identifies the resource. It returns "" for a route that is not under the prefix.
func (p *prefix) resource(pattern *route.Pattern, segment string) string {
	shape := pattern.Shape()
	rest, ok := strings.CutPrefix(shape, p.fixed)
	if !ok || rest != "" && rest[0] != '/' {
		return ""
	}
	if segment != "" {
		rest = strings.TrimPrefix(rest, "/"+segment)
	}
	return p.fixed + rest
}

// in returns the path, which is behind the fixed text, under the prefix of a version.
func (p *prefix) in(version, path string) (string, bool) {
	rest, ok := strings.CutPrefix(path, p.fixed)
	if !ok || rest != "" && rest[0] != '/' {
		return "", false
	}
	return p.fixed + "/" + p.before + version + p.behind + rest, true
}

func (s *pathPrefix) Write(w Written, v Version) (Written, error) { return writeBy(s.write, w, v) }

func (s *pathPrefix) write(w *Written, v Version) {
	if w.part > 0 || !w.stays {
		w.prefix, w.prefixVersion, w.carries = s.prefix, v.String(), true
	}
}

func (s *pathPrefix) Describe() Description {
	return Description{
		Name: fmt.Sprintf("path prefix %q", s.template), Place: InPath, PathPrefix: s.template,
		Invalid: invalidURLPathVersion, Missing: invalidURLPathVersion, Check: s.check,
	}
}

func (s *pathPrefix) check(served *ServedVersions) (findings []Finding) {
	if !s.isValid() {
		findings = append(findings, refuse("prefix_template", "Source",
			"the template %q: write it like %q: a slash first, %s once, in the last segment, no other parameter, no empty segment, no slash at the end",
			s.template, "/api/{version}", versionPlaceholder))
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

func (s *pathPrefix) isValid() bool {
	plain := strings.Replace(s.template, versionPlaceholder, "v", 1)
	return strings.HasPrefix(s.template, "/") && strings.Contains(s.template[len(s.fixed):], versionPlaceholder) &&
		!strings.ContainsAny(plain, ":*{}+?% \t\r\n\\") && !strings.HasSuffix(s.template, "/") && !strings.Contains(s.template, "//")
}
