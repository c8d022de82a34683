package bench

import (
	"mime"
	"regexp"
	"strings"
)

// What a service does that determines versions by hand, in the usual way. It
// does less than Verso: it reads a single media range, sends no Vary, and
// refuses without a reason.

// servedByHand are the versions that are served.
var servedByHand = map[string]bool{"v1": true, "v2": true, "v3": true}

// defaultByHand is the version of a request that asks for none.
const defaultByHand = "v1"

// acceptedByHand returns the version in an Accept header, "" for none.
func acceptedByHand(accept string) string {
	_, params, err := mime.ParseMediaType(accept)
	if err != nil {
		return ""
	}
	return params["version"]
}

var hostByHandPattern = regexp.MustCompile(`^([a-zA-Z0-9]+)\.[a-zA-Z0-9]+\.[a-zA-Z0-9]+$`)

// hostByHand returns the version in a host, "" for none.
func hostByHand(host string) string {
	if match := hostByHandPattern.FindStringSubmatch(host); match != nil {
		return match[1]
	}
	return ""
}

// namespaceByHand returns the version in the name of a route, "" for none.
func namespaceByHand(route string) string {
	parts := strings.Split(route, ":")
	if len(parts) < 2 {
		return ""
	}
	return parts[0]
}
