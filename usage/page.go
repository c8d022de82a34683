package usage

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goverso/verso/core/catalogue"
)

// pageView is the report that the page shows.
type pageView struct {
	report
	Versions []versionView // those whose clients must move first are first
	Answer   *versionView  // the first of them, nil if no version ends or is deprecated
	All      counts
}

type versionView struct {
	versionReport
	ID, Name, Color string
	From, Share     float64 // beginning in the bar, and share of all requests of the last 30 days, in percent
	Named           int     // clients with a name that called it in the last 30 days
	Ends, Answer    string  // when the version ends, and how far its clients are
	Mood            mood
	Then            string // what clients get after the sunset
	Next            string // the next brownout
	Chart           chartView
	Axis            *axisView // of all charts
	Timeline        *timelineView

	report *report
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
		p.Versions = append(p.Versions, viewOf(&r, i, v))
	}
	slices.SortStableFunc(p.Versions, func(a, b versionView) int { return cmp.Compare(a.rank(), b.rank()) })
	if len(p.Versions) > 0 && p.Versions[0].Moving != nil {
		p.Answer = &p.Versions[0]
	}
	axis := axisOf(r.Time, p.Versions)
	from := 0.0
	for i := range p.Versions {
		v := &p.Versions[i]
		v.From, v.Share = from, 100*float64(v.Recent)/float64(max(1, p.All.Recent))
		v.Chart, v.Axis = axis.chartOf(v), &axis
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

// LeftOut reports whether more clients were rejected for their version than have names.
func (p *pageView) LeftOut() bool {
	return p.report.Versions[len(p.report.Versions)-1].totals.Others // no listed version
}

// Skewed returns the processes whose clocks are wrong by a minute or more.
func (p *pageView) Skewed() (skewed []Process) {
	return slices.DeleteFunc(slices.Clone(p.Processes), func(process Process) bool { return process.Skew == 0 })
}

func viewOf(r *report, i int, v *versionReport) versionView {
	view := versionView{versionReport: *v, ID: "version-" + strconv.Itoa(i), Name: printable(v.Version),
		Color: "color-" + strconv.Itoa(i%6), report: r}
	if v.Version == "" {
		view.Name, view.Color = "no listed version", "color-none"
	}
	view.Named = v.totals.Named
	if v.Moving != nil {
		view.Ends, view.Then = v.ends(r.Time), v.then()
		view.Answer, view.Mood = answerOf(r, v)
		view.Timeline = timelineOf(r, v)
		if next := r.nextBrownout(v); next != nil {
			view.Next = window(*next, r.Time)
		}
	}
	return view
}

// rank orders the versions of the page: those that end, deprecated ones, those that have
// ended, the rest.
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

// Routes returns the routes that clients called in the last 30 days, those with
// most requests first.
func (v versionReport) Routes() []routeView {
	if v.called != nil {
		return v.called
	}
	var routes []routeView
	index := map[string]int{}
	for i, c := range v.Clients {
		for _, route := range c.Routes {
			name := route.Sent()
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
	slices.SortFunc(routes, func(a, b routeView) int {
		return cmp.Or(cmp.Compare(b.Recent, a.Recent), cmp.Compare(a.Name, b.Name))
	})
	return routes
}

// mostUsed returns the route that the client used most in the last 30 days, or before.
func mostUsed(c clientReport) string {
	if c.Recent == 0 {
		return c.Routes[0].Sent()
	}
	return versionReport{Clients: []clientReport{c}}.Routes()[0].Name
}

// Name returns the name of the client, or a placeholder.
func (c clientReport) Name() string { return nameOf(c.Client, c.Other) }

// name returns the route pattern, or a placeholder.
func (r *routeReport) name() string {
	if r.Other {
		return "(other routes)"
	}
	return printable(cmp.Or(r.Route, "(not known)"))
}

// Sent returns the method and the URL as clients send it, or a placeholder.
func (r *routeReport) Sent() string {
	if r.sent == "" {
		return strings.TrimSpace(printable(r.Method) + " " + r.name())
	}
	return strings.TrimSpace(printable(r.Method + " " + r.sent))
}

// piece is a part of a name that should not break.
var piece = regexp.MustCompile(`/?[^-_.@,/]+[-_.@,]*|.`)

func pieces(name string) []string { return piece.FindAllString(name, -1) }
