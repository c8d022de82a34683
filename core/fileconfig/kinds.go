package fileconfig

import (
	"slices"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

// Kind is a kind of source that a [Source] can have.
type Kind struct {
	Name    string // as in the Kind of a Source
	Key     string // the key that it reads: name, pattern or template; "": none
	Example string // a value for the key
	New     func(value string) source.Source
}

// Kinds returns all kinds of sources. What needs each of them, such as the conformance suite, reads
// them.
func Kinds() []Kind { return slices.Clone(kinds) }

var kinds = []Kind{
	{"header", "name", "Api-Version", verso.Header},
	{"query", "name", "version", verso.QueryParam},
	{"host", "pattern", "", verso.HostLabel},
	{"path", "name", "version", verso.PathParam},
	{"path_prefix", "template", "/api/{version}", verso.PathPrefix},
	{"namespace", "", "", func(string) source.Source { return verso.Namespace() }},
	{"accept", "name", "version", verso.AcceptParam},
	{"media_type", "template", "application/vnd.acme.{version}+json", verso.MediaType},
}
