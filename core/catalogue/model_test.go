package catalogue_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goverso/verso/core/catalogue"
)

// model is an obvious implementation of a catalogue and a route: it reads the
// configuration again for every question, and steps through time second by second.
type model struct {
	config catalogue.Config
	route  catalogue.RouteConfig
}

func (m model) action(i int) catalogue.Action {
	if own := m.config.Versions[i].AfterSunset; own != "" {
		return own
	}
	return m.config.AfterSunset
}

func reached(date, now time.Time) bool {
	return !date.IsZero() && !now.Before(date)
}

func (m model) released(i int, now time.Time) bool {
	return m.config.Versions[i].Released.IsZero() || reached(m.config.Versions[i].Released, now)
}

func (m model) ended(i int, now time.Time) bool {
	action := m.action(i)
	return (action == catalogue.Gone || action == catalogue.FallForward) && reached(m.config.Versions[i].Sunset, now)
}

// states returns every state that holds: it should be exactly one.
func (m model) states(i int, now time.Time) (states []catalogue.State) {
	entry := m.config.Versions[i]
	left := reached(entry.Deprecated, now) || reached(entry.Sunset, now)
	if !m.released(i, now) {
		states = append(states, catalogue.Unreleased)
	}
	if m.released(i, now) && !m.ended(i, now) && !left {
		states = append(states, catalogue.Supported)
	}
	if m.released(i, now) && !m.ended(i, now) && left {
		states = append(states, catalogue.Deprecated)
	}
	if m.released(i, now) && m.ended(i, now) {
		states = append(states, catalogue.Ended)
	}
	return states
}

func (m model) listed(i int, now time.Time) bool {
	entry := m.config.Versions[i]
	return m.released(i, now) && !reached(entry.Sunset, now) && !entry.Preview
}

// brownout returns the status of the window that a version is in, 0 for none.
func (m model) brownout(i int, now time.Time) int {
	for _, window := range m.config.Versions[i].Brownouts {
		if reached(window.From, now) && now.Before(window.Until) {
			if window.Status == 0 {
				return http.StatusGone
			}
			return window.Status
		}
	}
	return 0
}

func (m model) index(version string) int {
	return slices.IndexFunc(m.config.Versions, func(e catalogue.Entry) bool { return e.Version == version })
}

// choice returns the position of the choice for a version, -1 for none.
func (m model) choice(i int) int {
	if since := m.route.Since; since != "" && i < m.index(since) {
		return -1
	}
	if removed := m.route.RemovedIn; removed != "" && i >= m.index(removed) {
		return -1
	}
	if m.route.Choices == nil {
		return 0
	}
	for from := i; from >= 0; from-- {
		for position, choice := range m.route.Choices {
			if m.index(choice.From) == from {
				if choice.Removed {
					return -1
				}
				return position
			}
		}
	}
	return -1
}

func (m model) routeGone(now time.Time) bool {
	return m.config.AfterSunset != "" && m.config.AfterSunset != catalogue.Serve && reached(m.route.Sunset, now)
}

func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// modelFields returns the lines for dates and links.
func modelFields(deprecated, sunset time.Time, links []catalogue.Link) map[string][]string {
	fields := map[string][]string{}
	if !deprecated.IsZero() {
		fields["Deprecation"] = []string{fmt.Sprintf("@%d", deprecated.Unix())}
	}
	if !sunset.IsZero() {
		fields["Sunset"] = []string{sunset.UTC().Format(http.TimeFormat)}
	}
	for _, link := range links {
		fields["Link"] = append(fields["Link"], fmt.Sprintf("<%s>; rel=%q", link.Href, link.Rel))
	}
	return fields
}

func (m model) fields(i int) map[string][]string {
	entry := m.config.Versions[i]
	if m.choice(i) < 0 {
		return modelFields(entry.Deprecated, entry.Sunset, entry.Links)
	}
	return modelFields(earlier(entry.Deprecated, m.route.Deprecated), earlier(entry.Sunset, m.route.Sunset), slices.Concat(m.route.Links, entry.Links))
}

func (m model) forward(i int, now time.Time) int {
	for next := i + 1; next < len(m.config.Versions); next++ {
		if m.listed(next, now) {
			return next
		}
	}
	return -1
}

