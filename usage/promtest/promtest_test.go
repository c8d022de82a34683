// Package promtest tests the metrics and the alert rules of package usage with the parser
// and the engine of Prometheus. It is not in the workspace, so that no other module takes
// the dependencies of Prometheus.
package promtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/model/textparse"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/promql/promqltest"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/usage"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// series returns the series of a table with 100 clients and a version that has every
// character that is escaped.
func series(t *testing.T) (text []byte, contentType string) {
	t.Helper()
	const odd = `a"b\c`
	clock := func() time.Time { return noon }
	versions := catalogue.MustNew(catalogue.Config{Versions: []catalogue.Entry{
		{Version: odd, Deprecated: noon.AddDate(0, -1, 0)},
		{Version: "v1", Deprecated: noon.AddDate(0, -1, 0), Sunset: noon.AddDate(0, 0, 9), Successor: "v2"},
		{Version: "v2"},
	}})
	table := usage.NewTable(&verso.Config{Catalogue: versions, Clock: clock})
	for i := range 100 {
		table.Observe(t.Context(), verso.Observation{Time: noon, Version: verso.V("v1"), Client: fmt.Sprint("client-", i), Method: "GET", Route: "/users", Outcome: verso.OutcomeServed})
	}
	response := httptest.NewRecorder()
	page := table.Handler(nil)
	page.Pinned = func(context.Context, string) iter.Seq2[usage.Pin, error] {
		return func(yield func(usage.Pin, error) bool) { yield(usage.Pin{Client: "acme", For: "a receiver"}, nil) }
	}
	page.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/usage?format=openmetrics", nil))
	return response.Body.Bytes(), response.Header().Get("Content-Type")
}

