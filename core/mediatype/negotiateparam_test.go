package mediatype_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goverso/verso/core/mediatype"
)

func TestNegotiatorParam(t *testing.T) {
	const refused, absent = "(refused)", "(absent)"
	json := []string{"application/json"}
	tests := []struct {
		name     string
		produces []string
		accept   string
		want     string
	}{
		{"absent header", json, "", absent},
		{"absent header, nothing declared", nil, "", absent},
		{"absent header, own parameter", []string{"a/b;version=v1"}, "", "v1"},
		{"one range", json, "application/json; version=v2", "v2"},
		{"one range, nothing declared", nil, "application/json; version=v2", "v2"},
		{"one range within commas", json, ", application/json; version=v2,", "v2"},
		{"white space around it", json, "\tapplication/json; version=v2 ", "v2"},
		{"quoted", json, `application/json; version="v\2"`, "v2"},
		{"comma in quotes", json, `application/json; version="v,2"`, "v,2"},
		{"quote never closed", json, `application/json; version="v2`, `"v2`},
		{"name in another case", json, "application/json; VERSION=v2", "v2"},
		{"repeated: the last", json, "application/json; version=v1; version=v2", "v2"},
		{"repeated: the last, which is empty", json, "application/json; version=v1; version", ""},
		{"no parameter", json, "application/json", absent},
		{"other parameter", json, "application/json; v=v2", absent},
		{"wildcard", json, "*/*; version=v2", "v2"},
		{"other type", json, "text/html; version=v2", refused},
		{"malformed", json, "json; version=v2", refused},
		{"malformed, nothing declared", nil, "json; version=v2", refused},
		{"q=0", json, "application/json; version=v2; q=0", refused},
		{"q=0 before q", json, "application/json; q=0; version=v2; q=0.5", "v2"},
		{"q=0 after q", json, "application/json; q=0.5; version=v2; Q=0", refused},
		{"two ranges", json, "text/html; version=v1, application/json; version=v2", "v2"},
		{"two ranges, the higher q", json, "application/json; version=v1; q=0.1, application/json; version=v2", "v2"},
		{"own parameter", []string{"a/b;version=v1", "a/b;version=v2"}, "a/b;version=v2", "v2"},
		{"own parameter by wildcard", []string{"a/b;version=v1"}, "*/*", "v1"},
		{"own parameter by wildcard with another", []string{"a/b;version=v1"}, "*/*;x=1", "v1"},
		{"own parameter of the first type by wildcard", []string{"a/b;version=v1", "a/b"}, "*/*;x=1", "v1"},
		{"own parameter of the second type by wildcard", []string{"a/b", "a/b;version=v1"}, "*/*;x=1", absent},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			n, err := mediatype.NewNegotiator(test.produces...)
			if err != nil {
				t.Fatal(err)
			}
			got, found, ok := n.Param(test.accept, "version")
			switch {
			case !ok:
				got += refused
			case !found:
				got += absent
			}
			if got != test.want {
				t.Errorf("Param(%q) = %q, want %q", test.accept, got, test.want)
			}
			checkParam(t, n, test.accept, "version")
		})
	}
}

// The parameter q has its weight even when it is the requested parameter.
func TestNegotiatorParamQ(t *testing.T) {
	n, err := mediatype.NewNegotiator("a/b")
	if err != nil {
		t.Fatal(err)
	}
	if value, found, ok := n.Param("a/b;q=0.5", "Q"); value != "0.5" || !found || !ok {
		t.Errorf("got %q, %v, %v, want 0.5", value, found, ok)
	}
	if value, found, ok := n.Param("a/b;q=0", "q"); ok {
		t.Errorf("got %q, %v for a type that is refused", value, found)
	}
}

func TestNegotiatorParamAllocs(t *testing.T) {
	n, err := mediatype.NewNegotiator("application/json", "application/xml")
	if err != nil {
		t.Fatal(err)
	}
	for _, accept := range []string{"", "application/json; version=v2", `*/*; VERSION="v2"; q=0.5`, "image/png", browser} {
		if got := testing.AllocsPerRun(100, func() { n.Param(accept, "version") }); got != 0 {
			t.Errorf("Param(%q) allocates %v times, want 0", accept, got)
		}
	}
}

