package main

import "testing"

func TestReadChain(t *testing.T) {
	for _, test := range []struct {
		name             string
		chain            []string
		importer, tested string
	}{
		{"a package", []string{"example", "example.com/a", "example.com/x/sub", "example.com/x"}, "example.com/a", ""},
		{"a module whose path begins alike", []string{"example", "example.com/xy", "example.com/x"}, "example.com/xy", ""},
		{"its tests", []string{"example", "example.com/a", "example.com/a.test", "example.com/x"}, "example.com/a", "example.com/a"},
		{"a package for its tests", []string{"example", "example.com/a", "example.com/a.test", "example.com/b", "example.com/x"}, "example.com/b", "example.com/a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if importer, tested := readChain(test.chain, "example.com/x"); importer != test.importer || tested != test.tested {
				t.Errorf("imported by %q for the tests of %q, want %q and %q", importer, tested, test.importer, test.tested)
			}
		})
	}
}

func TestReadSums(t *testing.T) {
	dir := writeTree(t, map[string]string{"go.sum": "example.com/a v1.0.0 h1:x=\nexample.com/a v1.0.0/go.mod h1:y=\nexample.com/b v1.0.0/go.mod h1:z=\n"})
	for _, test := range []struct {
		name, file string
		want       int
	}{{"of a module", dir + "/go.sum", 1}, {"of a module without dependencies", dir + "/none", 0}} {
		t.Run(test.name, func(t *testing.T) {
			sums, err := readSums(test.file)
			if err != nil || len(sums) != test.want || test.want > 0 && !sums["example.com/a v1.0.0"] {
				t.Errorf("sums %v, error %v", sums, err)
			}
		})
	}
}
