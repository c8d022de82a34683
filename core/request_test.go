package verso_test

import (
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/mediatype"
)

// request is a request made by hand.
type request struct {
	accept     []string
	negotiator *mediatype.Negotiator // nil: the service declares nothing
	path       map[string]string
	query      string
	namespace  string
	host       string
	version    verso.Version
}

var _ verso.Request = (*request)(nil)

var anything, _ = mediatype.NewNegotiator() // fails for media types only

func (r *request) AcceptedMediaType() (string, bool) {
	negotiator := r.negotiator
	if negotiator == nil {
		negotiator = anything
	}
	accepted, ok := negotiator.Negotiate(r.accept)
	return accepted.MediaType, ok
}

func (r *request) PathParam(name string) (string, bool) {
	value, ok := r.path[name]
	return value, ok
}

func (r *request) QueryParam(name string) (string, bool) { return verso.QueryParam(r.query, name) }
func (r *request) Namespace() string                     { return r.namespace }
func (r *request) Host() string                          { return r.host }
func (r *request) Version() verso.Version                { return r.version }