func BenchmarkNegotiatorParam(b *testing.B) {
	benchmarks := []struct {
		name     string
		produces []string
		accept   string
	}{
		{"one range", []string{"application/json"}, "application/json; version=v2"},
		{"nothing declared", nil, "application/json; version=v2"},
		{"no version", []string{"application/json"}, "application/json"},
		{"wildcard", []string{"application/json"}, "*/*"},
		{"absent", []string{"application/json"}, ""},
		{"two ranges", []string{"application/json"}, "application/json; version=v2, */*;q=0.1"},
		{"browser", []string{"application/json", "application/xml"}, browser},
		{"8 KiB of parameters", []string{"application/json"}, "*/*" + strings.Repeat(";q", 4094)},
	}
	for _, benchmark := range benchmarks {
		b.Run(benchmark.name, func(b *testing.B) {
			n, err := mediatype.NewNegotiator(benchmark.produces...)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				n.Param(benchmark.accept, "version")
			}
		})
	}
}

// One pass reads the same as two. FuzzNegotiate and FuzzNegotiatePieces also
// compare them on their inputs.
func FuzzNegotiatorParam(f *testing.F) {
	f.Add("application/json", "application/json; version=v2", "version")
	f.Add("", `a/b; version="v,2"; q=0.5`, "VERSION")
	f.Add("a/b;v=1|a/b", "*/*;x=1", "v")
	f.Add("a/b|a/b;v=1", "*/*;x=1", "v")
	f.Add("a/*", "a/b;q=0", "q")
	f.Add("a/b;x=1", "a/b;;=;", "")
	f.Add("a/c;=1", "a/c", "")
	f.Add("*/b", "\ta/b;q=0;q=1 ", "q")
	f.Add("a/b", strings.Repeat(" ", mediatype.MaxBytes-3)+"a/b", "v")
	f.Add("a/b", strings.Repeat(" ", mediatype.MaxBytes)+"a/b", "v")
	f.Fuzz(func(t *testing.T, producesText, accept, name string) {
		var produces []string
		if producesText != "" {
			produces = strings.Split(producesText, "|")
		}
		if n, err := mediatype.NewNegotiator(produces...); err == nil {
			checkParam(t, n, accept, name)
		}
	})
}

// checkParam compares Param with Negotiate and the function Param.
func checkParam(t *testing.T, n *mediatype.Negotiator, accept, name string) {
	t.Helper()
	want, wantFound := "", false
	accepted, wantOK := n.Negotiate(accept)
	if wantOK {
		want, wantFound = mediatype.Param(accepted.MediaType, name)
	}
	if got, found, ok := n.Param(accept, name); got != want || found != wantFound || ok != wantOK {
		t.Errorf("Param(%q, %q) = %q, %v, %v, want %q, %v, %v", accept, name, got, found, ok, want, wantFound, wantOK)
	}
}

func ExampleNegotiator_Param() {
	n, err := mediatype.NewNegotiator("application/json", "text/csv")
	if err != nil {
		panic(err)
	}
	for _, accept := range []string{"application/json; version=v2", "text/*", "", "image/png; version=v2"} {
		version, found, ok := n.Param(accept, "version")
		fmt.Printf("%q %v %v\n", version, found, ok)
	}
	// Output:
	// "v2" true true
	// "" false true
	// "" false true
	// "" false false
}

// A strict caller negotiates once and checks the outcome.
func ExampleNegotiator_Negotiate_contradiction() {
	n, err := mediatype.NewNegotiator("application/json")
	if err != nil {
		panic(err)
	}
	accepted, ok := n.Negotiate("application/json; version=v1; version=v2, text/html; version=v3")
	version, found := mediatype.Param(accepted.MediaType, "version")
	fmt.Println(version, found, ok)
	fmt.Println(mediatype.Contradicts(accepted.MediaType, "version"))
	// Output:
	// v2 true true
	// true
}
