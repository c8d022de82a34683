package usage

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Measures of marks, in pixels.
const (
	timelineWidth = 330.0 // on a phone
	chartWidth    = 270.0
	letterWidth   = 7.0
	rowHeight     = 18  // of labels
	maxCalls      = 100 // dots
)

// markView is something at a percentage of the width.
type markView struct {
	X, Width    float64
	Y           int
	Text, Class string
	End         bool // whether the text ends at X
	Number      int  // of calls
}

// Middle returns the middle of a segment.
func (m markView) Middle() float64 { return m.X + m.Width/2 }

// Radius returns the radius of a dot: one for several calls has their number in it.
func (m markView) Radius() int {
	if m.Number > 1 {
		return 5 + 3*len(strconv.Itoa(m.Number))
	}
	return 5
}

// marksView are the dates of a version, with labels above a base line, and its brownouts.
type marksView struct {
	Base             int
	Marks, Brownouts []markView
	Text             string
}

// marks returns the marks of a picture: the dates of the version, and today unless it is the
// zero time. At returns the place of a time, in percent. The labels have room in a picture of
// the width.
func (v *versionReport) marks(at func(time.Time) float64, today time.Time, width float64) (m marksView) {
	add := func(class, text string, t time.Time) {
		if x := at(t); !t.IsZero() && 0 <= x && x < 100 {
			m.Marks = append(m.Marks, markView{X: x, Text: text, Class: class})
			m.Text = strings.TrimPrefix(m.Text+", "+text, ", ")
		}
	}
	add("deprecated", "deprecated "+v.Deprecated.UTC().Format("2 Jan"), v.Deprecated)
	for i, b := range v.Brownouts {
		if x := at(b.From); 0 <= x && x < 100 {
			m.Brownouts = append(m.Brownouts, markView{X: x, Width: max(0.6, at(b.Until)-x)})
		}
		if i == 0 {
			add("brownout", verb(len(v.Brownouts), "brownout", strconv.Itoa(len(v.Brownouts))+" brownouts from")+
				b.From.UTC().Format(" 2 Jan"), b.From)
		}
	}
	add("today", "today", today)
	add("sunset", "sunset "+v.Sunset.UTC().Format("2 Jan"), v.Sunset)
	m.place(width)
	return m
}

// place puts each label into the lowest row in which it covers no other label.
func (m *marksView) place(width float64) {
	var ends []float64 // of the last label in each row, from below
	for i := range m.Marks {
		mark := &m.Marks[i]
		mark.Width, mark.End = 100*(letterWidth*float64(len(mark.Text))+12)/width, mark.X > 50
	}
	slices.SortStableFunc(m.Marks, func(a, b markView) int { return cmp.Compare(a.from(), b.from()) })
	for i := range m.Marks {
		mark := &m.Marks[i]
		row := slices.IndexFunc(ends, func(end float64) bool { return end <= mark.from() })
		if row < 0 {
			row, ends = len(ends), append(ends, 0)
		}
		ends[row], mark.Y = mark.from()+mark.Width, -rowHeight*row
	}
	m.Base = rowHeight*len(ends) + 8
	for i := range m.Marks {
		m.Marks[i].Y += m.Base - 13
	}
}

// from returns where the label begins.
func (m *markView) from() float64 {
	if m.End {
		return m.X - m.Width
	}
	return m.X
}

// timelineView is the life of a version in a picture: its dates, and when its quiet clients
// are expected to call again.
type timelineView struct {
	marksView
	Height int
	Calls  []markView
	Late   int // calls after the sunset
}

// timelineOf returns the timeline of a version, or nil if the version has only one date.
func timelineOf(r *report, v *versionReport) *timelineView {
	shown := []time.Time{r.Time}
	include := func(t time.Time) {
		if !t.IsZero() && r.Time.Sub(t).Abs() <= KeepDays*24*time.Hour {
			shown = append(shown, t)
		}
	}
	include(v.Deprecated)
	include(v.Sunset)
	var calls []*movingClient
	for _, c := range v.Moving.Of(groupQuiet) {
		if c.Every != "" {
			calls = append(calls, c)
			include(c.Next)
		}
	}
	slices.SortStableFunc(calls, func(a, b *movingClient) int { return a.Next.Compare(b.Next) })
	first := slices.MinFunc(shown, time.Time.Compare)
	span := slices.MaxFunc(shown, time.Time.Compare).Sub(first)
	if span < 24*time.Hour {
		return nil
	}
	at := func(t time.Time) float64 { return 3 + 94*float64(t.Sub(first))/float64(span) }
	view := &timelineView{marksView: v.marks(at, r.Time, timelineWidth)}
	view.Height = view.Base + 10
	day := "" // of the last dot
	for _, c := range calls {
		call := markView{X: min(100, max(0, at(c.Next))), Class: "waiting",
			Text: c.Name() + ": next expected about " + date(c.Next), Number: 1}
		if !v.Sunset.IsZero() && !c.Next.Before(v.Sunset) {
			call.Class = "bad"
			view.Late++
		}
		// one dot for a day
		if n := len(view.Calls) - 1; n >= 0 && view.Calls[n].Class == call.Class &&
			(date(c.Next) == day || n+1 == maxCalls) {
			view.Calls[n].Number++
			view.Calls[n].Text = fmt.Sprintf("%d calls are expected about %s", view.Calls[n].Number, day)
			continue
		}
		day = date(c.Next)
		view.Calls = append(view.Calls, call)
	}
	// the late ones are on top
	slices.SortStableFunc(view.Calls, func(a, b markView) int { return len(b.Class) - len(a.Class) })
	if len(calls) > 0 {
		view.Text += ", " + plural(len(calls), "call", "calls") + " of quiet clients expected"
	}
	if view.Late > 0 {
		view.Text += ", " + strconv.Itoa(view.Late) + " of them after the sunset"
	}
	return view
}

// Lower returns the place of something above the base.
func (v *timelineView) Lower(height int) int { return v.Base - height }