// next returns the oldest later version that is served and not a preview, or -1.
func (m model) next(i int, now time.Time) int {
	for next := i + 1; next < len(m.config.Versions); next++ {
		if !m.config.Versions[next].Preview && m.released(next, now) && !m.ended(next, now) {
			return next
		}
	}
	return -1
}

// keep returns the outcome of a request to which no sunset and no brownout applies.
func (m model) keep(i int, now time.Time) catalogue.Outcome {
	switch {
	case !m.released(i, now):
		return catalogue.Unknown
	case m.choice(i) < 0:
		return catalogue.NotInVersion
	}
	return catalogue.Served
}

// successor returns the first version of the chain that is served, and for which
// ok holds.
func (m model) successor(i int, now time.Time, ok func(int) bool) int {
	for {
		i = m.index(m.config.Versions[i].Successor)
		if i < 0 || m.released(i, now) && !m.ended(i, now) && ok(i) {
			return i
		}
	}
}

// decide returns the decision without its state. It follows lifecycle.md from top
// to bottom.
func (m model) decide(i int, now time.Time) (outcome catalogue.Outcome, version, status int, retryAfter int64, fields map[string][]string) {
	fields = m.fields(i)
	version = i
	if !m.released(i, now) {
		return catalogue.Unknown, -1, 0, 0, map[string][]string{}
	}
	if m.ended(i, now) {
		version = -1
		if m.action(i) == catalogue.FallForward {
			version = m.forward(i, now)
		}
		if version < 0 {
			return catalogue.VersionGone, -1, 0, 0, fields
		}
	}
	if status = m.brownout(version, now); status != 0 {
		over := now.Truncate(time.Second)
		for m.brownout(version, over) == status {
			over = over.Add(time.Second)
			retryAfter++
		}
		if m.ended(version, over) || m.routeGone(over) {
			retryAfter = 0
		}
		return catalogue.VersionBrownout, version, status, retryAfter, fields
	}
	if m.routeGone(now) {
		if m.choice(i) < 0 {
			fields = modelFields(m.route.Deprecated, m.route.Sunset, m.route.Links)
		}
		return catalogue.RouteGone, version, 0, 0, fields
	}
	if m.choice(version) < 0 {
		return catalogue.NotInVersion, version, 0, 0, fields
	}
	return catalogue.Served, version, 0, 0, fields
}

// lists returns the fields of the lists, and the allowed versions.
func (m model) lists(now time.Time) (fields map[string][]string, allowed []string) {
	var supported, deprecated []string
	for i, entry := range m.config.Versions {
		if !m.listed(i, now) || m.choice(i) < 0 {
			continue
		}
		allowed = append(allowed, entry.Version)
		if reached(entry.Deprecated, now) {
			deprecated = append(deprecated, entry.Version)
		} else {
			supported = append(supported, entry.Version)
		}
	}
	fields = map[string][]string{}
	if m.config.Report && len(supported) > 0 {
		fields["Api-Supported-Versions"] = []string{strings.Join(supported, ", ")}
	}
	if m.config.Report && len(deprecated) > 0 {
		fields["Api-Deprecated-Versions"] = []string{strings.Join(deprecated, ", ")}
	}
	return fields, allowed
}

