package usagesql

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"

	"github.com/goverso/verso/usage"
)

// Open returns a function to open the counts of another region, for [usage.Regions]. It only reads: the region does not
// count a reader among its processes. The last ten seconds may be missing, until the processes of the region write
// them. If the counts cannot be read, slog.Default gets a record.
func Open(db *sql.DB, d Dialect) func(ctx context.Context) (usage.Reader, error) {
	s := &Store{db: db, logger: slog.Default(), maxNames: defaultMaxClients}
	var mistake error
	switch {
	case db == nil:
		mistake = errors.New("usagesql: the database is nil: pass what sql.Open returns")
	case d != PostgreSQL && d != SQLite:
		mistake = errors.New("usagesql: the dialect is unknown: write usagesql.PostgreSQL or usagesql.SQLite")
	default:
		s.dialect = &dialects[d]
	}
	return func(ctx context.Context) (usage.Reader, error) {
		if mistake != nil {
			return nil, mistake
		}
		return s.read(ctx)
	}
}
