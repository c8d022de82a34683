package servertest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/usage"
	"github.com/goverso/verso/usage/usagesql"
)

// random returns text that cannot be compressed, so that it is long in an index too.
func random(bytes int) string {
	from := rand.New(rand.NewPCG(1, uint64(bytes)))
	var text strings.Builder
	for text.Len() < bytes {
		fmt.Fprintf(&text, "/%x", from.Uint64())
	}
	return text.String()[:bytes]
}

// TestNames stores names that databases, JSON, SQL and HTML have trouble with.
func TestNames(t *testing.T) {
	onEach(t, func(t *test, d database) {
		for name, stored := range map[string]string{
			"a\x00b":                       "a\uFFFDb",
			"a\xffb\xed\xa0\x80":           "a\uFFFDb\uFFFD",
			strings.Repeat("😀", 32):        strings.Repeat("😀", 32),
			`'; DROP TABLE verso_usage`:    `'; DROP TABLE verso_usage`,
			`$1 ? :name {{.}} %s \u0000 "`: `$1 ? :name {{.}} %s \u0000 "`,
			"<script>alert(1)</script>":    "<script>alert(1)</script>",
			"\u202egpj.exe\n\t\x1b[31m":    "\u202egpj.exe\n\t\x1b[31m",
			"null":                         "null",
			" ":                            " ",
		} {
			p := start(t, d)
			p.Observe(t.Context(), call("v1", name, name, noon))
			p.answer(t, "")
			assert.Empty(t, p.log.String(), "%q", name)
			var n int
			require.NoError(t, open(t, d).QueryRow(`SELECT requests FROM verso_usage WHERE client = $1 AND route = $2`, stored, stored).Scan(&n), "%q", name)
			assert.Equal(t, 1, n, "%q", name)
			page := p.get("format=html").Body.String()
			assert.NotContains(t, page, "<script")
			p.end(t)
		}
		for _, bytes := range []int{511, 512, 513, 2704, 100_000} {
			p := start(t, d)
			p.Observe(t.Context(), call("v1", "long", random(bytes), noon))
			p.Observe(t.Context(), call("v1", "long", strings.Repeat("é", bytes), noon))
			p.answer(t, "")
			assert.Empty(t, p.log.String(), bytes)
			p.end(t)
		}
		assert.Equal(t, 10, merged(t, d)["long"])
		assert.Equal(t, 9+10, countOf(t, d, `SELECT sum(requests) FROM verso_usage`))
	})
}

// FuzzNames writes and merges names and routes into a real PostgreSQL. Since that takes
// long, it does so for a hundred of them at once, after the first few.
func FuzzNames(f *testing.F) {
	f.Add("acme", "/users/:id")
	f.Add("a\x00b", "\xff")
	f.Add(strings.Repeat("😀", 40), random(3000))
	f.Add(`\u0000`, `\ud800`)
	d := newPostgreSQL(f)
	const atOnce = 100
	var names [][2]string
	f.Fuzz(func(t *testing.T, client, route string) {
		if len(client) > verso.MaxClientBytes {
			client = client[:verso.MaxClientBytes] // as core does
		}
		names = append(names, [2]string{client, route})
		if n := len(names); n > 10 && n%atOnce != 0 {
			return
		}
		_, err := open(t, d).Exec(`DROP TABLE IF EXISTS verso_usage, verso_usage_days, verso_usage_batches, verso_usage_hours, verso_usage_writers, verso_usage_schema`)
		require.NoError(t, err)
		p := start(t, d)
		last := names[max(0, len(names)-atOnce):]
		for _, of := range last {
			p.Observe(t.Context(), call("v1", of[0], of[1], noon))
		}
		response := p.get("format=csv")
		if response.Code != 200 || p.log.String() != "" || !utf8.Valid(response.Body.Bytes()) {
			t.Fatalf("one of %q: %d %s\n%s", last, response.Code, response.Body, p.log.String())
		}
		assert.Equal(t, len(last), countOf(t, d, `SELECT sum(requests) FROM verso_usage`))
		p.end(t)
	})
}

