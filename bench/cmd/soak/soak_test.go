package main

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The tests start themselves anew as a server and as the background.
func TestMain(m *testing.M) {
	var err error
	switch {
	case len(os.Args) > 2 && os.Args[1] == "serve":
		err = serve(os.Args[2])
	case len(os.Args) > 2 && os.Args[1] == "background":
		err = background(os.Args[2:])
	default:
		os.Exit(m.Run())
	}
	if err != nil {
		panic(err)
	}
}

func TestVerdict(t *testing.T) {
	for _, test := range []struct {
		name          string
		spoil         func(*soaked)
		correct, fast bool
	}{
		{"all is well", func(*soaked) {}, true, true},
		{"a wrong answer", func(s *soaked) { s.versioned.Wrong[good.name]++ }, false, true},
		{"an answer of 500", func(s *soaked) { s.versioned.Failures++ }, false, true},
		{"a heap that grows", func(s *soaked) { s.memory[1].Heap += 1 << 20 }, false, true},
		{"a goroutine too many", func(s *soaked) { s.memory[1].Goroutines++ }, false, true},
		{"a heap that shrinks", func(s *soaked) { s.memory[1].Heap -= 1 << 19 }, true, true},
		{"a slow median", func(s *soaked) { s.p50.Add(1, 4); s.p50.Add(1, 4) }, true, false},
		{"a slow percentile", func(s *soaked) { s.p99.Add(1, 4); s.p99.Add(1, 4) }, true, false},
		{"a percentile of nothing", func(s *soaked) { s.p99.Add(math.NaN(), math.NaN()) }, true, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &soaked{framework: "echo", versioned: newTally(), bare: newTally(), memory: []memory{{1 << 20, 9}, {1 << 20, 9}}}
			s.p50.Add(1, 1)
			s.p99.Add(1, 1)
			s.bareP50.Add(1, 1)
			s.bareP99.Add(1, 1)
			test.spoil(s)
			v := writeReport(new(strings.Builder), []*soaked{s})
			assert.Equal(t, test.correct, v.correct())
			assert.Equal(t, test.fast, v.fast())
		})
	}
}
