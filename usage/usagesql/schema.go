package usagesql

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// schemaVersion is what this release writes and reads.
const schemaVersion = 1

// The keys of the large tables.
const (
	usageKey   = "version, client, method, route, rejected, other_client, other_route"
	routesKey  = "version, method, route, rejected, other_route"
	clientsKey = "version, client, other_client"
)

// schema creates the tables. Both databases understand it.
var schema = []string{
	// One row: of which release the tables are, when batches were last merged, how many clients
	// have a name, and on which day old rows were last deleted.
	`CREATE TABLE IF NOT EXISTS verso_usage_schema (
		id integer PRIMARY KEY, version integer NOT NULL, merged bigint NOT NULL, names bigint NOT NULL,
		retained bigint NOT NULL)`,
	// The last batch of each process, so that a batch is counted once also if the answer
	// to its commit was lost, and when the process was last heard of.
	`CREATE TABLE IF NOT EXISTS verso_usage_writers (
		id text PRIMARY KEY, name text NOT NULL, batch bigint NOT NULL, heard bigint NOT NULL, ended boolean NOT NULL)`,
	// The hours since 1970 in which a process counted.
	`CREATE TABLE IF NOT EXISTS verso_usage_hours (hour bigint PRIMARY KEY, first_heard bigint NOT NULL)`,
	// The batches of all processes, until they are merged. Processes only insert, so they do
	// not wait for each other. A refused batch cannot be merged.
	`CREATE TABLE IF NOT EXISTS verso_usage_batches (
		id text PRIMARY KEY, counts text NOT NULL, refused boolean NOT NULL)`,
	`CREATE TABLE IF NOT EXISTS verso_usage (
		version text NOT NULL, client text BYTEWISE NOT NULL, method text NOT NULL, route text NOT NULL,
		rejected boolean NOT NULL, other_client boolean NOT NULL, other_route boolean NOT NULL,
		requests bigint NOT NULL, first_seen bigint NOT NULL, last_seen bigint NOT NULL, days text NOT NULL,
		PRIMARY KEY (` + usageKey + `)) STORED`,
	`CREATE TABLE IF NOT EXISTS verso_usage_days (
		day text NOT NULL, version text NOT NULL, rejected boolean NOT NULL, requests bigint NOT NULL,
		PRIMARY KEY (day, version, rejected))`,
	// A client of a version, over all routes, so that it is judged without these. Its weeks: the
	// last one, since 1970, and a bit for each of usage.KeepWeeks; likewise of those with a served request. Since when the
	// end of the version would break it; negative: since when not. When it called each route: see usage.RouteUses.
	`CREATE TABLE IF NOT EXISTS verso_usage_clients (
		version text NOT NULL, client text BYTEWISE NOT NULL, other_client boolean NOT NULL,
		week bigint NOT NULL, weeks bigint NOT NULL, requests bigint NOT NULL, rejections bigint NOT NULL,
		first_seen bigint NOT NULL, last_seen bigint NOT NULL, served bigint NOT NULL, last_served bigint NOT NULL,
		days text NOT NULL, rejected_days text NOT NULL, since bigint NOT NULL, routes text NOT NULL,
		PRIMARY KEY (` + clientsKey + `)) STORED`,
	// Sums over all clients.
	`CREATE TABLE IF NOT EXISTS verso_usage_routes (
		version text NOT NULL, method text NOT NULL, route text NOT NULL,
		rejected boolean NOT NULL, other_route boolean NOT NULL,
		requests bigint NOT NULL, first_seen bigint NOT NULL, last_seen bigint NOT NULL, days text NOT NULL,
		PRIMARY KEY (` + routesKey + `))`,
	// How many clients a version had on a day, by what they did.
	`CREATE TABLE IF NOT EXISTS verso_usage_left (
		day text NOT NULL, version text NOT NULL, only_old bigint NOT NULL, both_versions bigint NOT NULL,
		quiet bigint NOT NULL, pinned bigint NOT NULL, told bigint NOT NULL,
		moved bigint NOT NULL, accepted bigint NOT NULL, PRIMARY KEY (day, version))`,
	// See usage.Exception.
	`CREATE TABLE IF NOT EXISTS verso_usage_exceptions (
		version text NOT NULL, client text NOT NULL, route text NOT NULL, kind text NOT NULL, made_by text NOT NULL,
		note text NOT NULL, at bigint NOT NULL, until bigint NOT NULL,
		PRIMARY KEY (version, client, route))`,
	// The processes whose clocks are wrong by a minute or more: by how many seconds they are
	// ahead, and when they last wrote by the clock of the server.
	`CREATE TABLE IF NOT EXISTS verso_usage_clocks (id text PRIMARY KEY, skew bigint NOT NULL, seen bigint NOT NULL)`,
}

