package bench

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
)

// BenchmarkGrowth serves requests in Echo that grow in what a request or a
// configuration can grow in: the number of allowed versions, the length of the
// Accept header and the length of the query.
func BenchmarkGrowth(b *testing.B) {
	for _, count := range []int{2, 10, 100, 1000, 10_000} {
		allowed := manyVersions(count)
		s := &schemeCase{
			scheme:  verso.Must(verso.NewQueryParameter(verso.Settings{AllowedVersions: allowed})),
			pattern: "/users/{id}",
			url:     "http://api.example.com/users/42?version=" + allowed[count/2],
		}
		service := inEcho.verso(s)
		b.Run(fmt.Sprintf("versions/%d", count), func(b *testing.B) {
			serve(b, service, s.request(b))
		})
	}
	for _, shape := range acceptShapes {
		for _, length := range []int{256, 1 << 10, 4 << 10, 8 << 10, 16 << 10, 64 << 10, 1 << 20} {
			s := schemeCases[0]
			r := s.request(b)
			r.Header.Set("Accept", shape.header(length))
			service := inEcho.verso(s)
			b.Run(fmt.Sprintf("accept-%s/%d", shape.name, length), func(b *testing.B) {
				serve(b, service, r)
			})
		}
	}
	for _, shape := range queryShapes {
		for _, length := range []int{256, 1 << 10, 4 << 10, 8 << 10, 16 << 10, 64 << 10, 1 << 20} {
			s := schemeCases[4]
			r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, "http://api.example.com/users/42?", nil)
			r.URL.RawQuery = fill(shape.pair, length)
			service := inEcho.verso(s)
			b.Run(fmt.Sprintf("query-%s/%d", shape.name, length), func(b *testing.B) {
				serve(b, service, r)
			})
		}
	}
}

// manyVersions returns versions of the same length.
func manyVersions(count int) []string {
	versions := make([]string, count)
	for i := range versions {
		versions[i] = fmt.Sprintf("v%05d", i)
	}
	return versions
}

// acceptShapes are headers that take long to read for their length: many
// ranges (64 bytes each, so that the caps on the length and on the number of
// ranges are met together), many parameters of one range, and a quoted value
// with a comma in it, which the reader must not cut at.
var acceptShapes = []struct {
	name   string
	header func(length int) string
}{
	{"ranges", func(length int) string {
		return fill("application/vnd.example.some-resource-name+json; version=v2;q=1,", length)
	}},
	{"params", func(length int) string {
		const begin = "application/json"
		return begin + fill(";a=b", length-len(begin))
	}},
	{"quoted", func(length int) string {
		const begin, end = `application/json; version=v2; title="`, `"`
		return begin + fill(`\",;`, length-len(begin)-len(end)) + end
	}},
}

// queryShapes are queries without the parameter, which must be read to their
// end: of short pairs, of names that nearly are that of the parameter, and of
// names in percent-encoding.
var queryShapes = []struct{ name, pair string }{
	{"short", "a=1&"},
	{"alike", "versio=v2&"},
	{"encoded", "%76%65%72%73%69%6f=v2&"},
}

// fill repeats text up to the given length.
func fill(text string, length int) string {
	return strings.Repeat(text, length/len(text)+1)[:length]
}
