package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// lab builds and runs tests on mutants.
type lab struct {
	root    string
	folder  string // temporary
	timeout time.Duration
}

// suite is a package's tests.
type suite struct {
	folder string // of the package
	run    string // which tests
}

var (
	core  = suite{"core", "."}
	cases = suite{"conformance", "^TestCore$"}
	all   = []suite{core, {"core/mediatype", "."}, {"core/route", "."}, cases}
)

// suites returns the tests that a change of a file may fail, those of its
// package first.
func suites(file string) []suite {
	own := suite{filepath.Dir(file), "."}
	if own == core {
		return []suite{core, cases}
	}
	return []suite{own, core, cases}
}

// newLab returns a lab. The caller closes it.
func newLab(root string, timeout time.Duration) (*lab, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "mutation")
	if err != nil {
		return nil, err
	}
	return &lab{root, folder, timeout}, nil
}

func (l *lab) close() error {
	return os.RemoveAll(l.folder)
}

// overlay writes the files that take the place of others, in a new folder, and
// returns the folder. What takes no place of a file is a new one.
func (l *lab) overlay(files map[string][]byte) (folder string, err error) {
	folder, err = os.MkdirTemp(l.folder, "")
	if err != nil {
		return "", err
	}
	places := make(map[string]string)
	for name, text := range files {
		written := filepath.Join(folder, strconv.Itoa(len(places))+".go")
		if err := os.WriteFile(written, text, 0o600); err != nil {
			return "", err
		}
		places[filepath.Join(l.root, name)] = written
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": places})
	if err != nil {
		return "", err
	}
	return folder, os.WriteFile(filepath.Join(folder, "overlay.json"), list, 0o600)
}

// errBuild is the error of code that does not compile, with what the compiler
// says.
type errBuild struct{ output []byte }

func (e *errBuild) Error() string { return "does not compile:\n" + string(e.output) }

// build builds a package's tests with the overlay in a folder. They are run
// apart from the go command, so that a test that fails is told from code that
// does not compile.
func (l *lab) build(ctx context.Context, s suite, folder string) (binary string, err error) {
	binary = filepath.Join(folder, filepath.Base(s.folder)+".test")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-gcflags=github.com/goverso/verso/...=-e", "-ldflags=-s -w",
		"-overlay", filepath.Join(folder, "overlay.json"), "-o", binary, ".")
	build.Dir = filepath.Join(l.root, s.folder)
	build.Env = slices.Concat(os.Environ(), []string{"GOWORK=off", "PWD=" + build.Dir})
	output, err := build.CombinedOutput()
	if _, failed := errors.AsType[*exec.ExitError](err); failed && ctx.Err() == nil {
		err = &errBuild{output}
	}
	return binary, err
}

// maxMemory bounds what a mutant takes that never stops, in kilobytes.
const maxMemory = 4 << 20

// passes reports whether a package's tests pass, with one more setting in the
// environment.
func (l *lab) passes(ctx context.Context, s suite, binary, setting string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*l.timeout)
	defer cancel()
	test := exec.CommandContext(ctx, "sh", "-c", fmt.Sprintf(`ulimit -v %d && exec "$0" "$@"`, maxMemory),
		binary, "-test.failfast", "-test.run", s.run, "-test.timeout", l.timeout.String())
	test.Env = append(os.Environ(), setting)
	test.Dir = filepath.Join(l.root, s.folder)
	err := test.Run()
	if _, failed := errors.AsType[*exec.ExitError](err); failed {
		return false, nil
	}
	return err == nil, err
}

// testAlone builds a mutant by itself and runs the tests until one fails.
func (l *lab) testAlone(ctx context.Context, m *mutant) (verdict, error) {
	folder, err := l.overlay(map[string][]byte{m.name: m.changed()})
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	for _, s := range suites(m.name) {
		binary, err := l.build(ctx, s, folder)
		if _, ok := errors.AsType[*errBuild](err); ok {
			return invalid, nil
		}
		if err != nil {
			return 0, err
		}
		if ok, err := l.passes(ctx, s, binary, "MUTANT="); !ok || err != nil {
			return killed, err
		}
	}
	return survived, nil
}
