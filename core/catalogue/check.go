package catalogue

import (
	"cmp"
	"fmt"
)

// version is a checked entry, with instants instead of dates and an index
// instead of a name.
type version struct {
	text       string
	preview    bool
	action     Action
	released   int64 // [always]: no date
	deprecated int64 // [never]: no date
	sunset     int64 // [never]: no date
	ended      int64 // the sunset if it ends the version, otherwise [never]
	successor  int   // index, -1: none
	runs       []run // in chronological order
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
			m.add(field+".version", "version_twice", "%s is already versions[%d]: remove one of them", quote(entry.Version), first)
		} else if index[entry.Version] = i; entry.Version == "" {
			m.add(field+".version", "version_empty", "the version is empty: write it, or remove the entry")
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
		m.add("versions", "no_versions", "no version is listed: list the versions, the oldest first")
	case previews == len(versions):
		m.add("versions", "only_preview", "every version is a preview: list one that is not")
	case headers && size > maxVersionBytes:
		m.add("versions", "version_bound", "the versions have %d bytes together, and a header field holds at most %d: shorten or remove some", size, maxVersionBytes)
	}
	return versions
}

// settings checks the settings that are not about a single version.
func (m *mistakes) settings(config *Config) {
	m.action("after_sunset", config.AfterSunset)
	if config.ServedHeader != "" {
		m.fieldName("served_header", config.ServedHeader)
		return
	}
	for _, entry := range config.Versions {
		if cmp.Or(entry.AfterSunset, config.AfterSunset) == FallForward {
			m.add("served_header", "forward_needs_served_header", `clients must be told which version answers for version %s: name a header field, such as "Api-Version"`, quote(entry.Version))
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
		m.add(field+".deprecated", "deprecation_before_release", "the deprecation is before the release at %s: move one of them", dateText(v.released))
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

func (m *mistakes) action(field string, action Action) {
	switch action {
	case "", Serve, Gone, FallForward:
	default:
		m.add(field, "after_sunset_unknown", "%s is not an action: write %q, %q or %q", quote(string(action)), Serve, Gone, FallForward)
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
		m.add(field, "successor_unknown", "%s is not a listed version: name one that is listed after %s", quote(entry.Successor), quote(entry.Version))
	case entry.Successor == entry.Version:
		m.add(field, "successor_self", "%s cannot succeed itself: name a version that is listed after it", quote(entry.Version))
	case next < i:
		m.add(field, "successor_older", "%s is listed before %s: name a version that is listed after it", quote(entry.Successor), quote(entry.Version))
	case versions[next].preview:
		m.add(field, "successor_preview", "%s is a preview: name a version that is not", quote(entry.Successor))
	case versions[i].sunset != never && versions[next].sunset < versions[i].sunset:
		m.add(field, "successor_gone_first", "the sunset of %s at %s is before that of %s: name another successor, or move one of them",
			quote(entry.Successor), dateText(versions[next].sunset), quote(entry.Version))
	}
	return next
}

// instantsOf returns the instants at which any of the versions changes, brownouts
// included, in order.
func instantsOf(versions []version) []int64 {
	instants := changesOf(versions)
	for i := range versions {
		for _, r := range versions[i].runs {
			instants = append(instants, r.from, r.until)
		}
	}
	return inOrder(instants)
}

// changesOf returns the instants at which any of the versions is released,
// deprecated or reaches its sunset, in order.
func changesOf(versions []version) []int64 {
	var instants []int64
	for i := range versions {
		v := &versions[i]
		instants = append(instants, v.released, v.deprecated, v.sunset)
	}
	return inOrder(instants)
}
