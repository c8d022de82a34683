package main

import (
	"fmt"
	"net/http"
	"sync"
)

// tally counts answers. It is safe for concurrent use, but for its fields.
type tally struct {
	Right, Wrong map[string]int // by the name of the kind
	Failures     int            // answers of 500 and more
	First        string         // what is wrong with the first wrong answer

	mu sync.Mutex
}

func newTally() *tally {
	return &tally{Right: make(map[string]int), Wrong: make(map[string]int)}
}

// count adds the outcome of a request: see [client.do].
func (t *tally) count(k *kind, status int, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if status >= http.StatusInternalServerError {
		t.Failures++
	}
	if err == nil {
		t.Right[k.name]++
		return
	}
	t.Wrong[k.name]++
	if t.First == "" {
		t.First = fmt.Sprintf("%s: %v", k.name, err)
	}
}

// add adds what another tally has counted.
func (t *tally) add(other *tally) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for name, n := range other.Right {
		t.Right[name] += n
	}
	for name, n := range other.Wrong {
		t.Wrong[name] += n
	}
	t.Failures += other.Failures
	if t.First == "" {
		t.First = other.First
	}
}

// wrong returns the number of wrong answers.
func (t *tally) wrong() int {
	total := 0
	for _, n := range t.Wrong {
		total += n
	}
	return total
}

// all returns the number of answers.
func (t *tally) all() int {
	total := t.wrong()
	for _, n := range t.Right {
		total += n
	}
	return total
}
