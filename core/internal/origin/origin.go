// Package origin reads what the URLs of links begin with.
package origin

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/goverso/verso/core/internal/hostname"
)

// Origin is what an absolute URL begins with: the host, and the text before and after
// it. All are "" for a relative URL.
type Origin struct{ Before, Host, Behind string }

// Split parses an origin. It fails if no link may begin with the text.
func Split(text string, trusted []string) (Origin, error) {
	u, err := url.Parse(text)
	if err == nil && u.EscapedPath() == text && strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "//") &&
		!strings.HasSuffix(text, "/") {
		return Origin{Behind: text}, nil
	}
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || !hostname.IsValid(u.Host) ||
		u.Scheme+"://"+u.Host+u.EscapedPath() != text || strings.HasSuffix(text, "/") {
		if host := strings.TrimSuffix(strings.TrimPrefix(text, "//"), "/"); !strings.Contains(text, "://") &&
			hostname.IsValid(host) {
			return Origin{}, fmt.Errorf("origin %q has no scheme: write https://%s", text, host)
		}
		return Origin{}, fmt.Errorf("origin %q: write it like https://api.example.com or like /api, without a slash at the end", text)
	}
	if !Trusts(trusted, u.Host) {
		return Origin{}, fmt.Errorf("the host of origin %q is not among the TrustedHosts: add it", text)
	}
	return Origin{u.Scheme + "://", u.Host, u.EscapedPath()}, nil
}

// Trusts reports whether links may have the host.
func Trusts(hosts []string, host string) bool {
	return len(hosts) == 0 || slices.ContainsFunc(hosts, func(trusted string) bool {
		return hostname.Matches(trusted, host) || hostname.Matches(trusted, hostname.WithoutPort(host))
	})
}
