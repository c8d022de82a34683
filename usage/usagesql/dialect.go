package usagesql

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"
	"time"
)

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
	rows       func(columns string) string       // those of a JSON parameter; nil: a statement inserts a single row
	size       string                            // of a batch, about, without reading it
	names      string                            // the strings of a JSON parameter
	days       func(table, column string) string // days of a row and of the row that it is excluded for, added up
	reading    sql.IsolationLevel                // of a transaction that sees one moment
	// mergeFor is how long a transaction of a merge may take: the next one has fewer bytes then.
	mergeFor    time.Duration
	bytewise    string // added to a column of text to compare it byte by byte, as SQLite does
	stored      string // how a large table is: with room in its pages for updates, or in the order of its key only
	lockTimeout string // for it
}

// types are the types of the columns without text.
var types = map[string]string{
	"rejected": "boolean", "other_client": "boolean", "other_route": "boolean", "requests": "bigint",
	"rejections": "bigint", "first_seen": "bigint", "last_seen": "bigint",
	"served": "bigint", "last_served": "bigint", "since": "bigint", "week": "bigint", "weeks": "bigint",
}

// addDays returns an expression for the sum of two columns of days. Nearly always the second one
// has a single day, which is the last day of the first one, or a day after it: that needs no
// JSON. Days before OLDEST are removed.
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
			AND substr(` + was + `, 3, 10) >= OLDEST THEN
			rtrim(` + was + `, '}') || ',' || substr(` + more + `, 2)
		WHEN ` + more + ` NOT LIKE '%,%' AND ` + last + ` < substr(` + more + `, 2, 13)
			AND ` + second + ` >= OLDEST THEN
			'{' || rtrim(substr(` + was + `, ` + position + `(` + was + `, ',') + 1), '}') || ',' || substr(` + more + `, 2)
		ELSE ` + general + ` END`
}

var dialects = [...]dialect{
	PostgreSQL: {
		name:       "PostgreSQL",
		is:         `SHOW server_version`,
		mergeFor:   5 * time.Second,
		bytewise:   ` COLLATE "C"`,
		stored:     ` WITH (fillfactor = 70)`,
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
				) x WHERE x.key >= OLDEST GROUP BY x.key) d)`)
		},
		reading:     sql.LevelRepeatableRead,
		lockTimeout: `SET LOCAL lock_timeout = '2s'`,
	},
	SQLite: { // where a transaction that writes is alone: other processes wait for a merge
		name:     "SQLite",
		is:       `SELECT sqlite_version()`,
		file:     `SELECT file FROM pragma_database_list WHERE name = 'main'`,
		mergeFor: time.Second,
		stored:   ` WITHOUT ROWID`,
		now:      `unixepoch()`,
		size:     `length(counts)`,
		names:    `SELECT value FROM json_each($1)`,
		days: func(table, column string) string {
			return addDays(table, column, `instr`, `(SELECT '{' || group_concat('"' || d.key || '":' || d.n, ',') || '}'
				FROM (SELECT x.key AS key, sum(x.value) AS n FROM (
					SELECT key, value FROM json_each(`+table+`.`+column+`)
					UNION ALL SELECT key, value FROM json_each(excluded.`+column+`)
				) x WHERE x.key >= OLDEST GROUP BY x.key ORDER BY x.key) d)`)
		},
	},
}

// values returns the values that a statement inserts into columns, and its parameter for the oldest day.
func (d *dialect) values(columns string) (values, oldest string) {
	if d.rows != nil {
		return `SELECT ` + columns + ` FROM ` + d.rows(columns) + ` WHERE true`, "$2"
	}
	n := strings.Count(columns, ",") + 1
	var parameters []string
	for i := range n {
		parameters = append(parameters, "$"+strconv.Itoa(i+1))
	}
	return `VALUES (` + strings.Join(parameters, ", ") + `)`, "$" + strconv.Itoa(n+1)
}

// isSyntax reports whether an error of SQLite is of a statement that it does not understand.
func isSyntax(err error) bool { return strings.Contains(err.Error(), "syntax error") }

// isUndefined reports whether an error is of a table or a column that does not exist.
func isUndefined(err error) bool {
	var state interface{ SQLState() string }
	return errors.As(err, &state) && strings.HasPrefix(state.SQLState(), "42") ||
		err != nil && strings.Contains(err.Error(), "no such ")
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
