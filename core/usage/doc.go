// Package usage counts who calls which version of an API, and shows it: a page for a
// meeting, JSON for programs, CSV for spreadsheets.
//
//	versions, err := catalogue.New(...)
//	calls := usage.NewTable(versions, nil)
//	api, err := verso.NewURLPath(verso.Config{Catalogue: versions, Observe: calls.Observe})
//	...
//	mux.Handle("GET /usage", calls.Handler())
//
// Who a client is, the configuration of the adapter says: see Client there. The
// memory of a [Table] is fixed, whatever clients send: see [MaxClients] and
// [MaxCells]. It counts for one process; several are a matter for metrics, see
// docs/usage.md.
package usage
