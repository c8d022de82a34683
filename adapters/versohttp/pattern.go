package versohttp

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/goverso/verso/core/route"
)

// pathValue returns the value of a wildcard of a pattern in a percent-encoded
// path that the pattern matches.
func pathValue(pattern, path, name string) (value string, ok bool) {
	_, pattern, _ = strings.Cut(pattern, "/") // method and host have no slash
	path = strings.TrimPrefix(path, "/")
	for more := true; more; {
		var segment, behind string
		segment, pattern, more = strings.Cut(pattern, "/")
		value, behind, _ = strings.Cut(path, "/")
		wildcard, isRest := strings.CutSuffix(strings.Trim(segment, "{}"), "...")
		if wildcard == name && strings.HasPrefix(segment, "{") {
			if isRest {
				value = path
			}
			value, _ = url.PathUnescape(value) // url.URL encodes it rightly
			return value, true
		}
		path = behind
	}
	return "", false
}

// read returns the route of a pattern.
func read(pattern string) route.Route {
	slash := max(0, strings.IndexByte(pattern, '/')) // other routers may have none
	before, path := pattern[:slash], pattern[slash:]
	host := before[strings.LastIndexAny(before, " \t")+1:]
	method := strings.TrimRight(strings.TrimSuffix(before, host), " \t")
	return route.Route{Host: host, Method: method, Path: path, Pattern: readPath(path)}
}

// mustRead reads a pattern of v. It panics as a ServeMux does if there is no such
// pattern.
func mustRead(pattern string) route.Route {
	http.NewServeMux().Handle(pattern, http.NotFoundHandler())
	return read(pattern)
}

// readPath reads the path of a pattern. A star at its end is plain text to a
// ServeMux, but not to [route.Braces].
func readPath(path string) route.Pattern {
	slash := strings.LastIndexByte(path, '/') + 1
	if last := path[slash:]; strings.HasSuffix(last, "*") {
		if plain, err := url.PathUnescape(last); err == nil { // else both take it as it is
			last = plain
		}
		path = path[:slash] + url.PathEscape(last)
	}
	return route.Braces(path)
}
