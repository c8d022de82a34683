package verso

import (
	"slices"
	"strings"

	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/internal/hostname"
	"github.com/goverso/verso/core/internal/origin"
	"github.com/goverso/verso/core/source"
)

// LinkConfig configures the origin of links. The zero LinkConfig makes them absolute,
// with the scheme (https over TLS) and the host of the request. Links built without a
// request are then relative.
//
// Verso does not read X-Forwarded-* headers: behind a proxy, set Origin, or read what
// your proxy sends in OriginFunc.
type LinkConfig struct {
	// Origin begins all links: "https://api.example.com". It may end in a
	// path, for a proxy or an [http.StripPrefix] that removes it
	// ("https://example.com/api"), or be that path alone ("/api"): links are
	// relative to the host then.
	// Optional. Default value: "", the origin of the request.
	Origin string

	// OriginFunc returns the origin for a request, "" for the request's own.
	// It replaces Origin. If it returns an origin that is malformed or not
	// trusted, links are relative, and the log has a warning once.
	// Optional. Default value: nil.
	OriginFunc func(source.Request) string

	// TrustedHosts lists the hosts that links may have: "api.example.com"
	// with any port, "api.example.com:8080" with this port only,
	// "*.example.com" for all subdomains. A request to another host gets
	// relative links.
	// Optional. Default value: empty, which trusts all hosts.
	TrustedHosts []string

	// Relative makes all links relative to the host: "/users/7".
	// Optional. Default value: false.
	Relative bool
}

// prepare checks the configuration, and copies what the caller could change later.
func (l *LinkConfig) prepare() (findings []Finding) {
	switch {
	case l.Origin != "" && l.OriginFunc != nil:
		findings = append(findings, finding.Of(codes.OriginTwice))
	case l.Relative && (l.Origin != "" || l.OriginFunc != nil):
		findings = append(findings, finding.Of(codes.OriginRelative))
	}
	l.TrustedHosts = slices.Clone(l.TrustedHosts)
	for _, host := range l.TrustedHosts {
		if !hostname.IsValid(strings.TrimPrefix(host, "*.")) {
			findings = append(findings, finding.Of(codes.TrustedHost, host))
		}
	}
	if l.Origin != "" && len(findings) == 0 {
		if _, err := origin.Split(l.Origin, l.TrustedHosts); err != nil {
			findings = append(findings, finding.Of(codes.Origin, err))
		}
	}
	return findings
}
