package verso

import (
	"net/url"
	"slices"
	"strings"

	"github.com/goverso/verso/core/route"
)

// BeginUnmatched decides on c.Request, which matches no route. escapedPath is the path
// as the client sent it. It reports true if the request names a version that is unknown
// or has ended: the adapter then answers as after [Binding.Begin], so that a service can
// delete the routes of a version that has ended. Otherwise the framework answers.
func (b *Binding) BeginUnmatched(c *Call, escapedPath string) (rejected bool) {
	path, err := url.PathUnescape(escapedPath)
	if err != nil || b.api.source == nil {
		return false
	}
	b.serving.Store(true)
	r := &c.Request
	r.router = unmatched{b, path}
	pattern, _ := route.NewPattern(path, route.Literal(path))
	r.route = &route.Route{Method: r.method, Pattern: pattern}
	if r.method == "OPTIONS" && r.isPreflight() {
		return false
	}
	b.decide(c)
	reason, ok := c.Err.(*Error) //nolint:errorlint // as in Rejected
	if !ok || !c.named || !reason.isOfVersion() {
		*c = Call{}
		return false
	}
	c.Request.route = nil // of which there is no pattern to tell
	return true
}

// unmatched reads a path that no route has: a path parameter has its value where routes
// have it after the same fixed text.
type unmatched struct {
	binding *Binding
	path    string
}

func (unmatched) Routes() []route.Route { return nil }

func (u unmatched) PathParam(_ any, name string) (value string, ok bool) {
	for r := range u.binding.current().table.Routes() {
		if r.Foreign || !slices.Contains(r.Pattern.Params()[:min(1, len(r.Pattern.Params()))], name) {
			continue
		}
		lead, _ := r.Pattern.Lead()
		fixed, err := url.PathUnescape(lead)
		if err != nil || !strings.HasSuffix(fixed, "/") {
			continue
		}
		if rest, ok := strings.CutPrefix(u.path, fixed); ok {
			value, _, _ = strings.Cut(rest, "/")
			return value, value != ""
		}
	}
	return "", false
}
