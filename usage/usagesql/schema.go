package usagesql

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
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
	// CREATE TABLE IF NOT EXISTS fails where two processes do it at the same time
	createLock string
	name       string
	is         string                            // answers in this dialect only
	file       string                            // the name of the file of the database
	mergeLock  string                            // added to a SELECT: it finds nothing while another process merges
	encoding   string                            // the encoding of text
	now        string                            // the time of the server, in seconds since 1970
	rows       func(columns string) string       // those of a JSON parameter
	size       string                            // of a batch, about, without reading it
	names      string                            // the strings of a JSON parameter
	days       func(table, column string) string // days of a row and of the row that it is excluded for, added up
	reading    sql.IsolationLevel                // of a transaction that sees one moment
	// mergeFor is how long a transaction of a merge may take: the next one has fewer bytes then.
	mergeFor    time.Duration
	rowID       string // the place of a row
	bytewise    string // added to a column of text to compare it byte by byte, as SQLite does
	fill        string // room in the pages of a table for updates
	lockTimeout string // for it
}

// types are the types of the columns without text.
var types = map[string]string{
	"rejected": "boolean", "other_client": "boolean", "other_route": "boolean", "requests": "bigint",
	"rejections": "bigint", "first_seen": "bigint", "last_seen": "bigint",
	"first_served": "bigint", "last_served": "bigint", "since": "bigint", "week": "bigint", "weeks": "bigint",
}

// addDays returns an expression for the sum of two columns of days. Nearly always the second one
// has a single day, which is the last day of the first one, or a day after it: that needs no
// JSON. Days before $2 are removed.
func addDays(table, column, position, general string) string {
	was, more := table+"."+column, "excluded."+column
	until := `rtrim(` + was + `, '0123456789}')`                                // up to the number of the last day
	second := `substr(` + was + `, ` + position + `(` + was + `, ',') + 2, 10)` // its second day, if it has one
	last := `substr(` + until + `, length(` + until + `) - 12)`
	return `CASE WHEN ` + more + ` = '{}' THEN ` + was + ` WHEN ` + was + ` = '{}' THEN ` + more + `
		WHEN ` + more + ` NOT LIKE '%,%' AND ` + last + ` = substr(` + more + `, 2, 13) THEN
			` + until + ` || (CAST(rtrim(substr(` + was + `, length(` + until + `) + 1), '}') AS bigint) +
				CAST(rtrim(substr(` + more + `, 15), '}') AS bigint)) || '}'
		WHEN ` + more + ` NOT LIKE '%,%' AND ` + last + ` < substr(` + more + `, 2, 13)
			AND substr(` + was + `, 3, 10) >= $2 THEN
			rtrim(` + was + `, '}') || ',' || substr(` + more + `, 2)
		WHEN ` + more + ` NOT LIKE '%,%' AND ` + last + ` < substr(` + more + `, 2, 13)
			AND ` + second + ` >= $2 THEN
			'{' || rtrim(substr(` + was + `, ` + position + `(` + was + `, ',') + 1), '}') || ',' || substr(` + more + `, 2)
		ELSE ` + general + ` END`
}

var dialects = [...]dialect{
	PostgreSQL: {
		name:       "PostgreSQL",
		is:         `SHOW server_version`,
		mergeFor:   5 * time.Second,
		rowID:      `ctid`,
		bytewise:   ` COLLATE "C"`,
		fill:       ` WITH (fillfactor = 70)`,
		createLock: `SELECT pg_advisory_xact_lock(1987212911, hashtext(current_schema()))`,
		mergeLock:  ` FOR UPDATE SKIP LOCKED`,
		encoding:   `SHOW server_encoding`,
		now:        `CAST(extract(epoch FROM now()) AS bigint)`,
		rows: func(columns string) string {
			var typed []string
			for c := range strings.SplitSeq(columns, ", ") {
				typed = append(typed, c+" "+cmp.Or(types[c], "text"))
			}
			return `json_to_recordset($1::json) AS j(` + strings.Join(typed, ", ") + `)`
		},
		size:  `pg_column_size(counts)`,
		names: `SELECT * FROM json_array_elements_text($1::json)`,
		days: func(table, column string) string {
			return addDays(table, column, `strpos`, `(SELECT '{' || string_agg('"' || d.key || '":' || d.n, ',' ORDER BY d.key) || '}'
				FROM (SELECT x.key, sum(x.value::bigint) AS n FROM (
					SELECT * FROM json_each_text(`+table+`.`+column+`::json)
					UNION ALL SELECT * FROM json_each_text(excluded.`+column+`::json)
				) x WHERE x.key >= $2 GROUP BY x.key) d)`)
		},
		reading:     sql.LevelRepeatableRead,
		lockTimeout: `SET LOCAL lock_timeout = '2s'`,
	},
	SQLite: { // where a transaction that writes is alone: other processes wait for a merge
		name:     "SQLite",
		is:       `SELECT sqlite_version()`,
		file:     `SELECT file FROM pragma_database_list WHERE name = 'main'`,
		mergeFor: time.Second,
		rowID:    `rowid`,
		now:      `unixepoch()`,
		rows: func(columns string) string {
			var named []string
			for c := range strings.SplitSeq(columns, ", ") {
				named = append(named, `value->>'`+c+`' AS `+c)
			}
			return `(SELECT ` + strings.Join(named, ", ") + ` FROM json_each($1)) AS j`
		},
		size:  `length(counts)`,
		names: `SELECT value FROM json_each($1)`,
		days: func(table, column string) string {
			return addDays(table, column, `instr`, `(SELECT '{' || group_concat('"' || d.key || '":' || d.n, ',') || '}'
				FROM (SELECT x.key AS key, sum(x.value) AS n FROM (
					SELECT key, value FROM json_each(`+table+`.`+column+`)
					UNION ALL SELECT key, value FROM json_each(excluded.`+column+`)
				) x WHERE x.key >= $2 GROUP BY x.key ORDER BY x.key) d)`)
		},
	},
}

