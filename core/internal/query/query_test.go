package query

import (
	"net/url"
	"strings"
	"testing"
)

// Last finds what a slow reading of all pairs finds.
func FuzzLastQueryValue(f *testing.F) {
	f.Add("a=1&version=v1&version=v2", "version")
	f.Add("%76ersion=v%31+&version", "version")
	f.Add("a+b=%&a%20b=%4&a b=%zz", "a b")
	f.Add("a+b=1&a%2Bb=2", "a+b")
	f.Add("a=b=1", "a=b")
	f.Add("a;b=1&a=;b", "a")
	f.Add("=&&=x&", "")
	f.Add("%C3%A9=\xff&%c3%a9", "é")
	f.Add("a%=1&a%2=2&a%25=3", "a")
	f.Fuzz(func(t *testing.T, query, name string) {
		want, wantOK, differ := "", false, false
		for _, p := range slowPairs(query) {
			if p.name == name {
				differ = differ || wantOK && p.value != want
				want, wantOK = p.value, true
			}
		}
		got, ok := Last(query, name)
		if got != want || ok != wantOK {
			t.Errorf("Last(%q, %q) = %q, %v, want %q, %v", query, name, got, ok, want, wantOK)
		}
		if name != "" && ok && HasOther(query, name, got) != differ {
			t.Errorf("query %q has other values of %q than %q: %v", query, name, got, !differ)
		}
	})
}

type slowPair struct{ name, value string }

func slowPairs(query string) []slowPair {
	var pairs []slowPair
	for part := range strings.SplitSeq(query, "&") {
		if part != "" {
			name, value, _ := strings.Cut(part, "=")
			pairs = append(pairs, slowPair{slowDecode(name), slowDecode(value)})
		}
	}
	return pairs
}

// slowDecode escapes the percent signs that encode nothing, so that the standard
// library can decode the rest.
func slowDecode(text string) string {
	parts := strings.Split(text, "%")
	for i, part := range parts[1:] {
		if _, err := url.QueryUnescape("%" + part[:min(2, len(part))]); err != nil {
			parts[i+1] = "25" + part
		}
	}
	plain, err := url.QueryUnescape(strings.Join(parts, "%"))
	if err != nil {
		panic(err)
	}
	return plain
}

func TestLastQueryValue(t *testing.T) {
	const absent = "(absent)"
	tests := []struct {
		name, query, param, want string
	}{
		{"empty query", "", "v", absent},
		{"plain", "v=1", "v", "1"},
		{"among others", "a=0&v=1&b=2", "v", "1"},
		{"the last counts", "v=1&v=2", "v", "2"},
		{"the last counts, empty", "v=1&v", "v", ""},
		{"no equals sign", "v", "v", ""},
		{"two equals signs", "v=a=b", "v", "a=b"},
		{"ampersand in front", "&v=1", "v", "1"},
		{"semicolon does not separate", "a=0;v=1", "v", absent},
		{"semicolon in the value", "v=1;w=2", "v", "1;w=2"},
		{"plus", "v=a+b", "v", "a b"},
		{"percent", "v=%61%2B%26", "v", "a+&"},
		{"plus in front", "v=+a", "v", " a"},
		{"percent, the low digits", "v=%00%09%0a%0f%0A%0F", "v", "\x00\x09\x0a\x0f\x0a\x0f"},
		{"no digits, beside 0 and 9", "v=%/1%1/%:1%1:", "v", "%/1%1/%:1%1:"},
		{"no digits, beside a and f", "v=%`1%1`%g1%1g", "v", "%`1%1`%g1%1g"},
		{"no digits, beside A and F", "v=%@1%1@%G1%1G", "v", "%@1%1@%G1%1G"},
		{"percent, lower case", "v=%2b", "v", "+"},
		{"percent, all digits", "v=%01%23%45%67%89%AB%CD%EF%ab%cd%ef", "v", "\x01\x23\x45\x67\x89\xab\xcd\xef\xab\xcd\xef"},
		{"decoded once", "v=%2541", "v", "%41"},
		{"percent that encodes nothing", "v=100%&w=%zz", "v", "100%"},
		{"percent at the end", "v=%4", "v", "%4"},
		{"encoded name", "%76=1", "v", "1"},
		{"name with a plus", "a+b=1", "a b", "1"},
		{"name with an encoded plus", "a%2Bb=1", "a+b", "1"},
		{"case", "V=1", "v", absent},
		{"name begins alike", "version2=1&vers=2", "version", absent},
		{"empty name", "=1", "", "1"},
		{"empty pair is no parameter", "&&", "", absent},
		{"not UTF-8", "v=%FF\xfe", "v", "\xff\xfe"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, ok := Last(test.query, test.param)
			if !ok {
				got += absent
			}
			if got != test.want {
				t.Errorf("Last(%q, %q) = %q, want %q", test.query, test.param, got, test.want)
			}
		})
	}
	for _, query := range []string{"version=v2", "a=1&b=2&version=v2", "version=v=2", "%76ersion=v2", "a=%20&b=+", ""} {
		if got := testing.AllocsPerRun(100, func() { Last(query, "version") }); got != 0 {
			t.Errorf("Last(%q) allocates %v times, want 0", query, got)
		}
	}
}

// The bound on pairs is that of net/url.
func TestTooManyPairs(t *testing.T) {
	for _, query := range []string{"", strings.Repeat("&", 9999), strings.Repeat("&", 10000), strings.Repeat("a=b&", 9999), strings.Repeat("a=b&", 10000), strings.Repeat("a", 20000)} {
		_, err := url.ParseQuery(query)
		if got := HasTooManyPairs(query); got != (err != nil) {
			t.Errorf("%d bytes, %d pairs: %v, net/url says %v", len(query), strings.Count(query, "&")+1, got, err)
		}
	}
}
