package usage

import (
	"cmp"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goverso/verso/core/catalogue"
)

// pageView is the report that the page shows.
type pageView struct {
	report
	Versions []versionView // those whose clients must move first are first
	Answer   *versionView  // the first of them, nil if no version ends or is deprecated
	All      counts
	Axis     axisView
}

type versionView struct {
	versionReport
	ID, Name, Color string
	From, Share     float64        // beginning in the bar, and share of all requests of the last 30 days, in percent
	Calling, Silent []clientReport // in the last 30 days
	Named           int            // how many of Calling have a name
	Ends, Answer    string         // when the version ends, and how far its clients are
	Then            string         // what clients get after the sunset
	Next            string         // the next brownout
	Chart           chartView
}

// routeView is a route of several clients in the last 30 days.
type routeView struct {
	Name    string
	Recent  uint64
	Clients int
	latest  int // index of the client counted last
}

func pageOf(r report) *pageView {
	p := &pageView{report: r}
	for i := range r.Versions {
		v := &r.Versions[i]
		if v.Version == "" && v.Requests == 0 {
			continue
		}
		p.All.add(v.counts)
		p.Versions = append(p.Versions, r.view(i, v))
	}
	slices.SortStableFunc(p.Versions, func(a, b versionView) int { return cmp.Compare(a.rank(), b.rank()) })
	if len(p.Versions) > 0 && p.Versions[0].Moving != nil {
		p.Answer = &p.Versions[0]
	}
	p.Axis = axisOf(r.Time, p.Versions)
	from := 0.0
	for i := range p.Versions {
		v := &p.Versions[i]
		v.From, v.Share = from, 100*float64(v.Recent)/float64(max(1, p.All.Recent))
		v.Chart = p.Axis.chartOf(v)
		from += v.Share
	}
	return p
}

// Others returns the other versions that are deprecated, or have or had a sunset.
func (p *pageView) Others() (others []versionView) {
	for _, v := range p.Versions {
		if v.Moving != nil && v.ID != p.Answer.ID {
			others = append(others, v)
		}
	}
	return others
}

// Charts returns the versions with requests in the last 90 days that have at least 1%
// of those of the last 30, or less.
func (p *pageView) Charts(less bool) (charts []versionView) {
	for _, v := range p.Versions {
		if v.Requests > 0 && v.Share < 1 == less {
			charts = append(charts, v)
		}
	}
	return charts
}

// Running returns how many processes have not ended, and were heard of lately.
func (p *pageView) Running() string {
	running := 0
	for _, process := range p.Processes {
		if !process.Ended && p.Time.Sub(process.Heard) <= lateAfter {
			running++
		}
	}
	return plural(running, "process", "processes")
}

func (r *report) view(i int, v *versionReport) versionView {
	view := versionView{versionReport: *v, ID: "version-" + strconv.Itoa(i), Name: printable(v.Version), Color: "color-" + strconv.Itoa(i%6)}
	if v.Version == "" {
		view.Name, view.Color = "no listed version", "color-none"
	}
	calling := slices.IndexFunc(v.Clients, func(c clientReport) bool { return c.Recent == 0 })
	if calling < 0 {
		calling = len(v.Clients)
	}
	view.Calling, view.Silent = v.Clients[:calling], v.Clients[calling:]
	for _, c := range view.Calling {
		if c.Client != "" {
			view.Named++
		}
	}
	if v.Moving != nil {
		view.Ends, view.Answer, view.Then = v.ends(r.Time), v.answer(), v.then()
		if next := r.nextBrownout(v); next != nil {
			view.Next = window(*next, r.Time)
		}
	}
	return view
}

// rank orders the versions of the page: those that end, deprecated ones, those that have
// ended, the others.
func (v *versionView) rank() int {
	switch {
	case v.Moving == nil:
		return 3
	case v.State == catalogue.Ended.String() || v.DaysToSunset != nil && *v.DaysToSunset < 0:
		return 2
	case v.Sunset.IsZero():
		return 1
	}
	return 0
}

