package adapter

import (
	"bytes"
	"fmt"
	"maps"
	"net/url"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/hostname"
	"github.com/goverso/verso/core/internal/origin"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// linkTo builds the URL of a route, given the version that a source wrote.
func (l *links) linkTo(r *source.Request, host string, found *route.Route, params *route.Params, t *verso.Target,
	w *source.Written) (string, error) {
	var buffer [256]byte
	built, err := l.appendOrigin(buffer[:0], r, host, found, t.Version, w)
	if err != nil {
		return "", err
	}
	before := len(built)
	if built, err = found.AppendPath(built, params); err != nil {
		return "", &unfit{fmt.Errorf("verso: %w", err)}
	}
	if before == 0 && isHost(built) {
		return "", fmt.Errorf("verso: %w: the path %q begins with two slashes, which clients read as a host: set an origin, or correct the pattern", verso.ErrPattern, string(built))
	}
	built = appendQuery(built, w, t.Query)
	if t.Fragment != "" {
		fragment := url.URL{Fragment: t.Fragment}
		built = append(append(built, '#'), fragment.EscapedFragment()...)
	}
	return string(built), nil
}

// unfit is the error of a value that the path of a route cannot have.
type unfit struct{ error }

func (e *unfit) Unwrap() error { return e.error }

// origin returns the configured origin, or that of the request with the given host.
// checked is a host known to be valid and trusted, or nil.
func (v *engine) origin(r *source.Request, host string, checked *string) origin.Origin {
	l := &v.config.Links
	if l.Relative {
		return origin.Origin{}
	}
	if l.OriginFunc != nil && !r.IsNone() {
		if text := l.OriginFunc(*r); text != "" {
			own, err := origin.Split(text, l.TrustedHosts)
			if err != nil { // a proxy may pass on text chosen by a client
				v.journal.say(codes.OriginUnusable, err)
			}
			return own
		}
	}
	if l.Origin != "" {
		return v.fixed
	}
	if isChecked := checked != nil && host == *checked; r.IsNone() ||
		!isChecked && (!hostname.IsValid(host) || !origin.Trusts(l.TrustedHosts, host)) {
		return origin.Origin{}
	}
	if r.Secure() {
		return origin.Origin{Before: "https://", Host: host}
	}
	return origin.Origin{Before: "http://", Host: host}
}

// isHost reports whether clients read the path of a URL without an origin as a host.
func isHost(path []byte) bool { return bytes.HasPrefix(path, []byte("//")) }

// appendOrigin appends what the URL of a route in a version begins with.
func (l *links) appendOrigin(dst []byte, r *source.Request, host string, found *route.Route, version verso.Version,
	w *source.Written) ([]byte, error) {
	config := &l.api.config.Links
	checked := l.host.Load()
	if found.Host != "" && found.Host != hostname.WithoutPort(host) { // else with the port of the request
		host = found.Host
	}
	begin := l.api.origin(r, host, checked)
	if begin.Host != "" && checked == nil {
		l.noteHost(strings.Clone(begin.Host))
	}
	moved, err := w.Host(begin.Host)
	if err != nil {
		return nil, fmt.Errorf("verso: %w", err)
	}
	if moved != "" {
		begin.Host = moved
		if !origin.Trusts(config.TrustedHosts, begin.Host) {
			return nil, fmt.Errorf("verso: host %q of the URL in version %q is not among the TrustedHosts: add it",
				begin.Host, version)
		}
	}
	return append(append(append(dst, begin.Before...), begin.Host...), begin.Behind...), nil
}

// noteHost keeps the host of the first link with one: links need not check it again.
func (l *links) noteHost(host string) {
	if l.host.CompareAndSwap(nil, &host) && l.api.linksUnchecked() {
		l.api.journal.log(uncheckedHost)
	}
}

// linksUnchecked reports whether links begin with whatever host a client sends.
func (v *engine) linksUnchecked() bool {
	l := &v.config.Links
	return !l.Relative && l.Origin == "" && l.OriginFunc == nil && len(l.TrustedHosts) == 0 &&
		len(v.config.Strict.AllowedHosts) == 0
}

// appendQuery appends the query string of a target with the "?", nothing when it is
// empty.
func appendQuery(dst []byte, w *source.Written, query url.Values) []byte {
	switch name, value := w.Query(); {
	case name == "" && len(query) == 0:
		return dst
	case len(query) == 0:
		dst = append(append(dst, '?'), url.QueryEscape(name)...)
		return append(append(dst, '='), url.QueryEscape(value)...)
	case name != "":
		query = maps.Clone(query)
		query[name] = []string{value}
	}
	return append(append(dst, '?'), query.Encode()...)
}
