package usage_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
)

// scenario is a line of a file in testdata: who called v1 and v2 how many days ago, and
// what the page says of v1. "v1!" are rejected requests.
type scenario struct {
	ID, After, Successor, Query string
	Since, Sunset               int // days ago; days from now
	Calls                       map[string][]calls
	Want                        struct {
		Answer, Mood, Question, Unseen *string
		Groups, Every, Next            map[string]string
		Status                         int
		Reasons, Excepted              []string
		NotFound                       []string `json:"not_found"`
	}
}

// calls are a version and days ago.
type calls struct {
	version string
	rejects bool
	ago     []int
}

func (c *calls) UnmarshalJSON(text []byte) error {
	err := json.Unmarshal(text, &[]any{&c.version, &c.ago})
	c.version, c.rejects = strings.TrimSuffix(c.version, "!"), strings.HasSuffix(c.version, "!")
	return err
}

func scenarios(t *testing.T) (all []scenario) {
	t.Helper()
	names, err := filepath.Glob(cmp.Or(os.Getenv("VERSO_QUIET_CASES"), "testdata/*.jsonl"))
	if err != nil || names == nil {
		t.Fatal("no scenarios", err)
	}
	for _, name := range names {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		for lines := bufio.NewScanner(file); lines.Scan(); {
			var s scenario
			if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
				t.Fatal(err)
			}
			all = append(all, s)
		}
	}
	return all
}

// TestQuiet plays each scenario.
func TestQuiet(t *testing.T) {
	for _, s := range scenarios(t) {
		t.Run(s.ID, func(t *testing.T) {
			action := map[string]catalogue.Action{"gone": catalogue.Gone, "fall_forward": catalogue.FallForward}[s.After]
			versions := catalogue.MustNew(catalogue.Config{AfterSunset: action, ServedHeader: "Api-Version", Versions: []catalogue.Entry{
				{Version: "v1", Deprecated: noon.AddDate(0, 0, -60), Sunset: noon.AddDate(0, 0, s.Sunset), Successor: s.Successor}, {Version: "v2"}, {Version: "v3"},
			}})
			clock := versotest.NewClock(noon.AddDate(0, 0, -s.Since))
			table := usage.NewTable(&verso.Config{Catalogue: versions, Clock: clock.Now})
			for ago := s.Since; ago >= 0; ago-- {
				clock.Set(noon.AddDate(0, 0, -ago))
				for client, all := range s.Calls {
					for _, c := range all {
						if !slices.Contains(c.ago, ago) {
							continue
						}
						o := call(c.version, client, "/users", clock.Now())
						if c.rejects {
							o = rejected(o)
						}
						table.Observe(t.Context(), o)
					}
				}
			}
			s.check(t, table)
		})
	}
}

func (s *scenario) check(t *testing.T, table *usage.Table) {
	t.Helper()
	handler := table.Handler(nil)
	var page struct {
		Versions []struct {
			Version string
			Moving  struct {
				Clients []struct {
					Client, Group, Every string
					Next                 time.Time `json:"next_expected"`
				}
			}
		}
	}
	if err := json.Unmarshal(ask(handler, "GET", "/").Body.Bytes(), &page); err != nil {
		t.Fatal(err)
	}
	groups, every, next := map[string]string{}, map[string]string{}, map[string]string{}
	for _, c := range page.Versions[0].Moving.Clients {
		groups[c.Client], every[c.Client], next[c.Client] = c.Group, c.Every, c.Next.Format(time.DateOnly)
	}
	if want := s.Want.Groups; want != nil && fmt.Sprint(groups) != fmt.Sprint(want) {
		t.Errorf("groups %v, want %v", groups, want)
	}
	for client, want := range s.Want.Every {
		if every[client] != want {
			t.Errorf("%s: every %q, want %q", client, every[client], want)
		}
	}
	for client, want := range s.Want.Next {
		if next[client] != want {
			t.Errorf("%s: next %q, want %q", client, next[client], want)
		}
	}
	html := ask(handler, "GET", "/?format=html").Body.String()
	if want := s.Want.Answer; want != nil && !strings.Contains(html, `">`+*want+"</span></h1>") {
		t.Errorf("no %q in %s", *want, headline(html))
	}
	if want := s.Want.Mood; want != nil && !strings.Contains(html, `. <span class="`+*want+`">`) {
		t.Errorf("mood is not %q in %s", *want, headline(html))
	}
	if want := s.Want.Question; want != nil && !strings.Contains(textOf(table), *want) {
		t.Errorf("no %q", *want)
	}
	response := ask(handler, "GET", "/?ready=v1"+s.Query)
	if response.Code != s.Want.Status {
		t.Errorf("%d %s, want %d", response.Code, response.Body, s.Want.Status)
	}
	if response.Code == 400 {
		return
	}
	var ready struct {
		Reasons  []string
		Unseen   string
		NotFound []string `json:"not_found"`
		Excepted []struct{ Client, Why string }
	}
	if err := json.Unmarshal(response.Body.Bytes(), &ready); err != nil {
		t.Fatal(err)
	}
	if want := s.Want.Reasons; want != nil && !slices.Equal(ready.Reasons, want) {
		t.Errorf("reasons %q, want %q", ready.Reasons, want)
	}
	if want := s.Want.Unseen; want != nil && ready.Unseen != *want {
		t.Errorf("unseen %q, want %q", ready.Unseen, *want)
	}
	var excepted []string
	for _, c := range ready.Excepted {
		excepted = append(excepted, c.Client+" "+c.Why)
	}
	slices.Sort(excepted)
	if !slices.Equal(excepted, s.Want.Excepted) || !slices.Equal(ready.NotFound, s.Want.NotFound) {
		t.Errorf("excepted %q, want %q; not found %q, want %q", excepted, s.Want.Excepted, ready.NotFound, s.Want.NotFound)
	}
}

// headline returns the first heading of a page.
func headline(html string) string {
	_, rest, _ := strings.Cut(html, "<h1>")
	text, _, _ := strings.Cut(rest, "</h1>")
	return text
}
