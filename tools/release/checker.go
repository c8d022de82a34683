package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// checker is a check under way.
type checker struct {
	out         io.Writer
	begun       time.Time
	dir         string // temporary
	root        string // of the files of HEAD, in dir
	modules     []*workspaceModule
	version     string
	environment []string // of a user, who shares only the module proxy with this machine
}

// progress prints a line about the next step.
func (c *checker) progress(format string, args ...any) {
	_, _ = fmt.Fprintf(c.out, "%5.1fs  %s\n", time.Since(c.begun).Seconds(), fmt.Sprintf(format, args...))
}

// command returns what a command prints to its standard output.
func (c *checker) command(ctx context.Context, dir, name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), c.environment...)
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err,
			lastLines(out.String()+complaint.String(), 40))
	}
	return out.String(), nil
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

// newProject makes a folder with an empty module in it.
func (c *checker) newProject(ctx context.Context, name string) (dir string, err error) {
	dir = filepath.Join(c.dir, "projects", name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	_, err = c.command(ctx, dir, "go", "mod", "init", "example")
	return dir, err
}

// get gets a module without a version, as in the README, and fails if the result is not
// the version of the release.
func (c *checker) get(ctx context.Context, dir string, m *workspaceModule) error {
	if _, err := c.command(ctx, dir, "go", "get", m.path); err != nil {
		return err
	}
	version, err := c.command(ctx, dir, "go", "list", "-m", "-f", "{{.Version}}", m.path)
	if err == nil && strings.TrimSpace(version) != c.version {
		return fmt.Errorf("go get %s selects version %s instead of %s", m.path, strings.TrimSpace(version), c.version)
	}
	return err
}

// useModule gets a library module, compiles all of it, and checks its dependencies.
func (c *checker) useModule(ctx context.Context, m *workspaceModule) error {
	if !m.isLibrary() {
		return nil
	}
	c.progress("go get %s", m.path)
	dir, err := c.newProject(ctx, strings.ReplaceAll(m.folder, "/", "-"))
	if err != nil {
		return err
	}
	if err := c.get(ctx, dir, m); err != nil {
		return err
	}
	if _, err := c.command(ctx, dir, "go", "build", m.path+"/..."); err != nil {
		return err
	}
	listed, err := c.command(ctx, dir, "go", "list", "-m", "-f", "{{if not .Main}}{{.Path}}{{end}}", "all")
	if err != nil {
		return err
	}
	return checkForeign(m, c.modules, strings.Fields(listed))
}

// checkForeign returns an error if the modules that a user of m gets belong to
// users of another adapter: the adapter itself, and what it alone requires.
func checkForeign(m *workspaceModule, modules []*workspaceModule, listed []string) error {
	requiredBy := make(map[string][]*workspaceModule)
	for _, adapter := range modules {
		if !adapter.isAdapter() {
			continue
		}
		requiredBy[adapter.path] = append(requiredBy[adapter.path], adapter)
		for _, required := range adapter.file.Require {
			if !required.Indirect {
				requiredBy[required.Mod.Path] = append(requiredBy[required.Mod.Path], adapter)
			}
		}
	}
	for _, path := range listed {
		if owners := requiredBy[path]; len(owners) == 1 && owners[0] != m {
			return fmt.Errorf("gets %s, which is for users of %s: run go mod why -m %s", path, owners[0].path, path)
		}
	}
	return nil
}

// testOutsider tests a copy of a third-party module.
func (c *checker) testOutsider(ctx context.Context, m *workspaceModule) error {
	c.progress("test %s", m.folder)
	dir := filepath.Join(c.dir, "projects", filepath.Base(m.folder))
	if err := os.CopyFS(dir, os.DirFS(m.dir)); err != nil {
		return err
	}
	// Until a version is tagged, the checksums of its modules differ from commit to commit.
	name := filepath.Join(dir, "go.sum")
	sums, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	var kept strings.Builder
	for line := range strings.Lines(string(sums)) {
		if path, _, _ := strings.Cut(line, " "); find(c.modules, path) == nil {
			kept.WriteString(line)
		}
	}
	if err := os.WriteFile(name, []byte(kept.String()), 0o644); err != nil {
		return err
	}
	_, err = c.command(ctx, dir, "go", "test", "-count=1", "./...")
	return err
}
