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
}

// Package migrate sets these functions, since it cannot be imported here.
var (
	// Responses calls report for each response of a route with Rewrite, in every version,
	// until stop is called. history is a *migrate.History.
	Responses func(history any, report func(Answer)) (stop func())

	// Bodies describes what a *migrate.Route reads and writes in a version, in one line.
	Bodies func(route verso.Rewriter, v verso.Version) string

	// Webhooks describes what a *migrate.History sends, by name and version.
	Webhooks func(history any) map[string]map[string]string
)
