package usage

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/goverso/verso/core/catalogue"
)

// How much the page shows of what may be much more.
const (
	shownClients = 100
	shownRoutes  = 20
)

// pageView is a report in the texts of the page.
type pageView struct {
	Time, Now string
	Versions  []versionView
}

type versionView struct {
	ID                         string // of its heading
	Name, State, Sunset        string
	Advice                     string // what its clients must do, "" for nothing
	Requests, Recent, LastSeen string // no requests: ""
	Chart                      chartView
	Clients                    []clientView
	MoreClients                int
}

type clientView struct {
	Name                                    string
	Unnamed                                 bool // Name is none that a client has
	Requests, Rejected, FirstSeen, LastSeen string
	Routes                                  []routeView
	MoreRoutes                              int
}

type routeView struct{ Name, Requests string }

type chartView struct{ Text, Path string }

func pageOf(r report) pageView {
	page := pageView{Time: r.Time.Format(time.RFC3339), Now: minute(r.Time)}
	for i, v := range r.Versions {
		if v.Version != "" || v.Requests > 0 {
			page.Versions = append(page.Versions, versionViewOf(strconv.Itoa(i), v, r.Time))
		}
	}
	return page
}

func versionViewOf(id string, v versionReport, now time.Time) versionView {
	view := versionView{ID: "version-" + id, Name: printable(v.Version), State: v.State, Sunset: sunset(v), Advice: advice(v)}
	if v.Version == "" {
		view.Name = "no listed version"
	}
	if v.Requests == 0 {
		return view
	}
	recent := 0
	for i, client := range v.Clients {
		if now.Sub(client.LastSeen) < 30*24*time.Hour {
			recent++
		}
		if i < shownClients {
			view.Clients = append(view.Clients, clientViewOf(client))
		}
	}
	view.MoreClients = max(0, len(v.Clients)-shownClients)
	view.Requests, view.Recent, view.LastSeen = number(v.Requests), number(uint64(recent)), minute(v.LastSeen)
	view.Chart = chartOf(view.Name, v.Days, now)
	return view
}

func clientViewOf(c clientReport) clientView {
	view := clientView{
		Name:     printable(c.Client),
		Requests: number(c.Requests), Rejected: number(c.Rejected), FirstSeen: minute(c.FirstSeen), LastSeen: minute(c.LastSeen),
		MoreRoutes: max(0, len(c.Routes)-shownRoutes),
	}
	switch {
	case c.Other:
		view.Name, view.Unnamed = fmt.Sprintf("all others, beyond the first %d", MaxClients), true
	case c.Client == "":
		view.Name, view.Unnamed = "not known", true
	}
	for _, route := range c.Routes[:min(len(c.Routes), shownRoutes)] {
		name := printable(route.Route)
		if route.Other {
			name = "other routes"
		} else if name == "" {
			name = "not known"
		}
		view.Routes = append(view.Routes, routeView{name, number(route.Requests)})
	}
	return view
}

// sunset returns when a version ends, in days and as a date.
func sunset(v versionReport) string {
	if v.DaysToSunset == nil {
		return ""
	}
	date := v.Sunset.UTC().Format(time.DateOnly)
	switch days := *v.DaysToSunset; {
	case days < -1:
		return fmt.Sprintf("%d days ago, %s", -days, date)
	case days == -1:
		return "in the last 24 hours, " + date
	case days == 0:
		return "within 24 hours, " + date
	case days == 1:
		return "in 1 day, " + date
	default:
		return fmt.Sprintf("in %d days, %s", days, date)
	}
}

// advice returns what the clients of a version must do.
func advice(v versionReport) string {
	to := "to another version"
	if v.Successor != "" {
		to = "to " + printable(v.Successor)
	}
	switch {
	case v.DaysToSunset != nil:
		return "Its clients must move " + to + ": sunset " + sunset(v) + "."
	case v.State == catalogue.Deprecated.String():
		return "Its clients should move " + to + ": it is deprecated."
	}
	return ""
}

// chartOf returns a bar for each day, 4 wide and at most 56 high.
func chartOf(version string, days []dayReport, now time.Time) chartView {
	var most dayReport
	for _, d := range days {
		if d.Requests > most.Requests {
			most = d
		}
	}
	if most.Requests == 0 {
		return chartView{Text: fmt.Sprintf("Requests for %s on each of the last %d days: none", version, Days)}
	}
	first := now.Truncate(24*time.Hour).AddDate(0, 0, 1-Days)
	var path strings.Builder
	latest := uint64(0)
	for _, d := range days {
		day, _ := time.Parse(time.DateOnly, d.Day)
		x := int(day.Sub(first).Hours()/24) * 4
		height := max(1, float64(d.Requests)/float64(most.Requests)*56)
		fmt.Fprintf(&path, "M%d 59v-%.1fh3v%.1fz", x, height, height)
		if x == (Days-1)*4 {
			latest = d.Requests
		}
	}
	return chartView{
		Text: fmt.Sprintf("Requests for %s on each of the last %d days: at most %s, on %s; %s today", version, Days, number(most.Requests), most.Day, number(latest)),
		Path: path.String(),
	}
}

// minute returns a time to the minute, in UTC.
func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") + " UTC" }

// number returns a number with commas.
func number(n uint64) string {
	text := strconv.FormatUint(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// printable returns text with all characters escaped that cannot be seen or that
// change the order of others.
func printable(text string) string {
	quoted := strconv.QuoteToGraphic(text)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}
