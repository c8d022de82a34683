package verso

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/goverso/verso/core/route"
)

// LinkConfig says what the URLs begin with that an application builds. The zero
// LinkConfig makes them absolute, with the scheme (https over TLS) and the host
// of the request; without a request they are relative.
//
// Verso reads no X-Forwarded-* header: behind a proxy, set Origin, or read what
// your proxy sends in OriginFunc.
type LinkConfig struct {
	// Origin begins all absolute URLs: "https://api.example.com". It may end
	// in a path, for a proxy that removes it ("https://example.com/api").
	// Optional. Default value: "", the origin of the request.
	Origin string

	// OriginFunc returns the origin for a request; "" stands for the
	// request's own. It takes the place of Origin.
	// Optional. Default value: nil.
	OriginFunc func(*http.Request) string

	// TrustedHosts lists the hosts that may stand in a URL: "api.example.com"
	// with any port, "api.example.com:8080" with this one,
	// "*.example.com" for all hosts under example.com. A request to any other
	// host gets relative URLs.
	// Optional. Default value: empty, which trusts all hosts.
	TrustedHosts []string

	// Relative makes all URLs relative to the host: "/users/7".
	// Optional. Default value: false.
	Relative bool
}

// Validate returns an error for a configuration that cannot be meant.
// [NewVersioning] calls it.
func (c LinkConfig) Validate() error {
	switch {
	case c.Origin != "" && c.OriginFunc != nil:
		return errors.New("both Origin and OriginFunc are set: remove one")
	case c.Relative && (c.Origin != "" || c.OriginFunc != nil):
		return errors.New("URLs are Relative, but an origin is set: remove one")
	}
	for _, host := range c.TrustedHosts {
		if !validHost(strings.TrimPrefix(host, "*.")) {
			return fmt.Errorf("trusted host %q is no host: write it like api.example.com or *.example.com", host)
		}
	}
	if c.Origin != "" {
		return c.checkOrigin(c.Origin)
	}
	return nil
}

// checkOrigin returns an error for text that no URL may begin with.
func (c *LinkConfig) checkOrigin(origin string) error {
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || !validHost(u.Host) ||
		u.Scheme+"://"+u.Host+u.EscapedPath() != origin || strings.HasSuffix(origin, "/") {
		return fmt.Errorf("origin %q: write it like https://api.example.com, without a slash at the end", origin)
	}
	if !c.trusts(u.Host) {
		return fmt.Errorf("the host of origin %q is not among the trusted hosts: add it", origin)
	}
	return nil
}

// trusts reports whether the host may stand in a URL.
func (c *LinkConfig) trusts(host string) bool {
	if len(c.TrustedHosts) == 0 {
		return true
	}
	for _, trusted := range c.TrustedHosts {
		if matchesHost(trusted, host) || matchesHost(trusted, withoutPort(host)) {
			return true
		}
	}
	return false
}

// matchesHost reports whether a trusted host is the given one, or "*" and what
// the given one ends with.
func matchesHost(trusted, host string) bool {
	if parent, ok := strings.CutPrefix(trusted, "*"); ok {
		return len(host) > len(parent) && strings.EqualFold(host[len(host)-len(parent):], parent)
	}
	return strings.EqualFold(trusted, host)
}

// appendOrigin appends what an absolute URL begins with, nothing for a
// relative one: to the given host, unless the origin is configured. r is nil
// outside of a request.
func (c *LinkConfig) appendOrigin(dst []byte, r *http.Request, host string) ([]byte, error) {
	if c.Relative {
		return dst, nil
	}
	if c.OriginFunc != nil && r != nil {
		if origin := c.OriginFunc(r); origin != "" {
			if err := c.checkOrigin(origin); err != nil {
				return dst, fmt.Errorf("verso: OriginFunc: %w", err)
			}
			return append(dst, origin...), nil
		}
	}
	if c.Origin != "" {
		return append(dst, c.Origin...), nil
	}
	if r == nil || !validHost(host) || !c.trusts(host) {
		return dst, nil
	}
	scheme := "http://"
	if r.TLS != nil {
		scheme = "https://"
	}
	return append(append(dst, scheme...), host...), nil
}

