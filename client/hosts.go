package client

import (
	"net/http"
	"regexp"
	"strings"
)

// host is a host of the service.
type host struct {
	name string // without brackets
	port string // "": any port
}

// isOurs reports whether the request goes to one of the hosts. The URL decides where
// it goes; Request.Host only sets a header.
func (t *Transport) isOurs(r *http.Request) bool {
	name, port := r.URL.Hostname(), r.URL.Port()
	if port == "" {
		port = defaultPorts[r.URL.Scheme]
	}
	for _, h := range t.hosts {
		// Equal lengths keep EqualFold from matching letters outside ASCII.
		if len(h.name) == len(name) && strings.EqualFold(h.name, name) && (h.port == "" || h.port == port) {
			return true
		}
	}
	return false
}

var defaultPorts = map[string]string{"http": "80", "https": "443"}

// hostText has a name or an address, IPv6 in brackets, and optionally a port.
var hostText = regexp.MustCompile(`^(?:([A-Za-z0-9._~-]+)|\[([0-9A-Fa-f.:]+)\])(?::([0-9]+))?$`)

// parseHosts returns the hosts, and a mistake for each invalid one.
func parseHosts(texts []string) (hosts []host, errs []error) {
	if len(texts) == 0 {
		return nil, []error{mistake("hosts_missing", "Hosts",
			"the list of hosts is empty: list those of the service, such as %q", "api.example.com")}
	}
	for _, text := range texts {
		found := hostText.FindStringSubmatch(text)
		if found == nil {
			errs = append(errs, mistake("host", "Hosts",
				"%q is not a host: write it in ASCII, without a scheme and a path, and optionally with a port, such as %q", text, "api.example.com"))
			continue
		}
		hosts = append(hosts, host{found[1] + found[2], found[3]})
	}
	return hosts, errs
}
