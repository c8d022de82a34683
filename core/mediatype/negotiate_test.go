package mediatype_test

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goverso/verso/core/mediatype"
)

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7"

func TestNegotiate(t *testing.T) {
	const refused = "(refused)"
	json, html := []string{"application/json"}, []string{"application/json", "text/html"}
	tests := []struct {
		name      string
		produces  []string
		accept    []string
		want      string
		wantIndex int
	}{
		{"absent", json, nil, "application/json", 0},
		{"absent, nothing declared", nil, nil, "", -1},
		{"empty", html, []string{""}, "application/json", 0},
		{"white space and commas only", html, []string{" ,\t,", ""}, "application/json", 0},
		{"exact", html, []string{"text/html"}, "text/html", 1},
		{"case", html, []string{"TEXT/Html"}, "text/html", 1},
		{"other type", json, []string{"text/html"}, refused, 0},
		{"subtype of another type", json, []string{"text/json"}, refused, 0},
		{"anything", html, []string{"*/*"}, "application/json", 0},
		{"any subtype", html, []string{"text/*"}, "text/html", 1},
		{"parameters are kept", json, []string{"application/json; version=v2"}, "application/json; version=v2", 0},
		{"q is kept", json, []string{"application/json; version=v2; q=0.5"}, "application/json; version=v2; q=0.5", 0},
		{"wildcard's parameters are kept", json, []string{"*/*; version=v2"}, "*/*; version=v2", 0},
		{"malformed ranges are ignored", json, []string{"json, application/, /json, a b/c, application/json"}, "application/json", 0},
		{"only malformed ranges", json, []string{"json"}, refused, 0},
		{"comma in quotes", json, []string{`application/json; x=","; version=v2`}, `application/json; x=","; version=v2`, 0},
		{"quote never closed", json, []string{`text/html; x=", application/json`}, refused, 0},
		{"quotes end with the line", json, []string{`text/html; x="`, "application/json"}, "application/json", 0},
		{"second line", html, []string{"image/png", "text/html"}, "text/html", 1},
		{"line in between is empty", html, []string{"image/png", "", "text/html"}, "text/html", 1},

		{"higher q", html, []string{"application/json;q=0.8, text/html;q=0.9"}, "text/html;q=0.9", 1},
		{"equal q: the service's order", html, []string{"text/html, application/json"}, "application/json", 0},
		{"equal q: the more specific range", html, []string{"*/*, text/html"}, "text/html", 1},
		{"q counts before the specific range", html, []string{"*/*, text/html;q=0.9"}, "application/json", 0},
		{"the specific range counts, not the higher q", json, []string{"*/*;q=1, application/json;q=0"}, refused, 0},
		{"q=0 refuses one", html, []string{"*/*, application/json;q=0"}, "text/html", 1},
		{"type/* overrides */*", html, []string{"*/*, application/*;q=0.1"}, "text/html", 1},
		{"parameters override type/subtype", json, []string{"application/json;q=0.9, application/json;version=v2;q=0.1"}, "application/json;version=v2;q=0.1", 0},
		{"q alone is no parameter", json, []string{"application/json, application/json;q=0.9"}, "application/json", 0},
		{"equally specific: higher q", json, []string{"application/json;v=1;q=0.5, application/json;v=2;q=0.6"}, "application/json;v=2;q=0.6", 0},
		{"equally specific, equal q: first", json, []string{"application/json;v=1, application/json;v=2"}, "application/json;v=1", 0},
		{"an empty parameter is none", json, []string{"application/json;q=0.4, application/json;;q=0.2"}, "application/json;q=0.4", 0},
		{"Q in upper case", html, []string{"application/json;Q=0.1, text/html"}, "text/html", 1},
		{"repeated q: the last", html, []string{"application/json;q=1;q=0.1, text/html;q=0.5"}, "text/html;q=0.5", 1},

		{"own parameter matched", []string{"a/b;v=1", "a/b;v=2"}, []string{"a/b;v=2"}, "a/b;v=2", 1},
		{"own parameter quoted", []string{"a/b;v=1", `a/b;v="2"`}, []string{"a/b;v=2"}, "a/b;v=2", 1},
		{"own parameter contradicted", []string{"a/b;v=1"}, []string{"a/b;v=2"}, refused, 0},
		{"own parameter not named", []string{"a/b;v=1"}, []string{"a/b"}, refused, 0},
		{"own parameter behind an empty one", []string{"a/b;;v=1"}, []string{"a/b;v=1"}, "a/b;v=1", 0},
		{"own parameter is q", []string{"a/b;q=1"}, []string{"a/b;q=1"}, "a/b;q=1", 0},
		{"own parameter, wildcard", []string{"a/b;v=1"}, []string{"*/*"}, "a/b;v=1", 0},
		{"own parameter, wildcard with another", []string{"a/b;v=1"}, []string{"a/*;w=2"}, "a/b;v=1;w=2", 0},
		{"own parameter, wildcard contradicts", []string{"a/b;v=1"}, []string{"a/*;v=2"}, refused, 0},

		{"produced wildcard, malformed range", []string{"application/*"}, []string{"application/a b;q=0.5"}, refused, 0},
		{"produced wildcard for the type, malformed range", []string{"*/b"}, []string{"a c/b;q=0.5"}, refused, 0},
		{"produced wildcard", []string{"application/*"}, []string{"application/json;q=0.5"}, "application/json;q=0.5", 0},
		{"anything produced, malformed range", []string{"*/*"}, []string{"json;q=0.5"}, refused, 0},
		{"more than four produced types", []string{"a/1", "a/2", "a/3", "a/4", "a/5", "a/6"}, []string{"a/6, a/*;q=0.1"}, "a/6", 5},
		{"a browser", []string{"application/json", "application/xml"}, []string{browser}, "application/xml;q=0.9", 1},

		{"nothing declared: first", nil, []string{"text/html, application/json"}, "text/html", -1},
		{"nothing declared: higher q", nil, []string{"text/html;q=0.1, application/json;q=0.2"}, "application/json;q=0.2", -1},
		{"nothing declared: more specific", nil, []string{"*/*, text/*, text/html, text/html;v=1"}, "text/html;v=1", -1},
		{"nothing declared: q=0", nil, []string{"text/html;q=0"}, refused, 0},
		{"nothing declared: only malformed", nil, []string{"html"}, refused, 0},
		{"nothing declared: too many", nil, []string{strings.Repeat("a/b,", mediatype.MaxRanges+1)}, refused, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			n, err := mediatype.NewNegotiator(test.produces...)
			if err != nil {
				t.Fatal(err)
			}
			accepted, ok := n.Negotiate(test.accept)
			if !ok {
				accepted.MediaType += refused
			}
			if accepted.MediaType != test.want || accepted.Index != test.wantIndex {
				t.Errorf("Negotiate(%q) = %q, %d, want %q, %d", test.accept, accepted.MediaType, accepted.Index, test.want, test.wantIndex)
			}
		})
	}
}

