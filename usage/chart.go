package usage

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Measures of a chart, in pixels. Widths are in percent, so that text keeps its size
// on any screen.
const (
	plotHeight = 96
	dayWidth   = 4 // in the plot's own scale
)

// axisView is shared by all charts: the last 90 days, and the scale.
type axisView struct {
	start      time.Time
	Most, Half uint64 // requests at the top of the scale and in its middle
	Ticks      []markView
}

type chartView struct {
	marksView
	Middle, Bottom, Height int // of the plot, whose top is the base of the marks; of all
	Served, Rejected       string
	Left, LeftText         string // the line of the clients left, from day to day
}

// axisOf returns the axis of charts with so many requests on a day at most.
func axisOf(now time.Time, most uint64) axisView {
	a := axisView{start: startOf(now).AddDate(0, 0, 1-Days), Most: ceiling(most)}
	a.Half = a.Most / 2
	for t := a.start.AddDate(0, 1, 1-a.start.Day()); a.at(t) < 97; t = t.AddDate(0, 1, 0) {
		if a.at(t) > 3 {
			a.Ticks = append(a.Ticks, markView{X: a.at(t), Text: t.Format("2 Jan")})
		}
	}
	return a
}

// at returns the position of a time, in percent.
func (a *axisView) at(t time.Time) float64 { return 100 * t.Sub(a.start).Hours() / 24 / Days }

// chartOf returns the chart of a version.
func (a *axisView) chartOf(v *versionReport) chartView {
	c := chartView{marksView: v.marks(a.at, time.Time{}, chartWidth)}
	c.Middle, c.Bottom, c.Height = c.Base+plotHeight/2, c.Base+plotHeight, c.Base+plotHeight+20
	c.Served, c.Rejected = a.bars(&v.daily)
	c.Left, c.LeftText = a.line(v.Left)
	return c
}

// line returns the path of the clients that are left from day to day, on a scale of its own, and
// its text. Without two days, there is none.
func (a *axisView) line(all []Left) (path, text string) {
	start := a.start.Format(time.DateOnly)
	all = slices.DeleteFunc(slices.Clone(all), func(l Left) bool { return l.Day < start })
	most := 1
	for _, l := range all {
		most = max(most, l.left())
	}
	if len(all) < 2 {
		return "", ""
	}
	var b strings.Builder
	for i, l := range all {
		at, _ := time.Parse(time.DateOnly, l.Day)
		fmt.Fprintf(&b, "%c%.1f %.1f", "ML"[min(i, 1)], a.at(at)*dayWidth*Days/100+dayWidth/2,
			plotHeight-float64(plotHeight-4)*float64(l.left())/float64(most))
	}
	first, last := all[0], all[len(all)-1]
	return b.String(), "clients left: " + first.text() + ", " + last.text()
}

// text returns how many clients are left, and may break, on the day.
func (l *Left) text() string {
	text := number(uint64(l.left())) + " on " + dayText(l.Day)
	if l.Accepted > 0 {
		text += " and " + number(uint64(l.Accepted)) + " that may break"
	}
	return text
}

// left returns how many clients the end would have broken.
func (l *Left) left() int { return l.Only + l.Both + l.Quiet + l.Pinned }

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
