package source

import "strings"

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
	if r.Route() == nil {
		return
	}
	for _, part := range r.Route().Namespaces() {
		if reading.Outcome == NoPlace {
			reading.Outcome, reading.Text = Found, part
		}
		if _, ok := served.Find(part); ok {
			reading.Text = part
			return
		}
	}
}

func (s namespace) Write(w Written, v Version) (Written, error) { return writeBy(s.write, w, v) }

// write puts the name of the route into the namespace of the version.
func (namespace) write(w *Written, v Version) { w.SetNamespace(v.String()) }

func (namespace) Describe() Description {
	return Description{
		Name: "namespace of the route", Place: InPath, Namespace: true,
		Invalid: invalidNamespaceVersion, Missing: invalidNamespaceVersion, Check: checkNamespaceVersions,
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

var invalidNamespaceVersion = Rejection{Status: 404, Message: InvalidNamespaceVersion}
