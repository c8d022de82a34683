package usage_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/usage"
)

// hook is a receiver of a client.
func hook(client string) usage.Pin {
	return usage.Pin{Client: client, For: "webhook https://example.com/" + client, Since: noon.AddDate(0, -3, 0)}
}

// account is the stored version of a client.
func account(client string) usage.Pin {
	return usage.Pin{Client: client, For: "account", Account: true}
}

// pinnedTo yields pins of v1, and then an error if there is one.
func pinnedTo(err error, pins ...usage.Pin) func(context.Context, string) iter.Seq2[usage.Pin, error] {
	return func(_ context.Context, version string) iter.Seq2[usage.Pin, error] {
		return func(yield func(usage.Pin, error) bool) {
			if version != "v1" {
				return
			}
			for _, pin := range pins {
				if !yield(pin, nil) {
					return
				}
			}
			if err != nil {
				yield(usage.Pin{}, err)
			}
		}
	}
}

// pinPage returns a page of six clients: only calls v1, both calls v1 and v2, month called v1 20
// days ago, moved has moved to v2, quiet called v1 60 days ago, and later calls v2 alone.
func pinPage(after catalogue.Action, now time.Time) *usage.Page {
	table := newTable(lives(after), now)
	for day := range 30 {
		did(table, now, "v2", "both", days{day: 1})
		did(table, now, "v2", "moved", days{day: 1})
		did(table, now, "v2", "later", days{day: 1})
	}
	if now.Before(noon.AddDate(0, 0, 9)) {
		did(table, now, "v1", "only", days{0: 1, 3: 1})
		did(table, now, "v1", "both", days{0: 1, 3: 1})
		did(table, now, "v1", "month", days{20: 1})
	}
	did(table, now, "v1", "moved", days{80: 1, 60: 1, 50: 1})
	did(table, now, "v1", "quiet", days{60: 1})
	return table.Handler(nil)
}

// pageAnswer is the answer of a page to a query.
func pageAnswer(page *usage.Page, query string) (status int, body string) {
	response := ask(page, "GET", "/?"+query)
	return response.Code, response.Body.String()
}

// gate is the answer of the gate.
type gate struct {
	Ready   bool
	Reasons []string
	Note    string
	Clients []struct {
		Client   string
		Why      string
		LastSeen time.Time `json:"last_seen"`
		Pins     []struct{ For string }
		Count    int `json:"pins_count"`
	}
	Excepted []struct{ Client, Why string }
	NotFound []string `json:"not_found"`
}

func gateOf(t *testing.T, page *usage.Page, query string) gate {
	t.Helper()
	status, body := pageAnswer(page, query)
	var g gate
	require.NoError(t, json.Unmarshal([]byte(body), &g), body)
	require.Equal(t, map[bool]int{true: http.StatusOK, false: http.StatusConflict}[g.Ready], status)
	return g
}

