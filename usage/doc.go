// Package usage counts who calls which version of an API, and answers whether a version
// may end: a page for a meeting, JSON for programs, CSV for spreadsheets.
//
//	config := verso.Config{Catalogue: versions}
//	calls := usage.NewTable(&config)
//	api, err := verso.New(verso.PathParam("version"), config)
//	...
//	mux.Handle("GET /usage", calls.Handler(v.Explain))
//
// The configuration of the adapter identifies the client of a request: see Client
// there. The memory of a [Table] is bounded, whatever clients send: see [MaxClients]
// and [MaxCells]. A table counts for a single process. The module usage/usagesql counts
// for all processes of a service, in a database.
package usage
