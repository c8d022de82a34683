package usage_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
)

// TestQuestions: whom the gate and the page ask, from when on, and by when the answers are needed. Each is answered once.
func TestQuestions(t *testing.T) {
	monthly, quarterly := days{120: 1, 90: 1, 60: 1}, func(last int) days { return days{last + 182: 1, last + 91: 1, last: 1} }
	for _, test := range []struct {
		name    string
		clients map[string]days
		ask, by string
	}{
		{"nobody is silent for long", map[string]days{"acme": {44: 1}}, "[]", ""},
		{"silent for 45 days", map[string]days{"acme": {45: 1}}, "[acme]", ""},
		{"a monthly job that is overdue", map[string]days{"job": monthly}, "[job]", ""},
		{"a quarterly job is not asked at once", map[string]days{"job": quarterly(59)}, "[]", ""},
		{"but before it is due", map[string]days{"job": quarterly(60)}, "[job]", ""},
		{"with the last caller of 20 days ago", map[string]days{"acme": {50: 1}, "zoo": {20: 1}}, "[acme]", "2026-12-01"},
	} {
		t.Run(test.name, func(t *testing.T) {
			table := newTable(lives(catalogue.Gone), noon)
			for client, did := range test.clients {
				for ago := range did {
					table.Observe(t.Context(), call("v1", client, "/users", noon.AddDate(0, 0, -ago)))
				}
			}
			gate := func() (asked []string, by string) {
				var got struct {
					Questions []struct{ Client string }
					AskBy     time.Time `json:"ask_by"`
				}
				body := ask(table.Handler(nil), "GET", "/?ready=v1").Body
				if err := json.Unmarshal(body.Bytes(), &got); err != nil {
					t.Fatal(err, body)
				}
				for _, q := range got.Questions {
					asked = append(asked, q.Client)
				}
				if !got.AskBy.IsZero() {
					by = got.AskBy.Format(time.DateOnly)
				}
				return asked, by
			}
			asked, by := gate()
			if fmt.Sprint(asked) != test.ask || by != test.by {
				t.Errorf("%v by %q, want %s by %q", asked, by, test.ask, test.by)
			}
			if asked != nil {
				contains(t, textOf(table), "whether they still need it, and record each answer: "+asked[0])
			}
			for _, client := range asked {
				if err := table.Except(t.Context(), usage.Exception{Version: "v1", Client: client, By: "Ann"}); err != nil {
					t.Fatal(err)
				}
			}
			if again, _ := gate(); again != nil {
				t.Errorf("%v are asked again", again)
			}
		})
	}
}

// TestHalfYearlyJob: after its answer, the gate, the page and the letters do not ask a job before the date, and it holds the gate.
// Without an answer, they ask each month.
func TestHalfYearlyJob(t *testing.T) {
	for _, test := range []struct {
		name        string
		answers     bool
		want        string // the days on which the gate asks
		wantLetters string
	}{
		{"no answer", false, "60 90 120 150 180 270 300 330 360 450 480 510 540", "0 60 270 450"},
		{"one answer", true, "60 480 510 540", "0 60 480"},
	} {
		t.Run(test.name, func(t *testing.T) {
			clock := versotest.NewClock(noon)
			versions := catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
				{Version: "v1", Deprecated: noon.AddDate(0, 0, -1), Sunset: noon.AddDate(5, 0, 0), Successor: "v2"}, {Version: "v2"}}})
			table := usage.NewTable(&verso.Config{Catalogue: versions, Clock: clock.Now})
			var asked, letters []string
			for day := range 560 {
				clock.Set(noon.AddDate(0, 0, day))
				table.Observe(t.Context(), call("v2", "acme", "/shop", clock.Now()))
				if day%182 == 0 {
					table.Observe(t.Context(), call("v1", "acme", "/report", clock.Now()))
				}
				if day%30 != 0 {
					continue
				}
				gate := ask(table.Handler(nil), "GET", "/?ready=v1")
				if gate.Code != 409 {
					t.Errorf("day %d: the gate is open", day)
				}
				if ask(table.Handler(nil), "GET", "/?letters=v1&since="+clock.Now().AddDate(0, 0, -29).Format(time.DateOnly)).Body.Len() > 0 {
					letters = append(letters, strconv.Itoa(day))
				}
				if !strings.Contains(gate.Body.String(), `"questions":[{"client":"acme"`) {
					continue
				}
				if asked = append(asked, strconv.Itoa(day)); len(asked) == 1 && test.answers {
					if err := table.Except(t.Context(), usage.Exception{Version: "v1", Client: "acme", Kind: usage.StillNeeds, Until: clock.Now().AddDate(0, 0, 400), By: "Ann"}); err != nil {
						t.Fatal(err)
					}
					contains(t, textOf(table), "is still needed, according to Ann on 20 Jan 2027 until 24 Feb 2028")
				}
			}
			if text := textOf(table); strings.Contains(text, "is still needed") {
				t.Errorf("months after its date: %s", text)
			}
			if got := strings.Join(asked, " "); got != test.want {
				t.Errorf("asked on %s, want %s", got, test.want)
			}
			if got := strings.Join(letters, " "); got != test.wantLetters {
				t.Errorf("letters on %s, want %s", got, test.wantLetters)
			}
		})
	}
}

// TestLettersSince: an operator who reads the letters each month gets each content once.
func TestLettersSince(t *testing.T) {
	clock := versotest.NewClock(noon.AddDate(0, 0, -40))
	versions := catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
		{Version: "v1", Deprecated: noon.AddDate(0, 0, -50), Sunset: noon.AddDate(0, 0, 365), Successor: "v2"}, {Version: "v2"}}})
	table := usage.NewTable(&verso.Config{Catalogue: versions, Clock: clock.Now})
	var got []string
	last := clock.Now()
	for day := range 400 {
		clock.Set(noon.AddDate(0, 0, day-40))
		table.Observe(t.Context(), call("v1", "daily", "/users", clock.Now()))
		if day < 20 { // and then never again
			table.Observe(t.Context(), call("v1", "left", "/users", clock.Now()))
		}
		if day == 200 {
			table.Observe(t.Context(), call("v1", "daily", "/rooms", clock.Now()))
		}
		if day%30 != 29 {
			continue
		}
		lines := ask(table.Handler(nil), "GET", "/?letters=v1&since="+last.Format(time.DateOnly)).Body.String()
		last = clock.Now().AddDate(0, 0, 1)
		for line := range strings.Lines(lines) {
			var l struct {
				Client string
				Ask    bool
			}
			if err := json.Unmarshal([]byte(line), &l); err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprint(day, " ", l.Client, " ", l.Ask))
		}
	}
	want := "29 daily false,29 left false,89 left true,209 daily false,389 daily false,389 left true"
	if strings.Join(got, ",") != want {
		t.Errorf("%q, want %q", got, want)
	}
	for query, status := range map[string]int{"letters=v1&since=soon": 400, "letters=v1&since=": 400, "since=2026-11-01": 400, "letters=v1&since=2026-11-01": 200} {
		if got := ask(table.Handler(nil), "GET", "/?"+query); got.Code != status {
			t.Errorf("%s: %d %s", query, got.Code, got.Body)
		}
	}
}
