// Package watch gives package migratetest what package migrate does not export: tests of a
// service watch its responses, and services must not, since that holds each response whole.
package watch

import verso "github.com/goverso/verso/core"

// Answer is a response of a route, as its client gets it.
type Answer struct {
	Route    verso.Rewriter
	Version  verso.Version
	Method   string
	Status   int
	Mistakes []string // how its body differs from Schema and the route

	// Fields are the header fields that ResponseHeader declares, by their newest names: whether the
	// response has them.
	Fields map[string]bool
}

// History is a *migrate.History.
type History interface {
	// Responses calls report for each response of a route with Rewrite, in every version,
	// until stop is called.
	Responses(report func(Answer)) (stop func())

	// Bodies describes what a *migrate.Route reads and writes in a version, in one line.
	Bodies(route verso.Rewriter, v verso.Version) string

	// Example returns a value as a client of a version reads it, and what it means if the client sends
	// it back: JSON of a body, a query of a struct of parameters.
	Example(v verso.Version, value any) (older, sent string, err error)

	// Unreached returns the names of types whose edits have functions or constants, and that are not
	// in the values.
	Unreached(values []any) []string

	// Webhooks describes what the history sends, by name and version.
	Webhooks() map[string]map[string]string
}

// Of returns the History of a *migrate.History. Package migrate sets it, since it cannot be
// imported here.
var Of func(history any) History
