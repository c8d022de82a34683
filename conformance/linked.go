package conformance

import (
	"bufio"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
)

// CheckLink checks for a fuzz test that a link to the route named "r" leads there, with the values
// first and second, by turns, for the path parameters. There may be no link if a value is not plain.
// register registers the route, whose handler calls got, and returns the names of its parameters;
// if it panics, there is nothing to check. A parameter "*path" takes the rest of the path, without a
// slash in front.
func CheckLink(tb testing.TB, handler http.Handler, link func(verso.Target) (string, error), first, second string,
	register func(got func(params map[string]string, version verso.Version)) (names []string)) {
	tb.Helper()
	var arrived map[string]string
	var version verso.Version
	names, ok := registered(func() []string {
		return register(func(params map[string]string, v verso.Version) { arrived, version = params, v })
	})
	if !ok {
		return
	}
	params, sent := make(verso.Params), make(map[string]string)
	for i, name := range names {
		value := []string{first, second}[i%2]
		plain := name
		if len(name) > 1 {
			plain = strings.TrimPrefix(name, "*")
		}
		params[plain], sent[plain] = value, value
		if plain != name {
			sent[plain] = strings.TrimPrefix(value, "/")
		}
	}
	if len(sent) < len(names) {
		return // no parameters by name can fit
	}
	path, err := link(verso.Target{Name: "r", Params: params})
	switch {
	case errors.Is(err, verso.ErrPattern): // syntax that links do not know
		return
	case err != nil:
		if !errors.Is(err, verso.ErrNoReverseMatch) || isPlain(first) && isPlain(second) {
			tb.Errorf("there is no link with %q: %v", sent, err)
		}
		return
	}
	if status := Follow(tb, handler, path); status != http.StatusOK {
		tb.Fatalf("the link %q gets status %d", path, status)
	}
	if !maps.Equal(arrived, sent) {
		tb.Errorf("the link %q leads to the parameters %q instead of %q", path, arrived, sent)
	}
	if text, ok := sent["version"]; ok && version != verso.V(text) {
		tb.Errorf("the link %q leads to version %q", path, version)
	}
}

// registered reports whether a router takes a route.
func registered(register func() []string) (names []string, ok bool) {
	defer func() { ok = recover() == nil }()
	return register(), true
}

// isPlain reports whether each place of a path can have the text.
var isPlain = regexp.MustCompile(`^[a-z0-9]+$`).MatchString

// Follow sends a request for a path, read as from the wire, and returns the status.
func Follow(tb testing.TB, handler http.Handler, path string) int {
	tb.Helper()
	sent := "GET " + path + " HTTP/1.1\r\nHost: example.com\r\n\r\n"
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(sent)))
	if err != nil {
		tb.Fatalf("path %q: %v", path, err)
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w.Code
}