func TestNegotiateBounds(t *testing.T) {
	const wanted = "application/json"
	padded := func(size int) string { return wanted + strings.Repeat(" ", size-len(wanted)) }
	tests := []struct {
		name   string
		accept []string
		want   bool
	}{
		{"MaxBytes", []string{padded(mediatype.MaxBytes)}, true},
		{"one byte more", []string{padded(mediatype.MaxBytes + 1)}, false},
		{"MaxBytes in two lines", []string{padded(mediatype.MaxBytes - 100), padded(100)}, true},
		{"one byte more in two lines", []string{padded(mediatype.MaxBytes - 100), padded(101)}, false},
		{"commas only, too long", []string{strings.Repeat(",", mediatype.MaxBytes+1)}, false},
		{"MaxRanges", []string{strings.Repeat("a/b,", mediatype.MaxRanges-1) + wanted}, true},
		{"one range more behind", []string{wanted + strings.Repeat(",a/b", mediatype.MaxRanges)}, false},
		{"one range more before", []string{strings.Repeat("a/b,", mediatype.MaxRanges) + wanted}, false},
		{"MaxRanges in as many lines", append(slices.Repeat([]string{"a/b"}, mediatype.MaxRanges-1), wanted), true},
		{"one line more", append(slices.Repeat([]string{"a/b"}, mediatype.MaxRanges), wanted), false},
		{"malformed elements count", []string{strings.Repeat("ab,", mediatype.MaxRanges) + wanted}, false},
		{"empty elements do not", []string{strings.Repeat(",", mediatype.MaxRanges) + wanted}, true},
		{"empty lines do not", append(make([]string, 10*mediatype.MaxRanges), wanted), true},
	}
	if mediatype.MaxBytes != 8192 || mediatype.MaxRanges != 128 {
		t.Errorf("MaxBytes = %d, MaxRanges = %d", mediatype.MaxBytes, mediatype.MaxRanges)
	}
	n, err := mediatype.NewNegotiator(wanted)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if accepted, ok := n.Negotiate(test.accept); ok != test.want {
				t.Errorf("Negotiate = %v, %v, want %v", accepted, ok, test.want)
			}
		})
	}
}

