package catalogue

// Lists is the lists of versions at a moment. Tables share them: pointers to equal
// lists of one set of versions are equal while the lists do not change, so they can
// be keys.
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
	return t.lists[m.stage.number]
}

// listsOf returns the lists of a set of versions, by stage. Routes with the same
// set share them.
func (c *Catalogue) listsOf(choices []int) []*Lists {
	key := make([]byte, len(choices))
	for i, choice := range choices {
		key[i] = '0'
		if choice >= 0 {
			key[i] = '1'
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	lists, ok := c.lists[string(key)]
	if !ok {
		lists = c.newLists(choices)
		c.lists[string(key)] = lists
	}
	return lists
}

// newLists computes the lists of a set of versions, by stage. Stages in a row
// with the same versions share them.
func (c *Catalogue) newLists(choices []int) []*Lists {
	lists := make([]*Lists, len(c.stages))
	latest := &Lists{Allowed: []string{}}
	states, before := make([]State, len(c.versions)), make([]State, len(c.versions))
	var scratch []byte
	for number := range c.stages {
		second := c.stages[number].from
		changed, moved := false, false
		for i := range c.versions {
			var state State // zero: in no list
			if v := &c.versions[i]; choices[i] >= 0 && v.listed(second) {
				state = v.state(second)
			}
			states[i] = state
			changed = changed || state != before[i]
			moved = moved || (state == 0) != (before[i] == 0)
		}
		if changed {
			next := &Lists{Allowed: latest.Allowed}
			if moved {
				next.Allowed = c.allowed(states)
			}
			if c.config.Report {
				next.Fields, scratch = c.listFields(states, scratch)
			}
			latest = next
		}
		lists[number] = latest
		states, before = before, states
	}
	return lists
}

// allowed returns the versions that are in a list.
func (c *Catalogue) allowed(states []State) []string {
	n := 0
	for _, state := range states {
		if state != 0 {
			n++
		}
	}
	allowed := make([]string, 0, n)
	for i, state := range states {
		if state != 0 {
			allowed = append(allowed, c.names[i])
		}
	}
	return allowed
}

// listFields returns the fields of the lists. It uses and returns the capacity of
// scratch: there are many lists, and most are long or none is.
func (c *Catalogue) listFields(states []State, scratch []byte) ([]Field, []byte) {
	var fields []Field
	for _, list := range []struct {
		name  string
		state State
	}{{SupportedVersionsField, Supported}, {DeprecatedVersionsField, Deprecated}} {
		scratch = scratch[:0]
		for i, state := range states {
			if state != list.state {
				continue
			}
			if len(scratch) > 0 {
				scratch = append(scratch, ", "...)
			}
			scratch = append(scratch, c.names[i]...)
		}
		if len(scratch) > 0 {
			fields = append(fields, newField(list.name, string(scratch)))
		}
	}
	return fields, scratch
}