// randomModel returns a model with only a few seconds of time, so that dates
// coincide. It may have mistakes.
func randomModel(random *rand.Rand) model {
	date := func(one, of int) time.Time {
		if random.IntN(of) >= one {
			return time.Time{}
		}
		return time.Unix(1+random.Int64N(lastSecond), 0)
	}
	action := func() catalogue.Action {
		return []catalogue.Action{"", catalogue.Serve, catalogue.Gone, catalogue.FallForward}[random.IntN(4)]
	}
	links := func(name string) (links []catalogue.Link) {
		for n := range random.IntN(3) {
			links = append(links, catalogue.Link{Rel: "deprecation", Href: fmt.Sprintf("/%s/%d", name, n)})
		}
		return links
	}
	n := 1 + random.IntN(6)
	name := func(of int) string {
		if random.IntN(of) > 0 {
			return ""
		}
		return fmt.Sprint("v", random.IntN(n))
	}

	var m model
	m.config = catalogue.Config{AfterSunset: action(), Report: random.IntN(3) > 0, ServedHeader: "Api-Version", SuccessorLinks: random.IntN(4) > 0}
	for i := range n {
		dates := []time.Time{date(1, 3), date(1, 2), date(2, 3)}
		if random.IntN(8) > 0 {
			slices.SortFunc(dates, func(a, b time.Time) int {
				if a.IsZero() || b.IsZero() {
					return 0
				}
				return a.Compare(b)
			})
		}
		entry := catalogue.Entry{Version: fmt.Sprint("v", i), Released: dates[0], Deprecated: dates[1], Sunset: dates[2],
			Preview: random.IntN(6) == 0, AfterSunset: action(), Links: links(fmt.Sprint("v", i))}
		if i+1 < n && random.IntN(2) == 0 {
			entry.Successor = fmt.Sprint("v", i+1+random.IntN(n-i-1))
		}
		if !entry.Deprecated.IsZero() {
			for from := entry.Deprecated.Unix() + random.Int64N(8); random.IntN(3) > 0; {
				until := from + 1 + random.Int64N(4)
				entry.Brownouts = append(entry.Brownouts, catalogue.Brownout{From: time.Unix(from, 0), Until: time.Unix(until, 0),
					Status: []int{0, 0, 410, 503}[random.IntN(4)]})
				from = until + random.Int64N(3)*random.Int64N(3)
			}
			random.Shuffle(len(entry.Brownouts), func(i, j int) {
				entry.Brownouts[i], entry.Brownouts[j] = entry.Brownouts[j], entry.Brownouts[i]
			})
		}
		m.config.Versions = append(m.config.Versions, entry)
	}
	if random.IntN(4) > 0 {
		m.route = catalogue.RouteConfig{Since: name(3), RemovedIn: name(4), Deprecated: date(1, 4), Sunset: date(1, 4), Links: links("route")}
	}
	if random.IntN(3) == 0 {
		for _, i := range random.Perm(n)[:1+random.IntN(n)] {
			m.route.Choices = append(m.route.Choices, catalogue.Choice{From: fmt.Sprint("v", i), Removed: random.IntN(3) == 0})
		}
	}
	return m
}

const lastSecond = 40

// Random catalogues and routes agree with the model at every second.
func TestModel(t *testing.T) {
	runs, made := 5_000, 0
	if testing.Short() {
		runs = 1_000
	}
	outcomes := map[catalogue.Outcome]int{}
	for seed := range uint64(runs) {
		random := rand.New(rand.NewPCG(seed, 13))
		m := randomModel(random)
		c, err := catalogue.New(m.config)
		if err != nil {
			mistakesOf(t, err)
			continue
		}
		table, err := c.Route(m.route)
		if err != nil {
			mistakesOf(t, err)
			continue
		}
		made++
		seconds := random.Perm(lastSecond + 15)
		for _, second := range seconds {
			now := time.Unix(int64(second-2), random.Int64N(1e9))
			checkModel(t, m, c, table, now, outcomes)
		}
		checkModelEpochs(t, c, time.Unix(random.Int64N(lastSecond), 0))
		if t.Failed() {
			t.Fatalf("seed %d: %+v", seed, m)
		}
	}
	if made < runs/5 {
		t.Errorf("only %d of %d configurations have no mistake", made, runs)
	}
	for outcome := catalogue.Unknown; outcome <= catalogue.Served; outcome++ {
		if outcomes[outcome] < made {
			t.Errorf("%v occurs %d times in %d catalogues", outcome, outcomes[outcome], made)
		}
	}
	t.Logf("%d catalogues, %v", made, outcomes)
}

