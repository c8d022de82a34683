package client

import (
	"net/http"
	"regexp"
	"strings"
)

// host is a host of the service.
type host struct {
	name string // without brackets
	port string // "": any
}

// isOurs reports whether the request goes to one of the hosts. The URL says where it
// goes; Request.Host is only a text that it carries.
func (t *Transport) isOurs(r *http.Request) bool {
	name, port := r.URL.Hostname(), r.URL.Port()
	if port == "" {
		port = defaultPorts[r.URL.Scheme]
	}
	for _, h := range t.hosts {
		// Of the same length, no letter outside ASCII is folded.
		if len(h.name) == len(name) && strings.EqualFold(h.name, name) && (h.port == "" || h.port == port) {
			return true
		}
	}
	return false
}

var defaultPorts = map[string]string{"http": "80", "https": "443"}

// hostText has a name or an address, of IPv6 in brackets, and a port.
var hostText = regexp.MustCompile(`^(?:([A-Za-z0-9._~-]+)|\[([0-9A-Fa-f.:]+)\])(?::([0-9]+))?$`)

// parseHosts returns the hosts, and the mistake in each that is none.
func parseHosts(texts []string) (hosts []host, errs []error) {
	if len(texts) == 0 {
		return nil, []error{mistake("hosts_missing", "Hosts", "there is no host: list those of the service, such as %q", "api.example.com")}
	}
	for _, text := range texts {
		found := hostText.FindStringSubmatch(text)
		if found == nil {
			errs = append(errs, mistake("host", "Hosts",
				"%q is no host: write it without a scheme and a path, in ASCII, with a port or without, such as %q", text, "api.example.com"))
			continue
		}
		hosts = append(hosts, host{found[1] + found[2], found[3]})
	}
	return hosts, errs
}
