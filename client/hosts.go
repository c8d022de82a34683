package client

import (
	"fmt"
	"regexp"

	verso "github.com/goverso/verso/core"
)

// host is a host of the service.
type host struct {
	name string // without brackets
	port string // "": any port
}

var defaultPorts = map[string]string{"http": "80", "https": "443"}

// hostText has a name or an address, IPv6 in brackets, and optionally a port.
var hostText = regexp.MustCompile(`^(?:([A-Za-z0-9._~-]*[A-Za-z0-9_~-])|\[([0-9A-Fa-f.:]+)\])(?::([0-9]+))?$`)

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
				"%q is not a host: write it in ASCII, without a scheme, a path and a dot at its end, and optionally with a port, "+
					"such as %q", text, "api.example.com"))
			continue
		}
		hosts = append(hosts, host{found[1] + found[2], found[3]})
	}
	return hosts, errs
}

func mistake(code, field, format string, args ...any) error {
	return &verso.Finding{Level: verso.LevelError, Code: code, Field: field, Message: fmt.Sprintf(format, args...)}
}
