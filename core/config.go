package verso

import (
	"context"
	"fmt"
	"github.com/goverso/verso/core/internal/hostname"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/goverso/verso/core/catalogue"
)

// Config is what users configure besides the source. The zero Config allows every
// version, has no default version, and builds links with the request's own host.
// Specification: "Configuration".
type Config struct {
	// AllowedVersions lists the versions that the service serves, the oldest
	// first.
	// Optional. Default value: empty, which allows every version, and requests
	// without one. [Binding.Explain] warns of that, unless AnyVersion is set.
	AllowedVersions []string

	// Catalogue lists the versions that the service serves, with the dates of
	// their deprecation and sunset: see package catalogue. It replaces
	// AllowedVersions.
	// Optional. Default value: nil, versions have no dates.
	Catalogue *catalogue.Catalogue

	// Clock tells the time for Catalogue. It is read once for each request.
	// Optional. Default value: time.Now.
	Clock func() time.Time

	// AnyVersion says that every version is allowed on purpose.
	// AllowedVersions must be empty then.
	// Optional. Default value: false.
	AnyVersion bool

	// DefaultVersion is the version of a request that asks for none. It is
	// always allowed.
	// Optional. Default value: no version.
	DefaultVersion Version

	// AfterDefaultSunset says what a request that asks for no version gets once the
	// Catalogue has ended the default version.
	// Optional. Default value: what a request for that version gets; a warning
	// is logged if the Catalogue ends it.
	AfterDefaultSunset AfterDefaultSunset

	// AllowUnversioned lets a request without a version through although
	// there is a list of allowed versions and no default.
	// Optional. Default value: false.
	AllowUnversioned bool

	// Produces lists the media types that the service can answer with, the
	// preferred one first. Sources that read the Accept header negotiate
	// among them; the others ignore it.
	// Optional. Default value: empty, every media type is acceptable.
	Produces []string

	// Links configures the origin of links.
	// Optional. Default value: the scheme and the host of the request.
	Links LinkConfig

	// Strict rejects requests that the specification lets through.
	// Optional. Default value: none is rejected.
	Strict Strictness

	// Logger gets each warning once: at the first request, or when Explain is
	// called before that.
	// Optional. Default value: nil, slog.Default().
	Logger *slog.Logger

	// Acknowledged lists the codes of warnings that describe what is intended.
	// They stay in Explain, marked, and are not logged. The Explain of an adapter
	// has the finding accepted_unknown for a code that no finding has.
	// Optional. Default value: empty.
	Acknowledged []string

	// Translator translates the messages of rejections.
	// Optional. Default value: nil, the messages are in English.
	Translator Translator

	// Observe is called once for each request, when its handler or its
	// rejection has returned: to count who still asks for which version. It
	// runs in the goroutine of the request, so it must be fast and safe for
	// concurrent use. ctx is that of the request. See package usage, and
	// docs/usage.md for metrics.
	// Optional. Default value: nil.
	Observe func(ctx context.Context, o Observation)

	// HideAllowedVersions leaves the allowed versions out of rejections.
	// Optional. Default value: false.
	HideAllowedVersions bool
}

