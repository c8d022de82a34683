package mediatype_test

import (
	"fmt"
	"slices"
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
		accept    string
		want      string
		wantIndex int
	}{
		{"absent", json, "", "application/json", 0},
		{"absent, nothing declared", nil, "", "", -1},
		{"empty", html, "", "application/json", 0},
		{"white space and commas only", html, " ,\t,, ", "application/json", 0},
		{"exact", html, "text/html", "text/html", 1},
		{"case", html, "TEXT/Html", "text/html", 1},
		{"other type", json, "text/html", refused, 0},
		{"subtype of another type", json, "text/json", refused, 0},
		{"anything", html, "*/*", "application/json", 0},
		{"any subtype", html, "text/*", "text/html", 1},
		{"parameters are kept", json, "application/json; version=v2", "application/json; version=v2", 0},
		{"q is kept", json, "application/json; version=v2; q=0.5", "application/json; version=v2; q=0.5", 0},
		{"wildcard's parameters are kept", json, "*/*; version=v2", "*/*; version=v2", 0},
		{"malformed ranges are ignored", json, "json, application/, /json, a b/c, application/json", "application/json", 0},
		{"only malformed ranges", json, "garbage", refused, 0},
		{"several malformed ranges and nothing else", json, "json, , text/, */", refused, 0},
		{"comma in quotes", json, `application/json; x=","; version=v2`, `application/json; x=","; version=v2`, 0},
		{"quote never closed", json, `text/html; x=", application/json`, refused, 0},
		{"quote that a later line closes", json, `text/html; x=", application/json, text/html; y=", application/json;q=0.5`, "application/json;q=0.5", 0},
		{"second line", html, "image/png, text/html", "text/html", 1},
		{"line in between is empty", html, "image/png, , text/html", "text/html", 1},

		{"higher q", html, "application/json;q=0.8, text/html;q=0.9", "text/html;q=0.9", 1},
		{"equal q: the service's order", html, "text/html, application/json", "application/json", 0},
		{"equal q: the more specific range", html, "*/*, text/html", "text/html", 1},
		{"q wins over the specific range", html, "*/*, text/html;q=0.9", "application/json", 0},
		{"the specific range applies, not the higher q", json, "*/*;q=1, application/json;q=0", refused, 0},
		{"q=0 refuses one", html, "*/*, application/json;q=0", "text/html", 1},
		{"type/* overrides */*", html, "*/*, application/*;q=0.1", "text/html", 1},
		{"parameters override type/subtype", json, "application/json;q=0.9, application/json;version=v2;q=0.1", "application/json;version=v2;q=0.1", 0},
		{"q alone is not a parameter", json, "application/json, application/json;q=0.9", "application/json", 0},
		{"equally specific: higher q", json, "application/json;v=1;q=0.5, application/json;v=2;q=0.6", "application/json;v=2;q=0.6", 0},
		{"equally specific, equal q: first", json, "application/json;v=1, application/json;v=2", "application/json;v=1", 0},
		{"an empty parameter is none", json, "application/json;q=0.4, application/json;;q=0.2", "application/json;q=0.4", 0},
		{"Q in upper case", html, "application/json;Q=0.1, text/html", "text/html", 1},
		{"repeated q: the last", html, "application/json;q=1;q=0.1, text/html;q=0.5", "text/html;q=0.5", 1},
		{"repeated q: the last, which refuses", json, "application/json;q=1;q=0", refused, 0},
		{"repeated q: the last, which accepts", json, "application/json;q=0;q=1", "application/json;q=0;q=1", 0},
		{"repeated q: the last, which is malformed", json, "application/json;q=0;q=x", "application/json;q=0;q=x", 0},
		{"repeated q in another case", json, "application/json;q=1;Q=0", refused, 0},
		{"quoted q is not a q", html, `application/json;q="0.1", text/html;q=0.9`, `application/json;q="0.1"`, 0},
		{"quoted q of 0 refuses nothing", json, `application/json;q="0"`, `application/json;q="0"`, 0},
		{"q before other parameters", json, "application/json;q=0;version=v2", refused, 0},

		{"own parameter matched", []string{"a/b;v=1", "a/b;v=2"}, "a/b;v=2", "a/b;v=2", 1},
		{"own parameter quoted", []string{"a/b;v=1", `a/b;v="2"`}, "a/b;v=2", "a/b;v=2", 1},
		{"own parameter contradicted", []string{"a/b;v=1"}, "a/b;v=2", refused, 0},
		{"own parameter not named", []string{"a/b;v=1"}, "a/b", refused, 0},
		{"own parameter after an empty one", []string{"a/b;;v=1"}, "a/b;v=1", "a/b;v=1", 0},
		{"own parameters, one contradicted", []string{"a/b;v=1;w=2", "a/b;w=3;v=1"}, "a/b;w=3;v=1", "a/b;w=3;v=1", 1},
		{"own parameters in another order", []string{"a/b;v=1;w=2"}, "a/b;w=2;v=1", "a/b;w=2;v=1", 0},
		{"own parameter repeated in the range: the last", []string{"a/b;v=1", "a/b;v=2"}, "a/b;v=1;v=2", "a/b;v=1;v=2", 1},
		{"own parameter of an earlier range", []string{"a/b;v=1", "c/d;v=1"}, "a/b;v=1;q=0.5, c/d", "a/b;v=1;q=0.5", 0},
		{"own parameters of many names", []string{"a/b;a=1;b=2;c=3;d=4;e=5"}, "a/b;e=5;d=4;c=3;b=2;a=1", "a/b;e=5;d=4;c=3;b=2;a=1", 0},
		{"own parameter, wildcard", []string{"a/b;v=1"}, "*/*", "a/b;v=1", 0},
		{"own parameter, wildcard with another", []string{"a/b;v=1"}, "a/*;w=2", "a/b;v=1;w=2", 0},
		{"own parameter, wildcard contradicts", []string{"a/b;v=1"}, "a/*;v=2", refused, 0},

		{"produced wildcard, malformed range", []string{"application/*"}, "application/a b;q=0.5", refused, 0},
		{"produced wildcard for the type, malformed range", []string{"*/b"}, "a c/b;q=0.5", refused, 0},
		{"produced wildcard", []string{"application/*"}, "application/json;q=0.5", "application/json;q=0.5", 0},
		{"anything produced, malformed range", []string{"*/*"}, "json;q=0.5", refused, 0},
		{"more than four produced types", []string{"a/1", "a/2", "a/3", "a/4", "a/5", "a/6"}, "a/6, a/*;q=0.1", "a/6", 5},
		{"a browser", []string{"application/json", "application/xml"}, browser, "application/xml;q=0.9", 1},

		{"nothing declared: first", nil, "text/html, application/json", "text/html", -1},
		{"nothing declared: higher q", nil, "text/html;q=0.1, application/json;q=0.2", "application/json;q=0.2", -1},
		{"nothing declared: more specific", nil, "*/*, text/*, text/html, text/html;v=1", "text/html;v=1", -1},
		{"nothing declared: q=0", nil, "text/html;q=0", refused, 0},
		{"nothing declared: only malformed", nil, "garbage", refused, 0},
		{"nothing declared: white space and commas only", nil, " ,\t,", "", -1},
		{"nothing declared: too many", nil, strings.Repeat("a/b,", mediatype.MaxRanges+1), refused, 0},
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
		accept string
		want   bool
	}{
		{"MaxBytes", padded(mediatype.MaxBytes), true},
		{"one byte more", padded(mediatype.MaxBytes + 1), false},
		{"commas only, too long", strings.Repeat(",", mediatype.MaxBytes+1), false},
		{"MaxRanges", strings.Repeat("a/b,", mediatype.MaxRanges-1) + wanted, true},
		{"one range more after", wanted + strings.Repeat(",a/b", mediatype.MaxRanges), false},
		{"one range more before", strings.Repeat("a/b,", mediatype.MaxRanges) + wanted, false},
		{"malformed elements count", strings.Repeat("ab,", mediatype.MaxRanges) + wanted, false},
		{"empty elements do not", strings.Repeat(",", mediatype.MaxRanges) + wanted, true},
		{"empty lines do not", strings.Repeat(", ", 10*mediatype.MaxRanges) + wanted, true},
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
			if _, _, ok := n.Param(test.accept, "version"); ok != test.want {
				t.Errorf("Param: %v, want %v", ok, test.want)
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
		{"types with parameters", []string{"a/b;v=1", "a/b;v=2", "a/c;w=1", "a/c;x=1;y=1"}, `a/b;v="2";q=0.5, a/*;q=0.1`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			n, err := mediatype.NewNegotiator(test.produces...)
			if err != nil {
				t.Fatal(err)
			}
			if got := testing.AllocsPerRun(100, func() { n.Negotiate(test.accept) }); got != 0 {
				t.Errorf("Negotiate allocates %v times, want 0", got)
			}
		})
	}
}

