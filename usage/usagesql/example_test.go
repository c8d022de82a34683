package usagesql_test

import (
	"context"
	"database/sql"
	"errors"
	"log"
	"net/http"
	"os"
	"os/signal"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/usage"
	"github.com/goverso/verso/usage/usagesql"
)

// A service imports the driver of its database, here for example
// _ "github.com/jackc/pgx/v5/stdlib", and an adapter.
func Example() {
	db, err := sql.Open("pgx", os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	config := verso.Config{Catalogue: catalogue.MustNew(catalogue.Config{Versions: []catalogue.Entry{
		{Version: "v1", Sunset: catalogue.MustDate("2027-12-31"), Successor: "v2"},
		{Version: "v2"},
	}})}
	calls, err := usagesql.New(&config, usagesql.Config{DB: db, Dialect: usagesql.PostgreSQL})
	if err != nil {
		log.Fatal(err)
	}
	api := verso.MustNew(verso.PathParam("version"), config)

	mux := http.NewServeMux()
	_ = api                                      // for an adapter: v := versohttp.New(mux, api)
	mux.Handle("GET /usage", calls.Handler(nil)) // with an adapter: calls.Handler(v.Explain)
	server := &http.Server{Addr: "localhost:8080", Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
			log.Print(err)
		}
	}()

	stopped, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	<-stopped.Done()
	stop()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := errors.Join(server.Shutdown(ctx), calls.Close(ctx), db.Close()); err != nil {
		log.Print(err)
	}
}

// A command records what a person answers for: acme gave up its report.
func ExampleStore_Except() {
	record := func(ctx context.Context, calls *usagesql.Store) error {
		err := calls.Except(ctx, usage.Exception{Version: "v1", Client: "acme", Route: "POST /v1/report", By: "ann@example.com", Note: "ticket 4711"})
		return err
	}
	_ = record
}

// A service of two regions has a page over both.
func ExampleOpen() {
	pageOf := func(calls *usagesql.Store, us *sql.DB) *usage.Page {
		page := calls.Handler(nil) // with an adapter: calls.Handler(v.Explain)
		page.Open = usage.Regions{"eu": page.Open, "us": usagesql.Open(us, usagesql.PostgreSQL)}.Open
		return page
	}
	_ = pageOf // mux.Handle("GET /usage/regions", onlyAdmins(pageOf(calls, us)))
}
