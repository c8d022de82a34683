package usagesql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// schemaVersion is what this release writes and reads.
const schemaVersion = 1

// Dialect is the SQL of a database.
type Dialect uint8

// The dialects. PostgreSQL must be version 9.5 or later, SQLite 3.38 or later.
const (
	PostgreSQL Dialect = iota + 1
	SQLite
)

// dialect is what differs between databases.
type dialect struct {
	createLock string             // CREATE TABLE IF NOT EXISTS fails where two processes do it at the same time
	mergeLock  string             // added to a SELECT: it finds nothing while another process merges
	encoding   string             // the encoding of text
	now        string             // the time of the server, in seconds since 1970
	rows       string             // the rows of a JSON parameter
	reading    sql.IsolationLevel // of a transaction that sees one moment
}

var dialects = [...]dialect{
	PostgreSQL: {
		createLock: `SELECT pg_advisory_xact_lock(1987212911, hashtext(current_schema()))`,
		mergeLock:  ` FOR UPDATE SKIP LOCKED`,
		encoding:   `SHOW server_encoding`,
		now:        `CAST(extract(epoch FROM now()) AS bigint)`,
		rows: `json_to_recordset($1::json) AS j(version text, client text, method text, route text, rejected boolean,
			other_client boolean, other_route boolean, requests bigint, first_seen bigint, last_seen bigint, days text)`,
		reading: sql.LevelRepeatableRead,
	},
	SQLite: { // where a transaction that writes is alone
		now: `unixepoch()`,
		rows: `(SELECT value->>'version' AS version, value->>'client' AS client, value->>'method' AS method, value->>'route' AS route,
			value->>'rejected' AS rejected, value->>'other_client' AS other_client, value->>'other_route' AS other_route, value->>'requests' AS requests,
			value->>'first_seen' AS first_seen, value->>'last_seen' AS last_seen, value->>'days' AS days FROM json_each($1)) AS j`,
	},
}

// schema creates the tables. Both databases understand it.
var schema = []string{
	// One row: of which release the tables are, and when batches were last merged.
	`CREATE TABLE IF NOT EXISTS verso_usage_schema (id integer PRIMARY KEY, version integer NOT NULL, merged bigint NOT NULL)`,
	`INSERT INTO verso_usage_schema (id, version, merged) VALUES (1, 1, 0) ON CONFLICT (id) DO NOTHING`,
	// The last batch of each process, so that a batch is counted once also if the answer
	// to its commit was lost, and when the process was last heard of.
	`CREATE TABLE IF NOT EXISTS verso_usage_writers (id text PRIMARY KEY, name text NOT NULL, batch bigint NOT NULL, heard bigint NOT NULL, ended boolean NOT NULL)`,
	// The hours since 1970 in which a process counted.
	`CREATE TABLE IF NOT EXISTS verso_usage_hours (hour bigint PRIMARY KEY, first_heard bigint NOT NULL)`,
	// The batches of all processes, until they are merged. Processes only insert, so they do
	// not wait for each other. A refused batch cannot be merged.
	`CREATE TABLE IF NOT EXISTS verso_usage_batches (id text PRIMARY KEY, counts text NOT NULL, refused boolean NOT NULL)`,
	`CREATE TABLE IF NOT EXISTS verso_usage (
		version text NOT NULL, client text NOT NULL, method text NOT NULL, route text NOT NULL, rejected boolean NOT NULL,
		other_client boolean NOT NULL, other_route boolean NOT NULL,
		requests bigint NOT NULL, first_seen bigint NOT NULL, last_seen bigint NOT NULL, days text NOT NULL,
		PRIMARY KEY (version, client, method, route, rejected, other_client, other_route))`,
	`CREATE TABLE IF NOT EXISTS verso_usage_days (day text NOT NULL, version text NOT NULL, rejected boolean NOT NULL, requests bigint NOT NULL,
		PRIMARY KEY (day, version, rejected))`,
	// The weeks in which a client called a version: the last one, since 1970, and a bit for
	// each of 63 before. An earlier release, which leaves it alone, may run at the same time.
	`CREATE TABLE IF NOT EXISTS verso_usage_clients (version text NOT NULL, client text NOT NULL, other_client boolean NOT NULL, week bigint NOT NULL, weeks bigint NOT NULL,
		PRIMARY KEY (version, client, other_client))`,
	// The processes whose clocks are wrong by a minute or more: by how many seconds they are
	// ahead, and when they last wrote by the clock of the server.
	`CREATE TABLE IF NOT EXISTS verso_usage_clocks (id text PRIMARY KEY, skew bigint NOT NULL, seen bigint NOT NULL)`,
}

// hasLatest returns an error if the tables are of an earlier release, without the last table
// of schema.
func (s *Store) hasLatest(ctx context.Context) error {
	var rows int
	return s.db.QueryRowContext(ctx, `SELECT count(*) FROM verso_usage_clocks`).Scan(&rows)
}

// create makes the tables, unless they exist.
func (s *Store) create(ctx context.Context) error {
	var version int
	if s.db.QueryRowContext(ctx, `SELECT version FROM verso_usage_schema WHERE id = 1`).Scan(&version) == nil {
		if err := checkVersion(version); err != nil {
			return err
		}
		if s.hasLatest(ctx) == nil {
			return nil
		}
	}
	if s.dialect.encoding != "" {
		var encoding string
		if err := s.db.QueryRowContext(ctx, s.dialect.encoding).Scan(&encoding); err != nil {
			return err
		}
		if encoding != "UTF8" {
			return fmt.Errorf("the encoding of the database is %s, and names may have any character: make a database with ENCODING 'UTF8'", encoding)
		}
	}
	return s.transaction(ctx, func(tx *sql.Tx) error {
		if s.dialect.createLock != "" {
			if _, err := tx.ExecContext(ctx, s.dialect.createLock); err != nil {
				return err
			}
		}
		for _, statement := range schema {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
		return nil
	})
}

// newerError is the error of tables of a newer release.
type newerError struct{ version int }

func (e *newerError) Error() string {
	return fmt.Sprintf("the tables have version %d, of a newer release; this process knows version %d: update it", e.version, schemaVersion)
}

func checkVersion(version int) error {
	if version > schemaVersion {
		return &newerError{version}
	}
	return nil
}

// transaction runs statements that take effect together.
func (s *Store) transaction(ctx context.Context, do func(tx *sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// each calls a function for each row of a query.
func each(ctx context.Context, tx *sql.Tx, query string, do func(rows *sql.Rows) error) (err error) {
	rows, err := tx.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := do(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