func checkModel(t *testing.T, m model, c *catalogue.Catalogue, table *catalogue.Table, now time.Time, outcomes map[catalogue.Outcome]int) {
	t.Helper()
	moment := c.At(now)
	fields, allowed := m.lists(now)
	lists := table.Lists(moment)
	if !slices.Equal(lists.Allowed, allowed) || lists.Allowed == nil || !maps.EqualFunc(linesOf(lists.Fields), fields, slices.Equal) {
		t.Errorf("%v: lists %q, %v, want %q, %v", now, lists.Allowed, lists.Fields, allowed, fields)
	}
	if table.Gone(moment) != m.routeGone(now) {
		t.Errorf("%v: the route is gone: %v", now, table.Gone(moment))
	}
	all := func(int) bool { return true }
	for i := range m.config.Versions {
		got := table.Decide(moment, i)
		outcome, version, status, retryAfter, fields := m.decide(i, now)
		outcomes[outcome]++
		if got.Outcome != outcome || got.Version != version || got.Status != status || got.RetryAfter != retryAfter ||
			!maps.EqualFunc(linesOf(got.Fields), fields, slices.Equal) {
			t.Errorf("%v: v%d: %+v, want %v, version %d, status %d after %d, %v", now, i, got, outcome, version, status, retryAfter, fields)
		}
		if states := m.states(i, now); !slices.Equal(states, []catalogue.State{got.State}) || moment.State(i) != got.State {
			t.Errorf("%v: v%d: state %v and %v, want %v", now, i, got.State, moment.State(i), states)
		}
		if moment.Listed(i) != m.listed(i, now) {
			t.Errorf("%v: v%d is listed: %v", now, i, moment.Listed(i))
		}
		if table.Choice(i) != m.choice(i) || table.Has(i) != (m.choice(i) >= 0) {
			t.Errorf("v%d: choice %d, want %d", i, table.Choice(i), m.choice(i))
		}
		forward, _ := moment.Forward(i)
		successor, _ := moment.Successor(i)
		if forward != m.forward(i, now) || successor != m.successor(i, now, all) {
			t.Errorf("%v: v%d: forward to %d and succeeded by %d, want %d and %d", now, i, forward, successor, m.forward(i, now), m.successor(i, now, all))
		}
		if next, ok := moment.Next(i); next != m.next(i, now) || ok != (next >= 0) {
			t.Errorf("%v: after v%d comes %d, %t, want %d", now, i, next, ok, m.next(i, now))
		}
		kept := table.DecideExempt(moment, i)
		isKnown := kept.Outcome != catalogue.Unknown
		if kept.Outcome != m.keep(i, now) || kept.State != got.State || isKnown && (kept.Version != i || !maps.EqualFunc(linesOf(kept.Fields), m.fields(i), slices.Equal)) {
			t.Errorf("%v: v%d is kept: %+v, want %v", now, i, kept, m.keep(i, now))
		}
		dated := len(m.fields(i)["Deprecation"])+len(m.fields(i)["Sunset"]) > 0
		if names := m.config.SuccessorLinks && dated && !m.routeGone(now); table.NamesSuccessor(moment, i) != names {
			t.Errorf("%v: v%d: names its successor: %v, want %v", now, i, !names, names)
		}
		checkOrder(t, got.Fields)
	}
}

// checkOrder checks that Sunset is not before Deprecation (RFC 9745, section 4).
func checkOrder(t *testing.T, fields []catalogue.Field) {
	t.Helper()
	lines := linesOf(fields)
	if lines["Deprecation"] == nil || lines["Sunset"] == nil {
		return
	}
	var deprecated int64
	_, err := fmt.Sscanf(lines["Deprecation"][0], "@%d", &deprecated)
	sunset, err2 := http.ParseTime(lines["Sunset"][0])
	if err != nil || err2 != nil || sunset.Unix() < deprecated {
		t.Errorf("fields %v: %v, %v", lines, err, err2)
	}
}

// checkModelEpochs checks that periods follow each other, and that nothing changes
// within one.
func checkModelEpochs(t *testing.T, c *catalogue.Catalogue, now time.Time) {
	t.Helper()
	periods := c.Periods(now)
	if now.Before(periods[0].From()) || len(periods) > 1 && !now.Before(periods[1].From()) {
		t.Errorf("the period from %v does not hold %v", periods[0].From(), now)
	}
	for n, period := range periods {
		from, until := max(period.From().Unix(), -2), int64(lastSecond+15)
		if n+1 < len(periods) {
			until = periods[n+1].From().Unix()
		}
		for second := from; second < until; second++ {
			moment := c.At(time.Unix(second, 0))
			for i := range c.Versions() {
				status, _, _ := moment.Brownout(i)
				want, _, _ := period.Brownout(i)
				if moment.State(i) != period.State(i) || status != want || moment.Listed(i) != period.Listed(i) {
					t.Errorf("version %d changes at %d, within an period", i, second)
				}
			}
		}
	}
}