func TestNewNegotiatorErrors(t *testing.T) {
	for _, text := range []string{"", "json", "application", "application/", "/json", "a b/c", "application/json, text/html", "ä/b"} {
		t.Run(text, func(t *testing.T) {
			_, err := mediatype.NewNegotiator("text/html", text)
			want := fmt.Sprintf("mediatype: %q is not a media type: write type/subtype", text)
			if err == nil || err.Error() != want {
				t.Errorf("error %v, want %s", err, want)
			}
		})
	}
}

func TestNegotiateAllocs(t *testing.T) {
	tests := []struct {
		name     string
		produces []string
		accept   string
	}{
		{"nothing declared", nil, "application/json; version=v2"},
		{"one type", []string{"application/json"}, "application/json; version=v2"},
		{"several types", []string{"application/json", "text/csv", "application/xml", "text/html"}, "text/csv; version=v2, */*;q=0.1"},
		{"a browser", []string{"application/json", "application/xml"}, browser},
		{"refused", []string{"application/json"}, "image/png"},
		{"too long", []string{"application/json"}, strings.Repeat("a/b,", 16<<10)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			n, err := mediatype.NewNegotiator(test.produces...)
			if err != nil {
				t.Fatal(err)
			}
			accept := []string{test.accept}
			if got := testing.AllocsPerRun(100, func() { n.Negotiate(accept) }); got != 0 {
				t.Errorf("Negotiate allocates %v times, want 0", got)
			}
		})
	}
}

func BenchmarkNegotiate(b *testing.B) {
	benchmarks := []struct {
		name     string
		produces []string
		accept   string
	}{
		{"one range", []string{"application/json"}, "application/json; version=v2"},
		{"nothing declared", nil, "application/json; version=v2"},
		{"browser", []string{"application/json", "application/xml"}, browser},
		{"browser, six types", []string{"a/1", "a/2", "a/3", "a/4", "a/5", "text/html"}, browser},
		{"all ranges", []string{"application/json"}, strings.Repeat("application/json; version=v2; q=0.5,", mediatype.MaxRanges)},
		{"too many ranges", []string{"application/json"}, strings.Repeat("a/b,", mediatype.MaxRanges+1)},
		{"64 KiB", []string{"application/json"}, strings.Repeat("a/b,", 16<<10)},
		{"one quote of 8 KiB", []string{"application/json"}, `a/b; x="` + strings.Repeat(`\"`, 4000)},
	}
	for _, benchmark := range benchmarks {
		b.Run(benchmark.name, func(b *testing.B) {
			n, err := mediatype.NewNegotiator(benchmark.produces...)
			if err != nil {
				b.Fatal(err)
			}
			accept := []string{benchmark.accept}
			b.ReportAllocs()
			for b.Loop() {
				n.Negotiate(accept)
			}
		})
	}
}

