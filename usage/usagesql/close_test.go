package usagesql_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/usage/usagesql"
)

// away is a database that cannot be reached.
type away struct{}

func (away) Connect(context.Context) (driver.Conn, error) { return nil, errors.New("away") }
func (away) Driver() driver.Driver                        { return nil }

// TestCloseEnds: a shutdown with a context without a deadline does not wait for ever. The module has no
// dependency for its tests: those with a server are in servertest.
func TestCloseEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := sql.OpenDB(away{})
		defer db.Close()
		config := verso.Config{Catalogue: catalogue.MustNew(catalogue.Config{Versions: []catalogue.Entry{{Version: "v1"}}})}
		store, err := usagesql.New(&config, usagesql.Config{DB: db, Dialect: usagesql.SQLite, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		store.Observe(t.Context(), verso.Observation{Time: time.Now(), Version: verso.V("v1"), Served: verso.V("v1"), Outcome: verso.OutcomeServed, Route: "/a", Method: "GET"})
		begin := time.Now()
		if err := store.Close(context.Background()); err == nil || !strings.Contains(err.Error(), "1 requests are lost") {
			t.Error(err)
		}
		if took := time.Since(begin).Truncate(time.Second); took != 30*time.Second {
			t.Error(took)
		}
	})
}
