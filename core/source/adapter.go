package source

import (
	"context"
)

// RequestReader reads the requests of a framework that is not based on net/http. An
// adapter has one RequestReader for all requests. Its methods get the framework's own
// request, so that nothing is allocated for a request. They do not fail: what is
// malformed is reported as absent.
type RequestReader interface {
	// Secure reports whether the connection to this server is encrypted. It
	// must ignore headers such as X-Forwarded-Proto, which a client can send.
	Secure(request any) bool

	// Host returns the Host header (HTTP/2: the authority) as it was sent, port
	// included. It must ignore X-Forwarded-Host.
	Host(request any) string

	// RawQuery returns the encoded query string, without the "?".
	RawQuery(request any) string

	// Header returns a header, given its name in canonical form ("Accept"). Its
	// lines are joined by ", ", in their order (RFC 9110, section 5.3), and those of
	// Cookie by "; " (RFC 9113, section 8.2.3). ok is false if there is no such line;
	// an empty line is a value.
	Header(request any, name string) (value string, ok bool)

	// Context returns the context of the request, for [github.com/goverso/verso/core.Config.Observe].
	Context(request any) context.Context

	// A RequestReader may also have a method EscapedPath(request any) string, which returns
	// the path as it was sent. Then a link to a successor keeps "a%2Fb" and "a/b" apart.
}
