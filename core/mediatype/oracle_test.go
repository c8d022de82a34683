package mediatype_test

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goverso/verso/core/mediatype"
)

// slowRange is a parsed media range or produced type.
type slowRange struct {
	text         string
	typ, subtype string
	after        string // the text after the first semicolon
	params       []slowParam
	thousandths  int
	rank         int
}

type slowParam struct{ name, value string }

// slowNegotiator implements Negotiate slowly, sharing no code with the fast
// implementation.
type slowNegotiator []slowRange

func newSlowNegotiator(produces []string) (n slowNegotiator, valid bool) {
	for _, text := range produces {
		text = strings.Trim(text, " \t")
		produced, ok := slowParse(text)
		if !ok || len(splitOutsideQuotes(text, ',')) > 1 {
			return nil, false
		}
		given := make(map[string]bool)
		for _, p := range produced.params {
			if p.name == "q" || given[p.name] {
				return nil, false
			}
			given[p.name] = true
		}
		if slices.ContainsFunc(n, produced.equals) {
			return nil, false
		}
		n = append(n, produced)
	}
	return n, true
}

func (r slowRange) equals(other slowRange) bool {
	byName := func(a, b slowParam) int { return cmp.Compare(a.name, b.name) }
	return r.typ == other.typ && r.subtype == other.subtype &&
		slices.Equal(slices.SortedFunc(slices.Values(r.params), byName), slices.SortedFunc(slices.Values(other.params), byName))
}

// slowRanges returns the media ranges of a header.
func slowRanges(accept string) (ranges []slowRange, empty, withinBounds bool) {
	elements := 0
	for _, element := range splitOutsideQuotes(accept, ',') {
		if element = strings.Trim(element, " \t"); element == "" {
			continue
		}
		elements++
		if r, ok := slowParse(element); ok {
			ranges = append(ranges, r)
		}
	}
	return ranges, elements == 0, len(accept) <= mediatype.MaxBytes && elements <= mediatype.MaxRanges
}

func (n slowNegotiator) negotiate(accept string) (mediatype.Accepted, bool) {
	ranges, empty, withinBounds := slowRanges(accept)
	switch {
	case !withinBounds:
		return mediatype.Accepted{}, false
	case empty && len(n) == 0:
		return mediatype.Accepted{Index: -1}, true
	case empty:
		return mediatype.Accepted{MediaType: n[0].text}, true
	}

	if len(n) == 0 {
		slices.SortStableFunc(ranges, slowByWeight)
		if len(ranges) == 0 || ranges[0].thousandths == 0 {
			return mediatype.Accepted{}, false
		}
		return mediatype.Accepted{MediaType: ranges[0].text, Index: -1}, true
	}

	type candidate struct {
		slowRange
		index int
	}
	var candidates []candidate
	for i, produced := range n {
		r, ok := slowApplicable(ranges, func(r slowRange) bool { return slowMatch(r, produced) })
		if ok && r.thousandths > 0 {
			candidates = append(candidates, candidate{r, i})
		}
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int { return slowByWeight(a.slowRange, b.slowRange) })
	if len(candidates) == 0 {
		return mediatype.Accepted{}, false
	}
	best, produced := candidates[0], n[candidates[0].index]
	accepted := mediatype.Accepted{MediaType: best.text, Index: best.index}
	if best.after == "" {
		accepted.MediaType = produced.text
	} else if best.rank < 2 && len(produced.params) > 0 {
		accepted.MediaType = produced.text + ";" + best.after
	}
	return accepted, true
}

// slowApplicable returns the range that applies among those that match, if there
// is one.
func slowApplicable(ranges []slowRange, match func(slowRange) bool) (r slowRange, ok bool) {
	var matching []slowRange
	for _, r := range ranges {
		if match(r) {
			matching = append(matching, r)
		}
	}
	slices.SortStableFunc(matching, slowByRank)
	if len(matching) == 0 {
		return slowRange{}, false
	}
	return matching[0], true
}

