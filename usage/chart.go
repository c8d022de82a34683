package usage

import (
	"fmt"
	"strings"
	"time"
)

// Measures of a chart, in pixels. Widths are in percent, so that text keeps its size
// on any screen.
const (
	plotHeight = 96
	rowHeight  = 18 // of the labels of marks, above the plot
	dayWidth   = 4  // in the plot's own scale
)

// axisView is shared by all charts: the days, including future ones, and the scale.
type axisView struct {
	start        time.Time
	days         int
	Most, Half   uint64  // requests at the top of the scale and in its middle
	Today, Ahead float64 // where today ends, and the rest of the width, in percent
	Ticks        []markView
}

// markView is something at a percentage of the width.
type markView struct {
	X, Width    float64
	Y           int
	Text, Class string
	End         bool // whether the text ends at X
}

type chartView struct {
	Top, Middle, Base, Height int // of the plot; of all
	Width                     int // of the plot in its own scale
	Served, Rejected          string
	Marks, Brownouts          []markView
}

// axisOf returns the axis: the last 90 days, and as many future days, within a bound,
// as the planned dates need.
func axisOf(now time.Time, versions []versionView) axisView {
	a := axisView{start: startOf(now).AddDate(0, 0, 1-Days), days: Days}
	most := uint64(0)
	for _, v := range versions {
		for _, day := range v.daily {
			most = max(most, day.Requests)
		}
		planned := []time.Time{v.Sunset}
		for _, b := range v.Brownouts {
			planned = append(planned, b.Until)
		}
		for _, t := range planned {
			if days := int(t.Sub(a.start)/(24*time.Hour)) + 4; days <= 2*Days {
				a.days = max(a.days, days)
			}
		}
	}
	a.Most = ceiling(most)
	a.Half, a.Today = a.Most/2, 100*float64(Days)/float64(a.days)
	a.Ahead = 100 - a.Today
	for t := a.start.AddDate(0, 1, 1-a.start.Day()); a.at(t) < 97; t = t.AddDate(0, 1, 0) {
		if a.at(t) > 3 {
			a.Ticks = append(a.Ticks, markView{X: a.at(t), Text: t.Format("2 Jan")})
		}
	}
	return a
}

// at returns the position of a time, in percent.
func (a *axisView) at(t time.Time) float64 {
	return 100 * t.Sub(a.start).Hours() / 24 / float64(a.days)
}

// chartOf returns the chart of a version. Marks further right have higher labels, so
// that no line runs through a label.
func (a *axisView) chartOf(v *versionView) chartView {
	c := chartView{Width: a.days * dayWidth}
	mark := func(class string, t time.Time) {
		if at := a.at(t); 0 <= at && at <= 100 {
			c.Marks = append(c.Marks, markView{X: at, Y: rowHeight*len(c.Marks) + 12, Text: class + t.UTC().Format(" 2 Jan"), Class: class})
		}
	}
	mark("sunset", v.Sunset)
	for i, b := range v.Brownouts {
		if i == 0 {
			mark("brownout", b.From)
		}
		if at := a.at(b.From); 0 <= at && at <= 100 {
			c.Brownouts = append(c.Brownouts, markView{X: at, Width: max(0.5, a.at(b.Until)-at)})
		}
	}
	mark("deprecated", v.Deprecated)
	c.Top = rowHeight*len(c.Marks) + 8
	c.Middle, c.Base, c.Height = c.Top+plotHeight/2, c.Top+plotHeight, c.Top+plotHeight+20
	c.Served, c.Rejected = a.bars(&v.daily)
	return c
}

// bars returns the paths of the bars: rejected requests on top of served ones.
func (a *axisView) bars(daily *[Days]dayReport) (served, rejected string) {
	var below, above strings.Builder
	bar := func(path *strings.Builder, day int, requests uint64, base float64) (height float64) {
		if requests > 0 {
			height = max(1, plotHeight*float64(requests)/float64(a.Most))
			fmt.Fprintf(path, "M%d %.1fv-%.1fh3v%.1fz", dayWidth*day, base, height, height)
		}
		return height
	}
	for i := range daily {
		day := daily[Days-1-i]
		height := bar(&below, i, day.Requests-day.Rejected, plotHeight)
		bar(&above, i, day.Rejected, plotHeight-height)
	}
	return below.String(), above.String()
}

// ceiling returns a round number of at least most whose half is also round.
func ceiling(most uint64) uint64 {
	for unit := uint64(1); ; unit *= 10 {
		for _, n := range []uint64{2, 4, 6, 8, 10, 12, 16} {
			if most <= n*unit {
				return n * unit
			}
		}
	}
}
