package usage

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// pageView is the report that the page shows.
type pageView struct {
	report
	Versions []versionView // the one that ends next first
	Ending   bool          // whether a version ends next
	All      counts
	Clients  int // named clients that called any version in the last 30 days
	Axis     axisView
}

type versionView struct {
	versionReport
	ID, Name, Color string
	From, Share     float64        // beginning in the bar, and share of all requests of the last 30 days, in percent
	Calling, Silent []clientReport // in the last 30 days
	Named           int            // how many of Calling have a name
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
	clients := map[string]bool{}
	for i, v := range r.Versions {
		if v.Version == "" && v.Requests == 0 {
			continue
		}
		p.All.add(v.counts)
		view := versionViewOf(i, v)
		for _, c := range view.Calling {
			if c.Client != "" {
				clients[c.Client] = true
				view.Named++
			}
		}
		if v.Sunset.After(r.Time) && !p.Ending {
			p.Ending = true
			p.Versions = slices.Insert(p.Versions, 0, view)
			continue
		}
		p.Versions = append(p.Versions, view)
	}
	p.Clients, p.Axis = len(clients), axisOf(r.Time, p.Versions)
	from := 0.0
	for i := range p.Versions {
		v := &p.Versions[i]
		v.From, v.Share = from, 100*float64(v.Recent)/float64(max(1, p.All.Recent))
		v.Chart = p.Axis.chartOf(v)
		from += v.Share
	}
	return p
}

func versionViewOf(i int, v versionReport) versionView {
	view := versionView{versionReport: v, ID: "version-" + strconv.Itoa(i), Name: printable(v.Version), Color: "color-" + strconv.Itoa(i%6)}
	if v.Version == "" {
		view.Name, view.Color = "no listed version", "color-none"
	}
	calling := slices.IndexFunc(v.Clients, func(c clientReport) bool { return c.Recent == 0 })
	if calling < 0 {
		calling = len(v.Clients)
	}
	view.Calling, view.Silent = v.Clients[:calling], v.Clients[calling:]
	return view
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

// Change compares the requests of 7 full days with those of the week before: "up 5%".
// It is "" when the week before had no requests.
func (v versionReport) Change() string {
	now, before := v.Sum(7, 1).Requests, v.Sum(14, 8).Requests
	if before == 0 {
		return ""
	}
	switch percent := math.Round(100 * (float64(now)/float64(before) - 1)); {
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
func (c clientReport) Name() string {
	switch {
	case c.Other:
		return fmt.Sprintf("(all others, beyond the first %d)", MaxClients)
	case c.Client == "":
		return "(not known)"
	}
	return printable(c.Client)
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
