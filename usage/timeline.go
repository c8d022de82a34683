package usage

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Measures of the timeline, in pixels.
const (
	narrowest   = 330.0 // of the timeline, on a phone
	letterWidth = 7.0
	maxCalls    = 100 // the next calls that are shown
)

// timelineView is the life of a version in a picture: its dates, and when its quiet clients
// are expected to call again.
type timelineView struct {
	Base, Height     int
	Today            float64
	Marks            []markView
	Brownouts, Calls []markView
	Late             int // calls after the sunset
	Text             string
}

// timeline returns the timeline of a version, or nil if the version has only one date.
func (r *report) timeline(v *versionReport) *timelineView {
	first, last := r.Time, r.Time
	include := func(t time.Time) {
		if t.IsZero() || t.Before(r.Time.AddDate(-1, 0, 0)) || t.Sub(r.Time) > gone {
			return
		}
		if t.Before(first) {
			first = t
		}
		if t.After(last) {
			last = t
		}
	}
	include(v.Deprecated)
	include(v.Sunset)
	var calls []movingClient
	for _, c := range v.Moving.Clients {
		if c.Group == groupQuiet && c.Every != "" && len(calls) < maxCalls {
			calls = append(calls, c)
			include(c.Next)
		}
	}
	span := last.Sub(first)
	if span < 24*time.Hour {
		return nil
	}
	at := func(t time.Time) float64 { return 3 + 94*float64(t.Sub(first))/float64(span) }
	view := &timelineView{Today: at(r.Time)}
	mark := func(class, text string, t time.Time) {
		if x := at(t); !t.IsZero() && 0 <= x && x <= 100 {
			view.Marks = append(view.Marks, markView{X: x, Text: text, Class: class})
			view.Text += text + ", "
		}
	}
	mark("deprecated", "deprecated "+v.Deprecated.UTC().Format("2 Jan"), v.Deprecated)
	mark("today", "today", r.Time)
	for i, b := range v.Brownouts {
		if x := at(b.From); 0 <= x && x <= 100 {
			view.Brownouts = append(view.Brownouts, markView{X: x, Width: max(0.6, at(b.Until)-x)})
		}
		if i == 0 {
			mark("brownout", plural(len(v.Brownouts), "brownout", "brownouts")+" from "+b.From.UTC().Format("2 Jan"), b.From)
		}
	}
	mark("sunset", "sunset "+v.Sunset.UTC().Format("2 Jan"), v.Sunset)
	for _, c := range calls {
		call := markView{X: min(100, max(0, at(c.Next))), Class: "waiting", Text: nameOf(c.Client, c.Other) + ": next expected about " + date(c.Next)}
		if !v.Sunset.IsZero() && !c.Next.Before(v.Sunset) {
			call.Class = "bad"
			view.Late++
		}
		view.Calls = append(view.Calls, call)
	}
	slices.SortStableFunc(view.Calls, func(a, b markView) int { return len(b.Class) - len(a.Class) }) // the late ones are on top
	if len(calls) > 0 {
		view.Text += plural(len(calls), "call", "calls") + " of quiet clients expected, "
	}
	if view.Late > 0 {
		view.Text += strconv.Itoa(view.Late) + " of them after the sunset, "
	}
	view.Text = strings.TrimSuffix(view.Text, ", ")
	view.place()
	return view
}

// place puts each label into the lowest row in which it covers no other label, no line
// crosses it, and its own line crosses no label.
func (v *timelineView) place() {
	type label struct {
		from, to float64
		row      int
	}
	var placed []label
	rows := 0
	for i := range v.Marks {
		m := &v.Marks[i]
		width := 100 * (letterWidth*float64(len(m.Text)) + 12) / narrowest
		fits := func(l label) bool {
			for j, other := range placed {
				same := l.row == other.row && l.from < other.to && other.from < l.to
				crosses := other.row < l.row && other.from < m.X && m.X < other.to
				crossed := other.row > l.row && l.from < v.Marks[j].X && v.Marks[j].X < l.to
				if same || crosses || crossed {
					return false
				}
			}
			return true
		}
		right, left := label{m.X, m.X + width, 0}, label{m.X - width, m.X, 0}
		sides := []label{right, left}
		if m.X > 50 {
			sides = []label{left, right}
		}
		chosen := label{sides[0].from, sides[0].to, rows}
	search:
		for row := range rows + 1 {
			for _, side := range sides {
				side.row = row
				if side.from >= 0 && side.to <= 100 && fits(side) {
					chosen = side
					break search
				}
			}
		}
		m.End = chosen.from < m.X
		placed = append(placed, chosen)
		rows = max(rows, chosen.row+1)
	}
	v.Base = rowHeight*rows + 8
	v.Height = v.Base + 10
	for i := range v.Marks {
		v.Marks[i].Y = rowHeight*(rows-placed[i].row) - 5
	}
}

// Lower returns the place of something above the base.
func (v *timelineView) Lower(height int) int { return v.Base - height }
