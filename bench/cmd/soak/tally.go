package main

import (
	"net/http"
	"sync"
)

// tally counts answers. It is safe for concurrent use.
type tally struct {
	mu       sync.Mutex
	right    map[*kind]int
	wrong    map[*kind]int
	failures int   // answers of 500 and more
	first    error // the first wrong answer
}

func newTally() *tally {
	return &tally{right: make(map[*kind]int), wrong: make(map[*kind]int)}
}

// count adds the outcome of a request: see [client.do].
func (t *tally) count(k *kind, status int, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if status >= http.StatusInternalServerError {
		t.failures++
	}
	if err == nil {
		t.right[k]++
		return
	}
	t.wrong[k]++
	if t.first == nil {
		t.first = err
	}
}

// allWrong returns the number of wrong answers.
func (t *tally) allWrong() int {
	total := 0
	for _, n := range t.wrong {
		total += n
	}
	return total
}
