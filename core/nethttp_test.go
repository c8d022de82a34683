package verso_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	verso "github.com/goverso/verso/core"
)

// What is there and what joins it are one line, since some caches look at the last
// line only.
func TestAddVary(t *testing.T) {
	for _, test := range []struct {
		name         string
		lines, names []string
		want         []string
	}{
		{"nothing", nil, nil, nil},
		{"first", nil, []string{"Accept"}, []string{"Accept"}},
		{"two, and the same twice", nil, []string{"A", "B", "a"}, []string{"A, B"}},
		{"beside another", []string{"Origin"}, []string{"Accept"}, []string{"Origin, Accept"}},
		{"there in another case", []string{"accept"}, []string{"Accept"}, []string{"accept"}},
		{"there in a list", []string{"Origin ,\tACCEPT , X"}, []string{"Accept"}, []string{"Origin ,\tACCEPT , X"}},
		{"part of another name", []string{"Accept-Encoding"}, []string{"Accept"}, []string{"Accept-Encoding, Accept"}},
		{"an empty line", []string{""}, []string{"A", "B"}, []string{"A, B"}},
		{"two lines of others", []string{"Origin", "Cookie"}, []string{"A"}, []string{"Origin, Cookie, A"}},
		{"two lines that have it", []string{"Origin", "a"}, []string{"A"}, []string{"Origin, a"}},
		{"two lines and nothing to join", []string{"Origin", "Cookie"}, nil, []string{"Origin, Cookie"}},
		{"everything", []string{"*"}, []string{"A"}, []string{"*"}},
		{"everything in a list", []string{"Origin, *"}, []string{"Accept"}, []string{"Origin, *"}},
		{"everything in one of two lines", []string{"*", "Origin"}, []string{"A"}, []string{"*, Origin"}},
		{"to everything", nil, []string{"*", "A"}, []string{"*"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			before, header := slices.Clone(test.lines), http.Header{}
			if test.lines != nil {
				header["Vary"] = test.lines
			}
			verso.AddVary(header, test.names...)
			got, there := header["Vary"]
			if !slices.Equal(got, test.want) || there != (test.want != nil) {
				t.Errorf("Vary = %q, %v, want %q", got, there, test.want)
			}
			if !slices.Equal(test.lines, before) || cap(got) != len(got) {
				t.Errorf("the lines became %q, and %q can grow", test.lines, got)
			}
		})
	}
}

// The names may be shared by all responses: later additions stay apart.
func TestAddVaryShared(t *testing.T) {
	shared := append(make([]string, 0, 8), "Accept")
	first, second := http.Header{}, http.Header{}
	verso.AddVary(first, shared...)
	verso.AddVary(second, shared...)
	verso.AddVary(first, "Origin")
	second.Add("Vary", "Cookie")
	if got := fmt.Sprint(first["Vary"], second["Vary"], shared); got != "[Accept, Origin] [Accept Cookie] [Accept]" {
		t.Errorf("responses and shared names: %s", got)
	}
}

func TestAddVaryAllocs(t *testing.T) {
	header, names := make(http.Header), []string{"Accept"}
	if got := testing.AllocsPerRun(100, func() { clear(header); verso.AddVary(header, names...) }); got != 0 {
		t.Errorf("AddVary allocates %v times, want 0", got)
	}
}
