package versohttp

import (
	"net/http"
	"path"
	"reflect"
	"strings"
	"unsafe"
)

// identityOf returns the address of a pattern's text: a ServeMux returns the very string
// that a route was registered with, and Routes registers copies, so the address
// distinguishes a route of v from one of another ServeMux with an equal pattern. net/http
// reports nothing else of the route that it has matched.
func identityOf(pattern string) *byte { return unsafe.StringData(pattern) }

// redirects reports whether the handler is the ServeMux's own redirect: to the
// clean path, or to the path with a slash at the end. The pattern is then that of
// the other path, or in a CONNECT even the client's own text.
func redirects(handler http.Handler, pattern, sent string) bool {
	if !isRedirect(handler) {
		return false
	}
	clean := path.Clean(sent)
	return clean != sent && (clean == "/" || clean+"/" != sent) ||
		strings.Count(pattern, "/") > strings.Count(sent, "/")
}

// isRedirect reports whether a ServeMux answers by the path that it would have for a request.
func isRedirect(handler http.Handler) bool { return reflect.TypeOf(handler) == redirect }

var redirect = reflect.TypeOf(http.RedirectHandler("/", http.StatusMovedPermanently))
