package usagesql_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/usage/usagesql"
)

// away is a database that cannot be reached.
type away struct{}

func (away) Connect(context.Context) (driver.Conn, error) { return nil, errors.New("away") }
func (away) Driver() driver.Driver                        { return nil }

// TestCloseEnds: a shutdown with a context without a deadline does not wait for ever.
func TestCloseEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := sql.OpenDB(away{})
		defer db.Close()
		config := verso.Config{Catalogue: catalogue.MustNew(catalogue.Config{Versions: []catalogue.Entry{{Version: "v1"}}})}
		store, err := usagesql.New(&config, usagesql.Config{DB: db, Dialect: usagesql.SQLite, Logger: slog.New(slog.DiscardHandler)})
		require.NoError(t, err)
		config.Count(t.Context(), verso.Observation{Time: time.Now(), Version: verso.V("v1"), Served: verso.V("v1"), Outcome: verso.OutcomeServed, Route: "/a", Method: "GET"})
		begin := time.Now()
		assert.ErrorContains(t, store.Close(context.Background()), "1 requests are lost")
		assert.Equal(t, 30*time.Second, time.Since(begin).Truncate(time.Second))
	})
}