func TestParsed(t *testing.T) {
	text, contentType := series(t)
	p, err := textparse.New(text, contentType, labels.NewSymbolTable(), textparse.ParserOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := p.(*textparse.OpenMetricsParser); !ok {
		t.Errorf("%s is parsed by a %T", contentType, p)
	}
	count := map[string]int{}
	for {
		entry, err := p.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		switch entry {
		case textparse.EntrySeries:
			var l labels.Labels
			p.Labels(&l)
			count[l.Get("version")]++
			l.Range(func(l labels.Label) {
				if l.Name != model.MetricNameLabel && l.Name != "version" && l.Name != "state" && (l.Name != "client" || l.Value != "known" && l.Value != "unknown") {
					t.Errorf("label %s=%q", l.Name, l.Value)
				}
			})
		case textparse.EntryType:
			if name, kind := p.Type(); kind != model.MetricTypeGauge {
				t.Errorf("%s is a %s", name, kind)
			}
		}
	}
	if want := map[string]int{"v1": 12, `a"b\c`: 10, "": 5}; fmt.Sprint(count) != fmt.Sprint(want) {
		t.Errorf("series %v, want %v", count, want)
	}
}

// rules returns the alert rules of the documentation.
func rules(t *testing.T) map[string]string {
	t.Helper()
	page, err := os.ReadFile("../../docs/usage.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```yaml\n(groups:.*?)```").FindSubmatch(page)
	if block == nil {
		t.Fatal("docs/usage.md has no rules")
	}
	groups, errs := rulefmt.Parse(block[1], false, model.UTF8Validation, parser.NewParser(parser.Options{}), slog.New(slog.DiscardHandler))
	if errs != nil {
		t.Fatal(errs)
	}
	found := map[string]string{}
	for _, rule := range groups.Groups[0].Rules {
		found[rule.Alert] = strings.Join(strings.Fields(rule.Expr), " ") // on one line
		if rule.KeepFiringFor == 0 && rule.For == 0 || rule.Labels["severity"] == "" || rule.Annotations["summary"] == "" {
			t.Errorf("%s ends with one failed scrape, or has no severity or no summary", rule.Alert)
		}
	}
	return found
}

// TestRules runs the rules of the documentation. Two replicas are scraped. The sunset is
// at the second 2,000,000, 14 days are 1,209,600 seconds.
func TestRules(t *testing.T) {
	all := rules(t)
	if len(all) != 5 {
		t.Errorf("rules %v", all)
	}
	load := `load 1d
	verso_usage_clients{version="v1",state="only",instance="a"} 3 3 3 3 3 3 3 3 3 3 3 3 3 0 0 0 0 2 2 2 2 2 2 2 0 0
	verso_usage_clients{version="v1",state="only",instance="b"} 3 3 3 3 3 3 3 3 3 3 3 3 3 0 0 0 0 2 2 2 2 2 2 2 0 0
	verso_usage_clients{version="v1",state="quiet",instance="a"} 1x25
	verso_usage_clients{version="v1",state="quiet",instance="b"} 1x25
	verso_usage_clients{version="v1",state="moved",instance="a"} 5x25
	verso_usage_clients{version="v0",state="only",instance="a"} 9x25
	verso_usage_clients{version="v3",state="moved",instance="a"} 9x25
	verso_usage_clients{version="v5",state="pinned",instance="a"} 2x25
	verso_usage_week_requests{version="v4",client="unknown",instance="a"} 0 0 0 0 0 0 0 0 0 0 0 7x14
	verso_usage_week_requests{version="v4",client="known",instance="a"} 7x25
	verso_usage_sunset_timestamp_seconds{version="v1",instance="a"} 2000000x25
	verso_usage_sunset_timestamp_seconds{version="v1",instance="b"} 2000000x25
	verso_usage_sunset_timestamp_seconds{version="v3",instance="a"} 2000000x25
	verso_usage_sunset_timestamp_seconds{version="v4",instance="a"} 2000000x25
	verso_usage_sunset_timestamp_seconds{version="v5",instance="a"} 2000000x25

`
	left := all["VersoClientsLeft"]
	evaluate(t, load+`eval instant at 9d `+left+`

eval instant at 10d `+left+`
	{version="v1"} 4
	{version="v5"} 2

eval instant at 15d `+left+`
	{version="v1"} 1
	{version="v4"} 7
	{version="v5"} 2

`)
	// From 14 days after the sunset on, it is no news that a bot gets 410.
	evaluate(t, `load 1d
	verso_usage_clients{version="v1",state="only",instance="a"} 1x60
	verso_usage_sunset_timestamp_seconds{version="v1",instance="a"} 2000000x60

eval instant at 37d `+left+`
	{version="v1"} 1

eval instant at 38d `+left+`

`)
	// One alarm on the day on which a client is new or back, and none on the next one. The first
	// scrape of the second client's day is at midnight, after it came.
	news := all["VersoNewClient"]
	evaluate(t, `load 5m
	verso_usage_new_clients{version="v1",instance="a"} 0x11 1x275 0x287 2x287 0x287
	verso_usage_new_clients{version="v1",instance="b"} 0x11 1x275 0x287 2x287 0x287
	verso_usage_new_clients{version="v2",instance="a"} 0x1151

eval instant at 30m `+news+`

eval instant at 2h `+news+`
	{version="v1"} 1

eval instant at 30h `+news+`

eval instant at 49h `+news+`
	{version="v1"} 2

eval instant at 73h `+news+`

`)
	evaluate(t, `load 5m
	verso_usage_names{instance="a"} 899x11 901x11
	verso_usage_names_max{instance="a"} 1000x23

eval instant at 50m `+all["VersoNamesRunOut"]+`

eval instant at 61m `+all["VersoNamesRunOut"]+`
	{} 0.901

`)
	silent, stopped := all["VersoProcessSilent"], all["VersoCountingStopped"]
	evaluate(t, `load 5m
	verso_usage_processes{state="running",instance="a"} 2x5 1x5 0x5 _x20
	verso_usage_processes{state="running",instance="b"} 2x5 1x5 0x5 _x20
	verso_usage_processes{state="silent",instance="a"} 0x5 1x5 2x5 _x20

eval instant at 10m `+silent+`

eval instant at 35m `+silent+`
	{} 1

eval instant at 35m `+stopped+`

eval instant at 70m `+stopped+`
	{} 0

eval instant at 150m `+stopped+`
	{state="running"} 1

`)
	evaluate(t, `load 5m
	verso_usage_processes{region="eu",state="running"} 2x20
	verso_usage_processes{region="us",state="running"} 2x5 0x15

eval instant at 10m `+stopped+`

eval instant at 70m `+stopped+`
	{region="us"} 0

`)
}

// evaluate runs a test of Prometheus.
func evaluate(t *testing.T, test string) {
	t.Helper()
	promqltest.RunTest(t, test, promqltest.NewTestEngine(t, false, 0, promqltest.DefaultMaxSamplesPerQuery))
}
