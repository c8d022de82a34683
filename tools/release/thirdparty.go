package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// thirdParties returns the modules in the folder root that stand for adapters
// of others: examples/thirdparty-*.
func thirdParties(root string) ([]*workspaceModule, error) {
	found, err := filepath.Glob(filepath.Join(root, "examples", "thirdparty-*", "go.mod"))
	if err != nil {
		return nil, err
	}
	var outsiders []*workspaceModule
	for _, name := range found {
		m, err := readModule(root, "examples/"+filepath.Base(filepath.Dir(name)))
		if err != nil {
			return nil, err
		}
		outsiders = append(outsiders, m)
	}
	return outsiders, nil
}

// checkOutsider returns an error if a module that stands for somebody else's
// has what somebody else could not have.
func checkOutsider(outsider *workspaceModule, modules []*workspaceModule) error {
	if len(outsider.file.Replace) > 0 {
		return fmt.Errorf("%s has replace lines, which somebody else could not have: remove them", outsider.goMod())
	}
	for _, m := range modules {
		if m.path == outsider.path {
			return fmt.Errorf("go.work names %s, which stands for somebody else's module: remove it", outsider.folder)
		}
	}
	for _, required := range outsider.file.Require {
		if m := find(modules, required.Mod.Path); m != nil && !m.isLibrary() {
			return fmt.Errorf("%s requires %s, which is not for import: remove it", outsider.goMod(), m.path)
		}
	}
	return nil
}

// testOutsider tests a copy of somebody else's module. It returns what the
// conformance suite counted.
func testOutsider(ctx context.Context, u *user, outsider *workspaceModule, modules []*workspaceModule) (counts []string, err error) {
	p := &project{u, filepath.Join(u.dir, filepath.Base(outsider.folder))}
	if err := copyModule(p.dir, outsider.dir); err != nil {
		return nil, err
	}
	if err := forgetSums(filepath.Join(p.dir, "go.sum"), modules); err != nil {
		return nil, err
	}
	if _, err := p.goCommand(ctx, "vet", "./..."); err != nil {
		return nil, err
	}
	out, err := p.goCommand(ctx, "test", "-count=1", "-v", "./...")
	if err != nil {
		return nil, fmt.Errorf("%w\nfailed: %s", err, strings.Join(failedTests(out), ", "))
	}
	for line := range strings.Lines(out) {
		if _, count, found := strings.Cut(line, "conformance: "); found {
			counts = append(counts, strings.TrimSpace(count))
		}
	}
	if len(counts) == 0 {
		return nil, errors.New("its tests do not run the conformance suite")
	}
	return counts, nil
}

// failedTests returns the names of the tests that failed, ten at most.
func failedTests(output string) (names []string) {
	for line := range strings.Lines(output) {
		if _, name, found := strings.Cut(line, "--- FAIL: "); found && len(names) < 10 {
			names = append(names, strings.Fields(name)[0])
		}
	}
	return names
}

// copyModule copies the files of a module to a new folder.
func copyModule(dir, source string) error {
	return filepath.WalkDir(source, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		relative, err := filepath.Rel(source, name)
		if err != nil {
			return err
		}
		return copyFile(filepath.Join(dir, relative), name)
	})
}

// forgetSums removes the checksums of the given modules from a go.sum: a
// version that is not tagged yet has others at each commit.
func forgetSums(name string, modules []*workspaceModule) error {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var kept strings.Builder
	for line := range strings.Lines(string(data)) {
		path, _, _ := strings.Cut(line, " ")
		if find(modules, path) == nil {
			kept.WriteString(line)
		}
	}
	return os.WriteFile(name, []byte(kept.String()), 0o644)
}
