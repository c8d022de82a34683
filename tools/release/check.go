package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

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
