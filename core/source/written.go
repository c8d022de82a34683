package source

import (
	"fmt"
	"strings"

	"github.com/goverso/verso/core/internal/prefix"
	"github.com/goverso/verso/core/route"
)

// Written is what a source writes for a version: into a link, or into a request of a
// client. The zero Written is for a request. Sources call the setters; the code that
// builds the URL or the request calls the getters.
type Written struct {
	isLink  bool // no header field is wanted
	stays   bool // the version is that of the request, not of the target
	part    int  // of the source, that the request had its version in, from 1; 0: none
	carries bool // a source wrote the version into the URL

	inNamespace    bool
	namespace      string
	prefix         *prefix.Prefix                            // nil: the version is in no path prefix
	prefixVersion  string                                    // the version in the prefix
	param, inParam string                                    // the name of a path parameter, and the version in it
	query, inQuery string                                    // the name of a query parameter, and the version in it
	header         string                                    // the name of a request header, or ""
	field          string                                    // its value
	moveHost       func(host string) (moved string, _ error) // nil: the host stays
}

// SetLink makes w for a link. part is the number of the part of the source in which the
// request had its version, from 1, or 0. stays reports whether the link stays in the version
// of its request.
func (w *Written) SetLink(part int, stays bool) { w.isLink, w.part, w.stays = true, part, stays }

// IsLink reports whether a link is written, which has no headers. Otherwise it is a
// request.
func (w *Written) IsLink() bool { return w.isLink }

// Stays reports whether a link stays in the version of its request, so that what the
// request has in this place may stay as well.
func (w *Written) Stays() bool { return w.stays }

// SetParam sets a path parameter to the version, unless the target has one of its name.
func (w *Written) SetParam(name, version string) { w.param, w.inParam, w.carries = name, version, true }

// SetQuery sets a query parameter to the version. It replaces all parameters of that
// name, and sorts the query of the URL by name.
func (w *Written) SetQuery(name, version string) { w.query, w.inQuery, w.carries = name, version, true }

// SetNamespace puts the name of the route into a namespace, which may be empty.
func (w *Written) SetNamespace(namespace string) {
	if w.inNamespace {
		namespace += ":" + w.namespace
	}
	w.namespace, w.inNamespace, w.carries = namespace, true, true
}

// SetHost sets the function that changes the host of the URL, which is "" for a
// relative URL. It returns "" to leave the host. Its error should match
// [github.com/goverso/verso/core.ErrNoReverseMatch].
func (w *Written) SetHost(move func(host string) (moved string, err error)) {
	w.moveHost, w.carries = move, true
}

// SetHeader sets a header of the request that a client sends.
func (w *Written) SetHeader(name, value string) { w.header, w.field = name, value }

// Param returns the path parameter, or "".
func (w *Written) Param() (name, version string) { return w.param, w.inParam }

// Query returns the query parameter, or "".
func (w *Written) Query() (name, version string) { return w.query, w.inQuery }

// Header returns the request header, or "".
func (w *Written) Header() (name, value string) { return w.header, w.field }

// Name returns the name of a route in the written namespace.
func (w *Written) Name(name string) string {
	if !w.inNamespace {
		return name
	}
	return w.namespace + ":" + name
}

// SetPrefix puts the path under the prefix of a version. It is for verso.PathPrefix: other
// modules cannot make a template.
func (w *Written) SetPrefix(template *prefix.Prefix, version string) {
	w.prefix, w.prefixVersion, w.carries = template, version, true
}

// SetPart sets the part, for a combined source.
func (w *Written) SetPart(part int) { w.part = part }

// Namespace returns the written namespace, if there is one.
func (w *Written) Namespace() (namespace string, ok bool) { return w.namespace, w.inNamespace }

// Prefix returns the version in the written path prefix, if there is one.
func (w *Written) Prefix() (version string, ok bool) { return w.prefixVersion, w.prefix != nil }

// Part returns the number of the part in which the request had its version: see [Written.SetLink].
func (w *Written) Part() int { return w.part }

// IsInURL reports whether a source wrote the version into the URL.
func (w *Written) IsInURL() bool { return w.carries }

// Host returns the host that replaces the given one, "" if it stays. It fails with
// [github.com/goverso/verso/core.ErrNoReverseMatch] if the host has no place for the version.
func (w *Written) Host(host string) (moved string, err error) {
	if w.moveHost == nil {
		return "", nil
	}
	return w.moveHost(host)
}

// Path returns the path of a request with the written prefix, unless the
// path has it. path is escaped. It fails with [github.com/goverso/verso/core.ErrNoReverseMatch] if the path cannot
// have the prefix.
func (w *Written) Path(path string) (string, error) {
	if w.prefix == nil {
		return path, nil
	}
	bare, _ := w.prefix.In(w.prefixVersion, w.prefix.Fixed)
	if rest, ok := strings.CutPrefix(path, bare); ok && (rest == "" || rest[0] == '/') {
		return path, nil
	}
	in, ok := w.prefix.In(w.prefixVersion, path)
	if !ok {
		return "", fmt.Errorf("verso: %w: the path %q is not under %q, which precedes the version", route.ErrNoMatch,
			path, w.prefix.Fixed+"/")
	}
	return in, nil
}
