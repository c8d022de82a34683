package verso

// Request is what a scheme may read of an HTTP request: six facts. An adapter
// implements it over its framework's request; a test implements it by hand.
//
// The methods are called after routing, while the request is handled, by one
// goroutine at a time. They do not fail: what is absent or malformed is
// reported as absent.
type Request interface {
	// AcceptedMediaType returns the media type that negotiation chose, with
	// its parameters, in the bytes of the header: see package mediatype.
	// It is "" when the client accepts anything and the service declares
	// nothing. ok is false when the service produces nothing that the client
	// accepts.
	AcceptedMediaType() (mediaType string, ok bool)

	// PathParam returns the argument that the matched route captured from
	// the path under the given name, percent-decoded once. Names are
	// case-sensitive. ok is false when the route has no such parameter; a
	// captured empty text is a value.
	PathParam(name string) (value string, ok bool)

	// QueryParam returns the last value of the named query parameter,
	// decoded: see [QueryParam]. ok is false when there is none.
	QueryParam(name string) (value string, ok bool)

	// Namespace returns the namespace of the matched route, outermost name
	// first, joined by colons ("api:v1"), or "" when it has none.
	Namespace() string

	// Host returns the Host header (HTTP/2: the authority) as it was sent,
	// port included. It is never taken from X-Forwarded-Host.
	Host() string

	// Version returns the version already determined for this request, none
	// before that.
	Version() Version
}
