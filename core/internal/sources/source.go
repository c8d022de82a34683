// Package sources has the sources of package verso, each in a file of its own.
//
// A source gets a request and what it may know of the versions, and fills a Reading: the text of a version,
// or why there is none. It does not look the version up, knows no default, and rejects nothing: the engine does, so that each source means the same by them. The way back fills a Written from a
// version. Both are room of the caller, and [ReadInto] and [WriteInto] find the methods by their types,
// since an interface method with a pointer would allocate for each request.
package sources

import "github.com/goverso/verso/core/source"

// ReadInto reads the place of a version into room that the caller has: [source.Source.Read] for
// combined sources and for package verso. The sources of this package are known by their
// types: no value is copied for them, and none escapes. Any other one, which may wrap one
// of these, reads by its method.
func ReadInto(from source.Source, r *source.Request, served *source.ServedVersions, reading *source.Reading) {
	switch s := from.(type) {
	case own[*pathParam]:
		s.of.read(r, served, reading)
	case own[*header]:
		s.of.read(r, served, reading)
	case own[namespace]:
		s.of.read(r, served, reading)
	case own[*pathPrefix]:
		s.of.read(r, served, reading)
	case own[*queryParam]:
		s.of.read(r, served, reading)
	case own[*hostLabel]:
		s.of.read(r, served, reading)
	case own[*acceptParam]:
		s.of.read(r, served, reading)
	case own[*mediaType]:
		s.of.read(r, served, reading)
	case own[*first]:
		s.of.read(r, served, reading)
	case own[*agree]:
		s.of.read(r, served, reading)
	case own[*nearest]:
		s.of.read(r, served, reading)
	case own[*stored]:
		s.of.read(r, reading)
	default:
		*reading = from.Read(*r, served)
	}
}

// WriteInto writes a version into room that the caller has: see [ReadInto]. If it fails,
// it may have written a part.
func WriteInto(from source.Source, w *source.Written, v source.Version) (err error) {
	switch s := from.(type) {
	case own[*pathParam]:
		s.of.write(w, v)
	case own[*header]:
		s.of.write(w, v)
	case own[namespace]:
		s.of.write(w, v)
	case own[*pathPrefix]:
		s.of.write(w, v)
	case own[*queryParam]:
		s.of.write(w, v)
	case own[*hostLabel]:
		s.of.write(w, v)
	case own[*acceptParam]:
		s.of.write(w, v)
	case own[*mediaType]:
		err = s.of.write(w, v)
	case own[*first]:
		err = s.of.write(w, v)
	case own[*agree]:
		err = s.of.write(w, v)
	case own[*nearest]:
		err = s.of.write(w, v)
	case own[*stored]: // a link leads the same caller
	default:
		*w, err = from.Write(*w, v)
	}
	return err
}

func (s own[S]) Read(r source.Request, served *source.ServedVersions) (reading source.Reading) {
	ReadInto(s, &r, served, &reading)
	return reading
}

func (s own[S]) Write(w source.Written, v source.Version) (source.Written, error) {
	err := WriteInto(s, &w, v)
	return w, err
}
