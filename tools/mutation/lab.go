package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// lab builds and runs tests on mutants.
type lab struct {
	root    string
	folder  string // temporary, a folder in it for each mutant
	timeout time.Duration
}

// verdict is what became of a mutant.
type verdict int

const (
	killed   verdict = iota // a test failed
	survived                // all tests passed
	invalid                 // it does not compile
)

// suite is a package's tests.
type suite struct {
	module string // its folder
	folder string // of the package
	run    string // which tests
}

// suites returns the tests that a file may fail, those of its package first.
func suites(file string) []suite {
	own := suite{"core", filepath.Dir(file), "."}
	core := suite{"core", "core", "."}
	if own == core {
		return []suite{core, cases}
	}
	return []suite{own, core, cases}
}

var cases = suite{"conformance", "conformance", "^TestCore$"}

// newLab returns a lab, in which the tests pass as long as nothing is changed.
func newLab(ctx context.Context, root string, timeout time.Duration) (*lab, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "mutation")
	if err != nil {
		return nil, err
	}
	l := &lab{root, folder, timeout}
	for _, s := range []suite{{"core", "core", "."}, {"core", "core/mediatype", "."}, {"core", "core/route", "."}, cases} {
		result, err := l.run(ctx, s, folder, "")
		if err == nil && result != survived {
			err = fmt.Errorf("the tests of %s fail without a mutant", s.folder)
		}
		if err != nil {
			return nil, errors.Join(err, l.close())
		}
	}
	return l, nil
}

func (l *lab) close() error {
	return os.RemoveAll(l.folder)
}

// test runs the tests on a mutant until one fails.
func (l *lab) test(ctx context.Context, m *mutant) (verdict, error) {
	folder, err := os.MkdirTemp(l.folder, "")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	changed := filepath.Join(folder, "changed.go")
	overlay, err := json.Marshal(map[string]map[string]string{
		"Replace": {filepath.Join(l.root, m.name): changed},
	})
	if err != nil {
		return 0, err
	}
	overlayFile := filepath.Join(folder, "overlay.json")
	if err := errors.Join(os.WriteFile(changed, m.text(), 0o600), os.WriteFile(overlayFile, overlay, 0o600)); err != nil {
		return 0, err
	}
	for _, s := range suites(m.name) {
		if v, err := l.run(ctx, s, folder, overlayFile); v != survived || err != nil {
			return v, err
		}
	}
	return survived, nil
}

// maxMemory bounds what a mutant takes that never stops, in kilobytes.
const maxMemory = 4 << 20

// run builds a package's tests and runs them. The binary is run apart from the
// go command, so that a test that fails is told from code that does not compile.
func (l *lab) run(ctx context.Context, s suite, folder, overlay string) (verdict, error) {
	binary := filepath.Join(folder, "test")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay", overlay, "-o", binary, ".")
	build.Dir = filepath.Join(l.root, s.folder)
	build.Env = slices.Concat(os.Environ(), []string{"GOWORK=off", "PWD=" + build.Dir})
	if output, err := build.CombinedOutput(); err != nil {
		if bytes.Contains(output, []byte("[build failed]")) || bytes.HasPrefix(output, []byte("# ")) {
			return invalid, ctx.Err()
		}
		return 0, fmt.Errorf("go test -c in %s: %w\n%s", s.folder, err, output)
	}
	ctx, cancel := context.WithTimeout(ctx, 2*l.timeout)
	defer cancel()
	test := exec.CommandContext(ctx, "sh", "-c", fmt.Sprintf(`ulimit -v %d && exec "$0" "$@"`, maxMemory),
		binary, "-test.failfast", "-test.run", s.run, "-test.timeout", l.timeout.String())
	test.Dir = build.Dir
	err := test.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return survived, nil
	case errors.As(err, &exit):
		return killed, nil
	}
	return 0, err
}
