package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

// setVersion changes the go.mod files of the repository to require its modules at a
// version.
func setVersion(out io.Writer, repo, version string) error {
	if semver.Canonical(version) != version {
		return fmt.Errorf("%q is not a version to release: write it like v0.1.0", version)
	}
	modules, outsiders, err := readWorkspace(repo)
	if err != nil {
		return err
	}
	for _, m := range slices.Concat(modules, outsiders) {
		for _, required := range m.requires(modules) {
			if err := m.file.AddRequire(required.Mod.Path, version); err != nil {
				return err
			}
		}
		if err := os.WriteFile(filepath.Join(m.dir, "go.mod"), modfile.Format(m.file.Syntax), 0o644); err != nil {
			return err
		}
	}
	_, err = printTags(out, repo)
	return err
}

// printTags prints the tag of each module, each after those of the modules that it requires.
func printTags(out io.Writer, repo string) (tags []string, err error) {
	modules, outsiders, err := readWorkspace(repo)
	if err != nil {
		return nil, err
	}
	version, err := versionOf(modules, slices.Concat(modules, outsiders))
	if err != nil {
		return nil, err
	}
	for _, m := range modules {
		tag := m.folder + "/" + version
		tags = append(tags, tag)
		if _, err := fmt.Fprintln(out, tag); err != nil {
			return nil, err
		}
	}
	return tags, nil
}

// push prints the tags, sets them at HEAD, and pushes each after those of the modules that it
// requires.
func push(ctx context.Context, out io.Writer, repo string) error {
	git := func(args ...string) error {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir = repo
		if printed, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w\n%s", strings.Join(args, " "), err, printed)
		}
		return nil
	}
	if err := git("diff", "--quiet", "HEAD"); err != nil {
		return fmt.Errorf("there are changes that are not committed: %w", err)
	}
	tags, err := printTags(out, repo)
	if err != nil {
		return err
	}
	if err := checkPages(repo, path.Base(tags[0])); err != nil {
		return err
	}
	for _, tag := range tags {
		if err := git("tag", "--annotate", "--message="+tag, tag); err != nil {
			return err
		}
	}
	for _, tag := range tags {
		if err := git("push", "--quiet", "origin", tag); err != nil {
			return err
		}
	}
	return nil
}
