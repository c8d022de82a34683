package usage

import (
	"math/bits"
	"slices"
	"time"
)

// Weeks are the weeks in which a client called a version. Counts by day are kept for 30
// days, and a job that runs once a quarter is known by what it did before.
type Weeks struct {
	Last int64  `json:"last"` // the last one, since 1970: weeks begin on Thursdays, as 1970 did
	Bits uint64 `json:"bits"` // bit i: the week i weeks before that
}

// WeekOf returns the week of a second since 1970.
func WeekOf(second int64) int64 { return second / secondsPerWeek }

const secondsPerWeek = 7 * secondsPerDay

// KeepWeeks are the last week, and those of the [KeepDays] before it.
const KeepWeeks = KeepDays/7 + 1

// Add adds other weeks. The last [KeepWeeks] stay, in whatever order and parts they are added.
func (w *Weeks) Add(other Weeks) {
	if other.Bits == 0 {
		return
	}
	if w.Bits == 0 || other.Last > w.Last {
		*w, other = other, *w
	}
	w.Bits = (w.Bits | other.Bits<<uint64(w.Last-other.Last)) & (1<<KeepWeeks - 1)
}

// every returns how many weeks pass from one visit of a rare caller to the next. A visit
// is one week, or several without a week between them. It is 0 for clients that call in
// most weeks, and for those with a single visit. A client that called in most weeks before,
// and rarely since, is a rare caller: a job is left of what it did.
func (w Weeks) every() int {
	// Of each visit, the latest first: weeks before the last, and how many with a call since. They need no memory.
	starts, called := make([]int, 0, 32), make([]int, 0, 32)
	for i, n := 0, 0; i < bits.Len64(w.Bits); i++ {
		if w.Bits>>i&1 == 0 {
			continue
		}
		n++
		if w.Bits>>(i+1)&1 == 0 {
			starts, called = append(starts, i), append(called, n)
		}
	}
	for n := len(starts); n >= 2; n-- {
		if 2*(called[n-1]-1) > starts[n-1] {
			continue
		}
		gaps := called[:n-1]
		for i := range gaps {
			gaps[i] = starts[i+1] - starts[i]
		}
		slices.Sort(gaps)
		return gaps[len(gaps)/2] // the upper one of two: late rather than early
	}
	return 0
}

const quarter = 13 // weeks

// brief reports whether there were calls within one quarter only: of a season, or of a yearly job, which shows itself
// once a year. So it may come again until it is [Forgotten].
func (w Weeks) brief() bool { return bits.Len64(w.Bits) <= quarter }

// givenUp reports whether a client will not call again what it called in these weeks: it has missed three times the
// longest time between two visits, and a quarter.
func (w Weeks) givenUp(now int64) bool {
	return !w.brief() && now-w.Last > int64(max(quarter, 3*w.longest()))
}

// regular reports whether there were three visits or more, all as far apart, give or take a week; or two that are a
// quarter, half a year or a year apart: so rare a job has no third one within these weeks.
func (w Weeks) regular() bool {
	n, shortest, longest := 0, 64, 0
	for starts := w.Bits &^ (w.Bits >> 1); starts&(starts-1) != 0; starts &= starts - 1 {
		gap := bits.TrailingZeros64(starts&(starts-1)) - bits.TrailingZeros64(starts)
		n, shortest, longest = n+1, min(shortest, gap), max(longest, gap)
	}
	return n >= 2 && longest-shortest <= 1 || n == 1 && slices.ContainsFunc(rhythms, func(r jobRhythm) bool {
		return r.months >= 3 && r.from <= longest && longest <= r.to
	})
}

// longest returns the most weeks from one with a call to the next.
func (w Weeks) longest() (longest int) {
	for b := w.Bits >> 1; b != 0; {
		gap := bits.TrailingZeros64(b) + 1
		longest, b = max(longest, gap), b>>gap
	}
	return longest
}

// longestAmid returns the same, of pauses with a call in other weeks.
func (w Weeks) longestAmid(more Weeks) (longest int) {
	more = more.until(w.Last)
	amid := more.Bits << uint64(w.Last-more.Last) >> 1
	for b := w.Bits >> 1; b != 0; {
		gap := bits.TrailingZeros64(b) + 1
		if amid&(1<<(gap-1)-1) != 0 {
			longest = max(longest, gap)
		}
		b, amid = b>>gap, amid>>gap
	}
	return longest
}

// until returns the weeks until one.
func (w Weeks) until(week int64) Weeks {
	if drop := w.Last - week; drop > 0 {
		w = Weeks{week, w.Bits >> drop}
	}
	return w
}

// first returns the first of the weeks.
func (w Weeks) first() int64 { return w.Last + 1 - int64(bits.Len64(w.Bits)) }

// since returns in how many weeks there was a call after a week, and whether the first and the last
// of them are not neighbours.
func (w Weeks) since(week int64) (n int, apart bool) {
	b := w.Bits & (1<<max(0, w.Last-week) - 1) // all for a shift of 64 or more
	n = bits.OnesCount64(b)
	return n, bits.Len64(b)-bits.TrailingZeros64(b) > 2 && b != 0
}

// jobRhythm is how often a job is run. Weeks from and to are those between two runs.
type jobRhythm struct {
	from, to int
	text     string
	months   int
}

// rhythms are the usual ones.
var rhythms = []jobRhythm{{4, 5, "monthly", 1}, {8, 9, "every 2 months", 2}, {12, 14, "quarterly", 3},
	{25, 27, "half-yearly", 6}, {51, 54, "yearly", 12}}

// rhythm returns how often a client calls, and when a next call is expected after the last.
func rhythm(every int, last time.Time) (text string, next time.Time) {
	for _, r := range rhythms {
		if r.from <= every && every <= r.to {
			return r.text, last.AddDate(0, r.months, 0)
		}
	}
	if every == 0 {
		return "", time.Time{}
	}
	return "every " + plural(every, "week", "weeks"), last.AddDate(0, 0, 7*every)
}

// unseen returns which jobs may not have called since counting began, "" if all have.
func unseen(counted int) string {
	for _, job := range []struct {
		days int
		text string
	}{{8, "weekly"}, {35, "monthly"}, {100, "quarterly"}, {190, "half-yearly"}, {370, "yearly"}} {
		if counted < job.days {
			return "Counted for " + plural(counted, "day", "days") + ": a job that runs " + job.text +
				" may not have called yet"
		}
	}
	return ""
}

// due reports whether a rare caller may still be on time: up to half an interval late, which is
// a week at least.
func due(every string, last, next, now time.Time) bool {
	return every != "" && now.Before(next.Add(next.Sub(last)/2))
}
