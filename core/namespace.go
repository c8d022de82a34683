package verso

import "strings"

var invalidNamespaceVersion = Rejection{Status: 404, Message: InvalidNamespaceVersion}

// Namespace returns the source that reads the namespace of the matched route: the route
// named "v1:user-list" is the route user-list in the namespace v1. Of a nested
// namespace, "api:v1", the version is the outermost part that is served. A request to
// a namespace without such a part is rejected with status 404. A route without a
// namespace has the default version, unchecked. Specification: "NamespaceVersioning".
func Namespace() Source { return namespace{} }

type namespace struct{}

func (s namespace) Read(r Request, served *Served) Reading { return readBy(s, r, served) }

func (namespace) read(r *Request, served *Served, reading *Reading) {
	reading.Outcome = Nowhere
	if r.route == nil {
		return
	}
	for _, part := range r.route.Namespaces() {
		if reading.Outcome == Nowhere {
			reading.Outcome, reading.Text = Found, part
		}
		if version := served.lookup(part); version != nil || served.set.any {
			reading.Text, reading.served = part, version
			return
		}
	}
}

func (s namespace) Write(t Target, v Version) (Target, error) { return writeBy(s, t, v) }

// write makes the name of the route VersionedName.
func (namespace) write(t *Target, v Version) { t.SetNamespace(v.String()) }

func (namespace) Describe() Description {
	return Description{
		Name:      "namespace of the route",
		InURL:     true,
		Namespace: true,
		Invalid:   invalidNamespaceVersion,
		Missing:   invalidNamespaceVersion,
		Check:     checkNamespaceVersions,
	}
}

func checkNamespaceVersions(served *Served) (findings []Finding) {
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
