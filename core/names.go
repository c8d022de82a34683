package verso

import "github.com/goverso/verso/core/source"

// Package source declares what sources and the rest of Verso have in common, and does not
// import this package.
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
