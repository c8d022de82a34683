package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/module"
)

// goCommandTimeout bounds a go command, downloads included.
const goCommandTimeout = 5 * time.Minute

// user is somebody with a computer of their own: a folder outside the
// workspace and a module cache that nobody else has filled.
type user struct {
	dir         string
	cache       string
	environment []string
}

// goSettings are settings of the machine's go command.
type goSettings struct {
	GOPROXY, GOMODCACHE, GONOSUMDB string
}

func readGoSettings(ctx context.Context) (settings goSettings, err error) {
	out, err := exec.CommandContext(ctx, "go", "env", "-json", "GOPROXY", "GOMODCACHE", "GONOSUMDB").Output()
	if err != nil {
		return settings, fmt.Errorf("go env: %w", err)
	}
	return settings, json.Unmarshal(out, &settings)
}

// newUser returns a user in new folders under dir, who gets modules from the
// given proxies. The checksum database is not asked for the modules that match
// unlisted.
func newUser(dir, name, proxies, unlisted string) (*user, error) {
	u := &user{dir: filepath.Join(dir, "users", name), cache: filepath.Join(dir, "caches", name)}
	if err := os.MkdirAll(u.dir, 0o755); err != nil {
		return nil, err
	}
	u.environment = append(os.Environ(),
		"GOWORK=off",
		"GOPROXY="+proxies,
		"GOPRIVATE=",
		"GONOPROXY=none",
		"GONOSUMDB="+unlisted,
		"GOMODCACHE="+u.cache,
		"CGO_ENABLED=0",
		// Sources at other places are compiled once: -trimpath. The
		// temporary folder can be removed: -modcacherw.
		"GOFLAGS=-mod=mod -trimpath -modcacherw -buildvcs=false",
	)
	return u, nil
}

// project is a folder of a user's, with a module in it.
type project struct {
	*user
	dir string
}

// newProject makes a folder with the given files and the module "example".
func (u *user) newProject(ctx context.Context, name string, files map[string]string) (*project, error) {
	p := &project{u, filepath.Join(u.dir, name)}
	for file, content := range files {
		if err := writeFile(filepath.Join(p.dir, file), strings.NewReader(content)); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(p.dir, 0o755); err != nil {
		return nil, err
	}
	_, err := p.goCommand(ctx, "mod", "init", "example")
	return p, err
}

// goCommand returns what a go command prints.
func (p *project) goCommand(ctx context.Context, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, goCommandTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = p.dir
	cmd.Env = p.environment
	cmd.WaitDelay = 5 * time.Second
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, lastLines(out.String()+complaint.String(), 40))
	}
	return out.String(), nil
}

// lines returns the lines that a go command prints.
func (p *project) lines(ctx context.Context, args ...string) ([]string, error) {
	out, err := p.goCommand(ctx, args...)
	return strings.Fields(out), err
}

// lastLines returns the end of a text.
func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

// downloaded returns the modules whose sources are in the user's cache.
func (u *user) downloaded() ([]module.Version, error) {
	var modules []module.Version
	err := filepath.WalkDir(u.cache, func(name string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name == u.cache {
			return nil
		}
		if err != nil || !entry.IsDir() {
			return err
		}
		relative, err := filepath.Rel(u.cache, name)
		if err != nil {
			return err
		}
		if relative == "cache" {
			return fs.SkipDir
		}
		escapedPath, escapedVersion, found := strings.Cut(filepath.ToSlash(relative), "@")
		if !found {
			return nil
		}
		path, pathErr := module.UnescapePath(escapedPath)
		version, versionErr := module.UnescapeVersion(escapedVersion)
		if err := errors.Join(pathErr, versionErr); err != nil {
			return err
		}
		modules = append(modules, module.Version{Path: path, Version: version})
		return fs.SkipDir
	})
	return modules, err
}
