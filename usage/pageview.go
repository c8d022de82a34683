package usage

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"

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
	most := uint64(0)
	for i := range p.Versions {
		for _, day := range p.Versions[i].daily {
			most = max(most, day.Requests)
		}
	}
	axis, from := axisOf(r.Time, most), 0.0
	for i := range p.Versions {
		v := &p.Versions[i]
		v.From, v.Share = from, 100*float64(v.Recent)/float64(max(1, p.All.Recent))
		v.Chart, v.Axis = axis.chartOf(&v.versionReport), &axis
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
	return p.report.Versions[len(p.report.Versions)-1].others // no listed version
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
	view.Named = v.named
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

// piece is a part of a name that should not break.
var piece = regexp.MustCompile(`/?[^-_.@,/]+[-_.@,]*|.`)

func pieces(name string) []string { return piece.FindAllString(name, -1) }