// schema creates the tables. Both databases understand it.
var schema = []string{
	// One row: of which release the tables are, when batches were last merged, how many clients
	// have a name at most, and on which day old rows were last deleted.
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
		PRIMARY KEY (version, client, method, route, rejected, other_client, other_route)) FILL`,
	`CREATE TABLE IF NOT EXISTS verso_usage_days (
		day text NOT NULL, version text NOT NULL, rejected boolean NOT NULL, requests bigint NOT NULL,
		PRIMARY KEY (day, version, rejected))`,
	// A client of a version, over all routes, so that it is judged without these. Its weeks: the
	// last one, since 1970, and a bit for each of 63 before. Since when the end of the version would
	// break it; negative: since when not. When it called each route: see usage.RouteUses.
	`CREATE TABLE IF NOT EXISTS verso_usage_clients (
		version text NOT NULL, client text BYTEWISE NOT NULL, other_client boolean NOT NULL,
		week bigint NOT NULL, weeks bigint NOT NULL, requests bigint NOT NULL, rejections bigint NOT NULL,
		first_seen bigint NOT NULL, last_seen bigint NOT NULL, first_served bigint NOT NULL, last_served bigint NOT NULL,
		days text NOT NULL, rejected_days text NOT NULL, since bigint NOT NULL, routes text NOT NULL,
		PRIMARY KEY (version, client, other_client)) FILL`,
	// Sums over all clients.
	`CREATE TABLE IF NOT EXISTS verso_usage_routes (
		version text NOT NULL, method text NOT NULL, route text NOT NULL,
		rejected boolean NOT NULL, other_route boolean NOT NULL,
		requests bigint NOT NULL, first_seen bigint NOT NULL, last_seen bigint NOT NULL, days text NOT NULL,
		PRIMARY KEY (version, method, route, rejected, other_route))`,
	// How many clients a version had on a day, by what they did.
	`CREATE TABLE IF NOT EXISTS verso_usage_left (
		day text NOT NULL, version text NOT NULL, only_old bigint NOT NULL, both_versions bigint NOT NULL,
		quiet bigint NOT NULL, pinned bigint NOT NULL, told bigint NOT NULL,
		moved bigint NOT NULL, PRIMARY KEY (day, version))`,
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
			if _, err := tx.ExecContext(ctx, strings.NewReplacer(" FILL", s.dialect.fill, " BYTEWISE",
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
// earlier release made them without the last column.
func (s *Store) made(ctx context.Context) (made bool, err error) {
	var version, rows int
	if err := s.db.QueryRowContext(ctx,
		`SELECT version FROM verso_usage_schema WHERE id = 1`).Scan(&version); err != nil {
		return false, err
	}
	if err := checkVersion(version); err != nil {
		return true, err
	}
	err = s.db.QueryRowContext(ctx, `SELECT count(routes) FROM verso_usage_clients WHERE client IS NULL`).Scan(&rows)
	if isUndefined(err) {
		err = tablesError("the tables are of an earlier release, whose counts this one does not read: " +
			"drop all tables whose names begin with verso_usage, and they are made again")
	}
	if err == nil && isUndefined(s.db.QueryRowContext(ctx,
		`SELECT count(until) FROM verso_usage_exceptions WHERE client IS NULL`).Scan(&rows)) {
		return false, nil // it is made
	}
	return true, err
}

// isSyntax reports whether an error of SQLite is of a statement that it does not understand.
func isSyntax(err error) bool { return strings.Contains(err.Error(), "syntax error") }

// isUndefined reports whether an error is of a table or a column that does not exist.
func isUndefined(err error) bool {
	var state interface{ SQLState() string }
	return errors.As(err, &state) && strings.HasPrefix(state.SQLState(), "42") ||
		err != nil && strings.Contains(err.Error(), "no such ")
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

// each calls a function for each row of a query.
func each(ctx context.Context, tx *sql.Tx, query string, do func(rows *sql.Rows) error, values ...any) (err error) {
	rows, err := tx.QueryContext(ctx, query, values...)
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