// TestRefusedBatch: a batch that is refused for its content stops neither the counting
// nor the merging, and the page still has it.
func TestRefusedBatch(t *testing.T) {
	onEach(t, func(t *test, d database) {
		want := sent{}
		p := start(t, d)
		want.observe(p, call("v1", "acme", "/users", noon))
		p.answer(t, "")
		bad := []string{"not JSON"}
		if d.dialect == usagesql.PostgreSQL { // a version that is longer than a key: SQLSTATE 54000
			bad = append(bad, fmt.Sprintf(`[{"version":%q,"client":"bad","requests":7,"days":[{"day":"2026-11-21","requests":7}]}]`, random(20_000)),
				`[{"version":"v1\u0000","client":"bad","requests":7}]`)
		}
		insert := func(id, counts string) {
			_, err := open(t, d).Exec(`INSERT INTO verso_usage_batches (id, counts, refused) VALUES ($1, $2, $3)`, id, counts, false)
			require.NoError(t, err)
		}
		for i, counts := range bad {
			insert(fmt.Sprint("bad ", i), counts)
		}
		large := `[{"version":"v1","client":"large","requests":7,"days":[{"day":"2026-11-21","requests":7}]}` + strings.Repeat(" ", 5<<20) + "]"
		isMerged := func() bool {
			return p.get("").Code == 200 && countOf(t, d, `SELECT count(*) FROM verso_usage_batches WHERE NOT refused`) == 0
		}
		for n := 0; n == 0 || !isMerged(); n++ { // one page merges all, unless the machine is busy
			require.Less(t, n, 100)
			want.observe(p, call("v1", "acme", "/users", noon))
			insert(fmt.Sprint("large ", want["large"]), large)
			want.add("large", noon, 7)
		}
		assert.EqualValues(t, want, merged(t, d))
		assert.Equal(t, len(bad), countOf(t, d, `SELECT count(*) FROM verso_usage_batches WHERE refused`))
		assert.Equal(t, len(bad), p.log.count("usage_refused"), p.log.String())
		assert.Contains(t, p.get("format=csv").Body.String(), fmt.Sprintf("v1,acme,GET,/users,served,%[1]d,%[1]d,", want["acme"]))
	})
}

// thousand bounds the names in the database as those in memory are.
func thousand(c *settings) { c.MaxClients = usage.MaxClients }

// TestManyNames: of 40,000 names that four processes served, and 40,000 that they only rejected, 1,000 and
// 100 have a name. The made-up ones evict no client that was served before them.
func TestManyNames(t *testing.T) {
	onEach(t, func(t *test, d database) {
		const all = 40_000
		rejected := func(client string) verso.Observation {
			o := call("", client, "/users", noon)
			o.Outcome = string(source.InvalidURLPathVersion)
			return o
		}
		first := start(t, d, thousand)
		for i := range 500 {
			first.Observe(t.Context(), call("v1", fmt.Sprint("honest ", i), "/users", noon))
		}
		for range 3 {
			first.Observe(t.Context(), rejected("only v9"))
		}
		first.answer(t, "level=summary")
		var group sync.WaitGroup
		for i := range 4 {
			p := start(t, d, thousand)
			group.Go(func() {
				for n := range all / 4 {
					p.Observe(t.Context(), call("v1", fmt.Sprint("name ", i, " ", n), "/users", noon))
					p.Observe(t.Context(), rejected(fmt.Sprint("anybody ", i, " ", n)))
					if n%2500 == 0 {
						p.get("level=summary")
					}
				}
				p.end(t)
			})
		}
		group.Wait()
		start(t, d, thousand).get("level=summary") // merges the rest
		assert.Equal(t, 500+3+2*all, merged(t, d)["2026-11-21"])
		assert.Equal(t, 500, countOf(t, d, `SELECT count(*) FROM verso_usage WHERE client LIKE 'honest%'`))
		assert.Equal(t, usage.MaxClients-500, countOf(t, d, `SELECT count(*) FROM verso_usage WHERE client LIKE 'name%'`))
		assert.Equal(t, all-usage.MaxClients+500, countOf(t, d, `SELECT requests FROM verso_usage WHERE version = 'v1' AND other_client`))
		assert.Equal(t, 3, countOf(t, d, `SELECT sum(requests) FROM verso_usage WHERE client = 'only v9'`))
		assert.Equal(t, usage.MaxRejected-1, countOf(t, d, `SELECT count(*) FROM verso_usage WHERE client LIKE 'anybody%'`))
		assert.Contains(t, start(t, d).get("format=html").Body.String(), "More clients than have a name here asked for versions that are not listed")
	})
}