// validHost reports whether host can stand in a URL: a name or an address,
// with a port or without. Anything else that a client may send is not one.
func validHost(host string) bool {
	name := withoutPort(host)
	if port := host[len(name):]; port != "" && !validPort(port[1:]) {
		return false
	}
	if address, ok := strings.CutPrefix(name, "["); ok {
		address, ok = strings.CutSuffix(address, "]")
		parsed, err := netip.ParseAddr(address)
		return ok && err == nil && parsed.Is6() && parsed.Zone() == ""
	}
	return validName(name)
}

// maxNameBytes is the longest name that DNS has, with a dot at its end.
const maxNameBytes = 254

// validName reports whether name consists of labels of letters, digits, hyphens
// and underscores. One dot may stand at its end.
func validName(name string) bool {
	if len(name) > maxNameBytes {
		return false
	}
	labelBytes := 0
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_':
			labelBytes++
		case c == '.' && labelBytes > 0:
			labelBytes = 0
		default:
			return false
		}
	}
	return name != ""
}

// withoutPort returns the host up to the colon before the port.
func withoutPort(host string) string {
	if colon := strings.LastIndexByte(host, ':'); colon > strings.LastIndexByte(host, ']') {
		return host[:colon]
	}
	return host
}

func validPort(port string) bool {
	_, err := strconv.ParseUint(port, 10, 16)
	return err == nil
}

// hostIn returns where the host, with its port, stands in an absolute URL that
// a Reverser built.
func hostIn(rawURL string) (start, end int, ok bool) {
	start = strings.Index(rawURL, "://")
	if start < 0 || strings.IndexByte(rawURL[:start], '/') >= 0 {
		return 0, 0, false
	}
	start += len("://")
	if length := strings.IndexAny(rawURL[start:], "/?#"); length >= 0 {
		return start, start + length, true
	}
	return start, len(rawURL), true
}

// TableReverser is the built-in Reverser: it builds URLs from a table of
// routes.
type TableReverser struct {
	Table   *route.Table  // required
	Links   *LinkConfig   // what URLs begin with, which must be valid; nil: the zero LinkConfig
	Request *http.Request // the request that URLs are for; nil outside of one
}

var _ Reverser = (*TableReverser)(nil)

// Reverse builds the URL of the target. It fails as [route.Table.Find] and
// [route.Route.AppendPath] do, when the target has an Extra, and when
// OriginFunc returns no origin.
func (t *TableReverser) Reverse(_ Request, target Target) (string, error) {
	return t.reverse(&target, route.Default{})
}

// hostOf returns the host for the URL of a route: that of the request, unless
// the route is for another one.
func hostOf(r *route.Route, requestHost string) string {
	if r.Host == "" || r.Host == withoutPort(requestHost) {
		return requestHost
	}
	return r.Host
}

// reverse builds the URL of the target with one more argument by name.
func (t *TableReverser) reverse(target *Target, extra route.Default) (string, error) {
	if len(target.Extra) > 0 {
		return "", errors.New("verso: the built-in reverser takes no Extra: remove it, or give a Reverser of your own")
	}
	arguments := route.Arguments{Positional: target.Args, Named: target.Kwargs, Default: extra}
	if target.Format != "" {
		named := maps.Clone(target.Kwargs)
		if named == nil {
			named = make(Kwargs, 1)
		}
		named["format"] = target.Format
		arguments.Named = named
	}
	host := ""
	if t.Request != nil {
		host = t.Request.Host
	}
	found, err := t.Table.Find(host, target.Name, &arguments)
	if err != nil {
		return "", err
	}
	links := t.Links
	if links == nil {
		links = new(LinkConfig)
	}
	var buffer [256]byte
	built, err := links.appendOrigin(buffer[:0], t.Request, hostOf(found, host))
	if err != nil {
		return "", err
	}
	built, err = found.AppendPath(built, &arguments)
	if err != nil {
		return "", err
	}
	if len(target.Query) > 0 {
		built = append(append(built, '?'), target.Query.Encode()...)
	}
	if target.Fragment != "" {
		fragment := url.URL{Fragment: target.Fragment}
		built = append(append(built, '#'), fragment.EscapedFragment()...)
	}
	return string(built), nil
}
