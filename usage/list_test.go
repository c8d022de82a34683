package usage_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

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
		if next := `rel="next"`; strings.Contains(text, next) != strings.Contains(fmt.Sprint(test.want), next) {
			t.Errorf("%s: a next page, or none", test.query)
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

// TestTimeline reads the pictures of versions: which dates are in them, where labels are, and the calls
// that quiet clients are expected to make.
func TestTimeline(t *testing.T) {
	at := func(days int) time.Time { return noon.AddDate(0, 0, days) }
	monthly := days{51: 1, 20: 1} // and again in ten days
	brownouts := func(days ...int) (all []catalogue.Brownout) {
		for _, day := range days {
			all = append(all, catalogue.Brownout{From: at(day), Until: at(day).Add(time.Hour)})
		}
		return all
	}
	tenDays := []string{"deprecated 11 Nov 3", "today 50", "sunset 1 Dec 97 end"}
	for _, test := range []struct {
		name     string
		v1       catalogue.Entry
		jobs     map[string]days
		text     string
		labels   []string // "text place", "end" if it ends there, and in which row if it is not the first
		circles  []string // "class place radius text", and the number in it
		brownout string   // places and widths
	}{
		{"both dates", catalogue.Entry{Deprecated: at(-10), Sunset: at(10)}, nil, "deprecated 11 Nov, today, sunset 1 Dec", tenDays, nil, ""},
		{"one date, a day before", catalogue.Entry{Deprecated: at(-1)}, nil, "deprecated 20 Nov, today", []string{"deprecated 20 Nov 3", "today 97 end"}, nil, ""},
		{"less than a day before", catalogue.Entry{Deprecated: at(-1).Add(time.Second)}, nil, "", nil, nil, ""},
		{"no dates", catalogue.Entry{}, nil, "", nil, nil, ""},
		{"400 days ago", catalogue.Entry{Deprecated: at(-400)}, nil, "deprecated 17 Oct, today", []string{"deprecated 17 Oct 3", "today 97 end"}, nil, ""},
		{"longer ago", catalogue.Entry{Deprecated: at(-401), Sunset: at(10)}, nil, "today, sunset 1 Dec", []string{"today 3", "sunset 1 Dec 97 end"}, nil, ""},
		{"a sunset in the far future", catalogue.Entry{Deprecated: at(-10), Sunset: at(401)}, nil, "deprecated 11 Nov, today", []string{"deprecated 11 Nov 3", "today 97 end"}, nil, ""},
		{"labels that would cover each other", catalogue.Entry{Deprecated: at(-100), Sunset: at(1)}, nil, "deprecated 13 Aug, today, sunset 22 Nov", []string{"deprecated 13 Aug 3", "sunset 22 Nov 97 end", "today 96 end row 1"}, nil, ""},
		{"brownouts", catalogue.Entry{Deprecated: at(-10), Sunset: at(10), Brownouts: brownouts(-8, 2)}, nil, "deprecated 11 Nov, 2 brownouts from 13 Nov, today, sunset 1 Dec",
			[]string{"deprecated 11 Nov 3", "2 brownouts from 13 Nov 12 row 1", "today 50", "sunset 1 Dec 97 end"}, nil, "12.40+0.60 59.40+0.60"},
		{"one long brownout", catalogue.Entry{Deprecated: at(-10), Sunset: at(10), Brownouts: []catalogue.Brownout{{From: at(-2), Until: at(-1)}}}, nil, "deprecated 11 Nov, brownout 19 Nov, today, sunset 1 Dec", nil, nil, "40.60+4.70"},
		{"a call before the sunset", catalogue.Entry{Deprecated: at(-10), Sunset: at(11)}, map[string]days{"job": monthly, "once": {40: 1}, "daily": {1: 1}}, "deprecated 11 Nov, today, sunset 2 Dec, 1 call of quiet clients expected",
			nil, []string{"waiting 92 5 job: next expected about 1 Dec 2026"}, ""},
		{"a call at the sunset", catalogue.Entry{Deprecated: at(-10), Sunset: at(10)}, map[string]days{"job": monthly}, "deprecated 11 Nov, today, sunset 1 Dec, 1 call of quiet clients expected, 1 of them after the sunset",
			nil, []string{"bad 97 5 job: next expected about 1 Dec 2026"}, ""},
		{"no sunset", catalogue.Entry{Deprecated: at(-10)}, map[string]days{"job": monthly}, "deprecated 11 Nov, today, 1 call of quiet clients expected", nil, []string{"waiting 97 5 job: next expected about 1 Dec 2026"}, ""},
		{"calls of one day, before and after the sunset", catalogue.Entry{Deprecated: at(-20), Sunset: at(10).Add(-time.Hour)}, map[string]days{"a": monthly, "b": monthly, "c": {50: 1, 19: 1}}, "deprecated 1 Nov, today, sunset 1 Dec, 3 calls of quiet clients expected, 3 of them after the sunset",
			nil, []string{"bad 93 8 2 calls are expected about 1 Dec 2026 2", "bad 97 5 c: next expected about 2 Dec 2026"}, ""},
		{"a call that is late since long", catalogue.Entry{Sunset: at(1)}, map[string]days{"job": {320: 1, 190: 1, 60: 1}}, "today, sunset 22 Nov, 1 call of quiet clients expected, 1 of them after the sunset",
			nil, []string{"bad 97 5 job: next expected about 2 Feb 2027"}, ""},
		{"a call in more than a year", catalogue.Entry{Deprecated: at(-10)}, map[string]days{"job": {410: 1, 10: 1}}, "deprecated 11 Nov, today, 1 call of quiet clients expected", nil, []string{"waiting 97 5 job: next expected about 15 Dec 2027"}, ""},
		{"a label right of the middle", catalogue.Entry{Deprecated: at(-11), Sunset: at(9)}, nil, "deprecated 10 Nov, today, sunset 30 Nov", []string{"deprecated 10 Nov 3", "today 54 end row 1", "sunset 30 Nov 97 end"}, nil, ""},
		{"calls of a day before and after the sunset", catalogue.Entry{Deprecated: at(-10), Sunset: at(10).Add(-time.Hour)}, map[string]days{"a": monthly, "earlier": monthly}, "deprecated 11 Nov, today, sunset 1 Dec, 2 calls of quiet clients expected, 1 of them after the sunset",
			nil, []string{"waiting 96 5 earlier: next expected about 1 Dec 2026", "bad 97 5 a: next expected about 1 Dec 2026"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.v1.Version = "v1"
			table := newTable(catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, ServedHeader: "Api-Version", Versions: []catalogue.Entry{test.v1, {Version: "v2"}}}), noon)
			for client, requests := range test.jobs {
				now := noon
				if client == "earlier" {
					now = noon.Add(-3 * time.Hour)
				}
				did(table, now, "v1", client, requests)
			}
			_, picture, _ := strings.Cut(htmlOf(table), `<svg class="timeline"`)
			picture, _, _ = strings.Cut(strings.ReplaceAll(picture, "\n", ""), "</svg>")
			_, text, _ := strings.Cut(picture, `aria-label="`)
			if text, _, _ = strings.Cut(text, `"`); text != test.text {
				t.Errorf("the text is %q", text)
			}
			var labels, circles, bands []string
			base := 0
			for _, m := range regexp.MustCompile(`<text class="[a-z]*" x="([\d.]+)%" y="(\d+)" ([^>]*)>([^<]*)`).FindAllStringSubmatch(picture, -1) {
				y, _ := strconv.Atoi(m[2])
				base = max(base, y)
			}
			for _, m := range regexp.MustCompile(`<text class="[a-z]*" x="([\d.]+)%" y="(\d+)" ([^>]*)>([^<]*)`).FindAllStringSubmatch(picture, -1) {
				label := m[4] + " " + strings.Split(m[1], ".")[0]
				if strings.Contains(m[3], `text-anchor="end"`) {
					label += " end"
				}
				if y, _ := strconv.Atoi(m[2]); y < base {
					label += fmt.Sprint(" row ", (base-y)/18)
				}
				labels = append(labels, label)
			}
			for _, m := range regexp.MustCompile(`<circle class="(\w+)" cx="(\d+)[\d.]*%"[^>]* r="(\d+)"><title>([^<]*)</title></circle>(?:<text class="dot[^>]*>(\d+))?`).FindAllStringSubmatch(picture, -1) {
				circles = append(circles, strings.TrimSpace(strings.Join(m[1:], " ")))
			}
			for _, m := range regexp.MustCompile(`<rect class="band" x="([\d.]+)%"[^>]* width="([\d.]+)%"`).FindAllStringSubmatch(picture, -1) {
				bands = append(bands, m[1]+"+"+m[2])
			}
			if test.labels != nil && !slices.Equal(labels, test.labels) {
				t.Errorf("labels %q, want %q", labels, test.labels)
			}
			if !slices.Equal(circles, test.circles) {
				t.Errorf("calls %q, want %q", circles, test.circles)
			}
			if got := strings.Join(bands, " "); got != test.brownout {
				t.Errorf("brownouts %s, want %s", got, test.brownout)
			}
		})
	}
	table := newTable(dated(), noon)
	for i := range 130 { // one dot for a day, and a hundred in all
		did(table, noon, "v1", fmt.Sprint("job ", i), days{150 + i: 1, 20 + i: 1})
	}
	if circles := strings.Count(htmlOf(table), "<circle"); circles != 100 {
		t.Errorf("%d dots", circles)
	}
	contains(t, htmlOf(table), "31 calls are expected about")
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

