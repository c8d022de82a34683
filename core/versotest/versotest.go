// Package versotest has helpers for tests of services and sources that use Verso:
// requests that ask for a version in any scheme ([Ask], [AskRoute]), requests
// without a framework ([Request]), a clock that a test sets ([Clock]), and the
// comparison of a text, such as an explanation, with a file ([Golden]).
//
// A handler is tested alone, without the middleware, with the SetVersion of its
// adapter: versoecho, versoecho5, versogin, versohttp or versofiber.
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

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// router has the path parameters that a test gives.
type router map[string]string

func (r router) PathParam(_ any, name string) (value string, ok bool) {
	value, ok = r[name]
	return value, ok
}

func (router) Routes() []route.Route { return nil }

// Request returns the request that an adapter would make of r, if its router had
// matched the given route with the given path parameters. Either may be nil.
func Request(r *http.Request, params map[string]string, matched *route.Route) verso.Request {
	return verso.NewHTTPRequest(r, r, matched).In(router(params))
}

// Clock is a clock that stands still until a test moves it. Its method Now is a
// [verso.Config] Clock. It is safe for concurrent use. The zero Clock is at the
// zero time.
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

// Set moves the clock to a time, which may be earlier.
func (c *Clock) Set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

// Advance moves the clock on, or back if d is negative.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// UpdateVariable is the environment variable that makes [Golden] write the files
// instead of comparing with them. Any value but "" does.
const UpdateVariable = "VERSO_UPDATE"

// Golden fails the test when a text, usually that of a [verso.Explanation], is not
// that of a file, such as "testdata/versions.txt". A file under version control makes each change
// of a configuration, or of a plan to retire a version, a change that somebody
// reads. Set Clock in the configuration where there is a catalogue, or the text
// changes with time.
//
// To write the file, run the test with VERSO_UPDATE=1 in the environment.
func Golden(tb testing.TB, text fmt.Stringer, file string) {
	tb.Helper()
	got := text.String()
	if os.Getenv(UpdateVariable) != "" {
		if err := write(file, got); err != nil {
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
		tb.Fatalf("versotest: the text differs from %s in line %d\nfile: %s\nnow:  %s\nIf that is meant, run the test with %s=1 to write the file.",
			file, number, was, is, UpdateVariable)
	}
}

func write(file, text string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o666)
}

// firstDifference returns the first line, counted from 1, in which two different
// texts differ, quoted; one that is not there is empty.
func firstDifference(a, b string) (number int, lineA, lineB string) {
	linesA, linesB := strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n")
	for number < len(linesA)-1 && number < len(linesB)-1 && linesA[number] == linesB[number] {
		number++
	}
	return number + 1, strconv.Quote(linesA[number]), strconv.Quote(linesB[number])
}
