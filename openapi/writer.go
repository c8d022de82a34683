package openapi

import (
	"errors"

	"github.com/getkin/kin-openapi/openapi3"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/openapi/internal/match"
)

// writer writes the document of a version.
type writer struct {
	given, made *openapi3.T
	service     *verso.Explanation
	version     string
	routes      *match.Routes
	asking      []asking // ways to ask for the version outside the path
	lifecycle   lifecycle
	from        map[string]string // path in made -> path in given, which is another one
	sources     map[string]string // path in made -> the first path in given
	merged      map[*openapi3.PathItem]bool
	paths       map[string]string // shape -> path in made
	invalid     error             // a mistake in the given document, or nil
}

func newWriter(given *openapi3.T, service *verso.Explanation, version string) *writer {
	made, info := *given, *given.Info
	info.Version = version
	made.Info, made.Paths = &info, openapi3.NewPaths()
	w := &writer{
		given: given, made: &made, service: service, version: version,
		routes: match.New(service, version), asking: newAsking(service, version),
		lifecycle: lifecycleOf(service, version),
		from:      make(map[string]string), sources: make(map[string]string), merged: make(map[*openapi3.PathItem]bool),
		paths: make(map[string]string),
	}
	made.Servers = w.serversOf(given.Servers).List
	return w
}

// serversOf returns servers with the version in their URLs, if they have a place for it.
func (w *writer) serversOf(list openapi3.Servers) match.Servers {
	return w.routes.Servers(list, func(host string) string {
		for _, a := range w.asking {
			if moved, err := a.written.Host(host); err == nil && moved != "" {
				return moved
			}
		}
		return ""
	})
}

// isDefault reports whether this version is the default version.
func (w *writer) isDefault() bool {
	return w.service.DefaultVersion != nil && *w.service.DefaultVersion == w.version
}

// ErrInvalid matches the error of a document that is not valid in any version.
var ErrInvalid = errors.New("the document is not valid")

// asking is a way to ask for a version outside the path: in a host, a parameter, or
// a media type.
type asking struct {
	source.Description
	written source.Written
	in      string // of a parameter: query or header
	name    string
	accept  string // the value of the Accept header
}

func newAsking(service *verso.Explanation, version string) (ways []asking) {
	for _, from := range match.Singles(service.Source) {
		a := asking{Description: from.Describe()}
		var err error
		if a.written, err = from.Write(source.Written{}, verso.V(version)); err != nil || a.Place == source.InPath {
			continue
		}
		query, _ := a.written.Query()
		switch header, value := a.written.Header(); {
		case query != "":
			a.in, a.name = openapi3.ParameterInQuery, query
		case header == "Accept":
			a.accept = value
		case header != "":
			a.in, a.name = openapi3.ParameterInHeader, header
		}
		ways = append(ways, a)
	}
	return ways
}
