package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// tryAll takes out the protections one by one, prints what became of each, and
// fails when a test passes without its protection.
func tryAll(ctx context.Context, out io.Writer, root string, threats []threat) error {
	count, failed := 0, 0
	for _, t := range threats {
		_, _ = fmt.Fprintln(out, t.danger)
		for _, p := range t.protections {
			err := try(ctx, root, &p)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			verdict := "fails without it"
			if err != nil {
				failed++
				verdict = err.Error()
			}
			count++
			_, _ = fmt.Fprintf(out, "\t%s: %s in %s %s\n", p.file, p.test, p.folder, verdict)
		}
	}
	_, err := fmt.Fprintf(out, "%d protections taken out, one by one: %d tests failed, %d did not\n", count, count-failed, failed)
	if failed > 0 {
		err = errors.Join(err, errors.New("a test does not show what SECURITY.md says"))
	}
	return err
}

// try runs the test of a protection, which must pass with it and fail without.
func try(ctx context.Context, root string, p *protection) error {
	source, err := os.ReadFile(filepath.Join(root, p.file))
	if err != nil {
		return err
	}
	if n := bytes.Count(source, []byte(p.old)); n != 1 {
		return fmt.Errorf("cannot be tried: %q stands there %d times, not once", p.old, n)
	}
	without := bytes.Replace(source, []byte(p.old), []byte(p.new), 1)

	folder, err := os.MkdirTemp("", "threats")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	changed, overlay := filepath.Join(folder, "changed.go"), filepath.Join(folder, "overlay.json")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(root, p.file): changed}})
	if err != nil {
		return err
	}
	if err := errors.Join(os.WriteFile(changed, without, 0o600), os.WriteFile(overlay, replace, 0o600)); err != nil {
		return err
	}

	if output, err := runTest(ctx, root, p); err != nil {
		return fmt.Errorf("fails also with it: %w\n%s", err, output)
	}
	output, err := runTest(ctx, root, p, "-overlay", overlay)
	switch {
	case err == nil:
		return errors.New("PASSES WITHOUT IT")
	case !bytes.Contains(output, []byte("--- FAIL: "+p.test)):
		return fmt.Errorf("cannot be tried: %w\n%s", err, output)
	}
	return nil
}

func runTest(ctx context.Context, root string, p *protection, flags ...string) ([]byte, error) {
	args := slices.Concat([]string{"test", "-vet=off", "-run", "^" + p.test + "$", "-timeout", "2m"}, flags, []string{"."})
	test := exec.CommandContext(ctx, "go", args...)
	test.Dir = filepath.Join(root, p.folder)
	test.Env = slices.Concat(os.Environ(), []string{"GOWORK=" + filepath.Join(root, "go.work"), "PWD=" + test.Dir})
	output, err := test.CombinedOutput()
	if err == nil && bytes.Contains(output, []byte("no tests to run")) {
		err = errors.New("there is no such test")
	}
	return output, err
}
