package usage_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/goverso/verso/core/catalogue"
)

// TestList: the clients of a version can be searched, and read page by page.
func TestList(t *testing.T) {
	table := newTable(dated(), noon)
	for i := range 230 {
		did(table, noon, "v1", fmt.Sprintf("Client %03d", i), days{1: 1})
	}
	did(table, noon, "v1", "job", days{51: 1})
	did(table, noon, "v1", "job", days{20: 1})
	did(table, noon, "v1", "<b>&q=1", days{1: 2})
	page := table.Handler(nil)
	page.Contact = func(client string) (text, link string) { return "mail of " + client, "mailto:x@example.com" }
	rows := regexp.MustCompile(`<tr><th scope="row">`)
	for _, test := range []struct {
		query string
		rows  int
		want  []string
	}{
		{"clients=v1", 100, []string{"1–100 of 232", `href="?client=%3Cb%3E%26q%3D1"`, "&lt;b&gt;&amp;q=1", `mail of &lt;b&gt;`, `rel="next" href="?clients=v1&amp;page=2"`}},
		{"clients=v1&page=2", 100, []string{"101–200 of 232", `rel="prev" href="?clients=v1&amp;page=1"`, `rel="next" href="?clients=v1&amp;page=3"`}},
		{"clients=v1&page=3", 32, []string{"201–232 of 232", `rel="prev" href="?clients=v1&amp;page=2"`}},
		{"clients=v1&page=4", 0, []string{"none of 232", `rel="prev" href="?clients=v1&amp;page=3"`}},
		{"clients=v1&q=cLIENT+1", 100, []string{"1–100 of 100", `value="cLIENT 1"`}},
		{"clients=v1&q=client+11", 10, []string{"1–10 of 10", "Client 110"}},
		{"clients=v1&state=quiet", 1, []string{"1–1 of 1", "<option selected>quiet</option>", "job", "monthly", "about 1 Dec 2026"}},
		{"clients=v1&state=told", 0, []string{"none of 0"}},
		{"clients=v1&q=%3Cb%3E%26", 1, []string{`value="&lt;b&gt;&amp;"`}},
	} {
		response := ask(page, "GET", "/?format=html&"+test.query)
		text := strings.ReplaceAll(response.Body.String(), "<wbr>", "")
		if got := len(rows.FindAllString(text, -1)); response.Code != 200 || got != test.rows {
			t.Errorf("%s: %d, %d rows, want %d", test.query, response.Code, got, test.rows)
		}
		contains(t, text, test.want...)
		if last := test.want[len(test.want)-1]; strings.HasPrefix(last, `rel="prev"`) && strings.Contains(text, `rel="next"`) && test.rows < 100 {
			t.Errorf("%s: there is a next page", test.query)
		}
	}
	if got, want := ask(page, "GET", "/?format=csv&clients=v1&q=JOB").Body.String(), `version,client,method,route,outcome,requests_30_days,requests,first_request,last_request,state,every,next_expected,contact,contact_link
v1,job,GET,/users,served,1,2,2026-10-01T12:00:00Z,2026-11-01T12:00:00Z,quiet,monthly,2026-12-01T12:00:00Z,mail of job,mailto:x@example.com
`; got != want {
		t.Errorf("CSV\n%s, want\n%s", got, want)
	}
	if all := strings.Count(ask(page, "GET", "/?format=csv&clients=v1").Body.String(), "\n"); all != 232+1 {
		t.Errorf("CSV has %d lines", all)
	}
	var list struct {
		Version, Q, State string
		Clients           []struct{ Client, Group string }
	}
	if err := json.Unmarshal(ask(page, "GET", "/?clients=v1&state=quiet&q=j").Body.Bytes(), &list); err != nil || fmt.Sprint(list) != "{v1 j quiet [{job quiet}]}" {
		t.Errorf("%v %v", list, err)
	}
	for query, status := range map[string]int{
		"clients=v9": http.StatusNotFound, "clients=v2": http.StatusNotFound, "clients=v1&state=silent": http.StatusBadRequest,
		"clients=v1&page=0": http.StatusBadRequest, "clients=v1&page=x": http.StatusBadRequest, "clients=v1&page=9223372036854775807": http.StatusBadRequest,
	} {
		if response := ask(page, "GET", "/?"+query); response.Code != status {
			t.Errorf("%s: %d %s, want %d", query, response.Code, response.Body, status)
		}
	}
}