// A range's parameters are read once, however many produced types there are. Each
// reading of the escape in the value allocates.
func TestNegotiateReadsParametersOnce(t *testing.T) {
	var produces []string
	for i := range 50 {
		produces = append(produces, fmt.Sprintf("a/%d;v=1", i))
	}
	n, err := mediatype.NewNegotiator(produces...)
	if err != nil {
		t.Fatal(err)
	}
	const accept = `*/*;v="\2"`
	const want = 2 // the value, and the choices for more than four types
	if got := testing.AllocsPerRun(100, func() { n.Negotiate(accept) }); got != want {
		t.Errorf("Negotiate(%q) allocates %v times, want %d", accept, got, want)
	}
}

func BenchmarkNegotiate(b *testing.B) {
	var fifty, fiftyNames []string
	for i := range 50 {
		fifty = append(fifty, fmt.Sprintf("application/type%d;version=v1", i))
		fiftyNames = append(fiftyNames, fmt.Sprintf("application/json;%c%c=1", 'a'+i/7, 'a'+i%7))
	}
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
		{"8 KiB of q, fifty types", fifty, "*/*" + strings.Repeat(";q=1", 2047)},
		{"8 KiB of a parameter, fifty types", fifty, "*/*" + strings.Repeat(";version", 1023)},
		{"8 KiB of parameters, fifty names", fiftyNames, "*/*" + strings.Repeat(";zz", 2729)},
		{"8 KiB of ranges, fifty types", fifty, strings.Repeat("application/*;version="+strings.Repeat("v", 41)+",", mediatype.MaxRanges)},
	}
	for _, benchmark := range benchmarks {
		b.Run(benchmark.name, func(b *testing.B) {
			n, err := mediatype.NewNegotiator(benchmark.produces...)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				n.Negotiate(benchmark.accept)
			}
		})
	}
}

