package verso

import "net/url"

// Target is what a link leads to: a route by name, and what its URL contains.
type Target struct {
	Name     string     // name of the route, "user-detail", or with its namespace, "v1:user-detail"
	Args     []any      // path parameters by position; not together with Params
	Params   Params     // path parameters by name
	Format   string     // added to Params as "format", unless it is ""
	Query    url.Values // added to the URL
	Fragment string     // added to the URL

	// Version is the version that the link leads to. The zero Version means
	// that of the request. If it is set, the route must be found in it. It
	// has no effect if the source is not in the URL, such as a header.
	Version Version
}

// Params are the path parameters of a link by name. A value is a string, an integer,
// an [encoding.TextMarshaler] or a [fmt.Stringer].
type Params map[string]any
