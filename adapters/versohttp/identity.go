package versohttp

import (
	"net/http"
	"path"
	"reflect"
	"strings"
	"unsafe"

	"github.com/goverso/verso/core/adapter/overhttp"
)

// identityOf returns the address of a pattern's text: a ServeMux returns the very string
// that a route was registered with, and Routes registers copies, so the address
// distinguishes a route of v from one of another ServeMux with an equal pattern. net/http
// reports nothing else of the route that it has matched.
func identityOf(pattern string) *byte { return unsafe.StringData(pattern) }

// decides reports whether a route of v will decide on a request, by the pattern that a
// ServeMux has matched. If the route has decided already, its handler may pass on another
// request.
func (b *bound) decides(r *http.Request) bool {
	if !b.isOwn(r.Pattern) {
		return false
	}
	before, ok := r.Context().Value(b.shared).(*overhttp.State)
	return !ok || before.Request.Pattern != r.Pattern
}

// isOwn reports whether a pattern that a ServeMux has matched is that of a route of v.
func (b *bound) isOwn(pattern string) bool {
	_, own := b.own.Load(identityOf(pattern))
	return own
}

var redirectHandler = reflect.TypeOf(http.RedirectHandler("/", http.StatusTemporaryRedirect))

// redirects reports whether the handler is the ServeMux's own redirect: to the
// clean path, or to the path with a slash at the end. The pattern is then that of
// the other path, or in a CONNECT even the client's own text.
func redirects(handler http.Handler, pattern, sent string) bool {
	if reflect.TypeOf(handler) != redirectHandler {
		return false
	}
	clean := path.Clean(sent)
	return clean != sent && (clean == "/" || clean+"/" != sent) ||
		strings.Count(pattern, "/") > strings.Count(sent, "/")
}
