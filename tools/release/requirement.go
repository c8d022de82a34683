package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"
)

// requirements returns the versions at which the modules require each other,
// each once.
func requirements(modules []*workspaceModule) []string {
	var versions []string
	for _, m := range modules {
		for _, required := range m.file.Require {
			if find(modules, required.Mod.Path) != nil && !slices.Contains(versions, required.Mod.Version) {
				versions = append(versions, required.Mod.Version)
			}
		}
	}
	return versions
}

// checkRequirements returns an error unless the modules require each other at
// the given version or, if not strict, all at the same other one.
func checkRequirements(modules []*workspaceModule, version string, strict bool) error {
	if len(requirements(modules)) <= 1 && !strict {
		return nil
	}
	var wrong []error
	for _, m := range modules {
		for _, required := range m.file.Require {
			if find(modules, required.Mod.Path) != nil && required.Mod.Version != version {
				wrong = append(wrong, fmt.Errorf("%s:%d requires %s", m.goMod(), required.Syntax.Start.Line, required.Mod))
			}
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	return fmt.Errorf("the modules do not require each other at %s: run make release-version VERSION=%s and commit\n%w",
		version, version, errors.Join(wrong...))
}

// setRequirements writes the go.mod files of the repository at dir that require
// modules of the workspace: they require the given version then.
func setRequirements(out io.Writer, dir, version string) error {
	modules, err := readWorkspace(dir)
	if err != nil {
		return err
	}
	outsiders, err := thirdParties(dir)
	if err != nil {
		return err
	}
	for _, m := range slices.Concat(modules, outsiders) {
		changed, err := m.require(modules, version)
		if err != nil {
			return err
		}
		if !changed {
			continue
		}
		if _, err := fmt.Fprintln(out, m.goMod()); err != nil {
			return err
		}
	}
	return nil
}

// require lets the module require the given ones, as far as it does, at a
// version, and writes its go.mod if that changes it.
func (m *workspaceModule) require(modules []*workspaceModule, version string) (changed bool, err error) {
	for _, required := range m.file.Require {
		if find(modules, required.Mod.Path) == nil || required.Mod.Version == version {
			continue
		}
		changed = true
		if err := m.file.AddRequire(required.Mod.Path, version); err != nil {
			return false, err
		}
	}
	if !changed {
		return false, nil
	}
	return true, os.WriteFile(filepath.Join(m.dir, "go.mod"), modfile.Format(m.file.Syntax), 0o644)
}