// statesOf returns the states of the clients of v1, with what is pinned.
func statesOf(t *testing.T, page *usage.Page) map[string]string {
	t.Helper()
	status, body := pageAnswer(page, "clients=v1&format=json")
	require.Equal(t, http.StatusOK, status, body)
	var list struct {
		Clients []struct {
			Client, Group string
			Pins          []struct{ For string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(body), &list))
	got := map[string]string{}
	for _, c := range list.Clients {
		got[c.Client] = c.Group
		for _, pin := range c.Pins {
			got[c.Client] += " " + pin.For
		}
	}
	return got
}

func TestPinStates(t *testing.T) {
	for name, test := range map[string]struct {
		pins []usage.Pin
		want map[string]string // what differs from a page without pins
	}{
		"nothing is pinned":             {nil, nil},
		"of a caller":                   {[]usage.Pin{hook("only")}, map[string]string{"only": "only webhook https://example.com/only"}},
		"of a caller of both":           {[]usage.Pin{hook("both")}, map[string]string{"both": "both webhook https://example.com/both"}},
		"of a client that has moved":    {[]usage.Pin{hook("moved")}, map[string]string{"moved": "pinned webhook https://example.com/moved"}},
		"of a quiet client":             {[]usage.Pin{hook("quiet")}, map[string]string{"quiet": "pinned webhook https://example.com/quiet"}},
		"of one that called this month": {[]usage.Pin{hook("month")}, map[string]string{"month": "pinned webhook https://example.com/month"}},
		"of a caller of v2 alone":       {[]usage.Pin{hook("later")}, map[string]string{"later": "pinned webhook https://example.com/later"}},
		"of one that was never seen":    {[]usage.Pin{hook("never")}, map[string]string{"never": "pinned webhook https://example.com/never"}},
		"account of a caller":           {[]usage.Pin{account("only")}, map[string]string{"only": "only account"}},
		"account of a moved client":     {[]usage.Pin{account("moved")}, map[string]string{"moved": "moved account"}},
		"account of a quiet client":     {[]usage.Pin{account("quiet")}, map[string]string{"quiet": "quiet account"}},
		"account, counted in v2 alone":  {[]usage.Pin{account("later")}, nil},
		"account, never seen":           {[]usage.Pin{account("never")}, map[string]string{"never": "pinned account"}},
		"account and receiver":          {[]usage.Pin{account("moved"), hook("moved")}, map[string]string{"moved": "pinned account webhook https://example.com/moved"}},
		"a name that is cut": {[]usage.Pin{hook(strings.Repeat("é", 100))},
			map[string]string{strings.Repeat("é", 64): "pinned webhook https://example.com/" + strings.Repeat("é", 86)}},
	} {
		t.Run(name, func(t *testing.T) {
			page := pinPage(catalogue.Gone, noon)
			want := statesOf(t, page)
			require.Equal(t, map[string]string{"only": "only", "both": "both", "month": "quiet", "moved": "moved", "quiet": "quiet"}, want)
			page.Pinned = pinnedTo(nil, test.pins...)
			maps.Copy(want, test.want)
			assert.Equal(t, want, statesOf(t, page))
		})
	}
}

// A service may return nil for a version of which it has no pins.
func TestNoPins(t *testing.T) {
	page := pinPage(catalogue.Gone, noon)
	page.Pinned = func(context.Context, string) iter.Seq2[usage.Pin, error] { return nil }
	assert.Len(t, statesOf(t, page), 5)
}

func TestPinsAtTheGate(t *testing.T) {
	for name, test := range map[string]struct {
		pins     []usage.Pin
		err      error
		query    string
		clients  string // with why, in order
		excepted string
		reason   string // the first
	}{
		"nothing":            {nil, nil, "quiet=50", "only called, both called, month called", "quiet quiet=50", "3 clients have called it"},
		"first":              {[]usage.Pin{hook("moved"), hook("never")}, nil, "", "moved pinned, never pinned, only called, both called, month called, quiet quiet", "", "2 clients have it pinned: moved (webhook https://example.com/moved since 21 Aug 2026), never (webhook"},
		"beside":             {[]usage.Pin{hook("only")}, nil, "except=month&except=quiet&except=both", "only called", "both except, month except, quiet except", "1 client has called it"},
		"except":             {[]usage.Pin{hook("moved")}, nil, "except=moved&except=only&except=both&except=month&except=quiet", "", "moved except, only except, both except, month except, quiet except", ""},
		"quiet does not":     {[]usage.Pin{hook("quiet")}, nil, "quiet=30&except=only&except=both&except=month", "quiet pinned", "only except, both except, month except", "1 client has it pinned"},
		"unknown does not":   {[]usage.Pin{hook("never")}, nil, "unknown=99&except=only&except=both&except=month&except=quiet", "never pinned", "only except, both except, month except, quiet except", "1 client has it pinned: never"},
		"an error":           {nil, errors.New("the database <away>"), "except=only&except=both&except=month&except=quiet", "", "only except, both except, month except, quiet except", "not all that is pinned to it is known: the database <away>"},
		"without a client":   {[]usage.Pin{{For: "x"}}, nil, "except=only&except=both&except=month&except=quiet", "", "only except, both except, month except, quiet except", `not all that is pinned to it is known: "x" has no client`},
		"an account":         {[]usage.Pin{account("later")}, nil, "except=only&except=both&except=month&except=quiet", "", "only except, both except, month except, quiet except", ""},
		"an account, unseen": {[]usage.Pin{account("never")}, nil, "except=only&except=both&except=month&except=quiet", "never pinned", "only except, both except, month except, quiet except", "1 client has it pinned: never (account)"},
	} {
		t.Run(name, func(t *testing.T) {
			page := pinPage(catalogue.Gone, noon)
			page.Pinned = pinnedTo(test.err, test.pins...)
			g := gateOf(t, page, "ready=v1&"+test.query)
			var clients, excepted []string
			for _, c := range g.Clients {
				clients = append(clients, c.Client+" "+c.Why)
			}
			for _, c := range g.Excepted {
				excepted = append(excepted, c.Client+" "+c.Why)
			}
			assert.ElementsMatch(t, strings.Split(test.clients, ", "), strings.Split(strings.Join(clients, ", "), ", "))
			if len(clients) > 0 && strings.Contains(test.clients, "pinned") {
				assert.Contains(t, clients[0], "pinned", "they are first")
			}
			assert.ElementsMatch(t, strings.Split(test.excepted, ", "), strings.Split(strings.Join(excepted, ", "), ", "))
			if test.reason == "" {
				assert.True(t, g.Ready, "%v", g.Reasons)
				return
			}
			require.NotEmpty(t, g.Reasons)
			assert.Contains(t, g.Reasons[0], test.reason)
			assert.Empty(t, g.NotFound)
		})
	}
}

// Before the end, pins are a reason whatever happens after it. After it, they keep the code.
func TestPinsAroundTheEnd(t *testing.T) {
	for _, after := range []catalogue.Action{catalogue.Gone, catalogue.FallForward, catalogue.Serve} {
		for name, now := range map[string]time.Time{"before": noon, "after": noon.AddDate(0, 0, 60)} {
			t.Run(string(after)+" "+name, func(t *testing.T) {
				page := pinPage(after, now)
				accept := "ready=v1&except=only&except=both&except=month&except=quiet"
				assert.True(t, gateOf(t, page, accept).Ready)
				page.Pinned = pinnedTo(nil, hook("moved"), hook("only"))
				g := gateOf(t, page, accept)
				assert.False(t, g.Ready)
				assert.Contains(t, g.Reasons[0], "it pinned: moved")
				assert.NotEmpty(t, g.Clients[0].Pins)
				assert.True(t, gateOf(t, page, accept+"&except=moved").Ready)
				_, html := pageAnswer(page, "format=html")
				assert.Contains(t, html, "Pinned: ")
			})
		}
	}
}

// With fall_forward, calls are no reason after the end, and receivers of callers are one.
func TestPinsOfCallersAfterFallForward(t *testing.T) {
	now := noon.AddDate(0, 0, 60)
	table := newTable(lives(catalogue.FallForward), now)
	did(table, now, "v1", "only", days{0: 1, 3: 1})
	page := table.Handler(nil)
	g := gateOf(t, page, "ready=v1")
	assert.True(t, g.Ready)
	note := g.Note
	page.Pinned = pinnedTo(nil, hook("only"))
	g = gateOf(t, page, "ready=v1")
	assert.Equal(t, []string{"1 client has it pinned: only (webhook https://example.com/only since 21 Aug 2026)"}, g.Reasons)
	assert.Empty(t, g.Note)
	page.Pinned = pinnedTo(nil, account("only"))
	g = gateOf(t, page, "ready=v1")
	assert.True(t, g.Ready, "%v", g.Reasons)
	assert.Equal(t, note, g.Note)
}

func TestPinsInTheFirstLine(t *testing.T) {
	for name, test := range map[string]struct {
		pins []usage.Pin
		err  error
		want string
	}{
		"none":          {nil, nil, "4 of 5 clients have not moved."},
		"of callers":    {[]usage.Pin{hook("only"), hook("both")}, nil, "4 of 5 clients have not moved."},
		"of others":     {[]usage.Pin{hook("moved"), hook("never")}, nil, "6 of 6 clients have not moved. 2 clients do not call it, and have it pinned."},
		"unread":        {nil, errors.New("<away>"), "Not all that is pinned to it is known: &lt;away&gt;. 4 of 5 clients have not moved."},
		"nobody's":      {[]usage.Pin{{For: "<b>"}}, nil, "Not all that is pinned to it is known: &#34;&lt;b&gt;&#34; has no client."},
		"control codes": {[]usage.Pin{{For: "a\u202eb"}}, nil, `has no client`},
	} {
		t.Run(name, func(t *testing.T) {
			page := pinPage(catalogue.Gone, noon)
			page.Pinned = pinnedTo(test.err, test.pins...)
			_, html := pageAnswer(page, "format=html")
			assert.Contains(t, html, test.want)
		})
	}
	table := newTable(lives(catalogue.Gone), noon)
	page := table.Handler(nil)
	page.Pinned = pinnedTo(nil, hook("a"), hook("b"))
	_, html := pageAnswer(page, "format=html")
	assert.Contains(t, html, "2 of 2 clients have it pinned.</span>")
}

func TestPinsAreBounded(t *testing.T) {
	page := pinPage(catalogue.Gone, noon)
	count := 100_000
	read := 0
	page.Pinned = func(_ context.Context, version string) iter.Seq2[usage.Pin, error] {
		return func(yield func(usage.Pin, error) bool) {
			for i := range count {
				if read++; version != "v1" || !yield(usage.Pin{Client: fmt.Sprint("client ", i), For: "x"}, nil) {
					return
				}
			}
		}
	}
	g := gateOf(t, page, "ready=v1")
	assert.Contains(t, g.Reasons[0], "100,000 clients have it pinned")
	count, read = 1_000_000, 0
	g = gateOf(t, page, "ready=v1")
	assert.Contains(t, g.Reasons[0], "not all that is pinned to it is known: there are more than 100,000")
	assert.LessOrEqual(t, read, 100_001)
	_, html := pageAnswer(page, "format=html")
	assert.Contains(t, html, "Not all that is pinned to it is known: there are more than 100,000.")
	assert.Less(t, len(html), 200_000)
}

// Lists of many clients come in parts, in which each client is once: those that call, those that are only pinned, and
// where a part is full of either.
func TestPartsHaveEachClientOnce(t *testing.T) {
	table := usage.NewBoundedTable(&verso.Config{Catalogue: lives(catalogue.Gone), Clock: func() time.Time { return noon }}, usage.Bounds{Clients: 20_000})
	var want []string
	for i := range 17_000 {
		name := fmt.Sprintf("client %05d", i)
		want = append(want, name)
		if i < 6_000 && i%2 == 0 || i >= 12_000 { // the rest is only pinned
			table.Observe(t.Context(), call("v1", name, "/users", noon.Add(-time.Hour)))
		}
	}
	table.Observe(t.Context(), call("v1", "", "/users", noon.Add(-time.Hour)))
	page := table.Handler(nil)
	page.Pinned = func(_ context.Context, version string) iter.Seq2[usage.Pin, error] {
		return func(yield func(usage.Pin, error) bool) {
			for i := 0; version == "v1" && i < 12_001 && yield(usage.Pin{Client: fmt.Sprintf("client %05d", i), For: "x"}, nil); i++ {
			}
		}
	}
	for _, query := range []string{"letters=v1&format=csv", "format=csv"} {
		_, text := pageAnswer(page, query)
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		require.NoError(t, err)
		var got []string
		for _, row := range rows {
			for _, field := range row {
				if strings.HasPrefix(field, "client 0") || strings.HasPrefix(field, "client 1") {
					got = append(got, field)
					break
				}
			}
		}
		assert.Equal(t, want, got, query)
	}
}

// A slow service is given up, and an iterator that does not look at its context too.
func TestPinsHaveADeadline(t *testing.T) {
	page := pinPage(catalogue.Gone, noon)
	page.Pinned = func(ctx context.Context, _ string) iter.Seq2[usage.Pin, error] {
		deadline, ok := ctx.Deadline()
		require.True(t, ok)
		require.LessOrEqual(t, time.Until(deadline), 5*time.Second)
		return func(func(usage.Pin, error) bool) {}
	}
	_ = gateOf(t, page, "ready=v1")
	ctx, cancel := context.WithCancel(context.Background())
	page.Pinned = func(context.Context, string) iter.Seq2[usage.Pin, error] {
		return func(yield func(usage.Pin, error) bool) {
			cancel()
			for yield(hook("a"), nil) { // it never ends by itself
			}
		}
	}
	response := httptest.NewRecorder()
	page.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/?ready=v1", nil).WithContext(ctx))
	assert.Equal(t, http.StatusConflict, response.Code)
	assert.Contains(t, response.Body.String(), "not all that is pinned to it is known: context canceled")
}

// The service is asked for versions that end, and for the one of the gate.
func TestPinsOfWhichVersions(t *testing.T) {
	page := pinPage(catalogue.Gone, noon)
	_, before := pageAnswer(page, "format=json")
	assert.Equal(t, 3, strings.Count(before, `"ready":{`))
	var asked []string
	page.Pinned = func(_ context.Context, version string) iter.Seq2[usage.Pin, error] {
		asked = append(asked, version)
		return func(func(usage.Pin, error) bool) {}
	}
	for query, want := range map[string][]string{
		"format=json": {"v1"}, "format=html": {"v1"}, "format=csv": {"v1"}, "format=openmetrics": {"v1"}, "level=summary": {"v1"},
		"ready=v1": {"v1"}, "ready=v3": {"v3"}, "clients=v1": {"v1"}, "letters=v1": {"v1"}, "client=moved": {"v1"}, "ready=v9": nil,
	} {
		asked = nil
		_, body := pageAnswer(page, query)
		assert.Equal(t, want, asked, query)
		if query == "format=json" {
			assert.Equal(t, 1, strings.Count(body, `"ready":{`), "of the versions that were asked for")
		}
	}
	page.Pinned = func(context.Context, string) iter.Seq2[usage.Pin, error] {
		return func(yield func(usage.Pin, error) bool) { yield(hook("later"), nil) }
	}
	assert.False(t, gateOf(t, page, "ready=v3").Ready)
}

// A client that was never counted is in all that lists clients.
func TestPinnedClientIsListed(t *testing.T) {
	page := pinPage(catalogue.Gone, noon)
	page.Contact = func(client string) (text, link string) { return "team " + client, "mailto:" + client + "@example.com" }
	formula := usage.Pin{Client: "never", For: `=HYPERLINK("x")`}
	page.Pinned = pinnedTo(nil, formula, hook("moved"))

	_, text := pageAnswer(page, "format=csv")
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	require.NoError(t, err)
	assert.Equal(t, "pinned", lines[0][len(lines[0])-1])
	byClient := map[string][][]string{}
	for _, line := range lines[1:] {
		if line[0] == "v1" {
			byClient[line[1]] = append(byClient[line[1]], line)
		}
	}
	assert.Equal(t, [][]string{{"v1", "never", "", "", "", "0", "0", "", "", "pinned", "", "", "team never", "mailto:never@example.com", `'=HYPERLINK("x")`}}, byClient["never"])
	require.Len(t, byClient["moved"], 1)
	assert.Equal(t, []string{"/users", "pinned"}, []string{byClient["moved"][0][3], byClient["moved"][0][9]})

	_, text = pageAnswer(page, "clients=v1&state=pinned&format=csv")
	assert.Equal(t, 3, strings.Count(text, "\n"))
	_, text = pageAnswer(page, "clients=v1&state=breaks&q=NEV&format=json")
	assert.Contains(t, text, `"client":"never"`)
	assert.NotContains(t, text, "last_seen")
	_, text = pageAnswer(page, "clients=v1&state=pinned&format=html")
	assert.Contains(t, text, `HYPERLINK(&#34;x&#34;)`)

	_, text = pageAnswer(page, "letters=v1")
	var letter struct {
		Client, State, Text string
		Last                string `json:"last_request"`
		Pins                []struct{ For string }
	}
	found := false
	for line := range strings.Lines(text) {
		letter.Last, letter.Pins = "", nil
		require.NoError(t, json.Unmarshal([]byte(line), &letter))
		if letter.Client == "never" {
			found = true
			assert.Equal(t, []string{"pinned", "", `=HYPERLINK("x")`}, []string{letter.State, letter.Last, letter.Pins[0].For})
			assert.Equal(t, "v1 ends on 30 Nov 2026, 12:00 UTC. From then on, requests for it get 410 Gone. Before that, requests for it are rejected for a test: Monday, 23 November, all day. Please move to v2.\n\n"+
				"v1 is pinned for:\n\n  =HYPERLINK(\"x\")", letter.Text)
		}
	}
	assert.True(t, found)
	_, text = pageAnswer(page, "letters=v1&state=pinned&format=csv")
	lines, err = csv.NewReader(strings.NewReader(text)).ReadAll()
	require.NoError(t, err)
	require.Len(t, lines, 3)
	assert.Equal(t, []string{`'=HYPERLINK("x")`, ""}, []string{lines[2][len(lines[2])-1], lines[2][4]})

	status, text := pageAnswer(page, "client=never&format=json")
	require.Equal(t, http.StatusOK, status, text)
	assert.Contains(t, text, `"group":"pinned"`)
	assert.NotContains(t, text, "last_seen")
	_, text = pageAnswer(page, "client=never&format=csv")
	assert.Equal(t, 2, strings.Count(text, "\n"))
	_, text = pageAnswer(page, "client=never&format=html")
	assert.Contains(t, text, "has v1 pinned")
	_, text = pageAnswer(page, "client=moved&format=html")
	assert.Contains(t, text, "v1 is pinned for:\n\n  webhook https://example.com/moved since 21 Aug 2026\n\nYou last called it on 2 Oct 2026:\n\n  GET /users: last request on 2 Oct 2026.")
	status, _ = pageAnswer(page, "client=nobody")
	assert.Equal(t, http.StatusNotFound, status)
}

// What is pinned is shown: at most 200 bytes of it, ten of a client, and nothing that a browser
// would read.
func TestPinsAreEscaped(t *testing.T) {
	page := pinPage(catalogue.Gone, noon)
	pins := []usage.Pin{{Client: "a", For: "<script>\x1b[31m\u202e" + strings.Repeat("é", 200)}}
	for i := range 30 {
		pins = append(pins, usage.Pin{Client: "a", For: fmt.Sprint("receiver ", i)})
	}
	page.Pinned = pinnedTo(nil, pins...)
	_, html := pageAnswer(page, "format=html")
	assert.NotContains(t, html, "<script>")
	assert.NotContains(t, html, "\u202e")
	assert.NotContains(t, html, "\x1b")
	assert.True(t, strings.Contains(html, "and 30 more"))
	g := gateOf(t, page, "ready=v1")
	require.Len(t, g.Clients[0].Pins, 10)
	assert.Equal(t, 31, g.Clients[0].Count)
	assert.LessOrEqual(t, len(g.Clients[0].Pins[0].For), 200)
	_, text := pageAnswer(page, "client="+url.QueryEscape("a")+"&format=html")
	assert.Contains(t, text, "and 21 more")
}

func TestPinsInMetrics(t *testing.T) {
	page := pinPage(catalogue.Gone, noon)
	_, text := pageAnswer(page, "format=openmetrics")
	assert.NotContains(t, text, "pinned")
	page.Pinned = pinnedTo(nil, hook("moved"), hook("never"))
	_, text = pageAnswer(page, "format=openmetrics")
	assert.Contains(t, text, `verso_usage_clients{version="v1",state="pinned"} 2`+"\n")
	assert.Contains(t, text, `verso_usage_ready{version="v1"} 0`+"\n")
	page.Pinned = pinnedTo(errors.New("away"))
	_, text = pageAnswer(page, "format=openmetrics")
	assert.Contains(t, text, `verso_usage_ready{version="v1"} 0`+"\n")
}

// The warning knows what is pinned, also if nobody calls the version.
func TestPinsInTheWarning(t *testing.T) {
	for name, test := range map[string]struct {
		pinned func(context.Context, string) iter.Seq2[usage.Pin, error]
		want   string
	}{
		"nothing":  {pinnedTo(nil), ""},
		"receiver": {pinnedTo(nil, hook("a")), "1 of 1 client has it pinned."},
		"an error": {pinnedTo(errors.New("away")), "Not all that is pinned to it is known: away."},
	} {
		t.Run(name, func(t *testing.T) {
			page := newTable(lives(catalogue.Gone), noon).Handler(nil)
			page.Pinned = test.pinned
			var log bytes.Buffer
			require.NoError(t, page.Warn(context.Background(), slog.New(slog.NewTextHandler(&log, nil))))
			assert.Contains(t, log.String(), test.want)
			assert.Equal(t, test.want == "", log.Len() == 0)
		})
	}
}

// A pin of the last day is news, and its number is recorded by day.
func TestPinsByDay(t *testing.T) {
	page := pinPage(catalogue.Gone, noon)
	judge := func(pins ...usage.Pin) (judged usage.Judged) {
		page.Pinned = pinnedTo(nil, pins...)
		all, err := page.Judge(context.Background(), slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		require.Len(t, all, 1)
		return all[0]
	}
	without := judge()
	old, fresh := hook("never"), hook("moved")
	fresh.Since, old.Since = noon.Add(-24*time.Hour+time.Second), noon.Add(-24*time.Hour)
	with := judge(old, fresh)
	assert.Equal(t, 2, with.Pinned)
	assert.Equal(t, without.Moved-1, with.Moved)
	assert.Equal(t, without.Breaks, with.Breaks, "of clients, only what was counted is recorded")
	assert.Equal(t, without.Safe, with.Safe)
	assert.False(t, slices.Contains(with.Breaks, usage.ClientName{Client: "never"}))
	_, text := pageAnswer(page, "format=openmetrics")
	assert.Contains(t, text, `verso_usage_new_clients{version="v1"} 1`+"\n")
	_, text = pageAnswer(page, "format=html")
	assert.Contains(t, text, `class="pinned" x="50.00%" width="33.33%"`)

	asked := 0
	page.Pinned = func(context.Context, string) iter.Seq2[usage.Pin, error] {
		asked++
		return func(func(usage.Pin, error) bool) {}
	}
	_, _ = pageAnswer(page, "client=moved") // has the pins of one client only, and is not recorded
	asked = 0
	_, text = pageAnswer(page, "at="+noon.Format(time.DateOnly))
	assert.Contains(t, text, `"pinned":2`)
	assert.Contains(t, text, "the pins themselves are those of now")
	assert.Zero(t, asked)
}

func BenchmarkPins(b *testing.B) {
	names := make([]string, 100_000)
	for i := range names {
		names[i] = fmt.Sprint("client ", i)
	}
	page := pinPage(catalogue.Gone, noon)
	page.Pinned = func(context.Context, string) iter.Seq2[usage.Pin, error] {
		return func(yield func(usage.Pin, error) bool) {
			for i := range names {
				if !yield(usage.Pin{Client: names[i], For: "webhook https://example.com/hooks/of/the/client", Account: i%4 == 0}, nil) {
					return
				}
			}
		}
	}
	for _, query := range []string{"format=openmetrics", "format=html", "ready=v1"} {
		b.Run(query, func(b *testing.B) {
			for b.Loop() {
				_, _ = pageAnswer(page, query)
			}
		})
	}
}
