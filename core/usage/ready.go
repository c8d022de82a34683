package usage

import (
	"fmt"
	"strings"
	"time"
)

// Times of the rule of readiness.
const (
	silence   = RecentDays * 24 * time.Hour // for which nobody may have called the version
	lateAfter = 15 * time.Minute            // a process that is silent for longer may have been killed, with counts
	forgiven  = 24 * time.Hour              // after which that no longer matters
)

// readiness says whether a version may end.
type readiness struct {
	Ready   bool     `json:"ready"`
	Reasons []string `json:"reasons,omitempty"` // why not
}

// readiness says whether a version may end: no client has called it in 30 days, these
// days were counted without a gap, and no process is missing that may have counted
// more.
func (r *report) readiness(v *versionReport) *readiness {
	var reasons []string
	say := func(format string, args ...any) { reasons = append(reasons, fmt.Sprintf(format, args...)) }
	calling, named := 0, []string(nil)
	for _, c := range v.Clients {
		if c.Recent == 0 && c.LastSeen.Before(r.Time.Add(-silence)) {
			continue
		}
		if calling++; calling <= 3 {
			named = append(named, c.Name())
		}
	}
	switch {
	case calling > 3:
		say("%d clients have called it in the last %d days: %s and %d more", calling, RecentDays, strings.Join(named, ", "), calling-3)
	case calling > 0:
		say("%s called it in the last %d days: %s", plural(calling, "client has", "clients have"), RecentDays, strings.Join(named, ", "))
	}
	begin := r.Time.Add(-silence)
	if r.Since.After(begin) {
		say("requests are counted since %s only: %d days are over on %s", minute(r.Since), RecentDays, minute(r.Since.Add(silence)))
		begin = r.Since
	}
	r.gaps(begin, func(from, until time.Time) {
		say("nobody counted from %s until %s", minute(from), minute(until))
	})
	for _, p := range r.Processes {
		if silent := r.Time.Sub(p.Heard); !p.Ended && silent > lateAfter && silent <= forgiven {
			say("process %s was last heard of on %s: it may have been killed, with requests that are not counted; this is forgotten a day later", printable(p.Name), minute(p.Heard))
		}
	}
	return &readiness{len(reasons) == 0, reasons}
}

// gaps yields the times between begin and now in whose hours nobody counted.
func (r *report) gaps(begin time.Time, yield func(from, until time.Time)) {
	first, last := begin.Unix()/secondsPerHour, r.Time.Unix()/secondsPerHour
	for hour := first; hour < last; hour++ {
		if r.hours[hour] {
			continue
		}
		from := hour
		for hour < last && !r.hours[hour] {
			hour++
		}
		yield(time.Unix(from*secondsPerHour, 0).UTC(), time.Unix(hour*secondsPerHour, 0).UTC())
	}
}

// minute returns a time as text.
func minute(t time.Time) string { return t.UTC().Format("2 Jan 2006, 15:04 UTC") }

// plural returns a number of things as text.
func plural(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return number(uint64(n)) + " " + more
}
