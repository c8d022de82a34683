package conformance_test

import (
	"errors"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
)

// hanging returns a mount of the reference adapter that does not answer requests for
// which hangs returns true. Its rejections have no text, so that the run has an earlier
// failure.
func hanging(hangs func(*http.Request) bool) conformance.Mount {
	return mounting(mutation{
		problem: func(p *verso.Problem) { p.Detail = p.Title },
		around: func(r *http.Request, serve func(*http.Request)) {
			if hangs(r) {
				select {}
			}
			serve(r)
		},
	})
}

// closing returns a mount of the reference adapter that wraps the Close of its servers
// with stop.
func closing(stop func(stop func() error) error) conformance.Mount {
	return func(tb testing.TB, app conformance.App) *conformance.Server {
		tb.Helper()
		server := mountReference(tb, app)
		own := server.Close
		server.Close = func() error { return stop(own) }
		return server
	}
}

// poller starts a goroutine with the first server, which also serves all later ones.
var poller sync.Once

// runs are runs of the whole suite and their output.
var runs = map[string]struct {
	mount  conformance.Mount
	groups string // the groups of the run
	want   []string
}{
	"all requests hang": {hanging(func(*http.Request) bool { return true }), "", []string{"the first request: the adapter hangs: no answer within"}},
	"HEAD hangs": {
		hanging(func(r *http.Request) bool { return r.Method == http.MethodHead }), "/cases", []string{
			"--- FAIL: TestRunsEnd/cases/determine/url_path/v9/both", "--- FAIL: TestRunsEnd/cases/determine/accept_header/method-HEAD/x-both",
			"the adapter hangs: no answer within", "the run ends early: the adapter hangs, in 2 subtests",
		},
	},
	"Close hangs": {
		closing(func(func() error) error { select {} }), "", []string{"the first request: the adapter hangs: Close does not return within"},
	},
	"Close fails": {
		closing(func(stop func() error) error { return errors.Join(stop(), errors.New("deadline exceeded")) }), "",
		[]string{"the first request: closing the server: deadline exceeded"},
	},
	"never accepts": {
		func(tb testing.TB, app conformance.App) *conformance.Server {
			tb.Helper()
			listener := conformance.Listen(tb, app)
			return &conformance.Server{Address: listener.Addr().String(), Close: listener.Close}
		}, "", []string{"the first request: the adapter hangs: no answer within"},
	},
	"a goroutine that is started once": {
		func(tb testing.TB, app conformance.App) *conformance.Server {
			tb.Helper()
			poller.Do(func() { go func() { select {} }() })
			return mountReference(tb, app)
		}, "/observe/served", []string{"PASS"},
	},
}

// TestRunsEnd runs the suite in separate processes. Each run must end before the time
// limit of go test: otherwise its output would be lost.
func TestRunsEnd(t *testing.T) {
	const variable = "VERSO_TEST_RUN"
	if name := os.Getenv(variable); name != "" {
		conformance.Hasten(t)
		conformance.Run(t, runs[name].mount)
		return
	}
	for name, run := range runs {
		t.Run(name, func(t *testing.T) {
			command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestRunsEnd$"+run.groups)
			command.Env = append(os.Environ(), variable+"="+name)
			output, err := command.CombinedOutput()
			if passes := run.want[0] == "PASS"; passes != (err == nil) {
				t.Errorf("%v", err)
			}
			if line := regexp.MustCompile(`\w+\.go:\d+: .*`).Find(output); line != nil {
				t.Errorf("a line begins with a place in the suite: %s", line)
			}
			for _, want := range run.want {
				if !strings.Contains(string(output), want) {
					t.Errorf("there is no %q in\n%.5000s", want, output)
				}
			}
		})
	}
}