// ends says when the version ends.
func (v *versionReport) ends(now time.Time) string {
	name := printable(v.Version)
	switch {
	case v.State == catalogue.Ended.String():
		return name + " ended " + ends(v.DaysToSunset)
	case !v.Sunset.IsZero() && !v.Sunset.After(now):
		return name + " had its sunset " + ends(v.DaysToSunset)
	case !v.Sunset.IsZero() && v.after == catalogue.Serve:
		return name + " has its sunset " + ends(v.DaysToSunset)
	case !v.Sunset.IsZero():
		return name + " ends " + ends(v.DaysToSunset)
	}
	return name + " is deprecated"
}

// answer says how far the clients of the version are.
func (v *versionReport) answer() string {
	m := v.Moving
	calling := m.Only + m.Both
	all := calling + m.Moved
	ended := v.State == catalogue.Ended.String()
	var text string
	switch {
	case calling == 0 && m.Unnamed > 0:
		return "Its clients are not known: set Client."
	case calling == 0 && m.Moved > 0:
		text = "All clients have moved."
	case calling == 0:
		text = "No client calls it."
	case ended && v.after == catalogue.Gone:
		text = plural(calling, "client still gets", "clients still get") + " 410."
	case ended, v.Successor == "":
		text = plural(calling, "client still calls", "clients still call") + " it."
	case m.Only == 0:
		text = fmt.Sprintf("%d of %s still %s both.", m.Both, plural(all, "client", "clients"), verb(m.Both, "calls", "call"))
	default:
		text = fmt.Sprintf("%d of %s %s not started to move.", m.Only, plural(all, "client", "clients"), verb(m.Only, "has", "have"))
	}
	if m.Unnamed > 0 {
		text += " Others are not known."
	}
	return text
}