func slowByRank(a, b slowRange) int {
	return -cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.thousandths, b.thousandths))
}

func slowByWeight(a, b slowRange) int {
	return -cmp.Or(cmp.Compare(a.thousandths, b.thousandths), cmp.Compare(a.rank, b.rank))
}

func slowMatch(r, produced slowRange) bool {
	if r.typ != "*" && produced.typ != "*" && r.typ != produced.typ ||
		r.subtype != "*" && produced.subtype != "*" && r.subtype != produced.subtype {
		return false
	}
	given := make(map[string]string)
	for _, p := range r.params {
		given[p.name] = p.value
	}
	for _, own := range produced.params {
		value, ok := given[own.name]
		wildcard := r.rank < 2
		if ok && value != own.value || !ok && !wildcard {
			return false
		}
	}
	return true
}

var slowType = regexp.MustCompile("^([!#$%&'*+.^_`|~0-9A-Za-z-]+)/([!#$%&'*+.^_`|~0-9A-Za-z-]+)$")

func slowParse(text string) (r slowRange, ok bool) {
	parts := splitOutsideQuotes(text, ';')
	names := slowType.FindStringSubmatch(strings.Trim(parts[0], " \t"))
	if names == nil {
		return slowRange{}, false
	}
	r = slowRange{text: text, typ: asciiLower(names[1]), subtype: asciiLower(names[2]), thousandths: 1000}
	_, r.after, _ = strings.Cut(text, ";")
	onlyWeight := true
	for _, part := range parts[1:] {
		name, value, _ := strings.Cut(part, "=")
		name, value = asciiLower(strings.Trim(name, " \t")), strings.Trim(value, " \t")
		if name == "" {
			continue
		}
		if name == "q" {
			r.thousandths = slowWeight(value)
		} else {
			onlyWeight = false
		}
		r.params = append(r.params, slowParam{name, slowUnquote(value)})
	}
	switch {
	case r.typ == "*":
		r.rank = 0
	case r.subtype == "*":
		r.rank = 1
	case onlyWeight:
		r.rank = 2
	default:
		r.rank = 3
	}
	return r, true
}

var slowDecimal = regexp.MustCompile(`^([01])(?:\.([0-9]*))?$`)

func slowWeight(value string) int {
	match := slowDecimal.FindStringSubmatch(value)
	if match == nil || match[1] == "1" {
		return 1000
	}
	thousandths, err := strconv.Atoi((match[2] + "000")[:3])
	if err != nil {
		panic(err)
	}
	if thousandths == 0 && strings.Trim(match[2], "0") != "" {
		return 1
	}
	return thousandths
}

var (
	slowQuoted = regexp.MustCompile(`(?s)^"((?:[^"\\]|\\.)*)"$`)
	slowEscape = regexp.MustCompile(`(?s)\\(.)`)
)

func slowUnquote(value string) string {
	if match := slowQuoted.FindStringSubmatch(value); match != nil {
		return slowEscape.ReplaceAllString(match[1], "$1")
	}
	return value
}

// splitOutsideQuotes splits text at the separators outside quotes.
func splitOutsideQuotes(text string, separator byte) []string {
	parts := []string{""}
	quoted, escaped := false, false
	for _, c := range []byte(text) {
		if c == separator && !quoted {
			parts = append(parts, "")
			continue
		}
		parts[len(parts)-1] += string([]byte{c})
		switch {
		case escaped:
			escaped = false
		case quoted && c == '\\':
			escaped = true
		case c == '"':
			quoted = !quoted
		}
	}
	return parts
}

// asciiLower leaves bytes that are not ASCII unchanged, unlike [strings.ToLower].
func asciiLower(text string) string {
	lower := []byte(text)
	for i, c := range lower {
		if 'A' <= c && c <= 'Z' {
			lower[i] = c - 'A' + 'a'
		}
	}
	return string(lower)
}