// create makes the tables, unless they exist.
func (s *Store) create(ctx context.Context) error {
	if err := s.checkDialect(ctx); err != nil {
		return err
	}
	if made, err := s.made(ctx); made {
		return err
	}
	if s.dialect.encoding != "" {
		var encoding string
		if err := s.db.QueryRowContext(ctx, s.dialect.encoding).Scan(&encoding); err != nil {
			return err
		}
		if encoding != "UTF8" {
			return fmt.Errorf("the encoding of the database is %s, and names may have any character: "+
				"make a database with ENCODING 'UTF8'", encoding)
		}
	}
	return s.transaction(ctx, func(tx *sql.Tx) error {
		if s.dialect.createLock != "" {
			if _, err := tx.ExecContext(ctx, s.dialect.createLock); err != nil {
				return err
			}
		}
		for _, statement := range schema {
			if _, err := tx.ExecContext(ctx, strings.NewReplacer(" STORED", s.dialect.stored, " BYTEWISE",
				s.dialect.bytewise).Replace(statement)); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx,
			`INSERT INTO verso_usage_schema (id, version, merged, names, retained) VALUES (1, 1, 0, 0, 0)
				ON CONFLICT (id) DO NOTHING`)
		return err
	})
}

// checkDialect returns an error if the database has another dialect.
func (s *Store) checkDialect(ctx context.Context) error {
	var version string
	err := s.db.QueryRowContext(ctx, s.dialect.is).Scan(&version)
	if err == nil {
		return nil
	}
	for i := range dialects {
		other := &dialects[i]
		if other.is != "" && other != s.dialect && s.db.QueryRowContext(ctx, other.is).Scan(&version) == nil {
			return tablesError(fmt.Sprintf("the dialect is %s, and the database is %s %s: write usagesql.%[2]s",
				s.dialect.name, other.name, version))
		}
	}
	return err
}

// tablesError is the error of tables of another release, or of another dialect.
type tablesError string

func (e tablesError) Error() string { return string(e) }

func checkVersion(version int) error {
	if version > schemaVersion {
		return tablesError(fmt.Sprintf("the tables have version %d, of a newer release; this process knows version %d: update it",
			version, schemaVersion))
	}
	return nil
}

// made reports whether there are tables. It returns an error for the tables of another release: an
// earlier release made them with other columns.
func (s *Store) made(ctx context.Context) (made bool, err error) {
	var version, rows int
	if err := s.db.QueryRowContext(ctx,
		`SELECT version FROM verso_usage_schema WHERE id = 1`).Scan(&version); err != nil {
		return false, err
	}
	if err := checkVersion(version); err != nil {
		return true, err
	}
	err = s.db.QueryRowContext(ctx, `SELECT count(*) FROM (SELECT `+clientColumns+` FROM verso_usage_clients LIMIT 0)
		AS clients, (SELECT accepted FROM verso_usage_left LIMIT 0) AS days`).Scan(&rows)
	if isUndefined(err) {
		err = tablesError("the tables are of an earlier release, whose counts this one does not read: " +
			"drop all tables whose names begin with verso_usage, and they are made again")
	}
	if err == nil && isUndefined(s.db.QueryRowContext(ctx,
		`SELECT count(*) FROM (SELECT until FROM verso_usage_exceptions LIMIT 0) AS exceptions`).Scan(&rows)) {
		return false, nil // it is made
	}
	return true, err
}

// transaction runs statements that take effect together.
func (s *Store) transaction(ctx context.Context, do func(tx *sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if s.dialect.lockTimeout != "" {
		if _, err := tx.ExecContext(ctx, s.dialect.lockTimeout); err != nil {
			return err
		}
	}
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}