// TestTimeline reads the labels and the calls of the picture.
func TestTimeline(t *testing.T) {
	table := newTable(lives(catalogue.Gone), noon)
	for _, ago := range []int{324, 234, 143, 51} {
		did(table, noon, "v1", "quarterly", days{ago: 1})
	}
	for _, ago := range []int{80, 66, 52, 38, 24, 10} {
		did(table, noon, "v1", "fortnightly", days{ago: 1})
	}
	did(table, noon, "v1", "once", days{40: 1})
	page := htmlOf(table)
	_, picture, _ := strings.Cut(page, `<svg class="timeline"`)
	picture, _, _ = strings.Cut(picture, "</svg>")
	contains(t, picture, `aria-label="deprecated 21 Sep, 2 brownouts from 18 Nov, today, sunset 30 Nov, 2 calls of quiet clients expected, 1 of them after the sunset"`,
		`<circle class="waiting"`, "<title>fortnightly: next expected about 25 Nov 2026</title>", `<circle class="bad"`, "<title>quarterly: next expected about 1 Jan 2027</title>")
	contains(t, page, "expected call of a quiet client", "after the sunset")
	if strings.Count(picture, "<circle") != 2 || strings.Count(picture, `<rect class="band"`) != 2 {
		t.Errorf("%s", picture)
	}
	if page := htmlOf(newTable(dated(), noon)); strings.Contains(page, "<circle") || !strings.Contains(page, `aria-label="deprecated 21 Sep, today, sunset 30 Nov"`) {
		t.Errorf("%s", page)
	}
	if page := htmlOf(newTable(catalogue.MustNew(catalogue.Config{Versions: []catalogue.Entry{{Version: "v1"}}}), noon)); strings.Contains(page, `class="timeline"`) {
		t.Errorf("a timeline without dates: %s", page)
	}
}

// TestSearch finds names with what the page shows in another way: the backslash of a Windows
// domain, and the joiners of Persian, Hindi and emoji.
func TestSearch(t *testing.T) {
	for _, name := range []string{`CORP\svc-billing`, "فروشگاه می\u200cخواهم", "क्\u200dष-shop", "👩\u200d💻 dev", "İstanbul", "plain"} {
		table := newTable(versions(t), noon)
		table.Observe(t.Context(), call("v1", name, "/users", noon))
		table.Observe(t.Context(), call("v1", "another", "/users", noon))
		contains(t, ask(table.Handler(nil), "GET", "/?clients=v1&format=html&q="+url.QueryEscape(name)).Body.String(), "1–1 of 1")
	}
}

// TestLetters: a line for each client that the end of a version breaks, with the text of its mail.
func TestLetters(t *testing.T) {
	table := newTable(dated(), noon)
	did(table, noon, "v1", `=CORP\svc`, days{1: 2})
	did(table, noon, "v1", "job", days{51: 1})
	did(table, noon, "v1", "job", days{20: 1})
	did(table, noon, "v1", "left", days{80: 1})
	did(table, noon, "v2", "left", days{60: 1, 40: 1, 20: 1})
	did(table, noon, "v1", "", days{1: 5})
	page := table.Handler(nil)
	page.Contact = func(client string) (text, link string) {
		return map[string]string{"job": "Ada"}[client], map[string]string{"job": "mailto:ada@example.com"}[client]
	}
	want := `client,version,state,requests_30_days,last_request,every,next_expected,contact,contact_link,subject,text
'=CORP\svc,v1,only,2,2026-11-20T12:00:00Z,,,,,v1 ends in 9 days,"v1 ends on 30 Nov 2026`
	response := ask(page, "GET", "/?letters=v1&format=csv")
	if got := response.Body.String(); !strings.HasPrefix(got, want) || !strings.Contains(got, "\njob,v1,quiet,1,2026-11-01T12:00:00Z,monthly,2026-12-01T12:00:00Z,Ada,mailto:ada@example.com,v1 ends in 9 days,") || strings.Contains(got, "\nleft,") {
		t.Errorf("CSV\n%s, want\n%s", got, want)
	}
	lines := strings.SplitAfter(ask(page, "GET", "/?letters=v1").Body.String(), "\n")
	var letter struct {
		Client, State, Subject, Text string
		Contact                      struct{ Text string }
	}
	if err := json.Unmarshal([]byte(lines[1]), &letter); err != nil || len(lines) != 3 || letter.Client != "job" || letter.Contact.Text != "Ada" || !strings.Contains(letter.Text, "You called it monthly") {
		t.Errorf("%v %+v in %q", err, letter, lines)
	}
	if moved := ask(page, "GET", "/?letters=v1&state=moved").Body.String(); !strings.HasPrefix(moved, `{"client":"left","version":"v1","state":"moved"`) {
		t.Error(moved)
	}
	if list := ask(page, "GET", "/?clients=v1&state=breaks&format=csv").Body.String(); strings.Count(list, "\n") != 4 || strings.Contains(list, "left") { // a line has no name
		t.Error(list)
	}
}
