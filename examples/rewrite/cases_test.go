package rewrite_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/internal/frameworks"
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/migrate/testdata/casetest"
)

// TestCasesInFrameworks runs the cases of the kinds in each framework: requests by the method of the case, and responses.
func TestCasesInFrameworks(t *testing.T) {
	data, err := os.ReadFile("../../migrate/testdata/cases/kinds.jsonl")
	require.NoError(t, err)
	for name, serve := range frameworks.All {
		t.Run(name, func(t *testing.T) {
			counts := map[string]int{}
			lines := bufio.NewScanner(bytes.NewReader(data))
			for lines.Scan() {
				var c casetest.Case
				require.NoError(t, json.Unmarshal(lines.Bytes(), &c))
				t.Run(c.ID, func(t *testing.T) { counts[checkInFramework(t, &c, serve)]++ })
			}
			t.Log(counts)
			require.NoError(t, lines.Err())
			for _, what := range []string{"GET", "POST", "PUT", "PATCH"} {
				assert.Greater(t, counts[what], 10, what)
			}
		})
	}
}

func checkInFramework(t *testing.T, c *casetest.Case, serve func(*verso.Versioning, frameworks.App) frameworks.Service) (what string) {
	t.Helper()
	h, _, err := c.History()
	if c.Error == "build" {
		require.Error(t, err)
		return c.Error
	}
	require.NoError(t, err)
	if c.Error == "failed" && strings.HasPrefix(c.ID, "embedded") { // a route finds it
		require.Panics(t, func() { h.Route(c.Bodies()...) })
		return c.Error
	}
	r, text := httptest.NewRequest(c.Method(), "/", strings.NewReader(c.In)), ""
	if what = c.Method(); c.Direction == "down" {
		what, text = "GET", c.In
		r = httptest.NewRequest(what, "/", http.NoBody)
	}
	// A request in the newest form is answered in it: only the request is under test.
	bodies := c.Bodies()[:1]
	if c.Direction == "down" {
		bodies = c.Bodies()[1:]
	}
	r.Header.Set("Api-Version", c.Version)
	r.Header.Set("Content-Type", "application/json")
	service := serve(c.API, rewriting(what, h.Route(bodies...), func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if text != "" {
			_, _ = io.WriteString(w, text)
			return
		}
		_, _ = io.Copy(w, r.Body) // the handler answers with what it has read
	}))
	w := httptest.NewRecorder()
	service.ServeHTTP(w, r)
	switch c.Error {
	case "":
		require.Equal(t, 200, w.Code, "%s", w.Body)
		assert.JSONEq(t, c.Want, w.Body.String())
	case migrate.InvalidBody, migrate.InvalidValue:
		require.Equal(t, 400, w.Code, "%s", w.Body)
		assert.Contains(t, w.Body.String(), map[string]string{migrate.InvalidBody: "not one valid JSON value", migrate.InvalidValue: "a value that this version does not have"}[c.Error])
	default:
		assert.Equal(t, 500, w.Code, "%s", w.Body)
	}
	return what
}
