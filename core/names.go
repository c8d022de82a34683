package verso

import "github.com/goverso/verso/core/source"

// What sources and the rest of Verso have in common is declared in package source.
type (
	// Version is an API version: see [source.Version].
	Version = source.Version

	// Finding is a mistake in a configuration, or a possible one: see [source.Finding].
	Finding = source.Finding

	// Level is the severity of a [Finding].
	Level = source.Level

	// MessageID identifies a message of a rejection: see [source.MessageID].
	MessageID = source.MessageID
)

// The levels of a finding.
const (
	LevelWarning = source.LevelWarning // may be intended, and is often a mistake
	LevelError   = source.LevelError   // a mistake: the constructor fails
)

// V returns the version with the given text, which may be empty.
func V(text string) Version { return source.V(text) }

// The sources, under names of this package: see package source.

// PathParam is [source.PathParam].
func PathParam(name string) source.Source { return source.PathParam(name) }

// PathPrefix is [source.PathPrefix].
func PathPrefix(template string) source.Source { return source.PathPrefix(template) }

// Header is [source.Header].
func Header(name string) source.Source { return source.Header(name) }

// AcceptParam is [source.AcceptParam].
func AcceptParam(name string) source.Source { return source.AcceptParam(name) }

// MediaType is [source.MediaType].
func MediaType(template string) source.Source { return source.MediaType(template) }

// QueryParam is [source.QueryParam].
func QueryParam(name string) source.Source { return source.QueryParam(name) }

// HostLabel is [source.HostLabel].
func HostLabel(pattern string) source.Source { return source.HostLabel(pattern) }

// Namespace is [source.Namespace].
func Namespace() source.Source { return source.Namespace() }

// First is [source.First].
func First(sources ...source.Source) source.Source { return source.First(sources...) }

// Agree is [source.Agree].
func Agree(sources ...source.Source) source.Source { return source.Agree(sources...) }

// Stored is [source.Stored].
func Stored(key any, headers ...string) source.Source { return source.Stored(key, headers...) }

// Nearest is [source.Nearest].
func Nearest(from source.Source, order Order, until func() string) source.Source {
	return source.Nearest(from, order, until)
}
