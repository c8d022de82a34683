// Package versotest has helpers for tests of services and sources that use Verso:
// requests without a framework ([Request]), a clock that a test sets ([Clock]), and
// the comparison of text, such as an explanation, with a file ([Golden]).
//
// To test a handler alone, without the middleware, use SetTestVersion of its adapter:
// versochi, versoecho, versoecho5, versogin, versohttp or versofiber.
package versotest

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// pathParams are the path parameters of a test.
type pathParams map[string]string

func (r pathParams) PathParam(_ any, name string) (value string, ok bool) {
	value, ok = r[name]
	return value, ok
}

// Request returns the request that an adapter would make from r if its router had
// matched the given route with the given path parameters. Both may be nil.
func Request(r *http.Request, params map[string]string, matched *route.Route) source.Request {
	var request source.Request
	request.SetHTTP(r, r, matched)
	request.SetParams(pathParams(params))
	return request
}

// Clock is a clock that changes only when a test sets it. Use its method Now as Clock
// in [verso.Config]. It is safe for concurrent use. The zero Clock is at the zero
// time.
type Clock struct {
	mu  sync.RWMutex
	now time.Time
}

// NewClock returns a clock at the given time.
func NewClock(now time.Time) *Clock { return &Clock{now: now} }

// Now returns the time of the clock.
func (c *Clock) Now() time.Time {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.now
}

// Set sets the clock to a time, which may be earlier than Now.
func (c *Clock) Set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

// Advance moves the clock forward, or back if d is negative.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// UpdateVariable is the environment variable that makes [Golden] write the files
// instead of comparing with them. Any value except "" has this effect.
const UpdateVariable = "VERSO_UPDATE"

// Golden fails the test when text, usually a [verso.Explanation], differs from the
// content of a file, such as "testdata/versions.txt". With the file under version
// control, reviewers see each change of a configuration or of a plan to retire a
// version. If the configuration has a catalogue, set its Clock; otherwise the text
// changes over time.
//
// To write the file, run the test with VERSO_UPDATE=1 in the environment.
func Golden(tb testing.TB, text fmt.Stringer, file string) {
	tb.Helper()
	got := text.String()
	if os.Getenv(UpdateVariable) != "" {
		err := os.MkdirAll(filepath.Dir(file), 0o777)
		if err == nil {
			err = os.WriteFile(file, []byte(got), 0o666)
		}
		if err != nil {
			tb.Fatalf("versotest: %v", err)
		}
		return
	}
	content, err := os.ReadFile(file)
	if err != nil {
		tb.Fatalf("versotest: %v: run the test with %s=1 to write the file", err, UpdateVariable)
	}
	if want := strings.ReplaceAll(string(content), "\r\n", "\n"); got != want {
		number, was, is := firstDifference(want, got)
		tb.Fatalf("versotest: the text differs from %s in line %d\nfile: %s\ntext: %s\nIf the change is intended, run the test with %s=1 to write the file.",
			file, number, was, is, UpdateVariable)
	}
}

// firstDifference returns the number, counted from 1, and the quoted contents of the
// first line in which two strings differ. A missing line is empty.
func firstDifference(a, b string) (number int, lineA, lineB string) {
	linesA, linesB := strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n")
	for number < len(linesA)-1 && number < len(linesB)-1 && linesA[number] == linesB[number] {
		number++
	}
	return number + 1, strconv.Quote(linesA[number]), strconv.Quote(linesB[number])
}
