package catalogue

import (
	"reflect"
	"slices"
	"strings"
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

// lists returns the lists of some of the versions, by stage. Consecutive stages with
// the same lists share them.
func (t *timeline) lists(has []bool, report bool) []*Lists {
	lists := make([]*Lists, len(t.stages))
	for stage, start := range t.stages {
		lists[stage] = t.listsAt(start, has, report)
		if stage > 0 && slices.Equal(lists[stage].Allowed, lists[stage-1].Allowed) &&
			reflect.DeepEqual(lists[stage].Fields, lists[stage-1].Fields) {
			lists[stage] = lists[stage-1]
		}
	}
	return lists
}

// listsAt returns the lists at a second.
func (t *timeline) listsAt(second int64, has []bool, report bool) *Lists {
	const most = MaxVersions // a constant keeps these on the stack
	listed, supported, deprecated := make([]string, 0, most), make([]string, 0, most), make([]string, 0, most)
	for i := range t.versions {
		v := &t.versions[i]
		switch {
		case !has[i] || !v.listed(second):
			continue
		case v.state(second) == Supported:
			supported = append(supported, v.text)
		default:
			deprecated = append(deprecated, v.text)
		}
		listed = append(listed, v.text)
	}
	lists := &Lists{Allowed: slices.Clone(listed)}
	if report && len(supported) > 0 {
		lists.Fields = append(lists.Fields, newField(SupportedVersionsField, strings.Join(supported, ", ")))
	}
	if report && len(deprecated) > 0 {
		lists.Fields = append(lists.Fields, newField(DeprecatedVersionsField, strings.Join(deprecated, ", ")))
	}
	return lists
}
