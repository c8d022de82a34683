package verso_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	verso "github.com/goverso/verso/core"
)

func TestAddVary(t *testing.T) {
	tests := []struct {
		name         string
		before, adds []string
		want         []string
	}{
		{"first", nil, []string{"Accept"}, []string{"Accept"}},
		{"nothing", nil, nil, nil},
		{"two", nil, []string{"Accept", "Accept-Language"}, []string{"Accept, Accept-Language"}},
		{"the same twice", nil, []string{"Accept", "Accept"}, []string{"Accept"}},
		{"beside others", []string{"Origin"}, []string{"Accept"}, []string{"Origin, Accept"}},
		{"there", []string{"Accept"}, []string{"Accept"}, []string{"Accept"}},
		{"there in another case", []string{"accept"}, []string{"Accept"}, []string{"accept"}},
		{"there in a list", []string{"Origin ,\tACCEPT , X"}, []string{"Accept"}, []string{"Origin ,\tACCEPT , X"}},
		{"there in a second line", []string{"Origin", "Accept"}, []string{"Accept"}, []string{"Origin, Accept"}},
		{"part of another name", []string{"Accept-Encoding"}, []string{"Accept"}, []string{"Accept-Encoding, Accept"}},
		{"everything", []string{"*"}, []string{"Accept"}, []string{"*"}},
		{"everything in a list", []string{"Origin, *"}, []string{"Accept"}, []string{"Origin, *"}},
		{"empty field", []string{""}, []string{"Accept"}, []string{"Accept"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			header := http.Header{}
			if test.before != nil {
				header["Vary"] = test.before
			}
			verso.AddVary(header, test.adds...)
			got, there := header["Vary"]
			if !slices.Equal(got, test.want) || there != (test.want != nil) {
				t.Errorf("Vary = %q, %v, want %q", got, there, test.want)
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

// What is there and what joins it are one line, since some caches look at the last
// line only.
func TestAddVaryJoins(t *testing.T) {
	for _, test := range []struct {
		name         string
		lines, names []string
		want         []string
	}{
		{"nothing", nil, nil, nil},
		{"no line", nil, []string{"A", "B", "a"}, []string{"A, B"}},
		{"an empty line", []string{""}, []string{"A", "B"}, []string{"A, B"}},
		{"one line", []string{"Origin"}, []string{"A"}, []string{"Origin, A"}},
		{"two lines of others", []string{"Origin", "Cookie"}, []string{"A"}, []string{"Origin, Cookie, A"}},
		{"two lines that have it", []string{"Origin", "a"}, []string{"A"}, []string{"Origin, a"}},
		{"two lines and nothing to join", []string{"Origin", "Cookie"}, nil, []string{"Origin, Cookie"}},
		{"everything", []string{"*"}, []string{"A"}, []string{"*"}},
		{"everything in one of two lines", []string{"*", "Origin"}, []string{"A"}, []string{"*, Origin"}},
		{"to everything", nil, []string{"*", "A"}, []string{"*"}},
	} {
		before := slices.Clone(test.lines)
		header := http.Header{"Vary": test.lines}
		verso.AddVary(header, test.names...)
		got := header["Vary"]
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		if !slices.Equal(test.lines, before) || cap(got) != len(got) {
			t.Errorf("%s: the lines became %q, and %q can grow", test.name, test.lines, got)
		}
	}
}
