package verso

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"strings"
)

// Target names the route that a URL is built for, and what stands in it.
type Target struct {
	Name     string     // name of the route, "user-detail", or with its namespace, "v1:user-detail"
	Args     []any      // arguments by position; never together with Kwargs
	Kwargs   Kwargs     // arguments by name
	Format   string     // joins Kwargs as "format", unless it is ""
	Query    url.Values // added to the URL
	Fragment string     // added to the URL

	// Version asks for the route in another version than that of the
	// request, which none stands for. There is no second try without it.
	// In the Accept scheme, whose URLs carry no version, it changes nothing.
	Version Version

	// Extra is for a Reverser of your own: it is handed on unchanged. The
	// built-in one refuses it.
	Extra map[string]any
}

// Kwargs are the arguments of a route by name. A value is text, an integer, an
// [encoding.TextMarshaler] or a [fmt.Stringer].
type Kwargs map[string]any

// Reverser builds the URL of a target from a table of named routes. r is nil
// outside of a request. It does not know about versions.
type Reverser interface {
	Reverse(r Request, target Target) (string, error)
}

// Reverse builds the URL of the target in the version of the request, or of the
// target, with the given scheme and reverser. Without a scheme (nil) the URL
// carries no version. When there is no such route in the version of the request
// ([ErrNoReverseMatch]), the same target is tried once more without it.
//
// The version is taken as it stands: whether it is allowed is not asked again.
func Reverse(scheme Scheme, r Request, reverser Reverser, target Target) (string, error) {
	if scheme == nil {
		return reverser.Reverse(r, target)
	}
	versioned, err := scheme.Reverse(r, reverser, target)
	if !errors.Is(err, ErrNoReverseMatch) || !target.Version.IsNone() {
		return versioned, err
	}
	unversioned, unversionedErr := reverser.Reverse(r, target)
	if unversionedErr != nil {
		return "", fmt.Errorf("%w (and without the version: %w)", err, unversionedErr)
	}
	return unversioned, nil
}

// versionFor returns the version that a URL is built in.
func versionFor(r Request, target Target) Version {
	if r == nil || !target.Version.IsNone() {
		return target.Version
	}
	return r.Version()
}

// Reverse adds the version to the named arguments, where the caller's own
// argument of that name wins, and delegates.
func (s *URLPath) Reverse(r Request, reverser Reverser, target Target) (string, error) {
	if v := versionFor(r, target); !v.IsNone() {
		kwargs := make(Kwargs, len(target.Kwargs)+1)
		kwargs[s.VersionParam] = v.String()
		maps.Copy(kwargs, target.Kwargs)
		target.Kwargs = kwargs
	}
	return reverser.Reverse(r, target)
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

// Reverse delegates and sets the version as a query parameter of the URL: see
// [ReplaceQueryParam].
func (s *QueryParameter) Reverse(r Request, reverser Reverser, target Target) (string, error) {
	rawURL, err := reverser.Reverse(r, target)
	v := versionFor(r, target)
	if err != nil || v.IsNone() {
		return rawURL, err
	}
	return ReplaceQueryParam(rawURL, s.VersionParam, v.String()), nil
}

// Reverse delegates. The URL has the host of the request, and so its version.
// For the version of a target the host is changed: v1.example.com becomes
// v2.example.com. That fails with [ErrNoReverseMatch] when the URL is relative,
// when its host does not match the pattern of the scheme, or when the version
// cannot stand there.
func (s *HostName) Reverse(r Request, reverser Reverser, target Target) (string, error) {
	rawURL, err := reverser.Reverse(r, target)
	if err != nil || target.Version.IsNone() {
		return rawURL, err
	}
	start, end, ok := hostIn(rawURL)
	if !ok {
		return "", fmt.Errorf("%w: the relative URL %q has no host to carry version %q: set an origin", ErrNoReverseMatch, rawURL, target.Version)
	}
	host, err := s.hostInVersion(rawURL[start:end], target.Version.String())
	if err != nil {
		return "", err
	}
	return rawURL[:start] + host + rawURL[end:], nil
}

// hostInVersion puts a version into a host, in place of the one that is there.
func (s *HostName) hostInVersion(host, version string) (string, error) {
	start, end, ok := s.versionIn(host)
	if !ok {
		return "", fmt.Errorf("%w: host %q does not match the pattern of %s, so no version can stand in it", ErrNoReverseMatch, host, s.name)
	}
	moved := host[:start] + version + host[end:]
	if from, to, ok := s.versionIn(moved); !ok || moved[from:to] != version || !validHost(moved) {
		return "", fmt.Errorf("%w: version %q cannot stand in host %q", ErrNoReverseMatch, version, host)
	}
	return moved, nil
}

// versionIn returns where the version stands in a host.
func (s *HostName) versionIn(host string) (start, end int, ok bool) {
	name, _, _ := strings.Cut(host, ":")
	if s.pattern == nil {
		label, ok := firstOfThreeLabels(name)
		return 0, len(label), ok
	}
	if match := s.pattern.FindStringSubmatchIndex(name); match != nil && match[2] >= 0 {
		return match[2], match[3], true
	}
	return 0, 0, false
}
