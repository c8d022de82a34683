package report

import "fmt"

// Bound is what the project asks of a figure, and the worst of those measured.
type Bound struct {
	Required bool // a command fails when it does not hold: see [Main]

	what    string
	limit   float64
	atLeast bool // the figure must not be below the limit; else not above

	worst    float64
	interval string
	where    string // the worst was measured, "" before the first
}

// AtMost returns a bound on figures that must not be above the limit.
func AtMost(limit float64, what string) *Bound { return &Bound{what: what, limit: limit} }

// AtLeast returns a bound on figures that must not be below the limit.
func AtLeast(limit float64, what string) *Bound {
	return &Bound{what: what, limit: limit, atLeast: true}
}

// Judge adds a figure and returns its cell in a table, in bold when it breaks
// the bound. Any figure keeps a bound that is nil.
func (b *Bound) Judge(figure float64, where string) string {
	return b.JudgeRatio(Ratio{Value: figure}, where)
}

// JudgeTime is Judge for nanoseconds.
func (b *Bound) JudgeTime(nanoseconds float64, where string) string {
	return b.judge(Ratio{Value: nanoseconds}, "%+.0f ns", where)
}

// JudgeCount is Judge for a number of something.
func (b *Bound) JudgeCount(count float64, where string) string {
	return b.judge(Ratio{Value: count}, "%g", where)
}

// JudgeRatio is Judge for a ratio, whose interval does not count.
func (b *Bound) JudgeRatio(r Ratio, where string) string { return b.judge(r, "%.2f", where) }

func (b *Bound) judge(r Ratio, format, where string) string {
	cell, interval := fmt.Sprintf(format, r.Value), ""
	if r.Low != 0 || r.High != 0 {
		interval = " " + r.Interval()
	}
	if b == nil {
		return cell + interval
	}
	if b.where == "" || b.atLeast == (r.Value < b.worst) && r.Value != b.worst {
		b.worst, b.interval, b.where = r.Value, interval, where
	}
	if !b.admits(r.Value) {
		cell = "**" + cell + "**"
	}
	return cell + interval
}

// Holds reports whether there are figures and all keep the bound.
func (b *Bound) Holds() bool { return b.where != "" && b.admits(b.worst) }

// tolerance is the part of a limit by which a figure may miss it: two builds of one
// source differ by 4 %.
const tolerance = 0.05

// admits reports whether the figure keeps the bound. Figures count as they are
// printed.
func (b *Bound) admits(figure float64) bool {
	const half = 0.005
	if b.atLeast {
		return figure >= b.limit*(1-tolerance)-half
	}
	return figure < b.limit*(1+tolerance)+half
}

// Bounds returns the table of all bounds, with the worst figure of each.
func Bounds(bounds ...*Bound) string {
	t := NewTable("bound", "asked", "worst", "where", "holds")
	for _, b := range bounds {
		asked, holds := "at most", "yes"
		if b.atLeast {
			asked = "at least"
		}
		if !b.Holds() {
			holds = "**no**"
		}
		t.Add(b.what, fmt.Sprintf("%s %g", asked, b.limit), fmt.Sprintf("%.2f%s", b.worst, b.interval), b.where, holds)
	}
	return t.String()
}
