package source

import (
	"fmt"
	"strings"
)

var invalidURLPathVersion = Rejection{Status: 404, Message: InvalidURLPathVersion}

// PathParam returns the source that reads a parameter of the matched route's path, for
// example in the route /{version}/users. name is the name alone, "version", whatever the
// syntax of the router. A version that is not served is rejected with status 404, a
// request to a route without the parameter, if there is no default, with status 400. In a
// link, a parameter of that name that the caller gives wins. Specification:
// "URLPathVersioning".
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
		Name: fmt.Sprintf("path parameter %q", s.name), PathParam: s.name, Place: InPath,
		Invalid: invalidURLPathVersion, Check: s.check,
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
