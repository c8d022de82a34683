package servertest

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/usage/usagesql"
)

// TestFileRemoved: a process notices that the file of its database was removed, and writes to the one that has its name.
func TestFileRemoved(t *testing.T) {
	for name, replace := range map[string]func(t *testing.T, file string){
		"removed": func(*testing.T, string) {},
		"replaced": func(t *testing.T, file string) {
			t.Helper()
			require.NoError(t, os.WriteFile(file, nil, 0o666)) // an empty file is an empty database
		},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "usage.db")
			d := database{"sqlite", "file:" + file + "?_pragma=busy_timeout(20000)&_pragma=journal_mode(WAL)&_txlock=immediate", usagesql.SQLite}
			p := start(t, d)
			p.Observe(t.Context(), call("v1", "before", "/users", noon))
			p.answer(t, "")
			require.Empty(t, p.log.String())
			for _, end := range []string{"", "-wal", "-shm"} {
				require.NoError(t, os.Remove(file+end))
			}
			replace(t, file)
			p.Observe(t.Context(), call("v1", "after", "/users", noon))
			page := p.answer(t, "format=csv").Body.String()
			assert.Contains(t, page, "v1,after,GET,/users,served,1,1,")
			assert.NotContains(t, page, "before")
			assert.Contains(t, p.log.String(), "was removed or replaced")
			assert.Equal(t, page, start(t, d).answer(t, "format=csv").Body.String(), "another process")
			p.end(t)
		})
	}
}

// TestFileRemovedInUse: while a connection is open to the file that was removed, counts are kept.
func TestFileRemovedInUse(t *testing.T) {
	file := filepath.Join(t.TempDir(), "usage.db")
	d := database{"sqlite", "file:" + file + "?_pragma=busy_timeout(20000)&_pragma=journal_mode(WAL)&_txlock=immediate", usagesql.SQLite}
	db := open(t, d)
	p := start(t, d, withDB(db))
	p.answer(t, "")
	used, err := db.Conn(t.Context())
	require.NoError(t, err)
	require.NoError(t, os.Remove(file))
	p.Observe(t.Context(), call("v1", "acme", "/users", noon))
	assert.Equal(t, http.StatusServiceUnavailable, p.get("").Code)
	assert.Contains(t, p.log.String(), "connections to it are in use")
	require.NoError(t, used.Close())
	assert.Contains(t, p.answer(t, "format=csv").Body.String(), "v1,acme,GET,/users,served,1,1,")
	p.end(t)
}

// TestOtherDialect: the first write says which dialect the database has.
func TestOtherDialect(t *testing.T) {
	onEach(t, func(t *test, d database) {
		is, other := "SQLite", usagesql.PostgreSQL
		if d.dialect == usagesql.PostgreSQL {
			is, other = "PostgreSQL", usagesql.SQLite
		}
		for _, made := range []bool{false, true} { // the tables, by another process
			if made {
				start(t, d).answer(t, "")
			}
			p := start(t, database{d.driver, d.dsn, other})
			p.Observe(t.Context(), call("v1", "acme", "/users", noon))
			assert.Equal(t, http.StatusServiceUnavailable, p.get("").Code)
			assert.Contains(t, p.log.String(), fmt.Sprintf("the dialect is %s, and the database is %s ", map[usagesql.Dialect]string{usagesql.SQLite: "SQLite", usagesql.PostgreSQL: "PostgreSQL"}[other], is))
			assert.Contains(t, p.log.String(), "write usagesql."+is)
		}
	})
}
