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

// Package migrate sets these functions, since it cannot be imported here.
var (
	// Responses calls report for each response of a route with Rewrite, in every version,
	// until stop is called. history is a *migrate.History.
	Responses func(history any, report func(Answer)) (stop func())

	// Bodies describes what a *migrate.Route reads and writes in a version, in one line.
	Bodies func(route verso.Rewriter, v verso.Version) string

	// Example returns a value as a client of a version reads it, and what it means if the client sends
	// it back: JSON of a body, a query of a struct of parameters.
	Example func(history any, v verso.Version, value any) (older, sent string, err error)

	// Unreached returns the names of types whose edits have functions or constants, and that are not
	// in the values.
	Unreached func(history any, values []any) []string

	// Webhooks describes what a *migrate.History sends, by name and version.
	Webhooks func(history any) map[string]map[string]string
)
