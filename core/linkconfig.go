package verso

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/goverso/verso/core/internal/hostname"
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
	// trusted, links are relative.
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

	fixed origin // Origin
}

// origin is what an absolute URL begins with: the host, and the text before and after
// it. All are "" for a relative URL.
type origin struct{ before, host, behind string }

// prepare checks the configuration, and parses the origin.
func (l *LinkConfig) prepare() (findings []Finding) {
	switch {
	case l.Origin != "" && l.OriginFunc != nil:
		findings = append(findings, refuse("origin_twice", "Links.Origin", "both Origin and OriginFunc are set: remove one"))
	case l.Relative && (l.Origin != "" || l.OriginFunc != nil):
		findings = append(findings, refuse("origin_relative", "Links.Relative", "links are Relative, but an origin is set: remove one"))
	}
	l.TrustedHosts = slices.Clone(l.TrustedHosts) // the caller's may change
	for _, host := range l.TrustedHosts {
		if !hostname.IsValid(strings.TrimPrefix(host, "*.")) {
			findings = append(findings, refuse("trusted_host", "Links.TrustedHosts",
				"trusted host %q is not a host: write it like api.example.com or *.example.com", host))
		}
	}
	if l.Origin != "" && len(findings) == 0 {
		var err error
		if l.fixed, err = l.splitOrigin(l.Origin); err != nil {
			findings = append(findings, refuse("origin", "Links.Origin", "%w", err))
		}
	}
	return findings
}

// splitOrigin parses an origin. It fails if no link may begin with the text.
func (l *LinkConfig) splitOrigin(text string) (origin, error) {
	u, err := url.Parse(text)
	if err == nil && u.EscapedPath() == text && strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "//") && !strings.HasSuffix(text, "/") {
		return origin{behind: text}, nil
	}
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || !hostname.IsValid(u.Host) ||
		u.Scheme+"://"+u.Host+u.EscapedPath() != text || strings.HasSuffix(text, "/") {
		if host := strings.TrimSuffix(strings.TrimPrefix(text, "//"), "/"); !strings.Contains(text, "://") && hostname.IsValid(host) {
			return origin{}, fmt.Errorf("origin %q has no scheme: write https://%s", text, host)
		}
		return origin{}, fmt.Errorf("origin %q: write it like https://api.example.com or like /api, without a slash at the end", text)
	}
	if !l.trusts(u.Host) {
		return origin{}, fmt.Errorf("the host of origin %q is not among the TrustedHosts: add it", text)
	}
	return origin{u.Scheme + "://", u.Host, u.EscapedPath()}, nil
}

// origin returns the configured origin, or that of the request with the given host.
// checked is a host known to be valid and trusted, or nil.
func (l *LinkConfig) origin(r *source.Request, host string, checked *string) origin {
	if l.Relative {
		return origin{}
	}
	if l.OriginFunc != nil && !r.IsNone() {
		if text := l.OriginFunc(*r); text != "" {
			own, _ := l.splitOrigin(text) // a proxy may pass on text chosen by a client
			return own
		}
	}
	if l.Origin != "" {
		return l.fixed
	}
	if isChecked := checked != nil && host == *checked; r.IsNone() || !isChecked && (!hostname.IsValid(host) || !l.trusts(host)) {
		return origin{}
	}
	if r.Secure() {
		return origin{before: "https://", host: host}
	}
	return origin{before: "http://", host: host}
}

// uncheckedHost reports whether links begin with whatever host a client sends.
func (l *LinkConfig) uncheckedHost() bool {
	return !l.Relative && l.Origin == "" && l.OriginFunc == nil && len(l.TrustedHosts) == 0
}

// trusts reports whether links may have the host.
func (l *LinkConfig) trusts(host string) bool {
	return len(l.TrustedHosts) == 0 || slices.ContainsFunc(l.TrustedHosts, func(trusted string) bool {
		return hostname.Matches(trusted, host) || hostname.Matches(trusted, hostname.WithoutPort(host))
	})
}
