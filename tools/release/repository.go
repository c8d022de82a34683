package main

import (
	"archive/tar"
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

// repository is the git repository that is released.
type repository struct {
	dir string // of the work tree
}

// openRepository returns the repository that the current folder is in.
func openRepository(ctx context.Context) (*repository, error) {
	dir, err := (&repository{}).git(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	return &repository{strings.TrimSpace(dir)}, nil
}

// git returns what a git command prints.
func (r *repository) git(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = r.dir
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w\n%s", strings.Join(args, " "), err, &complaint)
	}
	return string(out), nil
}

// tags returns the tags whose commits are in the history of HEAD.
func (r *repository) tags(ctx context.Context) ([]string, error) {
	out, err := r.git(ctx, "tag", "--list", "--merged", "HEAD")
	return strings.Fields(out), err
}

// commitTime returns when HEAD was committed.
func (r *repository) commitTime(ctx context.Context) (time.Time, error) {
	out, err := r.git(ctx, "log", "-1", "--format=%cI")
	if err != nil {
		return time.Time{}, err
	}
	committed, err := time.Parse(time.RFC3339, strings.TrimSpace(out))
	return committed.UTC(), err
}

// export writes the files of a revision into a new folder, as the go command
// takes them from git.
func (r *repository) export(ctx context.Context, revision, dir string) error {
	out, err := r.git(ctx, "archive", "--format=tar", revision)
	if err != nil {
		return err
	}
	files := tar.NewReader(strings.NewReader(out))
	for {
		header, err := files.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case header.Typeflag != tar.TypeReg:
			continue
		}
		if err := writeFile(filepath.Join(dir, filepath.FromSlash(header.Name)), files); err != nil {
			return err
		}
	}
}

// exportWorktree writes the files of the work tree into a new folder, those
// that git ignores left out.
func (r *repository) exportWorktree(ctx context.Context, dir string) error {
	out, err := r.git(ctx, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return err
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		source := filepath.Join(r.dir, filepath.FromSlash(name))
		if info, err := os.Lstat(source); err != nil || !info.Mode().IsRegular() {
			continue // deleted, or a link, which no module holds
		}
		if err := copyFile(filepath.Join(dir, filepath.FromSlash(name)), source); err != nil {
			return err
		}
	}
	return nil
}

// copyFile writes a copy of source, and the folders above it.
func copyFile(name, source string) error {
	f, err := os.Open(source)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	return writeFile(name, f)
}

// writeFile writes a new file, and the folders above it.
func writeFile(name string, content io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, content)
	return errors.Join(err, f.Close())
}
