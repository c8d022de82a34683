package verso

import (
	"slices"
	"strings"

	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/internal/hostname"
)

// Strictness rejects requests that the specification lets through. The zero
// Strictness rejects nothing more; [Strict] rejects all that it can.
//
// A request is rejected for its host first, then for contradicting versions,
// then for an empty one, and only then for a version that is not served.
type Strictness struct {
	// RefuseUnversioned rejects a request that lacks the place that the
	// version is read from: its host does not match the pattern, or its route
	// has no namespace. The specification gives it the default version
	// unchecked. RefuseUnversioned also requires a list of versions, or
	// AnyVersion.
	// Optional. Default value: false.
	RefuseUnversioned bool

	// RefuseContradictions rejects, with status 400 and the message
	// [source.ContradictingVersions], a request with several versions in one
	// place: different values of the version parameter in the query or in the
	// accepted media type. Values are compared byte for byte after decoding.
	// The other media ranges of an Accept header are ignored.
	// Optional. Default value: false, the last value applies.
	RefuseContradictions bool

	// RefuseEmpty rejects, with status 400 and the message [EmptyVersion], a
	// request that asks for the empty version, as "?version=" does. The
	// empty version must then be neither the default nor in the list.
	// Optional. Default value: false, it is a version like any other.
	RefuseEmpty bool

	// AllowedHosts lists the domains of the service. A request to a host that
	// is neither in the list nor a subdomain of a domain in it is rejected
	// with status 421 (RFC 9110, section 15.5.20) and the message
	// [UnknownHost]: "example.com" allows api.example.com too. The port, a dot
	// at the end and the case of ASCII letters are ignored; the dot is then
	// also ignored where the version is read from the host. An IPv6 address
	// is written with brackets, "[::1]", and compared as text.
	// Optional. Default value: empty, every host is served.
	AllowedHosts []string
}

// Strict returns the Strictness that rejects requests that contradict themselves,
// that ask for the empty version, or that have no place for a version. It is for
// new services. Add AllowedHosts, which only you know.
func Strict() Strictness {
	return Strictness{RefuseUnversioned: true, RefuseContradictions: true, RefuseEmpty: true}
}

// prepare checks the strictness, and copies what the caller could change later.
func (s *Strictness) prepare(c *Config) (findings []Finding) {
	if s.RefuseEmpty && (c.DefaultVersion == V("") || slices.Contains(c.listed(), "")) {
		findings = append(findings, finding.Of(codes.StrictEmpty))
	}
	if s.RefuseUnversioned && c.allowsAny() && !c.AnyVersion {
		findings = append(findings, finding.Of(codes.AnyVersionStrict))
	}
	s.AllowedHosts = slices.Clone(s.AllowedHosts)
	for _, domain := range s.AllowedHosts {
		if !hostname.IsValid(domain) || hostname.WithoutPort(domain) != domain || strings.HasSuffix(domain, ".") {
			findings = append(findings, finding.Of(codes.AllowedHost, domain))
		}
	}
	return findings
}
