package verso_test

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
)

func TestQueryParam(t *testing.T) {
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
			got, ok := verso.QueryParam(test.query, test.param)
			if !ok {
				got += absent
			}
			if got != test.want {
				t.Errorf("QueryParam(%q, %q) = %q, want %q", test.query, test.param, got, test.want)
			}
		})
	}
}

func TestReplaceQueryParam(t *testing.T) {
	tests := []struct {
		name, url, want string
	}{
		{"none yet", "http://h/p", "http://h/p?v=2"},
		{"empty query", "/p?", "/p?v=2"},
		{"only a query", "?a=1", "?a=1&v=2"},
		{"empty URL", "", "?v=2"},
		{"replaced", "/p?v=1", "/p?v=2"},
		{"all replaced by one", "/p?v=1&a=0&v=3", "/p?a=0&v=2"},
		{"encoded name replaced", "/p?%76=1", "/p?v=2"},
		{"sorted by name, pairs of a name in order", "/p?z=1&b=2&a=3&b=1", "/p?a=3&b=2&b=1&v=2&z=1"},
		{"encoded anew", "/p?a=%7E;/?@", "/p?a=~%3B%2F%3F%40&v=2"},
		{"fragment", "/p?a=1#top?v=1", "/p?a=1&v=2#top?v=1"},
		{"fragment, no query", "/p#top", "/p?v=2#top"},
		{"empty fragment", "/p#", "/p?v=2"},
		{"path stays", "/a b/%2F/../;x", "/a b/%2F/../;x?v=2"},
		{"no equals sign", "/p?a", "/p?a=&v=2"},
		{"empty pairs", "/p?&a=1&&", "/p?a=1&v=2"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := verso.ReplaceQueryParam(test.url, "v", "2"); got != test.want {
				t.Errorf("ReplaceQueryParam(%q) = %q, want %q", test.url, got, test.want)
			}
		})
	}
	if got, want := verso.ReplaceQueryParam("/p", "api version&", "a=b c\r\n"), "/p?api+version%26=a%3Db+c%0D%0A"; got != want {
		t.Errorf("name and value are escaped: %q, want %q", got, want)
	}
}

func TestQueryParamAllocs(t *testing.T) {
	for _, query := range []string{"version=v2", "a=1&b=2&version=v2", "%76ersion=v2", "a=%20&b=+", ""} {
		if got := testing.AllocsPerRun(100, func() { verso.QueryParam(query, "version") }); got != 0 {
			t.Errorf("QueryParam(%q) allocates %v times, want 0", query, got)
		}
	}
}

func BenchmarkReplaceQueryParam(b *testing.B) {
	for _, benchmark := range []struct{ name, url string }{
		{"no query", "https://example.com/users/7"},
		{"replaced", "https://example.com/users?version=v1"},
		{"5 pairs", "https://example.com/users?page=2&size=10&sort=name&q=a+b&version=v1"},
		{"10000 pairs", "https://example.com/users?" + strings.Repeat("key=value&", 10_000)},
	} {
		b.Run(benchmark.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				verso.ReplaceQueryParam(benchmark.url, "version", "v2")
			}
		})
	}
}

// QueryParam finds what a slow reading of all pairs finds.
func FuzzQueryParam(f *testing.F) {
	f.Add("a=1&version=v1&version=v2", "version")
	f.Add("%76ersion=v%31+&version", "version")
	f.Add("a+b=%&a%20b=%4&a b=%zz", "a b")
	f.Add("a;b=1&a=;b", "a")
	f.Add("=&&=x&", "")
	f.Add("%C3%A9=\xff&%c3%a9", "é")
	f.Add("a%=1&a%2=2&a%25=3", "a")
	f.Fuzz(func(t *testing.T, query, name string) {
		want, wantOK := "", false
		for _, p := range slowPairs(query) {
			if p.name == name {
				want, wantOK = p.value, true
			}
		}
		if got, ok := verso.QueryParam(query, name); got != want || ok != wantOK {
			t.Errorf("QueryParam(%q, %q) = %q, %v, want %q, %v", query, name, got, ok, want, wantOK)
		}
	})
}

// What is set is read back, all other pairs are kept, and setting it again
// changes nothing.
func FuzzReplaceQueryParam(f *testing.F) {
	f.Add("http://example.com/users?page=2&version=v1#top", "version", "v2")
	f.Add("/p?b=1&a=2&b=0&%61=3", "version", "")
	f.Add("?=&x&%zz=%", "", "a b&c=d#e")
	f.Add("#?version=v1", "a+b", "\r\n\x00")
	f.Add("/p?a+b=1&a%20b=2&a%2Bb=3", "a b", "é\xff")
	f.Fuzz(func(t *testing.T, rawURL, name, value string) {
		got := verso.ReplaceQueryParam(rawURL, name, value)

		before, fragment, _ := strings.Cut(rawURL, "#")
		path, query, _ := strings.Cut(before, "?")
		gotBefore, gotFragment, _ := strings.Cut(got, "#")
		gotPath, gotQuery, _ := strings.Cut(gotBefore, "?")
		if gotPath != path || gotFragment != fragment {
			t.Errorf("%q became %q: the path or the fragment changed", rawURL, got)
		}
		if read, ok := verso.QueryParam(gotQuery, name); !ok || read != value {
			t.Errorf("%q became %q, in which %q is %q, %v, want %q", rawURL, got, name, read, ok, value)
		}
		if again := verso.ReplaceQueryParam(got, name, value); again != got {
			t.Errorf("%q became %q and then %q", rawURL, got, again)
		}

		var want []slowPair
		for _, p := range slowPairs(query) {
			if p.name != name {
				want = append(want, p)
			}
		}
		want = append(want, slowPair{name, value})
		slices.SortStableFunc(want, func(a, b slowPair) int { return cmp.Compare(a.name, b.name) })
		parsed := slowPairs(gotQuery)
		if !slices.Equal(parsed, want) {
			t.Errorf("%q became %q with the pairs %q, want %q", rawURL, got, parsed, want)
		}
	})
}

func ExampleQueryParam() {
	fmt.Println(verso.QueryParam("page=2&version=v1&version=v%32", "version"))
	fmt.Println(verso.QueryParam("page=2", "version"))
	// Output:
	// v2 true
	//  false
}

func ExampleReplaceQueryParam() {
	fmt.Println(verso.ReplaceQueryParam("/users?version=v1&page=2#top", "version", "v2"))
	// Output: /users?page=2&version=v2#top
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

// slowDecode escapes the percent signs that encode nothing, so that the
// standard library can decode the rest.
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