func verb(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// then says what clients get from the sunset on.
func (v *versionReport) then() string {
	name := printable(v.Version)
	if v.Sunset.IsZero() {
		return "No sunset is planned."
	}
	from := "From " + v.Sunset.UTC().Format("Monday, 2 January 2006, 15:04") + " UTC on, "
	if v.DaysToSunset != nil && *v.DaysToSunset < 0 {
		from = "Since " + v.Sunset.UTC().Format("Monday, 2 January 2006") + ", "
	}
	switch v.after {
	case catalogue.Gone:
		return from + "every request for " + name + " gets 410 Gone."
	case catalogue.FallForward:
		return from + "the next version answers requests for " + name + "."
	default:
		return from + name + " is no longer listed, and still served."
	}
}

// Question is what the readiness of the version answers.
func (v *versionReport) Question() string {
	if v.State == catalogue.Ended.String() {
		return "May its code be removed?"
	}
	return "May it end?"
}

// window returns a brownout as text.
func window(b catalogue.Brownout, now time.Time) string {
	from, until := b.From.UTC(), b.Until.UTC()
	text := from.Format("Monday, 2 January, 15:04") + " to " + until.Format("15:04 UTC")
	switch {
	case until.Sub(from) == 24*time.Hour && from.Equal(startOf(from)):
		text = from.Format("Monday, 2 January") + ", all day"
	case !startOf(from).Equal(startOf(until)):
		text = from.Format("Monday, 2 January, 15:04") + " to " + until.Format("Monday, 2 January, 15:04 UTC")
	}
	if !b.From.After(now) {
		return "A brownout is under way: " + text + "."
	}
	return "Next brownout: " + text + "."
}

// Period says which days a version's clients are judged by.
func (m *moving) Period() string {
	if m.Full {
		return "7 full days"
	}
	return "since " + dayText(m.From)
}

// Of returns the clients of a group.
func (m *moving) Of(which group) (clients []movingClient) {
	for _, c := range m.Clients {
		if c.Group == which {
			clients = append(clients, c)
		}
	}
	return clients
}

// MovedOrBoth returns how many clients call a later version.
func (m *moving) MovedOrBoth() int { return m.Moved + m.Both }

// Share returns the share of a number of clients, in percent.
func (m *moving) Share(n int) float64 {
	return 100 * float64(n) / float64(max(1, m.Moved+m.Both+m.Only))
}

// Change compares the requests with those of the week before, "" if there were none.
func (m *moving) Change() string { return change(m.Requests, m.Before) }

// Part returns the requests of a group.
func (m *moving) Part(which group) (requests uint64) {
	for _, c := range m.Of(which) {
		requests += c.Requests
	}
	return requests
}

// Percent returns the part of a group in the requests.
func (m *moving) Percent(which group) uint64 { return percent(m.Part(which), m.Requests) }

func (c movingClient) Change() string { return change(c.Requests, c.Before) }

// Moved returns how much of the client's requests is already for later versions, in
// percent.
func (c movingClient) Moved() uint64 { return percent(c.Later, c.Later+c.Requests) }

func (c movingClient) Name() string { return nameOf(c.Client, c.Other) }

// Link returns the address of what the page says about the client, "" for clients
// that have no name.
func (c movingClient) Link() string {
	if c.Client == "" {
		return ""
	}
	return "?client=" + url.QueryEscape(c.Client)
}

// moversView is a table of clients that still call a version.
type moversView struct {
	Title, Sub, Version, Period string
	Brownout                    string // when the last one was, "" for none
	Shares                      bool   // whether they call later versions too
	Clients                     []movingClient
}

// Count returns how many clients there are, shown or not.
func (m moversView) Count() uint64 { return uint64(len(m.Clients)) }

// Write returns the clients that have not started to move, nil for none.
func (v versionView) Write() *moversView {
	clients := v.Moving.Of(groupOnly)
	title := "Write to these: " + plural(len(clients), "client that only calls ", "clients that only call ") + v.Name
	if v.Successor == "" {
		title = "Write to these: " + plural(len(clients), "client that calls ", "clients that call ") + v.Name
	}
	return v.movers(title, clients, false)
}

// Finish returns the clients that call both, nil for none.
func (v versionView) Finish() *moversView {
	clients := v.Moving.Of(groupBoth)
	return v.movers("Moving: "+plural(len(clients), "client that calls both", "clients that call both"), clients, true)
}

func (v versionView) movers(title string, clients []movingClient, shares bool) *moversView {
	if len(clients) == 0 {
		return nil
	}
	view := &moversView{Title: title, Sub: dayText(v.Moving.From) + "–" + dayText(v.Moving.To), Version: v.Name, Period: v.Moving.Period(), Shares: shares, Clients: clients}
	if b := v.Moving.Brownout; b != nil {
		view.Brownout = "on " + b.From.UTC().Format("2 Jan")
		if b.first != b.last {
			view.Brownout += " to " + b.Until.Add(-time.Second).UTC().Format("2 Jan")
		}
	}
	return view
}

// chartOn is the chart of a version, on the axis that all charts share.
type chartOn struct {
	Version versionView
	Axis    axisView
}

// On returns the chart of the version on an axis.
func (v versionView) On(axis axisView) chartOn { return chartOn{v, axis} }

// Name returns the name of the client, or a placeholder.
func (a clientAdvice) Name() string { return nameOf(a.Client, false) }

// Link returns the address of this advice in a format.
func (a clientAdvice) Link(format string) string {
	return "?client=" + url.QueryEscape(a.Client) + "&format=" + format
}

// Name returns the route with its method.
func (r routeAdvice) Name() string { return strings.TrimSpace(printable(r.Method) + " " + r.Route) }

func percent(part, all uint64) uint64 {
	return uint64(math.Round(100 * float64(part) / float64(max(1, all))))
}

// dayText returns a day as text: "21 Nov".
func dayText(day string) string {
	at, _ := time.Parse(time.DateOnly, day)
	return at.Format("2 Jan")
}

// Window returns a range of days, each given in days ago: "23 Oct–21 Nov".
func (r report) Window(from, to int) string {
	first, last := r.Time.AddDate(0, 0, -from), r.Time.AddDate(0, 0, -to)
	if first.Month() == last.Month() {
		return first.Format("2–") + last.Format("2 Jan")
	}
	return first.Format("2 Jan–") + last.Format("2 Jan")
}

// Sum returns the requests in a range of days, each given in days ago.
func (v versionReport) Sum(from, to int) (sum dayReport) {
	for _, day := range v.daily[to : from+1] {
		sum.Requests += day.Requests
		sum.Rejected += day.Rejected
	}
	return sum
}

// change compares requests with those of the week before: "up 5%". It is "" when
// that was not counted, or had none.
func change(now uint64, before *uint64) string {
	if before == nil || *before == 0 {
		return ""
	}
	switch percent := math.Round(100 * (float64(now)/float64(*before) - 1)); {
	case percent < 0:
		return "down " + number(uint64(-percent)) + "%"
	case percent > 0:
		return "up " + number(uint64(percent)) + "%"
	}
	return "unchanged"
}

// Routes returns the routes that clients called in the last 30 days, those with
// most requests first.
func (v versionReport) Routes() []routeView {
	var routes []routeView
	index := map[string]int{}
	for i, c := range v.Clients {
		for _, route := range c.Routes {
			name := strings.TrimSpace(printable(route.Method) + " " + route.name())
			if route.Recent == 0 {
				continue
			}
			if _, ok := index[name]; !ok {
				index[name] = len(routes)
				routes = append(routes, routeView{Name: name, latest: -1})
			}
			r := &routes[index[name]]
			r.Recent += route.Recent
			if r.latest != i {
				r.latest = i
				r.Clients++
			}
		}
	}
	slices.SortFunc(routes, func(a, b routeView) int { return cmp.Or(cmp.Compare(b.Recent, a.Recent), cmp.Compare(a.Name, b.Name)) })
	return routes
}

// Route returns the route that the client used most in the last 30 days.
func (c clientReport) Route() string {
	return versionReport{Clients: []clientReport{c}}.Routes()[0].Name
}

// Methods returns the methods of the last 30 days, by the requests of a route.
func (c clientReport) Methods() string {
	var methods []string
	for _, route := range c.Routes {
		if route.Recent > 0 && !slices.Contains(methods, route.Method) {
			methods = append(methods, route.Method)
		}
	}
	return printable(strings.Join(methods, ", "))
}

// Name returns the name of the client, or a placeholder.
func (c clientReport) Name() string { return nameOf(c.Client, c.Other) }

func nameOf(client string, other bool) string {
	switch {
	case other:
		return fmt.Sprintf("(all others, beyond the first %d)", MaxClients)
	case client == "":
		return "(not known: set Client)"
	}
	return printable(client)
}

// name returns the route pattern, or a placeholder.
func (r *routeReport) name() string {
	if r.Other {
		return "(other routes)"
	}
	return printable(cmp.Or(r.Route, "(not known)"))
}

// ends says when a version ends, in calendar days, "" for never.
func ends(days *int) string {
	switch {
	case days == nil:
		return ""
	case -1 <= *days && *days <= 1:
		return [...]string{"yesterday", "today", "tomorrow"}[*days+1]
	case *days < 0:
		return number(uint64(-*days)) + " days ago"
	}
	return "in " + number(uint64(*days)) + " days"
}

// date returns the day of a time, in UTC.
func date(t time.Time) string { return t.UTC().Format("2 Jan 2006") }

// number returns a number with commas.
func number(n uint64) string {
	text := strconv.FormatUint(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// printable returns text with all characters escaped that are invisible or change
// the order of others.
func printable(text string) string {
	quoted := strconv.QuoteToGraphic(text)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// piece is a part of a name that should not break.
var piece = regexp.MustCompile(`/?[^-_.@,/]+[-_.@,]*|.`)

func pieces(name string) []string { return piece.FindAllString(name, -1) }
