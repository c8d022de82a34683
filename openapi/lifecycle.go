package openapi

import (
	"net/http"
	"slices"
	"time"

	verso "github.com/goverso/verso/core"
)

// lifecycle is the state of a version over time.
type lifecycle struct {
	now        time.Time
	name       string // of the state now, "" without a catalogue
	deprecated bool
	sunset     time.Time
	ends       []int // statuses of its end: of the sunset, and of earlier brownouts
}

func lifecycleOf(service *verso.Explanation, version string) lifecycle {
	l := lifecycle{now: service.Time}
	for i, period := range service.Timeline {
		for _, status := range period.Versions {
			if status.Version != version {
				continue
			}
			l.sunset = status.Sunset
			if i == 0 {
				l.name, l.deprecated = status.State, status.State == "deprecated" || status.State == "ended"
			}
			if status.State == "ended" {
				l.ends = append(l.ends, http.StatusGone)
			}
			if status.Brownout > 0 {
				l.ends = append(l.ends, status.Brownout)
			}
		}
	}
	slices.Sort(l.ends)
	l.ends = slices.Compact(l.ends)
	return l
}

// of returns whether a route is deprecated in the version, and its sunset there, the
// zero time for never. Of the dates of the route and of the version the earlier one
// applies.
func (l *lifecycle) of(r *verso.RouteInfo) (deprecated bool, sunset time.Time) {
	deprecated, sunset = l.deprecated || isPast(r.Deprecated, l.now), l.sunset
	if sunset.IsZero() || !r.Sunset.IsZero() && r.Sunset.Before(sunset) {
		sunset = r.Sunset
	}
	return deprecated, sunset
}

// isPast reports whether a time is set and is not after now.
func isPast(t, now time.Time) bool { return !t.IsZero() && !t.After(now) }