// prepare checks what does not depend on the source, and copies what the caller
// could change later.
func (c *Config) prepare() (findings []Finding) {
	c.AllowedVersions, c.Produces, c.Acknowledged = slices.Clone(c.AllowedVersions), slices.Clone(c.Produces), slices.Clone(c.Acknowledged)
	seen := make(map[string]bool, len(c.AllowedVersions))
	for _, version := range c.AllowedVersions {
		if seen[version] {
			findings = append(findings, refuse("version_twice", "AllowedVersions", "allowed version %q is listed twice: remove one", version))
		}
		seen[version] = true
		if strings.TrimSpace(version) != version {
			findings = append(findings, refuse("version_white_space", "AllowedVersions",
				"allowed version %q has white space around it: remove it", version))
		}
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	d := c.DefaultVersion
	listed := c.isListed(d)
	switch {
	case c.Catalogue != nil && len(c.AllowedVersions) > 0:
		findings = append(findings, refuse("two_lists", "AllowedVersions", "the Catalogue lists the versions already: remove one of the two"))
	case c.AnyVersion && !c.allowsAny():
		findings = append(findings, refuse("any_version", "AnyVersion", "the versions are listed, but AnyVersion is set: remove one"))
	case c.Catalogue != nil && !listed:
		findings = append(findings, refuse("default_unknown", "DefaultVersion", "the default version %q is not in the Catalogue: add it, or correct it", d))
	case !d.IsNone() && c.isPreview(d):
		findings = append(findings, refuse("default_preview", "DefaultVersion",
			"the default version %q is a preview, which is served only to those who name it: choose another", d))
	case !c.AnyVersion && c.allowsAny() && !c.Strict.RefuseUnversioned:
		findings = append(findings, warn("any_version", "AllowedVersions",
			"every version is served, even one that a client made up: list the versions, or set AnyVersion if you mean it"))
	case !c.allowsAny() && !listed:
		findings = append(findings, warn("default_not_listed", "DefaultVersion",
			"the default version %q is not in the list of allowed versions, and is served nevertheless: add it, or correct it", d))
	}
	findings = append(findings, c.checkForeignRoutesEnd()...)
	findings = append(findings, c.Links.prepare()...)
	return append(findings, c.Strict.prepare(c)...)
}

// listed returns the versions that are listed, in order, the oldest first.
func (c *Config) listed() []string {
	if c.Catalogue != nil {
		return c.Catalogue.Versions()
	}
	return c.AllowedVersions
}

// isListed reports whether v is in the list, or no version.
func (c *Config) isListed(v Version) bool {
	return v.IsNone() || slices.Contains(c.listed(), v.String())
}

// versionsOverTime returns the catalogue, or one made of the list. It is nil if every
// version is served, or the empty one, which no catalogue can have.
func (c *Config) versionsOverTime() (*catalogue.Catalogue, error) {
	if c.Catalogue != nil || c.allowsAny() || slices.Contains(c.AllowedVersions, "") {
		return c.Catalogue, nil
	}
	return catalogue.List(c.AllowedVersions...)
}

// allowsAny reports whether every version is served.
func (c *Config) allowsAny() bool { return len(c.listed()) == 0 }

func (c *Config) isPreview(v Version) bool {
	if c.Catalogue == nil {
		return false
	}
	index, ok := c.Catalogue.Index(v.String())
	return ok && c.Catalogue.Entry(index).Preview
}

// knownVersions returns the listed versions in order and then the default, if it
// is not among them. It returns none if every version is allowed.
func (c *Config) knownVersions() []string {
	known := slices.Clip(c.listed())
	if d := c.DefaultVersion; len(known) > 0 && !d.IsNone() && !slices.Contains(known, d.String()) {
		known = append(known, d.String())
	}
	return known
}

// allows reports whether a version may be served: see
// [Versioning.IsAllowedVersion].
func (c *Config) allows(v Version) bool {
	switch {
	case c.allowsAny():
		return true
	case v.IsNone():
		return c.AllowUnversioned
	}
	return v == c.DefaultVersion || slices.Contains(c.listed(), v.String())
}

// AfterDefaultSunset says what a request that asks for no version gets when the default
// version has ended: see [Config.AfterDefaultSunset]. Its text is "end" or "move", and
// "" for the zero value.
type AfterDefaultSunset uint8

// What such a request gets.
const (
	// RejectUnversioned rejects it with status 410, [VersionGone], even if a
	// later version answers requests that name the default version.
	RejectUnversioned AfterDefaultSunset = iota + 1

	// MoveUnversioned answers it in the oldest later version that is still
	// served and not a preview, with that version's response fields. If there
	// is none, the request is rejected as by [RejectUnversioned]. The Catalogue
	// must have a ServedHeader, which names the version that answered.
	MoveUnversioned
)

var afterDefaultSunsets = [...]string{RejectUnversioned: "end", MoveUnversioned: "move"}

// MarshalText returns the text.
func (e AfterDefaultSunset) MarshalText() ([]byte, error) {
	if int(e) >= len(afterDefaultSunsets) {
		return nil, fmt.Errorf("verso: AfterDefaultSunset %d does not exist", e)
	}
	return []byte(afterDefaultSunsets[e]), nil
}

// UnmarshalText reads the text. It fails if the text is another.
func (e *AfterDefaultSunset) UnmarshalText(text []byte) error {
	for end, known := range afterDefaultSunsets {
		if string(text) == known {
			*e = AfterDefaultSunset(end)
			return nil
		}
	}
	return fmt.Errorf(`after_default_sunset is %q: write "end" or "move"`, text)
}

// checkAfterDefaultSunset returns the mistakes in AfterDefaultSunset.
func (c *Config) checkForeignRoutesEnd() []Finding {
	if c.AfterDefaultSunset == 0 {
		return nil
	}
	if int(c.AfterDefaultSunset) >= len(afterDefaultSunsets) {
		return []Finding{refuse("when_default_ends", "AfterDefaultSunset", "AfterDefaultSunset %d does not exist: use RejectUnversioned or MoveUnversioned", c.AfterDefaultSunset)}
	}
	if c.DefaultVersion.IsNone() || c.Catalogue == nil {
		return []Finding{warn("when_default_ends", "AfterDefaultSunset",
			"there is no default version that ends: set DefaultVersion, and its sunset in a Catalogue, or remove AfterDefaultSunset")}
	}
	if _, said := c.Catalogue.ServedField(0); c.AfterDefaultSunset == MoveUnversioned && !said {
		return []Finding{refuse("default_moves_unsaid", "AfterDefaultSunset",
			"requests without a version move to another one, and no response says which: set ServedHeader in the Catalogue")}
	}
	return nil
}

// Strictness rejects requests that the specification lets through. The zero
// Strictness rejects nothing more; [Strict] rejects all that it can.
//
// A request is rejected for its host first, then for contradicting versions,
// then for an empty one, and only then for a version that is not served.
type Strictness struct {
	// RefuseUnversioned rejects a request that lacks the place that the
	// version is read from: its host does not match the pattern, or its route
	// has no namespace. The specification gives it the default version
	// unchecked. RefuseUnversioned also requires a list of versions.
	// Optional. Default value: false.
	RefuseUnversioned bool

	// RefuseContradictions rejects, with status 400 and the message
	// [ContradictingVersions], a request that has several versions in one
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

	hosts []string // AllowedHosts in the form of Links.TrustedHosts
}

// Strict returns the Strictness that rejects requests that contradict themselves,
// that ask for the empty version, or that have no place for a version. It is for
// new services. Add AllowedHosts, which only you know.
func Strict() Strictness {
	return Strictness{RefuseUnversioned: true, RefuseContradictions: true, RefuseEmpty: true}
}

// prepare checks the strictness, and makes it ready for requests.
func (s *Strictness) prepare(c *Config) (findings []Finding) {
	if s.RefuseEmpty && (c.DefaultVersion == V("") || slices.Contains(c.listed(), "")) {
		findings = append(findings, refuse("strict_empty", "Strict.RefuseEmpty",
			"the empty version is refused, but it is the default or in the list: remove one"))
	}
	if s.RefuseUnversioned && c.allowsAny() && !c.AnyVersion {
		findings = append(findings, refuse("any_version", "AllowedVersions",
			"every version is served, although the service is strict: list the versions, or set AnyVersion if you mean it"))
	}
	s.hosts = nil
	for _, domain := range s.AllowedHosts {
		if !hostname.IsValid(domain) || hostname.WithoutPort(domain) != domain || strings.HasSuffix(domain, ".") {
			findings = append(findings, refuse("allowed_host", "Strict.AllowedHosts",
				"allowed host %q: write it like example.com, in ASCII, without a scheme, port, wildcard, or dot at either end", domain))
		}
		s.hosts = append(s.hosts, domain, "*."+domain)
	}
	return findings
}

// rejects returns the rejection that strictness alone has for a reading, or nil.
func (s *Strictness) rejects(reading *Reading, invalid *Rejection) *Rejection {
	switch {
	case s.RefuseEmpty && reading.Outcome == Found && reading.Text == "":
		return &emptyVersion
	case s.RefuseUnversioned && (reading.Outcome == NoPlace || reading.Outcome == Unversioned):
		return invalid
	}
	return nil
}

// serves reports whether the host of a request is allowed.
func (s *Strictness) serves(host string) bool {
	if !hostname.IsValid(host) {
		return false
	}
	name := strings.TrimSuffix(hostname.WithoutPort(host), ".")
	return slices.ContainsFunc(s.hosts, func(served string) bool { return hostname.Matches(served, name) })
}

// LinkConfig configures what links begin with. The zero LinkConfig makes them absolute, with the
// scheme (https over TLS) and the host of the request. Links built outside of a
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
	OriginFunc func(Request) string

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
func (l *LinkConfig) origin(r *Request, host string) origin {
	if l.Relative {
		return origin{}
	}
	if l.OriginFunc != nil && !r.IsNone() {
		if text := l.OriginFunc(*r); text != "" {
			own, _ := l.splitOrigin(text) // what a proxy sent may be a client's text
			return own
		}
	}
	if l.Origin != "" {
		return l.fixed
	}
	if r.IsNone() || !hostname.IsValid(host) || !l.trusts(host) {
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
	if len(l.TrustedHosts) == 0 {
		return true
	}
	for _, trusted := range l.TrustedHosts {
		if hostname.Matches(trusted, host) || hostname.Matches(trusted, hostname.WithoutPort(host)) {
			return true
		}
	}
	return false
}
