package servertest

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// errLost is what a process sees when the answer of the server is lost.
var errLost = errors.New("connection reset by peer")

// faults are what happens between a process and its server.
type faults struct {
	commits      atomic.Int64
	begins       atomic.Int64
	ahead        atomic.Int64                                  // by how many seconds the clock of the server is ahead
	afterCommit  func(n int64) error                           // is called after each commit that succeeded
	afterExecute func(ctx context.Context, query string) error // is called after each statement that succeeded
}

// connector connects through faults.
type connector struct {
	driver driver.Driver
	dsn    string
	faults *faults
}

func (c *connector) Driver() driver.Driver { return c.driver }

func (c *connector) Connect(context.Context) (driver.Conn, error) {
	made, err := c.driver.Open(c.dsn)
	if err != nil {
		return nil, err
	}
	return &conn{made, c.faults}, nil
}

// openFaulty opens a database through faults.
func openFaulty(tb testing.TB, d database, f *faults) *sql.DB {
	tb.Helper()
	db := sql.OpenDB(&connector{open(tb, d).Driver(), d.dsn, f})
	tb.Cleanup(func() { _ = db.Close() })
	return db
}

// conn forwards what the drivers implement, and nothing else.
type conn struct {
	driver.Conn
	faults *faults
}

func (c *conn) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	c.faults.begins.Add(1)
	begun, err := c.Conn.(driver.ConnBeginTx).BeginTx(ctx, options)
	return &tx{begun, c.faults}, err
}

func (c *conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	result, err := c.Conn.(driver.ExecerContext).ExecContext(ctx, query, args)
	if err == nil && c.faults.afterExecute != nil {
		err = c.faults.afterExecute(ctx, query)
	}
	return result, err
}

func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if ahead := c.faults.ahead.Load(); ahead != 0 {
		for _, now := range []string{`CAST(extract(epoch FROM now()) AS bigint)`, `unixepoch()`} {
			query = strings.ReplaceAll(query, now, fmt.Sprintf("(%s + %d)", now, ahead))
		}
	}
	rows, err := c.Conn.(driver.QueryerContext).QueryContext(ctx, query, args)
	if err == nil && c.faults.afterExecute != nil {
		if err = c.faults.afterExecute(ctx, query); err != nil {
			return nil, errors.Join(err, rows.Close())
		}
	}
	return rows, err
}

func (c *conn) CheckNamedValue(value *driver.NamedValue) error {
	if checker, ok := c.Conn.(driver.NamedValueChecker); ok {
		return checker.CheckNamedValue(value)
	}
	return driver.ErrSkip
}

type tx struct {
	driver.Tx
	faults *faults
}

func (t *tx) Commit() error {
	if err := t.Tx.Commit(); err != nil {
		return err
	}
	if n := t.faults.commits.Add(1); t.faults.afterCommit != nil {
		return t.faults.afterCommit(n)
	}
	return nil
}

// recorder is a log whose records tests read.
type recorder struct {
	mu   sync.Mutex
	text strings.Builder
}

func (r *recorder) Write(line []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(line)
}

func (r *recorder) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

// count returns how many records have a code.
func (r *recorder) count(code string) int { return strings.Count(r.String(), "code="+code+" ") }
