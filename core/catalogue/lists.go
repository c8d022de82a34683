package catalogue

import (
	"reflect"
	"slices"
)

// Lists holds the lists of versions at a moment. The pointer stays the same while
// the lists do not change, and is the same for all routes in the same versions, so
// it can be a map key.
type Lists struct {
	// Allowed holds the listed versions, the oldest first: those that are
	// released, before their sunset, and not previews. Callers must not modify it.
	Allowed []string

	// Fields are Api-Supported-Versions and Api-Deprecated-Versions, without
	// empty ones, if the configuration sets Report.
	Fields []Field
}

// lists returns the lists of some of the versions, by stage, and their reports. Consecutive stages with
// the same lists share them.
func (t *timeline) lists(has []bool, reports []report) []*Lists {
	lists := make([]*Lists, len(t.stages))
	at := listed{all: []string{}}
	for stage, start := range t.stages {
		at.fill(t, start, has)
		lists[stage] = at.lists(reports)
		if stage > 0 && slices.Equal(lists[stage].Allowed, lists[stage-1].Allowed) &&
			reflect.DeepEqual(lists[stage].Fields, lists[stage-1].Fields) {
			lists[stage] = lists[stage-1]
		}
	}
	return lists
}

// listed are the versions that are listed at a second. All stages are computed in the same slices.
type listed struct{ all, supported, deprecated []string }

// fill sets l to those at a second.
func (l *listed) fill(t *timeline, second int64, has []bool) {
	l.all, l.supported, l.deprecated = l.all[:0], l.supported[:0], l.deprecated[:0]
	for i := range t.versions {
		v := &t.versions[i]
		switch {
		case !has[i] || !v.listed(second):
			continue
		case v.state(second) == Supported:
			l.supported = append(l.supported, v.text)
		default:
			l.deprecated = append(l.deprecated, v.text)
		}
		l.all = append(l.all, v.text)
	}
}

// lists returns them with their reports.
func (l *listed) lists(reports []report) *Lists {
	lists := &Lists{Allowed: slices.Clone(l.all)}
	for _, r := range reports {
		if line := r.line(l.supported, l.deprecated); line != "" {
			lists.Fields = append(lists.Fields, newField(r.field, line))
		}
	}
	return lists
}
