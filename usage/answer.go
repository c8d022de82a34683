package usage

import (
	"fmt"
	"time"

	"github.com/goverso/verso/core/catalogue"
)

// ends returns when the version ends, as a sentence.
func (v *versionReport) ends(now time.Time) string {
	name := printable(v.Version)
	switch {
	case v.State == catalogue.Ended.String():
		return name + " ended " + ends(v.DaysToSunset)
	case !v.Sunset.IsZero() && !v.Sunset.After(now):
		return name + " had its sunset " + ends(v.DaysToSunset)
	case !v.Sunset.IsZero() && v.after == catalogue.Serve:
		return name + " has its sunset " + ends(v.DaysToSunset)
	case !v.Sunset.IsZero():
		return name + " ends " + ends(v.DaysToSunset)
	case v.Deprecated.After(now):
		return name + " will be deprecated"
	}
	return name + " is deprecated"
}

// mood is how the answer is shown.
type mood string

const (
	moodGood mood = "good"
	moodBad  mood = "alarm"
	moodNone mood = "" // nothing is known yet, or nothing happens
)

// answerOf returns how far the clients of the version are. The first day has no answer.
func answerOf(r *report, v *versionReport) (text string, how mood) {
	m := v.Moving
	calling := m.Only + m.Both
	staying := calling + m.Quiet + m.Pinned
	all := staying + m.Moved + m.Told + m.Accepted
	clients := plural(all, "client", "clients")
	ended := v.State == catalogue.Ended.String()
	how = moodBad
	switch {
	case r.unobserved:
		return "No request is counted: give the configuration to the store before verso.New.", moodBad
	case all == 0 && m.Unnamed > 0 && (r.unset || r.routes == nil && !r.named):
		return "Its clients are not known: set Client.", moodBad
	case all == 0 && m.Unnamed > 0:
		return "Only clients without a name call it.", moodBad
	case all == 0 && r.Time.Sub(r.Since) < 24*time.Hour:
		return "Counting began on " + minute(r.Since) + ".", moodNone
	case all == 0:
		text, how = "No client calls it.", moodNone
	case staying == 0 && m.Accepted > 0:
		text, how = "All clients have moved, but for "+plural(m.Accepted, "client that may break.", "clients that may break."), moodGood
	case staying == 0 && m.Told > 0:
		text, how = "No client calls it any more.", moodGood
	case staying == 0 && m.Unnamed > 0:
		text = verb(all, "The only known client has", "All "+number(uint64(all))+" known clients have") + " moved."
	case staying == 0:
		text, how = "All clients have moved.", moodGood
	case staying == m.Pinned:
		text = number(uint64(m.Pinned)) + " of " + clients + verb(m.Pinned, " has", " have") + " it pinned."
	case calling == 0:
		text = number(uint64(m.Quiet)) + " of " + clients + " may call it again."
	case ended && v.after == catalogue.Gone:
		text = plural(calling, "client still gets", "clients still get") + " 410."
	case ended, v.Successor == "":
		text = plural(calling, "client still calls", "clients still call") + " it."
	default:
		text = number(uint64(staying)) + " of " + clients + verb(staying, " has", " have") + " not moved."
	}
	if calling > 0 && m.Quiet > 0 && (ended || v.Successor == "") {
		text += fmt.Sprintf(" %s call it again.", plural(m.Quiet, "quiet one may", "quiet ones may"))
	}
	if m.Pinned > 0 && staying > m.Pinned {
		text += " " + plural(m.Pinned, "client does not call it, and has", "clients do not call it, and have") +
			" it pinned."
	}
	if m.Others {
		text += fmt.Sprintf(" Only %s have a name here: the rest counts as one.", plural(r.Bound, "client", "clients"))
	}
	if m.Unnamed > 0 {
		text += " Clients without a name call it, too."
	}
	if why := v.unread(); why != "" {
		return why + ". " + text, moodBad
	}
	return text, how
}

// then returns what clients get from the sunset on.
func (v *versionReport) then() string {
	name := printable(v.Version)
	if v.Sunset.IsZero() {
		return "No sunset is planned."
	}
	from := "From " + v.Sunset.UTC().Format("Monday, 2 January 2006, 15:04") + " UTC on, "
	if v.DaysToSunset != nil && *v.DaysToSunset < 0 {
		from = "Since " + v.Sunset.UTC().Format("Monday, 2 January 2006") + ", "
	}
	switch v.after {
	case catalogue.Gone:
		return from + "every request for " + name + " gets 410 Gone."
	case catalogue.FallForward:
		return from + "the next version answers requests for " + name + "."
	default:
		return from + name + " is no longer listed, and still served."
	}
}

// Question is what the readiness of the version answers.
func (v *versionReport) Question() string {
	if v.State == catalogue.Ended.String() {
		return "May its code be removed?"
	}
	return "May it end?"
}

// window returns the next brownout as a sentence.
func window(b catalogue.Brownout, now time.Time) string {
	if !b.From.After(now) {
		return "A brownout is under way: " + days(b) + "."
	}
	return "Next brownout: " + days(b) + "."
}

// days returns the time of a brownout as text.
func days(b catalogue.Brownout) string {
	from, until := b.From.UTC(), b.Until.UTC()
	switch {
	case until.Sub(from) == 24*time.Hour && from.Equal(startOf(from)):
		return from.Format("Monday, 2 January") + ", all day"
	case !startOf(from).Equal(startOf(until)):
		return from.Format("Monday, 2 January, 15:04") + " to " + until.Format("Monday, 2 January, 15:04 UTC")
	}
	return from.Format("Monday, 2 January, 15:04") + " to " + until.Format("15:04 UTC")
}

// nextBrownout returns the present brownout, or the next one.
func (r *report) nextBrownout(v *versionReport) (next *catalogue.Brownout) {
	for _, b := range v.Brownouts {
		if b.Until.After(r.Time) && (next == nil || b.From.Before(next.From)) {
			next = &b
		}
	}
	return next
}

// warnFrom is how long before a sunset Warn begins.
const warnFrom = 30 * 24 * time.Hour
