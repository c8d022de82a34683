package verso

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/goverso/verso/core/mediatype"
)

// Determiner is what all adapters do with a request, once the framework's own
// request is presented as a [Request]. It is made once, when the middleware is
// built, does not change, and is safe for concurrent use.
type Determiner struct {
	scheme     Scheme
	vary       []string
	negotiator *mediatype.Negotiator
	known      map[Version]*Determined
}

// Determined is what an adapter keeps of a request for the handlers: the
// version, and what determined it.
type Determined struct {
	Version    Version
	Determiner *Determiner
}

// NewDeterminer returns a determiner for a scheme and the media types that the
// service produces, the preferred one first; without any, every media type is
// acceptable. It fails without a scheme, and on text that is not a media type.
func NewDeterminer(scheme Scheme, produces ...string) (*Determiner, error) {
	if scheme == nil {
		return nil, errors.New("verso: no scheme: make one, for example with verso.NewURLPath")
	}
	negotiator, err := mediatype.NewNegotiator(produces...)
	if err != nil {
		return nil, fmt.Errorf("verso: what the service produces: %w", err)
	}
	d := &Determiner{scheme: scheme, vary: scheme.Vary(), negotiator: negotiator, known: make(map[Version]*Determined)}
	d.know(Version{})
	if based, ok := scheme.(interface{ Settings() Settings }); ok { // those that embed a Base
		settings := based.Settings()
		d.know(settings.DefaultVersion)
		for _, text := range settings.AllowedVersions {
			d.know(V(text))
		}
	}
	return d, nil
}

func (d *Determiner) know(v Version) {
	d.known[v] = &Determined{v, d}
}

// Scheme returns the scheme.
func (d *Determiner) Scheme() Scheme {
	return d.scheme
}

// AcceptedMediaType negotiates for [Request.AcceptedMediaType], given the lines
// of the Accept header.
func (d *Determiner) AcceptedMediaType(accept []string) (mediaType string, ok bool) {
	accepted, ok := d.negotiator.Negotiate(accept)
	return accepted.MediaType, ok
}

// Determine asks the scheme for the version of a request that matched a route,
// and adds the request headers that the scheme reads to the Vary field of the
// response. The error is that of [Scheme.DetermineVersion].
//
// For a version that the settings name it returns the same pointer each time
// and allocates nothing.
func (d *Determiner) Determine(r Request, response http.Header) (*Determined, error) {
	version, err := d.scheme.DetermineVersion(r)
	AddVary(response, d.vary...)
	if err != nil {
		return nil, err
	}
	if determined, ok := d.known[version]; ok {
		return determined, nil
	}
	return &Determined{version, d}, nil
}