// TestClientsOfVersions: how many clients with a name called each version in 30 days, whether or not the page judges them.
func TestClientsOfVersions(t *testing.T) {
	ends, stay := lives(catalogue.Gone), catalogue.MustNew(catalogue.Config{Versions: []catalogue.Entry{{Version: "v1"}, {Version: "v2"}, {Version: "v3"}}})
	for name, versions := range map[string]*catalogue.Catalogue{"v1 ends": ends, "no version ends": stay} {
		t.Run(name, func(t *testing.T) {
			table := newTable(versions, noon)
			for _, c := range []struct {
				version, client string
				ago             int
			}{
				{"v1", "acme", 31}, {"v1", "zoo", 29}, {"v1", "billing", 1}, {"v1", "", 1},
				{"v2", "acme", 2}, {"v2", "acme", 3}, {"v2", "zoo", 40}, {"v2", "crm", 0}, {"v2", "shop", 29}, {"", "bot", 1},
			} {
				table.Observe(t.Context(), call(c.version, c.client, "/users", noon.AddDate(0, 0, -c.ago)))
			}
			page := ask(table.Handler(nil), "GET", "/?format=html").Body.String()
			var clients []string
			for _, found := range regexp.MustCompile(`data-label="Clients">(\d+)<`).FindAllStringSubmatch(page, -1) {
				clients = append(clients, found[1])
			}
			assert.ElementsMatch(t, []string{"2", "3", "0", "1"}, clients)
		})
	}
}
