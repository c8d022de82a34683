// Package usagesql keeps in an SQL database what the processes of a service count, so
// that all of them show the same page of package usage, and a restart forgets nothing.
//
//	config := verso.Config{Catalogue: versions}
//	calls, err := usagesql.New(&config, usagesql.Config{DB: db, Dialect: usagesql.PostgreSQL})
//	api, err := verso.New(verso.PathParam("version"), config)
//	...
//	mux.Handle("GET /usage", calls.Handler(v.Explain))
//	...
//	err = calls.Close(ctx) // after the last request
//
// A request is counted in memory, and never waits for the database. Every ten seconds
// each process appends what it has counted, as one row. Once a minute, and before a
// page is shown, one of them adds these rows up. A request that [Store.Observe] has
// returned from is counted exactly once, or is lost with its process: what the process
// counted in the last ten seconds. While the database is away, counts stay in memory,
// which is bounded.
//
// The package imports no driver. PostgreSQL is for any number of processes, SQLite for
// a few on one machine. The table verso_usage may be queried; its columns stay.
package usagesql
