package servertest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLocks: a page that would wait for a lock of the database answers within 5 seconds: 503, or
// what was counted if it can read that. The client would wait longer.
func TestLocks(t *testing.T) {
	onEach(t, func(t *test, d database) {
		p := start(t, d)
		p.Observe(t.Context(), call("v1", "acme", "/users", noon))
		require.Equal(t, 200, p.get("level=summary").Code)
		for _, lock := range []struct {
			statement string
			status    int
		}{
			{`DELETE FROM verso_usage WHERE client = 'acme'`, 200},
			{`DELETE FROM verso_usage_clients WHERE client = 'acme'`, 200},
			{`LOCK TABLE verso_usage_schema IN ACCESS EXCLUSIVE MODE`, 503},
			{`LOCK TABLE verso_usage_clients IN ACCESS EXCLUSIVE MODE`, 503},
			{`LOCK TABLE verso_usage_batches IN ACCESS EXCLUSIVE MODE`, 503},
		} {
			if lock.status == 503 && t.Name() == "TestLocks/SQLite" {
				continue // readers never wait for a writer
			}
			tx, err := open(t, d).BeginTx(t.Context(), nil)
			require.NoError(t, err)
			_, err = tx.Exec(lock.statement)
			require.NoError(t, err)
			p.Observe(t.Context(), call("v1", "acme", "/users", noon)) // so that a merge waits for the lock
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			response := httptest.NewRecorder()
			p.Handler(nil).ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/usage?ready=v1", nil).WithContext(ctx))
			assert.NoError(t, ctx.Err(), "it waits for %s", lock.statement)
			cancel()
			if lock.status == 503 {
				assert.Equal(t, 503, response.Code, lock.statement)
			} else {
				assert.NotEqual(t, 503, response.Code, "%s: %s", lock.statement, response.Body)
			}
			require.NoError(t, tx.Rollback())
		}
		require.Equal(t, 200, p.get("level=summary").Code)
		assert.NotZero(t, merged(t, d)["acme"])
	})
}
