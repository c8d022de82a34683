// Package sources has the sources of package verso, each in a file of its own. [ReadInto] and
// [WriteInto] find their methods by their types, so that nothing is allocated.
package sources

import (
	"github.com/goverso/verso/core/source"
)

// ReadInto reads the place of a version into room that the caller has: [source.Source.Read] for
// combined sources and for package verso. The sources of this package are known by their
// types: no value is copied for them, and none escapes. Any other one, which may wrap one
// of these, reads by its method.
func ReadInto(from source.Source, r *source.Request, served *source.ServedVersions, reading *source.Reading) {
	switch s := from.(type) {
	case *pathParam:
		s.read(r, served, reading)
	case *header:
		s.read(r, served, reading)
	case namespace:
		s.read(r, served, reading)
	case *pathPrefix:
		s.read(r, served, reading)
	case *queryParam:
		s.read(r, served, reading)
	case *hostLabel:
		s.read(r, served, reading)
	case *acceptParam:
		s.read(r, served, reading)
	case *mediaType:
		s.read(r, served, reading)
	case *first:
		s.read(r, served, reading)
	case *agree:
		s.read(r, served, reading)
	case *nearest:
		s.read(r, served, reading)
	case *stored:
		s.read(r, reading)
	default:
		*reading = from.Read(*r, served)
	}
}

// WriteInto writes a version into room that the caller has: see [ReadInto]. If it fails,
// it may have written a part.
func WriteInto(from source.Source, w *source.Written, v source.Version) (err error) {
	switch s := from.(type) {
	case *pathParam:
		s.write(w, v)
	case *header:
		s.write(w, v)
	case namespace:
		s.write(w, v)
	case *pathPrefix:
		s.write(w, v)
	case *queryParam:
		s.write(w, v)
	case *hostLabel:
		s.write(w, v)
	case *acceptParam:
		s.write(w, v)
	case *mediaType:
		err = s.write(w, v)
	case *first:
		err = s.write(w, v)
	case *agree:
		err = s.write(w, v)
	case *nearest:
		err = s.write(w, v)
	default:
		*w, err = from.Write(*w, v)
	}
	return err
}
