// Package hostname reads and checks hosts such as that of a Host header.
package hostname

import (
	"net/netip"
	"strconv"
	"strings"

	"github.com/goverso/verso/core/internal/text"
)

// FirstOfThreeLabels returns the first label of a host, up to its port, of
// exactly three labels of ASCII letters and digits. It is the specification's
//
//	^([a-zA-Z0-9]+)\.[a-zA-Z0-9]+\.[a-zA-Z0-9]+$
//
// without the cost of a regular expression (7 ns against about 200).
func FirstOfThreeLabels(host string) (label string, ok bool) {
	dots, start := 0, 0 // of the label
	for i := range len(host) {
		c := host[i]
		if text.IsAlphanumeric(c) {
			continue
		}
		switch {
		case i == start:
			return "", false
		case c == '.' && dots < 2:
			if dots == 0 {
				label = host[:i]
			}
			dots, start = dots+1, i+1
		case c == ':':
			return label, dots == 2
		default:
			return "", false
		}
	}
	return label, dots == 2 && start < len(host)
}

// Matches reports whether a configured host is the given one, or "*" and its
// suffix.
func Matches(configured, host string) bool {
	if parent, ok := strings.CutPrefix(configured, "*"); ok {
		return len(host) > len(parent) && strings.EqualFold(host[len(host)-len(parent):], parent)
	}
	return strings.EqualFold(configured, host)
}

// IsValid reports whether host can be in a URL: a name or an address, with or
// without a port.
func IsValid(host string) bool {
	name := WithoutPort(host)
	if port, ok := strings.CutPrefix(host[len(name):], ":"); ok {
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return false
		}
	}
	if address, ok := strings.CutPrefix(name, "["); ok {
		address, ok = strings.CutSuffix(address, "]")
		parsed, err := netip.ParseAddr(address)
		return ok && err == nil && parsed.Is6() && parsed.Zone() == ""
	}
	return validName(name) && !isNumber(name)
}

// maxNameBytes is the longest name that DNS has, with a dot at its end.
const maxNameBytes = 254

// validName reports whether name consists of labels of letters, digits, hyphens
// and underscores. One dot may be at its end.
func validName(name string) bool {
	if len(name) > maxNameBytes {
		return false
	}
	labelBytes := 0
	for i := range len(name) {
		switch c := name[i]; {
		case text.IsAlphanumeric(c), c == '-', c == '_':
			labelBytes++
		case c == '.' && labelBytes > 0:
			labelBytes = 0
		default:
			return false
		}
	}
	return name != ""
}

// isNumber reports whether browsers read a name as an IPv4 address in a form
// other than four decimal numbers (WHATWG URL, "ends in a number"): 2130706433,
// 0x7f.1, 127.1.
func isNumber(name string) bool {
	name = strings.TrimSuffix(name, ".")
	last := name[strings.LastIndexByte(name, '.')+1:]
	if last != "" && (last[0] < '0' || last[0] > '9') { // as usual
		return false
	}
	digits, hex := strings.CutPrefix(strings.ToLower(last), "0x")
	if hex {
		return strings.Trim(digits, "0123456789abcdef") == ""
	}
	if strings.Trim(last, "0123456789") != "" {
		return false
	}
	_, err := netip.ParseAddr(name)
	return err != nil
}

// IsLocal reports whether a host is an address or localhost, as probes send it, and no name of
// a domain, whose last label does not begin with a digit.
func IsLocal(host string) bool {
	name := strings.TrimSuffix(WithoutPort(host), ".")
	last := name[strings.LastIndexByte(name, '.')+1:]
	return last == "" || name[0] == '[' || last[0] >= '0' && last[0] <= '9' || strings.EqualFold(name, "localhost")
}

// WithoutPort returns the host up to the colon before the port.
func WithoutPort(host string) string {
	if strings.IndexByte(host, ':') < 0 { // which is faster than from the end
		return host
	}
	if colon := strings.LastIndexByte(host, ':'); colon > strings.LastIndexByte(host, ']') {
		return host[:colon]
	}
	return host
}
