package catalogue

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/goverso/verso/core/internal/codes"
)

// statusGone is 410 Gone (RFC 9110, section 15.5.11).
const statusGone = 410

// Brownout is a window of time in which a deprecated version is rejected, as a
// rehearsal of its end. It includes the second From and excludes the second Until.
//
// The windows of a version must not overlap. Adjacent windows with the same
// status are merged.
type Brownout struct {
	From  time.Time `json:"from,omitzero"`  // Required. Not before the version is deprecated.
	Until time.Time `json:"until,omitzero"` // Required. After From, and not after a sunset that ends the version.
	// Optional. HTTP status from 400 to 599. 0: 410, which clients do not retry.
	Status int `json:"status,omitzero"`
}

// EveryWeek returns n windows without a status. The first begins at first, and each later
// one a week after the previous one. Each window lasts for lasts.
//
// All windows begin on the same weekday and at the same time of day in the
// location of first, even when the clocks there change in between.
//
// Without a window nothing would be rehearsed: for an n below 1 it returns one without a beginning and an end, which
// [New] refuses.
func EveryWeek(first time.Time, lasts time.Duration, n int) []Brownout {
	if n < 1 {
		return []Brownout{{}}
	}
	var windows []Brownout
	for week := range n {
		from := first.AddDate(0, 0, 7*week)
		windows = append(windows, Brownout{From: from, Until: from.Add(lasts)})
	}
	return windows
}

// run is one window, or several adjacent windows with the same status.
type run struct {
	field       string // of the first
	from, until int64
	status      int
}

// runsOf checks the windows of the version at a field and returns its runs in
// chronological order.
func runsOf(m *mistakes, field string, brownouts []Brownout, v *version) []run {
	var windows []run
	for i, brownout := range brownouts {
		if w, ok := brownout.check(m, fmt.Sprintf("%s.brownouts[%d]", field, i), v); ok {
			windows = append(windows, w)
		}
	}
	slices.SortFunc(windows, func(a, b run) int { return cmp.Compare(a.from, b.from) })
	var runs []run
	for i, w := range windows {
		last := len(runs) - 1
		switch {
		case i == 0 || w.from > runs[last].until || w.from == runs[last].until && w.status != runs[last].status:
			runs = append(runs, w)
		case w.from == runs[last].until:
			runs[last].until = w.until
		default:
			m.add(w.field, codes.BrownoutOverlap, dateText(runs[last].until))
		}
	}
	return runs
}

// check checks a window of a version and returns its run. ok is false when the
// window has no beginning, no end or no length.
func (b Brownout) check(m *mistakes, field string, v *version) (r run, ok bool) {
	r.field, r.status = field, cmp.Or(b.Status, statusGone)
	if r.status < 400 || r.status > 599 {
		m.add(field+".status", codes.BrownoutStatus, r.status)
	}
	r.from = windowEdge(m, field+".from", b.From)
	r.until = windowEdge(m, field+".until", b.Until)
	switch {
	case r.from == never || r.until == never: // reported
		return r, false
	case r.until <= r.from:
		m.add(field, codes.BrownoutWindow, dateText(r.until))
		return r, false
	}
	if v.deprecated != never && r.from < v.deprecated {
		m.add(field+".from", codes.BrownoutTooEarly, dateText(v.deprecated))
	}
	if r.until > v.ended {
		m.add(field+".until", codes.BrownoutAfterSunset, dateText(v.ended))
	}
	return r, true
}

// windowEdge returns the second of one end of a window, or [never] when the date
// is missing or wrong.
func windowEdge(m *mistakes, field string, t time.Time) int64 {
	if t.IsZero() {
		m.add(field, codes.BrownoutHalf)
	}
	return instant(m, field, t, never)
}
