package verso

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/goverso/verso/core/mediatype"
)

// Strictness refuses requests that the specification lets through. The zero
// Strictness refuses nothing.
//
// A request is refused for its host first, then for contradicting versions,
// then for an empty one, and only then for a version that is not allowed.
//
// It stands in the configuration of the middleware: a [Config], which makes a
// scheme, has none of it.
type Strictness struct {
	// RefuseContradictions refuses, with status 400 and the message
	// [ContradictingVersions], a request that names several versions in one
	// place: values of the version parameter that differ, byte for byte once
	// they are decoded, in the query for [QueryParameter] or in the accepted
	// media type for [AcceptHeader]. Equal values are no contradiction, and
	// the other media ranges of an Accept header do not count. A scheme that
	// embeds one of these two does the same; any other scheme of your own
	// sees to contradictions itself.
	// Optional. Default value: false, the last value counts.
	RefuseContradictions bool

	// RefuseEmpty refuses, with status 400 and the message [EmptyVersion], a
	// request that asks for the empty version, as "?version=" does. The
	// empty version must be neither the default nor in the list then.
	// Optional. Default value: false, it is a version like any other.
	RefuseEmpty bool

	// BaseDomains lists the domains that the service is reached under. A
	// request to another host is refused with status 421 (RFC 9110, section
	// 15.5.20) and the message [UnknownHost]: one that is neither in the
	// list nor a subdomain of a domain in it. "example.com" stands for
	// api.example.com too. The port, a dot at the end and the case of ASCII
	// letters do not count. An IPv6 address has its brackets, "[::1]", and is
	// compared as it is written.
	// Optional. Default value: empty, every host is served.
	BaseDomains []string
}

// The refusals of a Strictness.
var (
	contradictingVersions = refusal{http.StatusBadRequest, ContradictingVersions}
	emptyVersion          = refusal{http.StatusBadRequest, EmptyVersion}
	unknownHost           = refusal{http.StatusMisdirectedRequest, UnknownHost}
)

// contradictory is a scheme in whose place for the version a request can put
// several. Schemes that embed one are contradictory too.
type contradictory interface {
	contradicts(r Request, request *http.Request) bool
}

var (
	_ contradictory = (*AcceptHeader)(nil)
	_ contradictory = (*QueryParameter)(nil)
)

// strictness is a Strictness made ready for the requests of a scheme.
type strictness struct {
	scheme        string        // its name
	contradictory contradictory // nil: contradictions are not looked for
	refuseEmpty   bool
	hosts         []string // in the form of LinkConfig.TrustedHosts; empty: all
}

// prepare returns the strictness for a scheme, or nil when it refuses nothing.
func (s Strictness) prepare(scheme Scheme) (*strictness, error) {
	ready := strictness{refuseEmpty: s.RefuseEmpty}
	if s.RefuseContradictions {
		ready.contradictory, _ = scheme.(contradictory)
	}
	if based, ok := scheme.(interface{ base() *Base }); ok {
		ready.scheme = based.base().name
		if s.RefuseEmpty && based.base().rules.has(V("")) {
			return nil, errors.New("RefuseEmpty refuses the empty version, which is the default or in the list: remove one")
		}
	}
	for _, domain := range s.BaseDomains {
		if !validHost(domain) || withoutPort(domain) != domain || strings.HasSuffix(domain, ".") {
			return nil, fmt.Errorf("base domain %q: write it like example.com, in ASCII, "+
				"without a scheme, a port, a wildcard or a dot at an end", domain)
		}
		ready.hosts = append(ready.hosts, domain, "*."+domain)
	}
	if ready.contradictory == nil && !ready.refuseEmpty && len(ready.hosts) == 0 {
		return nil, nil
	}
	return &ready, nil
}

// check returns the refusal of a request, given what the scheme determined of
// it, or else the error of the scheme.
func (s *strictness) check(r Request, request *http.Request, version Version, err error) error {
	if err != nil {
		refused, ok := errors.AsType[*Error](err)
		if !ok {
			return err // of the program
		}
		version = refused.Version
	}
	switch {
	case len(s.hosts) > 0 && !s.serves(r.Host()):
		return unknownHost.of(s.scheme, Version{}) // whatever it asks for
	case s.contradictory != nil && s.contradictory.contradicts(r, request):
		return contradictingVersions.of(s.scheme, version)
	case s.refuseEmpty && !version.IsNone() && version.String() == "":
		return emptyVersion.of(s.scheme, version)
	default:
		return err
	}
}

// serves reports whether the host of a request is in one of the base domains.
func (s *strictness) serves(host string) bool {
	if !validHost(host) {
		return false
	}
	name := strings.TrimSuffix(withoutPort(host), ".")
	return slices.ContainsFunc(s.hosts, func(served string) bool { return matchesHost(served, name) })
}

// contradicts reports whether the accepted media type has the version parameter
// in different values.
func (s *AcceptHeader) contradicts(r Request, _ *http.Request) bool {
	accepted, _ := r.AcceptedMediaType()
	return mediatype.Contradicts(accepted, s.rules.VersionParam)
}

// contradicts reports whether the query has the version parameter in different
// values.
func (s *QueryParameter) contradicts(_ Request, request *http.Request) bool {
	first, found := "", false
	for pair := range strings.SplitSeq(request.URL.RawQuery, "&") {
		key, value, _ := strings.Cut(pair, "=")
		switch {
		case !decodesTo(key, s.rules.VersionParam):
		case !found:
			first, found = unescapeQuery(value), true
		case !decodesTo(value, first):
			return true
		}
	}
	return false
}
