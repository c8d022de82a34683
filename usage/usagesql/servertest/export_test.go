package servertest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
)

// export reads all answers of the export, and returns their lines without the cursors.
func export(tb testing.TB, get func(query string) string) (lines string) {
	tb.Helper()
	for next := ""; ; {
		text := get("format=jsonl&after=" + next)
		at := strings.LastIndex(strings.TrimSuffix(text, "\n"), "\n") + 1
		var end struct{ Next *string }
		require.NoError(tb, json.Unmarshal([]byte(text[at:]), &end))
		require.NotNil(tb, end.Next)
		lines += text[:at]
		if next = *end.Next; next == "" {
			return lines
		}
	}
}

// TestExport: each client is once in the export, in the order of a table, whether its counts are merged, wait in a batch, or both.
func TestExport(t *testing.T) {
	onEach(t, func(t *test, d database) {
		clock := versotest.NewClock(noon.AddDate(0, 0, -40))
		p := start(t, d, withClock(clock.Now))
		table := usage.NewBoundedTable(&verso.Config{Catalogue: versions(), Clock: clock.Now}, usage.Bounds{Clients: 20_000})
		count := func(step int) {
			for i := 0; i < 7000; i += step {
				o := call([]string{"v1", "v2"}[i%2], fmt.Sprintf("%s%05d", []string{"c-", "Ü", ""}[i%3], i), "/users", clock.Now())
				p.Observe(t.Context(), o)
				table.Observe(t.Context(), o)
			}
			o := call("v1", "", "/users", clock.Now())
			p.Observe(t.Context(), o)
			table.Observe(t.Context(), o)
		}
		count(2)
		count(3)
		p.merge(t, d)
		clock.Set(noon)
		count(5)
		count(7)
		p.merge(t, d)
		_, err := open(t, d).Exec(`UPDATE verso_usage_schema SET merged = $1`, noon.Unix())
		require.NoError(t, err)
		count(11)
		p.end(t)
		require.Positive(t, countOf(t, d, `SELECT count(*) FROM verso_usage_batches`))
		_, err = open(t, d).Exec(`UPDATE verso_usage_batches SET refused = $1`, true) // they stay
		require.NoError(t, err)
		again := start(t, d, withClock(clock.Now))
		want := export(t, func(query string) string { return answered(table.Handler(nil), query)[len("200\n"):] })
		got := export(t, func(query string) string { return answered(again.Handler(nil), query)[len("200\n"):] })
		require.Equal(t, strings.Count(want, "\n"), strings.Count(got, "\n"))
		assert.Equal(t, want, got)
	})
}

// TestStatesInSQL: the statements of docs/usage.md give the states of the page, from the export.
func TestStatesInSQL(t *testing.T) {
	d := newPostgreSQL(t)
	clock := versotest.NewClock(noon.AddDate(0, 0, -100))
	p := start(t, d, withClock(clock.Now))
	for i, name := range []string{"plain", `a "quoted", \name`, "tab\tand\nline", "Ü", "gone", "", "both"} {
		p.Observe(t.Context(), call("v1", name, "/users", clock.Now()))
		p.Observe(t.Context(), call("v1", name, fmt.Sprint("/", i), clock.Now()))
	}
	for day := 80; day >= 0; day -= 10 {
		clock.Set(noon.AddDate(0, 0, -day))
		p.Observe(t.Context(), call("v2", "gone", "/users", clock.Now()))
		p.Observe(t.Context(), call("v2", "gone", "/4", clock.Now()))
		p.Observe(t.Context(), call("v2", "both", "/users", clock.Now()))
	}
	for _, name := range []string{`a "quoted", \name`, "both", ""} {
		p.Observe(t.Context(), call("v1", name, "/users", clock.Now()))
	}
	lines := export(t, func(query string) string { return p.answer(t, query).Body.String() })

	page, err := os.ReadFile("../../../docs/usage.md")
	require.NoError(t, err)
	_, statements, _ := strings.Cut(string(page), "```sql\nCREATE TABLE counts")
	statements, _, _ = strings.Cut("CREATE TABLE counts"+statements, "```")
	all := strings.SplitAfter(statements, ";\n")
	require.Len(t, all, 4) // the last one is empty
	conn, err := open(t, d).Conn(t.Context())
	require.NoError(t, err)
	defer func() { assert.NoError(t, conn.Close()) }()
	_, err = conn.ExecContext(t.Context(), all[0])
	require.NoError(t, err)
	require.NoError(t, conn.Raw(func(driver any) error {
		_, err := driver.(*stdlib.Conn).Conn().PgConn().CopyFrom(context.Background(), strings.NewReader(lines), all[1])
		return err
	}))
	rows, err := conn.QueryContext(t.Context(), all[2])
	require.NoError(t, err)
	got := map[string]int{}
	for rows.Next() {
		var version, state string
		var clients int
		require.NoError(t, rows.Scan(&version, &state, &clients))
		got[version+" "+state] = clients
	}
	require.NoError(t, rows.Err())
	require.NoError(t, rows.Close())
	var report struct {
		Versions []struct {
			Version string
			Moving  map[string]any
		}
	}
	require.NoError(t, json.Unmarshal(p.answer(t, "level=summary").Body.Bytes(), &report))
	want := map[string]int{}
	for _, v := range report.Versions {
		for _, state := range []string{"moved", "both", "only", "quiet", "told", "pinned", "accepted"} {
			if n, _ := v.Moving[state].(float64); n > 0 {
				want[v.Version+" "+state] = int(n)
			}
		}
	}
	assert.Equal(t, want, got)
	assert.Equal(t, map[string]int{"v1 both": 1, "v1 moved": 1, "v1 only": 1, "v1 quiet": 3}, got)
}