// Negotiate follows the rules in its comment.
func FuzzNegotiate(f *testing.F) {
	f.Add("", "application/json; version=v2")
	f.Add("a/*", "*/a\x92b;v=1;q=0.7, a/;q=0.5")
	f.Add("application/json|text/html", browser)
	f.Add("application/json;v=1|application/json;v=2", "application/json;v=2;q=0.5, */*;v=1;q=0.5")
	f.Add("a/b|*/*", "a/*;q=0.0001, */b;q=0.1234, *;q=1")
	f.Add(`a/b;x="\"1"`, `a/b;X="\"1";q=1.5`)
	f.Add("a/1|a/2|a/3|a/4|a/5", "a/5;q=0,a/*;;;, a/4;q=0.9,a/3;q=0.90")
	f.Add("a/b;k=1", "a/*;\u212a=2, a/b;q=0;q=x, \"")
	f.Add("a/b", strings.Repeat("a/b,", mediatype.MaxRanges)+",")
	f.Add("a/b", strings.Repeat("x,", mediatype.MaxRanges)+"a/b")
	f.Add("a/b", strings.Repeat(" ", mediatype.MaxBytes)+",")
	f.Add("a/b", "a/b;x=\",\\\",\", ;q=0, a/b;q=0.5; y=\"")
	f.Fuzz(func(t *testing.T, producesText, accept string) {
		var produces []string
		if producesText != "" {
			produces = strings.Split(producesText, "|")
		}
		checkNegotiation(t, produces, accept)
	})
}

// The same with headers built from meaningful pieces: each byte selects one of
// them.
func FuzzNegotiatePieces(f *testing.F) {
	pieces := []string{
		"a/b", "a/b", "a/c", "a/*", "*/*", "*/b", "A/B", "c/b", "a", "/", "*", " ", "\t", "\u00a0", ",", ",", ",", ", ",
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
	f.Add(piece("a/b", ",", "a/c"), piece("*/*", ";q=0.5", ", ", "a/b", ";q=0", ",", "a/*", ";Q=0.5"))
	f.Add(piece(), piece("*/*", ",", "a/*", ";q=1", ",", "a/b", ";w=1", ";q=0.5", ", ", `;v="`, ",", "a/b"))
	f.Add(piece("*/*", ",", "a/b", `;v="1;2"`), piece("A/B", `;v="1;2"`, ";q=0.0001", ",", "c/b", `;x=","`, ";q"))
	f.Fuzz(func(t *testing.T, producesIndices, acceptIndices []byte) {
		var produces []string
		if len(producesIndices) > 0 {
			produces = splitOutsideQuotes(text(producesIndices), ',')
		}
		checkNegotiation(t, produces, text(acceptIndices))
	})
}

// checkNegotiation compares a negotiator with the slow one.
func checkNegotiation(t *testing.T, produces []string, accept string) {
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
	for _, name := range []string{"v", "q", ""} {
		checkParam(t, n, accept, name)
	}
}

func ExampleNegotiator() {
	n, err := mediatype.NewNegotiator("application/json", "text/csv")
	if err != nil {
		panic(err)
	}
	for _, accept := range []string{"text/*, application/json;q=0.5", "*/*; version=v2", "image/png"} {
		accepted, ok := n.Negotiate(accept)
		fmt.Println(accepted.Index, accepted.MediaType, ok)
	}
	// Output:
	// 1 text/csv true
	// 0 */*; version=v2 true
	// 0  false
}
