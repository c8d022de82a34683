package api

import (
	"errors"

	verso "github.com/goverso/verso/core"
)

// Links are what each answer links to.
type Links struct {
	Self string `json:"self"`

	// OtherVersions lead to the same resource in the other versions. A
	// version in which the resource has no URL is not among them: the host
	// example.com, for one, has no place for a version.
	OtherVersions map[string]string `json:"other_versions,omitempty"`
}

// linker builds the links of one answer. After an error, which it keeps, it
// builds no more.
type linker struct {
	call     Call
	versions []string
	err      error
}

func (a *API) linker(call Call) *linker {
	return &linker{call: call, versions: a.versions}
}

// link returns the URL of the target in the version of the request.
func (l *linker) link(target verso.Target) string {
	if l.err != nil {
		return ""
	}
	var url string
	url, l.err = l.call.Reverse(target)
	return url
}

// links returns the links of the resource that the target leads to.
func (l *linker) links(target verso.Target) Links {
	links := Links{Self: l.link(target), OtherVersions: make(map[string]string)}
	for _, version := range l.versions {
		target.Version = verso.V(version)
		if l.err != nil || target.Version == l.call.Version {
			continue
		}
		url, err := l.call.Reverse(target)
		switch {
		case err == nil:
			links.OtherVersions[version] = url
		case !errors.Is(err, verso.ErrNoReverseMatch):
			l.err = err
		}
	}
	return links
}
