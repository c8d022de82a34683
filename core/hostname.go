package verso

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
)

var invalidHostNameVersion = refusal{http.StatusNotFound, InvalidHostNameVersion}

// HostName reads the version from the host name, by default from the first of
// exactly three labels of ASCII letters and digits: v1.example.com. The port
// is dropped; the host is matched, never resolved.
// Specification: "HostNameVersioning".
type HostName struct {
	*Base
	pattern *regexp.Regexp // nil: the built-in pattern, scanned by hand
}

var _ Scheme = (*HostName)(nil)

// maxHostBytes is the longest host that a pattern is matched against. DNS
// names have at most 253 characters.
const maxHostBytes = 512

// NewHostName returns the scheme HostNameVersioning. An empty pattern is the
// built-in one. Any other pattern is a regular expression (package regexp)
// whose group 1 is the version, and which must match the whole host, port
// dropped, whether it is anchored or not:
//
//	^([a-z0-9-]+)\.api\.example\.com$
//
// It fails when the pattern is not a regular expression or has no group 1, or
// when an allowed version is listed twice.
func NewHostName(settings Settings, pattern string) (*HostName, error) {
	base, err := NewBase(HostNameVersioning, settings)
	if err != nil {
		return nil, err
	}
	if pattern == "" {
		return &HostName{Base: base}, nil
	}
	whole, err := regexp.Compile(`\A(?:` + pattern + `)\z`)
	if err != nil {
		return nil, fmt.Errorf("verso: %s: host pattern %q: %w", base.name, pattern, err)
	}
	if whole.NumSubexp() < 1 {
		return nil, fmt.Errorf("verso: %s: host pattern %q has no group 1: put parentheses around the version", base.name, pattern)
	}
	return &HostName{base, whole}, nil
}

// DetermineVersion returns the version in the host name. A host that does not
// match the pattern has the default version, checked against nothing; a
// version that is not allowed is an [*Error] with status 404.
func (s *HostName) DetermineVersion(r Request) (Version, error) {
	host, _, _ := strings.Cut(r.Host(), ":")
	if s.pattern != nil {
		return s.matchPattern(host)
	}
	label, ok := firstOfThreeLabels(host)
	if !ok {
		return s.DefaultVersion, nil
	}
	return s.decide(label, &invalidHostNameVersion)
}

func (s *HostName) matchPattern(host string) (Version, error) {
	if len(host) > maxHostBytes {
		return s.DefaultVersion, nil
	}
	match := s.pattern.FindStringSubmatchIndex(host)
	if match == nil {
		return s.DefaultVersion, nil
	}
	start, end := match[2], match[3]
	if start < 0 { // group 1 is optional and took no part: no version, not the default
		if !s.allows(Version{}) {
			return Version{}, invalidHostNameVersion.of(s.name, Version{})
		}
		return Version{}, nil
	}
	return s.decide(host[start:end], &invalidHostNameVersion)
}

// firstOfThreeLabels returns the first label of a host of exactly three labels
// of ASCII letters and digits. It is the specification's
//
//	^([a-zA-Z0-9]+)\.[a-zA-Z0-9]+\.[a-zA-Z0-9]+$
//
// without the cost of a regular expression (7 ns against about 200).
func firstOfThreeLabels(host string) (label string, ok bool) {
	var dots, labelBytes int
	for i := range len(host) {
		switch c := host[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
			labelBytes++
		case c == '.' && labelBytes > 0 && dots < 2:
			if dots == 0 {
				label = host[:i]
			}
			dots++
			labelBytes = 0
		default:
			return "", false
		}
	}
	return label, dots == 2 && labelBytes > 0
}
