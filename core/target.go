package verso

import (
	"fmt"
	"maps"
	"net/url"
	"strings"

	"github.com/goverso/verso/core/route"
)

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

	namespace string  // that a source wrote
	part      int     // of the source, that the request had its version in, from 1; 0: none
	carries   bool    // a source wrote the version into the URL
	isLink    bool    // no header field is wanted
	prefix    *prefix // nil: the version is in no path prefix
	space     string  // the version in the prefix
	param     string  // the name of a path parameter with the version, "" for none
	query     string  // the name of a query parameter with the version, "" for none
	value     string  // the version in either
	header    [2]string
	moveHost  func(host string) (moved string, _ error) // nil: the host stays
}

// Params are the path parameters of a link by name. A value is a string, an integer,
// an [encoding.TextMarshaler] or a [fmt.Stringer].
type Params map[string]any

// SetDefaultParam sets a path parameter to the version, unless Params has one
// of its name. It is for sources.
func (t *Target) SetDefaultParam(name, version string) {
	t.param, t.value, t.carries = name, version, true
}

// SetQuery sets a query parameter to the version. It replaces all parameters of that
// name, and sorts the query of the URL by name. It is for sources.
func (t *Target) SetQuery(name, version string) {
	t.query, t.value, t.carries = name, version, true
}

// SetNamespace puts the name of the route into a namespace. It is for sources.
func (t *Target) SetNamespace(namespace string) {
	t.carries = true
	switch {
	case namespace == "": // which Join takes for none
		t.Name, t.namespace = ":"+t.FullName(), ""
	case t.namespace != "":
		t.namespace = route.Join(namespace, t.namespace)
	default:
		t.namespace = namespace
	}
}

// FullName returns the name of the route in the namespace that a source wrote.
func (t Target) FullName() string { return route.Join(t.namespace, t.Name) }

// MoveHost sets the function that changes the host of the URL, which is "" for a
// relative URL. It is for sources.
func (t *Target) MoveHost(move func(host string) (moved string, err error)) {
	t.moveHost, t.carries = move, true
}

// SetHeader sets a header of the request that a client sends. Links have no headers.
// It is for sources.
func (t *Target) SetHeader(name, value string) {
	t.header = [2]string{name, value}
}

// Path returns the path of a request with the prefix that a source wrote, unless the
// path has it. path is escaped. It fails with [ErrNoReverseMatch] if the path cannot
// have the prefix.
func (t Target) Path(path string) (string, error) {
	if t.prefix == nil {
		return path, nil
	}
	bare, _ := t.prefix.in(t.space, t.prefix.fixed)
	if rest, ok := strings.CutPrefix(path, bare); ok && (rest == "" || rest[0] == '/') {
		return path, nil
	}
	in, ok := t.prefix.in(t.space, path)
	if !ok {
		return "", fmt.Errorf("verso: %w: the path %q is not under %q, which precedes the version", ErrNoReverseMatch, path, t.prefix.fixed+"/")
	}
	return in, nil
}

// Written returns what a source wrote besides Name and [Target.Host]: the path
// parameters, the query, and the name and value of a request header, "" for none. The
// maps may be those of the target: callers must not modify them.
func (t Target) Written() (params Params, query url.Values, header [2]string) {
	params, query = t.Params, t.Query
	if _, own := params[t.param]; t.param != "" && !own {
		params = make(Params, len(t.Params)+1)
		maps.Copy(params, t.Params)
		params[t.param] = t.value
	}
	if t.query != "" {
		query = make(url.Values, len(t.Query)+1)
		maps.Copy(query, t.Query)
		query[t.query] = []string{t.value}
	}
	return params, query, t.header
}

// Host returns the host that a source replaces the given one with, "" if it does not.
// It fails with [ErrNoReverseMatch] if the host has no place for the version.
func (t Target) Host(host string) (moved string, err error) {
	if t.moveHost == nil {
		return "", nil
	}
	return t.moveHost(host)
}

// appendQuery appends the query string with the "?", nothing when it is empty.
func (t *Target) appendQuery(dst []byte) []byte {
	switch {
	case t.query == "" && len(t.Query) == 0:
		return dst
	case t.query == "":
		return append(append(dst, '?'), t.Query.Encode()...)
	case len(t.Query) == 0:
		dst = append(append(dst, '?'), url.QueryEscape(t.query)...)
		return append(append(dst, '='), url.QueryEscape(t.value)...)
	}
	_, query, _ := t.Written()
	return append(append(dst, '?'), query.Encode()...)
}
