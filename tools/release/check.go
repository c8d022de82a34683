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
	"slices"
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

// check publishes the modules of the repository's HEAD to a module proxy in the file
// system, unless it is to check the published ones, and uses them as users do. It
// fails at the first step that would fail for users.
func check(ctx context.Context, out io.Writer, repo string, published bool) (err error) {
	dir, err := os.MkdirTemp("", "verso-release-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	c := &checker{out: out, begun: time.Now(), dir: dir, root: filepath.Join(dir, "source")}
	if err := c.export(ctx, repo); err != nil {
		return err
	}
	modules, outsiders, err := readWorkspace(c.root)
	if err != nil {
		return err
	}
	c.modules = modules
	if c.version, err = versionOf(modules, slices.Concat(modules, outsiders)); err != nil {
		return err
	}
	for _, m := range modules {
		if published {
			break
		}
		if err := publish(filepath.Join(dir, "proxy"), repo, m, c.version); err != nil {
			return fmt.Errorf("publish %s: %w", m.path, err)
		}
	}
	if err := c.becomeUser(ctx, published); err != nil {
		return err
	}
	for _, m := range modules {
		if err := c.useModule(ctx, m); err != nil {
			return fmt.Errorf("a user of %s: %w", m.path, err)
		}
	}
	if err := c.runQuickstarts(ctx); err != nil {
		return err
	}
	for _, m := range outsiders {
		if err := c.testOutsider(ctx, m); err != nil {
			return fmt.Errorf("%s, outside the repository: %w", m.folder, err)
		}
	}
	c.progress("done: %s", c.version)
	return nil
}

// progress prints a line about the next step.
func (c *checker) progress(format string, args ...any) {
	_, _ = fmt.Fprintf(c.out, "%5.1fs  %s\n", time.Since(c.begun).Seconds(), fmt.Sprintf(format, args...))
}

// export writes the files of the repository's HEAD into root.
func (c *checker) export(ctx context.Context, repo string) error {
	archive := filepath.Join(c.dir, "source.tar")
	if err := os.Mkdir(c.root, 0o755); err != nil {
		return err
	}
	if _, err := c.command(ctx, repo, "git", "archive", "--output", archive, "HEAD"); err != nil {
		return err
	}
	_, err := c.command(ctx, c.root, "tar", "-xf", archive)
	return err
}

// becomeUser sets the environment of a user outside the workspace, whose module cache
// is empty. The modules of the repository come from the proxy of this check, all
// others from the machine's module cache and its proxy.
func (c *checker) becomeUser(ctx context.Context, published bool) error {
	settings, err := c.command(ctx, c.dir, "go", "env", "GOPROXY", "GONOSUMDB", "GOMODCACHE")
	if err != nil {
		return err
	}
	lines := strings.Split(settings, "\n")
	proxies, unlisted, cache := lines[0], lines[1], lines[2]
	if !published {
		proxies = "file://" + filepath.ToSlash(filepath.Join(c.dir, "proxy")) +
			",file://" + filepath.ToSlash(filepath.Join(cache, "cache", "download")) + "," + proxies
		for _, m := range c.modules {
			unlisted = strings.TrimPrefix(unlisted+","+m.path, ",")
		}
	}
	c.environment = []string{
		"GOWORK=off", "GOPROXY=" + proxies, "GOPRIVATE=", "GONOPROXY=none", "GONOSUMDB=" + unlisted, "CGO_ENABLED=0",
		"GOMODCACHE=" + filepath.Join(c.dir, "cache"),
		// With -modcacherw the temporary folder can be removed.
		"GOFLAGS=-mod=mod -trimpath -modcacherw -buildvcs=false",
	}
	return nil
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
