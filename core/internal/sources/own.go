package sources

import (
	"github.com/goverso/verso/core/internal/roster"
	"github.com/goverso/verso/core/source"
)

// readBy is the Read of a source of this package.
func readBy(read func(*source.Request, *source.ServedVersions, *source.Reading), r source.Request,
	served *source.ServedVersions) (reading source.Reading) {
	read(&r, served, &reading)
	return reading
}

// writeBy is the Write of a source of this package that can write any version.
func writeBy(write func(*source.Written, source.Version), w source.Written, v source.Version) (source.Written, error) {
	write(&w, v)
	return w, nil
}

// in returns what the sources know of the versions besides.
func in(served *source.ServedVersions) *roster.Versions { return (*roster.Versions)(served) }