// TestEncoding: a database that is not UTF8 is refused at the first write, in a line
// that says what to do.
func TestEncoding(t *testing.T) {
	d := newPostgreSQL(t)
	for _, encoding := range []string{"LATIN1", "SQL_ASCII"} {
		name := "verso_" + strings.ToLower(encoding)
		_, err := open(t, d).Exec(`CREATE DATABASE ` + name + ` ENCODING '` + encoding + `' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`)
		require.NoError(t, err)
		p := start(t, database{"pgx", strings.Replace(server.dsn, "/postgres?", "/"+name+"?", 1), d.dialect}, every(5*time.Millisecond))
		p.Observe(t.Context(), call("v1", "acme", "/users", noon))
		want := "the encoding of the database is " + encoding + ", and names may have any character: make a database with ENCODING 'UTF8'"
		require.Eventually(t, func() bool { return strings.Contains(p.log.String(), want) }, time.Minute, time.Millisecond, p.log)
		assert.Equal(t, 503, p.get("").Code)
		assert.Equal(t, 1, p.log.count("usage_not_written"))
	}
}

// TestDays: a page reads the requests by day, or answers 503 and logs how to write them.
func TestDays(t *testing.T) {
	d := newSQLite(t)
	p := start(t, d)
	p.Observe(t.Context(), call("v1", "acme", "/users", noon))
	p.answer(t, "")
	for _, test := range []struct {
		days string
		want uint64 // requests in 30 days
	}{
		{`{}`, 0},
		{`{"2026-11-21":1}`, 1},
		{`{"2026-11-20":20,"2026-11-21":3}`, 23},
		{`{"2026-11-21":9223372036854775807}`, math.MaxInt64},
	} {
		_, err := open(t, d).Exec(`UPDATE verso_usage_clients SET days = $1`, test.days)
		require.NoError(t, err)
		assert.Contains(t, p.get("ready=v1&except=acme").Body.String(), fmt.Sprintf(`"requests_30_days":%d,`, test.want), test.days)
	}
	assert.Empty(t, p.log.String())
	for i, days := range []string{
		``, `{`, `[]`, `{"2026-11-21":}`, `{"2026-11-21":-1}`, `{"2026-11-21":1.5}`, `{"2026-11-21":1`, `{"2026-11-21":12`, `{"2026-11-21":1}}`, `{"2026-11-21": 1}`,
		`{"2026-11-21":1 }`, `{"2026-11-21":1;"2026-11-22":1}`, `{"2026-11-2":1}`, `{"2026-11-21":1,"2026-11-22"}`, `{2026-11-21:1}`,
		`{"2026-11-21":9223372036854775808}`, `{"2026-11-21":18446744073709551617}`, `{"2026-11-21":"1"}`,
	} {
		for j, table := range []string{"verso_usage", "verso_usage_clients"} { // JSON has all rows, the gate those of clients
			_, err := open(t, d).Exec(`UPDATE `+table+` SET days = $1`, days)
			require.NoError(t, err)
			response := p.get([]string{"", "ready=v1"}[j])
			assert.Equal(t, "503 the counts of requests cannot be read from the database: the log of this process has the reason\n", fmt.Sprint(response.Code, " ", response.Body), days)
			assert.Equal(t, 2*i+j+1, strings.Count(p.log.String(), "write it like"), days)
		}
	}
}
