package verso

import (
	"fmt"
	"net/http"
	"strings"
)

var invalidNamespaceVersion = refusal{http.StatusNotFound, InvalidNamespaceVersion}

// Namespace reads the version from the namespace of the matched route: the
// route named "v1:user-list" is the route user-list in the namespace v1.
// Specification: "NamespaceVersioning".
type Namespace struct{ *Base }

var _ Scheme = (*Namespace)(nil)

// NewNamespace returns the scheme NamespaceVersioning. It fails when an
// allowed version is listed twice, or holds a colon: a colon separates nested
// namespaces, so that no namespace could ever be that version.
func NewNamespace(settings Settings) (*Namespace, error) {
	base, err := NewBase(NamespaceVersioning, settings)
	if err != nil {
		return nil, err
	}
	for _, text := range base.rules.AllowedVersions {
		if strings.Contains(text, ":") {
			return nil, fmt.Errorf("verso: %s: allowed version %q can never be a namespace, in which a colon separates nested ones: remove the colon",
				base.name, text)
		}
	}
	return &Namespace{base}, nil
}

// DetermineVersion returns the first part of the matched route's namespace
// that is an allowed version, outermost first. A route without a namespace has
// the default version, checked against nothing. A namespace without an allowed
// part is an [*Error] with status 404; its Version is the outermost part.
func (s *Namespace) DetermineVersion(r Request) (Version, error) {
	namespace := r.Namespace()
	if namespace == "" {
		return s.rules.DefaultVersion, nil
	}
	for rest, more := namespace, true; more; {
		var part string
		part, rest, more = strings.Cut(rest, ":")
		if v, ok := s.Admit(part); ok {
			return v, nil
		}
	}
	outermost, _, _ := strings.Cut(namespace, ":")
	return Version{}, invalidNamespaceVersion.of(s.name, V(outermost))
}

// Reverse puts the version before the name of the route (see
// [Namespace.VersionedName]) and delegates.
func (s *Namespace) Reverse(r Request, reverser Reverser, target Target) (string, error) {
	if v := versionFor(r, target); !v.IsNone() {
		target.Name = s.VersionedName(v, target.Name)
	}
	return reverser.Reverse(r, target)
}

// VersionedName returns the name of a route in the namespace of a version:
// "v1:user-list". Specification: "get_versioned_viewname".
func (*Namespace) VersionedName(v Version, name string) string {
	return v.String() + ":" + name
}
