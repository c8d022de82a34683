// Package usage counts who calls which version of an API, and shows it: a page for a
// meeting, JSON for programs, CSV for spreadsheets.
//
//	versions, err := catalogue.New(...)
//	calls := usage.NewTable(versions, nil)
//	api, err := scheme.NewURLPath("version", verso.Config{Catalogue: versions, Observe: calls.Observe})
//	...
//	mux.Handle("GET /usage", calls.Handler())
//
// The configuration of the adapter identifies the client of a request: see Client
// there. The memory of a [Table] is bounded, whatever clients send: see [MaxClients]
// and [MaxCells]. A table counts for a single process; for several processes use
// metrics, see docs/usage.md.
package usage
