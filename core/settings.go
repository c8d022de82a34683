package verso

import (
	"fmt"
	"slices"
)

// DefaultVersionParam is the parameter name that an empty
// [Settings.VersionParam] stands for.
const DefaultVersionParam = "version"

// Settings are what the schemes have in common. The zero Settings allow every
// version, default to none and read the parameter "version".
// Specification: "Versioning scheme".
type Settings struct {
	// DefaultVersion is the version of a request that asks for none.
	// Optional. Default value: none. It is always allowed.
	DefaultVersion Version

	// AllowedVersions lists the versions that the service serves. Those that
	// look alike are logged: see [NewVersioning].
	// Optional. Default value: empty, which allows every version, and none.
	AllowedVersions []string

	// AllowUnversioned lets a request without a version through although
	// there is a list of allowed versions and no default.
	// Optional. Default value: false.
	AllowUnversioned bool

	// VersionParam names the parameter that carries the version in the
	// schemes that read one: of the media type, the path or the query.
	// Optional. Default value: [DefaultVersionParam].
	VersionParam string
}

// IsAllowedVersion reports whether the settings allow v. An empty list allows
// everything; otherwise v must be in the list or be the default version, and
// none is allowed with AllowUnversioned only.
//
// Schemes answer the same from a table made once; use theirs for requests.
func (s Settings) IsAllowedVersion(v Version) bool {
	r := newRules(s)
	return r.allows(v)
}

// rules are settings made ready for requests: each answer is one look-up.
type rules struct {
	Settings
	known map[string]Version // the allowed versions and the default
}

func newRules(s Settings) rules {
	if s.VersionParam == "" {
		s.VersionParam = DefaultVersionParam
	}
	s.AllowedVersions = slices.Clone(s.AllowedVersions) // the caller's may change
	known := make(map[string]Version, len(s.AllowedVersions)+1)
	for _, text := range s.AllowedVersions {
		known[text] = V(text)
	}
	if !s.DefaultVersion.IsNone() {
		known[s.DefaultVersion.String()] = s.DefaultVersion
	}
	return rules{s, known}
}

// check returns an error for settings that cannot be meant.
func (s Settings) check() error {
	seen := make(map[string]bool, len(s.AllowedVersions))
	for _, text := range s.AllowedVersions {
		if seen[text] {
			return fmt.Errorf("allowed version %q is listed twice: remove one", text)
		}
		seen[text] = true
	}
	return nil
}

// has reports whether v is the default or in the list.
func (r *rules) has(v Version) bool {
	_, ok := r.known[v.String()]
	return ok && !v.IsNone()
}

func (r *rules) allows(v Version) bool {
	if len(r.AllowedVersions) == 0 {
		return true
	}
	if v.IsNone() {
		return r.AllowUnversioned
	}
	return r.has(v)
}
