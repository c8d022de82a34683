package verso

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/goverso/verso/core/route"
)

var invalidURLPathVersion = Rejection{Status: 404, Message: InvalidURLPathVersion}

// PathParam returns the source that reads a parameter of the matched route's path, as
// in the route /{version}/users. name is the name alone, "version", whatever the
// syntax of the router. A version that is not served is rejected with status 404, a request
// to a route without the parameter, if there is no default, with status 400. In a link, a
// parameter of that name that the caller gives wins.
// Specification: "URLPathVersioning".
func PathParam(name string) Source { return &pathParam{name} }

type pathParam struct{ name string }

func (s *pathParam) Read(r Request, served *ServedVersions) Reading { return readBy(s.read, r, served) }

func (s *pathParam) read(r *Request, _ *ServedVersions, reading *Reading) {
	if text, ok := r.PathParam(s.name); ok {
		reading.Outcome, reading.Text = Found, text
	}
}

func (s *pathParam) Write(w Written, v Version) (Written, error) { return writeBy(s.write, w, v) }

func (s *pathParam) write(w *Written, v Version) { w.SetParam(s.name, v.String()) }

func (s *pathParam) Describe() Description {
	return Description{
		Name:      fmt.Sprintf("path parameter %q", s.name),
		PathParam: s.name,
		Place:     InPath,
		Invalid:   invalidURLPathVersion,
		Check:     s.check,
	}
}

func (s *pathParam) check(served *ServedVersions) (findings []Finding) {
	if plain := strings.Trim(s.name, ":{}*"); plain != s.name || s.name == "" || strings.ContainsAny(s.name, "/ ") {
		findings = append(findings, refuse("path_param", "Source",
			"the path parameter %q is not a name: write the name alone, such as %q, for a route like /:version or /{version}", s.name, "version"))
	}
	for _, version := range served.Versions() {
		switch {
		case strings.Contains(version, "/"):
			findings = append(findings, refuse("version_slash", "AllowedVersions",
				"version %q can never be a path parameter, which a slash ends: remove the slash", version))
		case strings.ContainsAny(version, " \t\r\n"):
			findings = append(findings, refuse("version_white_space", "AllowedVersions",
				"version %q has white space in it, which no client writes in a path: remove it", version))
		}
	}
	return findings
}

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
// request had a prefix. docs/first-version.md shows the ways to register routes.
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

const versionPlaceholder = "{version}"

func parsePrefix(template string) *prefix {
	slash := max(0, strings.LastIndexByte(template, '/'))
	p := &prefix{template: template, fixed: template[:slash], lead: template[:slash] + "/"}
	p.before, p.behind, _ = strings.Cut(strings.TrimPrefix(template[slash:], "/"), versionPlaceholder)
	return p
}

var errUnknownRoute = errors.New("the pattern of the matched route is not known: register the route with the adapter, or describe it with route.NewPattern")

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

// place returns the version that a pattern is under, and its segment, "" for none.
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

// twin returns the shape of a pattern without the segment of the version, which
// routes for the same resource have in common; "" for a route outside of the prefix.
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
		Name:       fmt.Sprintf("path prefix %q", s.template),
		Place:      InPath,
		PathPrefix: s.template,
		Invalid:    invalidURLPathVersion,
		Missing:    invalidURLPathVersion,
		Check:      s.check,
	}
}

func (s *pathPrefix) check(served *ServedVersions) (findings []Finding) {
	if !s.isValid() {
		findings = append(findings, refuse("prefix_template", "Source",
			"the template %q: write it like %q: a slash first, %s once, in the last segment, no other parameter, no empty segment, no slash at the end",
			s.template, "/api/{version}", versionPlaceholder))
	}
	if len(served.Versions()) == 0 {
		findings = append(findings, refuse("prefix_needs_versions", "AllowedVersions",
			"a path prefix is one of the listed versions: list them"))
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

var invalidNamespaceVersion = Rejection{Status: 404, Message: InvalidNamespaceVersion}

// Namespace returns the source that reads the namespace of the matched route: the route
// named "v1:user-list" is the route user-list in the namespace v1. Of a nested
// namespace, "api:v1", the version is the outermost part that is served. A request to
// a namespace without such a part is rejected with status 404. A route without a
// namespace has the default version, unchecked. Specification: "NamespaceVersioning".
func Namespace() Source { return namespace{} }

type namespace struct{}

func (s namespace) Read(r Request, served *ServedVersions) Reading { return readBy(s.read, r, served) }

func (namespace) read(r *Request, served *ServedVersions, reading *Reading) {
	reading.Outcome = NoPlace
	if r.route == nil {
		return
	}
	for _, part := range r.route.Namespaces() {
		if reading.Outcome == NoPlace {
			reading.Outcome, reading.Text = Found, part
		}
		if version := served.lookup(part); version != nil || served.set.any {
			reading.Text, reading.version = part, version
			return
		}
	}
}

func (s namespace) Write(w Written, v Version) (Written, error) { return writeBy(s.write, w, v) }

// write makes the name of the route VersionedName.
func (namespace) write(w *Written, v Version) { w.SetNamespace(v.String()) }

func (namespace) Describe() Description {
	return Description{
		Name:      "namespace of the route",
		Place:     InPath,
		Namespace: true,
		Invalid:   invalidNamespaceVersion,
		Missing:   invalidNamespaceVersion,
		Check:     checkNamespaceVersions,
	}
}

func checkNamespaceVersions(served *ServedVersions) (findings []Finding) {
	for _, version := range served.Versions() {
		if strings.Contains(version, ":") {
			findings = append(findings, refuse("version_colon", "AllowedVersions",
				"version %q can never be a namespace, in which a colon separates nested ones: remove the colon", version))
		}
	}
	return findings
}

// VersionedName returns the name of a route in the namespace of a version:
// "v1:user-list". Specification: "NamespaceVersioning".
func VersionedName(v Version, name string) string {
	return v.String() + ":" + name
}
