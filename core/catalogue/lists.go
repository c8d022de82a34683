package catalogue

import (
	"fmt"
	"slices"
	"strings"
)

// Lists is the lists of versions at a moment. The pointer is the same as long as
// the lists do not change, and for all routes in the same versions, so it can be
// a key.
type Lists struct {
	// Allowed is the listed versions, the oldest first: released, before the
	// sunset, no preview. Callers must not modify it.
	Allowed []string

	// Fields are Api-Supported-Versions and Api-Deprecated-Versions, each
	// unless it is empty, where the configuration says Report.
	Fields []Field
}

// Lists returns the lists of the versions that have the route, for every response.
func (t *Table) Lists(m Moment) *Lists {
	return t.lists[m.stage]
}

// listsOf returns the lists of the versions that have a route, by stage.
func (c *Catalogue) listsOf(choices []int) []*Lists {
	has := make([]bool, len(choices))
	for i, choice := range choices {
		has[i] = choice >= 0
	}
	lists, _ := c.lists.LoadOrStore(fmt.Sprint(has), c.newLists(has))
	return lists.([]*Lists)
}

// newLists computes the lists. Stages in a row with the same lists share them.
func (c *Catalogue) newLists(has []bool) []*Lists {
	lists := make([]*Lists, c.Stages())
	for stage := range lists {
		lists[stage] = c.listsAt(c.stageStart(stage), has)
		if stage > 0 && lists[stage].equal(lists[stage-1]) {
			lists[stage] = lists[stage-1]
		}
	}
	return lists
}

// listsAt returns the lists at a second.
func (c *Catalogue) listsAt(second int64, has []bool) *Lists {
	const most = MaxVersions // constant, so that these are on the stack
	listed, supported, deprecated := make([]string, 0, most), make([]string, 0, most), make([]string, 0, most)
	for i := range c.versions {
		v := &c.versions[i]
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
	if c.config.Report && len(supported) > 0 {
		lists.Fields = append(lists.Fields, newField(SupportedVersionsField, strings.Join(supported, ", ")))
	}
	if c.config.Report && len(deprecated) > 0 {
		lists.Fields = append(lists.Fields, newField(DeprecatedVersionsField, strings.Join(deprecated, ", ")))
	}
	return lists
}

func (l *Lists) equal(other *Lists) bool {
	return slices.Equal(l.Allowed, other.Allowed) && slices.EqualFunc(l.Fields, other.Fields, func(a, b Field) bool {
		return a.Name == b.Name && slices.Equal(a.Lines, b.Lines)
	})
}
