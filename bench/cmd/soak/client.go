package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/goverso/verso/bench/internal/service"
)

// client sends requests, one after the other, to the service of each scheme.
type client struct {
	http      http.Client
	addresses []string // by the scheme
	*tally
}

func newClient(addresses []string, t *tally) *client {
	return &client{http.Client{Transport: new(http.Transport), Timeout: 10 * time.Second}, addresses, t}
}

// send sends the n-th request of a kind to the service of a scheme, and counts
// the answer.
func (c *client) send(ctx context.Context, k *kind, scheme, n int) {
	r, want := k.make(service.Schemes[scheme], n)
	got, err := c.ask(r.HTTP(c.addresses[scheme]).WithContext(ctx))
	if ctx.Err() != nil {
		return // the turn is over
	}
	if err == nil && got != want && !c.any {
		err = fmt.Errorf("%.80s for host %.80s: the answer is %+v, not %+v", r.Target(), r.Host, got, want)
	}
	c.count(k, got.status, err)
}

func (c *client) ask(r *http.Request) (got answer, err error) {
	response, err := c.http.Do(r)
	if err != nil {
		return got, err
	}
	defer func() { _ = response.Body.Close() }() // read to its end
	var body bytes.Buffer
	if _, err := body.ReadFrom(response.Body); err != nil {
		return got, err
	}
	got = answer{status: response.StatusCode, language: response.Header.Get("Content-Language")}
	if got.status == http.StatusOK {
		version := bytes.TrimPrefix(bytes.TrimSpace(body.Bytes()), []byte(`{"version":"`))
		got.version = string(bytes.TrimSuffix(version, []byte(`"}`)))
	}
	return got, nil
}

// tally counts answers. Its methods are safe for concurrent use.
type tally struct {
	right, wrong map[string]int // by the name of the kind
	failures     int            // answers of 500 and more
	any          bool           // any answer is right
	first        string         // what is wrong with the first wrong answer

	mu sync.Mutex
}

func newTally() *tally { return &tally{right: make(map[string]int), wrong: make(map[string]int)} }

func (t *tally) count(k *kind, status int, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if status >= http.StatusInternalServerError {
		t.failures++
	}
	if err == nil {
		t.right[k.name]++
		return
	}
	t.wrong[k.name]++
	if t.first == "" {
		t.first = fmt.Sprintf("%s: %v", k.name, err)
	}
}
