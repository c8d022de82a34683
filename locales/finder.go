package locales

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/text/language"
)

// aliases are language ranges that find a translation which truncating the range
// would not find. A translation with the name of the alias takes precedence.
var aliases = []struct{ key, name string }{
	// Chinese is written in two scripts, and regions imply one of them.
	{"zh", "zh-Hans"}, {"zh-cn", "zh-Hans"}, {"zh-sg", "zh-Hans"}, {"cmn", "zh-Hans"}, {"cmn-hans", "zh-Hans"},
	{"zh-tw", "zh-Hant"}, {"zh-hk", "zh-Hant"}, {"zh-mo", "zh-Hant"}, {"cmn-hant", "zh-Hant"}, {"yue", "zh-Hant"},

	// Norwegian is mostly Bokmål, and readers of Nynorsk also read Bokmål.
	{"no", "nb"}, {"nn", "nb"},

	// Serbian is written in two scripts; Montenegro prefers Latin.
	{"sh", "sr-Latn"}, {"cnr", "sr-Latn"}, {"sr-me", "sr-Latn"},

	// Deprecated codes that some clients still send.
	{"iw", "he"}, {"in", "id"}, {"mo", "ro"}, {"tl", "fil"},
}

// finder finds the translation for a language range by the range's primary
// language subtag. The entries of a language are sorted by length, the longest
// first. So the first entry that a range begins with is the one that truncating the
// range subtag by subtag finds.
type finder map[primary][]entry

// entry is a language range for which there is a translation.
type entry struct {
	key         string // lower case
	hasScript   bool
	own         bool // the key is the translation's tag, not an alias
	translation *translation
}

func newFinder(translations []*translation) finder {
	f := make(finder)
	byName := make(map[string]*translation, len(translations))
	for _, t := range translations {
		byName[t.name] = t
		f.add(strings.ToLower(t.name), t, true)
	}
	for _, alias := range aliases {
		if t := byName[alias.name]; t != nil {
			f.add(alias.key, t, false)
		}
	}
	return f
}

// add adds an entry, and a second one that names the script of the translation: a
// range that names a script finds only entries that also do.
func (f finder) add(key string, t *translation, own bool) {
	f.addEntry(entry{key, hasScript(key), own, t})
	if script, confidence := t.tag.Script(); confidence > language.No && !hasScript(key) {
		base, rest, more := strings.Cut(key, "-")
		key = base + "-" + strings.ToLower(script.String())
		if more {
			key += "-" + rest
		}
		f.addEntry(entry{key, true, own, t})
	}
}

func (f finder) addEntry(e entry) {
	id, _ := primaryOf(e.key)
	if slices.ContainsFunc(f[id], func(other entry) bool { return other.key == e.key }) {
		return
	}
	f[id] = append(f[id], e)
	slices.SortStableFunc(f[id], func(a, b entry) int { return cmp.Compare(len(b.key), len(a.key)) })
}

// find returns the translation for a range, or nil. Another range of the header may
// exclude a translation that an alias finds, but not one that the range names.
func (f finder) find(r *languageRange, ranges []languageRange) *translation {
	entries := f.entriesFor(r)
	for i := range entries {
		if e := &entries[i]; e.matches(r) && (e.own || !f.excluded(e, ranges)) {
			return e.translation
		}
	}
	return nil
}

// entriesFor returns the entries for the language of r, or nil when r is not a
// language range.
func (f finder) entriesFor(r *languageRange) []entry {
	id, size := primaryOf(r.text)
	if size == 0 {
		return nil
	}
	entries := f[id]
	if entries == nil || !areSubtags(r.text[size:]) {
		return nil
	}
	return entries
}

// matches reports whether the entry is the range or a truncation of it.
func (e *entry) matches(r *languageRange) bool {
	return hasPrefixTag(r.text, e.key) && (e.hasScript || !hasScript(r.text))
}

// excluded reports whether a range with q=0 names the translation of e, which is
// an alias, more closely than e does.
func (f finder) excluded(e *entry, ranges []languageRange) bool {
	for i := range ranges {
		r := &ranges[i]
		if r.weight > 0 || len(r.text) <= len(e.key) {
			continue
		}
		for _, other := range f.entriesFor(r) {
			if other.translation == e.translation && len(other.key) == len(r.text) && other.matches(r) {
				return true
			}
		}
	}
	return false
}

// names reports whether a range finds the translation or, for q=0, excludes it.
func (f finder) names(r *languageRange, t *translation) bool {
	if r.weight > 0 {
		for _, e := range f.entriesFor(r) {
			if e.matches(r) {
				return e.translation == t
			}
		}
		return false
	}
	for _, e := range f.entriesFor(r) {
		if e.translation == t && hasPrefixTag(e.key, r.text) {
			return true
		}
	}
	return false
}

// primary is a primary language subtag: up to eight letters in lower case, packed
// into a number. Lookups of numbers are faster than lookups of strings.
type primary uint64

// primaryOf returns the primary language subtag of a tag and its length, or the
// length 0 without one.
func primaryOf(tag string) (id primary, size int) {
	for size < len(tag) && tag[size] != '-' {
		if !isLetter(tag[size]) || size == maxSubtag {
			return 0, 0
		}
		id = id<<8 | primary(lower(tag[size]))
		size++
	}
	return id, size
}

// maxSubtag is the length of the longest subtag (RFC 5646, section 2.1).
const maxSubtag = 8

// areSubtags reports whether s is a sequence of subtags, each after a hyphen.
func areSubtags(s string) bool {
	size := maxSubtag // of the subtag so far
	for i := range len(s) {
		switch c := s[i]; {
		case c == '-' && size > 0:
			size = 0
		case !isLetter(c) && (c < '0' || c > '9') || size == maxSubtag:
			return false
		default:
			size++
		}
	}
	return size > 0
}

// hasScript reports whether the second subtag of a tag is a script: four
// letters (RFC 5646, section 2.2.3).
func hasScript(tag string) bool {
	_, rest, _ := strings.Cut(tag, "-")
	for i := range 4 {
		if i == len(rest) || !isLetter(rest[i]) {
			return false
		}
	}
	return len(rest) == 4 || rest[4] == '-'
}

// hasPrefixTag reports whether the first subtags of a tag are those of prefix.
func hasPrefixTag(tag, prefix string) bool {
	if len(tag) < len(prefix) || len(tag) > len(prefix) && tag[len(prefix)] != '-' {
		return false
	}
	for i := range len(prefix) {
		if lower(tag[i]) != lower(prefix[i]) {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool {
	c |= 'a' - 'A'
	return 'a' <= c && c <= 'z'
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + ('a' - 'A')
	}
	return c
}
