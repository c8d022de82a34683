package catalogue

import (
	"cmp"
	"fmt"
)

// version is an entry that was checked: instants instead of dates, an index
// instead of a name.
type version struct {
	text       string
	preview    bool
	action     Action
	released   int64 // [always]: no date
	deprecated int64 // [never]: no date
	sunset     int64 // [never]: no date
	ended      int64 // the sunset, where it ends the version, otherwise [never]
	successor  int   // index, -1: none
	runs       []run // in the order of time
	links      []string
}

// check finds the mistakes of a configuration and returns its versions.
func (m *mistakes) check(config *Config) []version {
	m.settings(config)
	versions := make([]version, len(config.Versions))
	index := make(map[string]int, len(config.Versions))
	headers := config.Report || config.ServedHeader != ""
	previews, size := 0, 0
	for i, entry := range config.Versions {
		field := fmt.Sprintf("versions[%d]", i)
		if first, twice := index[entry.Version]; twice {
			m.add(field+".version", "version_twice", "%s is versions[%d] already: remove one of them", quote(entry.Version), first)
		} else if index[entry.Version] = i; entry.Version == "" {
			m.add(field+".version", "version_empty", "a version has text: write it, or remove the entry")
		} else if headers && !Listable(entry.Version) {
			m.add(field+".version", "version_not_listable", "%s cannot be in a header field: write visible ASCII without a comma", quote(entry.Version))
		}
		if entry.Preview {
			previews++
		}
		size += len(entry.Version)
		versions[i] = m.version(field, entry, config.AfterSunset)
	}
	for i, entry := range config.Versions {
		versions[i].successor = m.successor(fmt.Sprintf("versions[%d].successor", i), i, entry, index, versions)
	}

	switch {
	case len(versions) == 0:
		m.add("versions", "no_versions", "there is no version: list the versions, the oldest first")
	case previews == len(versions):
		m.add("versions", "only_preview", "every version is a preview: list one that is not")
	case headers && size > maxVersionBytes:
		m.add("versions", "version_bound", "the versions have %d bytes: a header field holds at most %d", size, maxVersionBytes)
	}
	return versions
}

// settings checks what is not about one version.
func (m *mistakes) settings(config *Config) {
	m.action("after_sunset", config.AfterSunset)
	if config.ServedHeader != "" {
		m.fieldName("served_header", config.ServedHeader)
		return
	}
	for _, entry := range config.Versions {
		if cmp.Or(entry.AfterSunset, config.AfterSunset) == FallForward {
			m.add("served_header", "forward_needs_served_header", `a client must be told that version %s fell forward: name a field, such as "Api-Version"`, quote(entry.Version))
			return
		}
	}
}

// version checks an entry, except its text and its successor.
func (m *mistakes) version(field string, entry Entry, afterSunset Action) version {
	m.action(field+".after_sunset", entry.AfterSunset)
	v := version{
		text:       entry.Version,
		preview:    entry.Preview,
		action:     cmp.Or(entry.AfterSunset, afterSunset, Serve),
		released:   m.instant(field+".released", entry.Released, always),
		deprecated: m.instant(field+".deprecated", entry.Deprecated, never),
		sunset:     m.instant(field+".sunset", entry.Sunset, never),
		ended:      never,
		successor:  -1,
	}
	if v.action.ends() {
		v.ended = v.sunset
	}
	if v.deprecated < v.released {
		m.add(field+".deprecated", "deprecation_before_release", "the version is deprecated before it is released at %s: move one of them", dateText(v.released))
	}
	if v.deprecated != never && v.sunset < v.deprecated {
		m.add(field+".sunset", "sunset_before_deprecation", "the sunset is before the deprecation at %s: move one of them (RFC 9745, section 4)", dateText(v.deprecated))
	}
	if v.sunset < v.released {
		m.add(field+".sunset", "sunset_before_release", "the sunset is before the release at %s: move one of them", dateText(v.released))
	}
	v.links = m.links(field+".links", entry.Links)
	v.runs = m.brownouts(field, entry, &v)
	return v
}

// action checks an action.
func (m *mistakes) action(field string, action Action) {
	switch action {
	case "", Serve, Gone, FallForward:
	default:
		m.add(field, "after_sunset_unknown", "%s is no action: write %q, %q or %q", quote(string(action)), Serve, Gone, FallForward)
	}
}

// successor checks the successor of an entry and returns its index.
func (m *mistakes) successor(field string, i int, entry Entry, index map[string]int, versions []version) int {
	if entry.Successor == "" {
		return -1
	}
	next, known := index[entry.Successor]
	switch {
	case !known:
		m.add(field, "successor_unknown", "%s is no version: name one that is listed after %s", quote(entry.Successor), quote(entry.Version))
	case entry.Successor == entry.Version:
		m.add(field, "successor_self", "%s cannot succeed itself: name a version that is listed after it", quote(entry.Version))
	case next < i:
		m.add(field, "successor_older", "%s is listed before %s: name a version that is listed after it", quote(entry.Successor), quote(entry.Version))
	case versions[next].preview:
		m.add(field, "successor_preview", "%s is a preview: name a version that is not", quote(entry.Successor))
	case versions[i].sunset != never && versions[next].sunset < versions[i].sunset:
		m.add(field, "successor_gone_first", "the sunset of %s at %s is before the one of %s: name another successor, or move one of them",
			quote(entry.Successor), dateText(versions[next].sunset), quote(entry.Version))
	}
	return next
}

// instantsOf returns the instants at which something changes for one of the
// versions, in order.
func instantsOf(versions []version) []int64 {
	instants := changesOf(versions)
	for i := range versions {
		for _, r := range versions[i].runs {
			instants = append(instants, r.from, r.until)
		}
	}
	return inOrder(instants)
}

// changesOf returns the instants at which one of the versions is released,
// deprecated or past its sunset, in order.
func changesOf(versions []version) []int64 {
	var instants []int64
	for i := range versions {
		v := &versions[i]
		instants = append(instants, v.released, v.deprecated, v.sunset)
	}
	return inOrder(instants)
}