// Negotiate answers what the rules in its comment say, followed one by one.
func FuzzNegotiate(f *testing.F) {
	f.Add("", "application/json; version=v2")
	f.Add("a/*", "*/a\x92b;v=1;q=0.7, a/;q=0.5")
	f.Add("application/json|text/html", browser)
	f.Add("application/json;v=1|application/json;v=2", "application/json;v=2;q=0.5, */*;v=1;q=0.5")
	f.Add("a/b|*/*", "a/*;q=0.0001, */b;q=0.1234, *;q=1")
	f.Add(`a/b;x="\"1"`, `a/b;X="\"1";q=1.5`)
	f.Add("a/1|a/2|a/3|a/4|a/5", "a/5;q=0,a/*;;;\na/4;q=0.9,a/3;q=0.90")
	f.Add("a/b;k=1", "a/*;\u212a=2, a/b;q=0;q=x\n\"")
	f.Add("a/b", strings.Repeat("a/b,", mediatype.MaxRanges)+",")
	f.Add("a/b", strings.Repeat("x,", mediatype.MaxRanges)+"a/b")
	f.Add("a/b", strings.Repeat(" ", mediatype.MaxBytes)+"\n")
	f.Add("a/b", "a/b;x=\",\\\",\"\n;q=0, a/b;q=0.5; y=\"")
	f.Fuzz(func(t *testing.T, producesText, acceptText string) {
		var produces []string
		if producesText != "" {
			produces = strings.Split(producesText, "|")
		}
		checkNegotiation(t, produces, strings.Split(acceptText, "\n"))
	})
}

// The same with headers that are put together from what matters in them, each
// byte standing for one of the pieces.
func FuzzNegotiatePieces(f *testing.F) {
	pieces := []string{
		"a/b", "a/b", "a/c", "a/*", "*/*", "*/b", "A/B", "c/b", "a", "/", "*", " ", "\t", "\u00a0", ",", ",", ",", "\n",
		";", ";", ";", ";v=1", ";v=2", ";V=1", ";w=1", ";v", ";v=", ";q=0", ";q=0.5", ";q=0.51", ";q=1", ";Q=0.5", ";q=0.0001", ";q",
		`"`, `\`, `;v="1"`, `;v="\1"`, `;v="1;2"`, `;x=","`, `;v="`, "=", "q=0.9", "v=1", "\x00", "\xff",
	}
	text := func(indices []byte) string {
		var all strings.Builder
		for _, i := range indices {
			all.WriteString(pieces[int(i)%len(pieces)])
		}
		return all.String()
	}
	piece := func(names ...string) (indices []byte) {
		for _, name := range names {
			indices = append(indices, byte(slices.Index(pieces, name)))
		}
		return indices
	}
	f.Add(piece("a/b", ";v=1", ",", "a/b", ";v=2"), piece("a/*", ";v=1", ";q=0.5", ",", "a/b", ";v=2", ";q=0.51"))
	f.Add(piece("a/b", ",", "a/c"), piece("*/*", ";q=0.5", "\n", "a/b", ";q=0", ",", "a/*", ";Q=0.5"))
	f.Add(piece(), piece("*/*", ",", "a/*", ";q=1", ",", "a/b", ";w=1", ";q=0.5", "\n", `;v="`, ",", "a/b"))
	f.Add(piece("*/*", ",", "a/b", `;v="1;2"`), piece("A/B", `;v="1;2"`, ";q=0.0001", ",", "c/b", `;x=","`, ";q"))
	f.Fuzz(func(t *testing.T, producesIndices, acceptIndices []byte) {
		var produces []string
		if len(producesIndices) > 0 {
			produces = splitOutsideQuotes(text(producesIndices), ',')
		}
		checkNegotiation(t, produces, strings.Split(text(acceptIndices), "\n"))
	})
}

