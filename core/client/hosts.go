package client

import (
	"net/http"
	"net/url"
	"strings"
)

// host is a host of the service.
type host struct {
	name string // without brackets
	port string // "": any
}

// isOurs reports whether the request goes to one of the hosts. What counts is the
// URL, which says where the request goes; Host is a text in it.
func (t *Transport) isOurs(r *http.Request) bool {
	name, port := r.URL.Hostname(), r.URL.Port()
	if port == "" {
		port = defaultPorts[r.URL.Scheme]
	}
	for i := range t.hosts {
		if h := &t.hosts[i]; equalFold(h.name, name) && (h.port == "" || h.port == port) {
			return true
		}
	}
	return false
}

var defaultPorts = map[string]string{"http": "80", "https": "443"}

// parseHosts returns the hosts, and what is wrong with each that is none.
func parseHosts(texts []string) (hosts []host, errs []error) {
	if len(texts) == 0 {
		return nil, []error{mistake("hosts_missing", "Hosts", "there is no host: list those of the service, such as %q", "api.example.com")}
	}
	for _, text := range texts {
		u, err := url.Parse("//" + text)
		if err != nil || u.Host != text || u.Hostname() == "" || !isHostText(text) {
			errs = append(errs, mistake("host", "Hosts",
				"%q is no host: write it without a scheme and a path, in ASCII, with a port or without, such as %q", text, "api.example.com"))
			continue
		}
		hosts = append(hosts, host{u.Hostname(), u.Port()})
	}
	return hosts, errs
}

// isHostText reports whether text has only what the host of a URL can have.
// There are no wildcards, and addresses of IPv6 are in brackets.
func isHostText(text string) bool {
	if strings.HasSuffix(text, ":") || text[0] != '[' && strings.Count(text, ":") > 1 {
		return false
	}
	for i := range len(text) {
		switch c := text[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', strings.IndexByte("-._~:[]", c) >= 0:
		default:
			return false
		}
	}
	return true
}

// equalFold reports whether two texts are equal but for the case of ASCII
// letters. [strings.EqualFold] folds others, too.
func equalFold(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if a[i] != b[i] && lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