// checkNegotiation compares a negotiator with the slow one.
func checkNegotiation(t *testing.T, produces, accept []string) {
	t.Helper()
	n, err := mediatype.NewNegotiator(produces...)
	slow, valid := newSlowNegotiator(produces)
	if valid != (err == nil) {
		t.Fatalf("NewNegotiator(%q): %v, want valid: %v", produces, err, valid)
	}
	if err != nil {
		return
	}
	got, ok := n.Negotiate(accept)
	want, wantOK := slow.negotiate(accept)
	if got != want || ok != wantOK {
		t.Errorf("%q among %q: got %+v, %v, want %+v, %v", accept, produces, got, ok, want, wantOK)
	}
}

func ExampleNegotiator() {
	n, err := mediatype.NewNegotiator("application/json", "text/csv")
	if err != nil {
		panic(err)
	}
	for _, accept := range []string{"text/*, application/json;q=0.5", "*/*; version=v2", "image/png"} {
		accepted, ok := n.Negotiate([]string{accept})
		fmt.Println(accepted.Index, accepted.MediaType, ok)
	}
	// Output:
	// 1 text/csv true
	// 0 */*; version=v2 true
	// 0  false
}

// slowRange is a media range, or a produced type, taken apart.
type slowRange struct {
	text         string
	typ, subtype string
	behind       string // the text behind the first semicolon
	params       []slowParam
	thousandths  int
	rank         int
}

type slowParam struct{ name, value string }

// slowNegotiator is the list of produced types: Negotiate in a slow way that
// shares nothing with the fast one.
type slowNegotiator []slowRange

func newSlowNegotiator(produces []string) (n slowNegotiator, valid bool) {
	for _, text := range produces {
		produced, ok := slowParse(strings.Trim(text, " \t"))
		if !ok {
			return nil, false
		}
		n = append(n, produced)
	}
	return n, true
}

func (n slowNegotiator) negotiate(lines []string) (mediatype.Accepted, bool) {
	if len(strings.Join(lines, "")) > mediatype.MaxBytes {
		return mediatype.Accepted{}, false
	}
	var elements []string
	for _, line := range lines {
		for _, element := range splitOutsideQuotes(line, ',') {
			if element = strings.Trim(element, " \t"); element != "" {
				elements = append(elements, element)
			}
		}
	}
	switch {
	case len(elements) == 0 && len(n) == 0:
		return mediatype.Accepted{Index: -1}, true
	case len(elements) == 0:
		return mediatype.Accepted{MediaType: n[0].text}, true
	case len(elements) > mediatype.MaxRanges:
		return mediatype.Accepted{}, false
	}
	var ranges []slowRange
	for _, element := range elements {
		if r, ok := slowParse(element); ok {
			ranges = append(ranges, r)
		}
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
		var matching []slowRange
		for _, r := range ranges {
			if slowMatch(r, produced) {
				matching = append(matching, r)
			}
		}
		slices.SortStableFunc(matching, slowByRank)
		if len(matching) > 0 && matching[0].thousandths > 0 {
			candidates = append(candidates, candidate{matching[0], i})
		}
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int { return slowByWeight(a.slowRange, b.slowRange) })
	if len(candidates) == 0 {
		return mediatype.Accepted{}, false
	}
	best, produced := candidates[0], n[candidates[0].index]
	accepted := mediatype.Accepted{MediaType: best.text, Index: best.index}
	if best.behind == "" {
		accepted.MediaType = produced.text
	} else if best.rank < 2 && len(produced.params) > 0 {
		accepted.MediaType = produced.text + ";" + best.behind
	}
	return accepted, true
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
	_, r.behind, _ = strings.Cut(text, ";")
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

// splitOutsideQuotes splits text at the separators that stand outside quotes.
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

// asciiLower leaves alone what is not ASCII, unlike [strings.ToLower].
func asciiLower(text string) string {
	lower := []byte(text)
	for i, c := range lower {
		if 'A' <= c && c <= 'Z' {
			lower[i] = c - 'A' + 'a'
		}
	}
	return string(lower)
}
