package main

import (
	"errors"
	"fmt"
	"go/build"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// workspaceModule is a module that go.work names.
type workspaceModule struct {
	path     string // "github.com/goverso/verso/adapters/versogin"
	folder   string // in the repository, with slashes: "adapters/versogin"
	dir      string // in the file system
	file     *modfile.File
	siblings []*workspaceModule // the modules of the workspace that it requires
}

// tag returns the tag that releases the module at a version.
func (m *workspaceModule) tag(version string) string {
	return m.folder + "/" + version
}

// goMod returns the name of the module's go.mod in the repository.
func (m *workspaceModule) goMod() string {
	return m.folder + "/go.mod"
}

// isAdapter reports whether the module installs Verso in a framework.
func (m *workspaceModule) isAdapter() bool {
	return path.Dir(m.folder) == "adapters"
}

// isLibrary reports whether users import the module: its folder holds a package
// that is no command.
func (m *workspaceModule) isLibrary() bool {
	p, err := build.ImportDir(m.dir, 0)
	return err == nil && p.Name != "main" && len(p.GoFiles) > 0
}

// readWorkspace returns the modules that dir's go.work names, each after those
// that it requires.
func readWorkspace(dir string) ([]*workspaceModule, error) {
	data, err := os.ReadFile(filepath.Join(dir, "go.work"))
	if err != nil {
		return nil, err
	}
	work, err := modfile.ParseWork("go.work", data, nil)
	if err != nil {
		return nil, err
	}
	var modules []*workspaceModule
	for _, use := range work.Use {
		m, err := readModule(dir, path.Clean(use.Path))
		if err != nil {
			return nil, err
		}
		modules = append(modules, m)
	}
	for _, m := range modules {
		for _, required := range m.file.Require {
			if sibling := find(modules, required.Mod.Path); sibling != nil {
				m.siblings = append(m.siblings, sibling)
			}
		}
	}
	return inDependencyOrder(modules)
}

// readModule reads the go.mod in a folder of the repository at dir.
func readModule(dir, folder string) (*workspaceModule, error) {
	m := &workspaceModule{folder: folder, dir: filepath.Join(dir, filepath.FromSlash(folder))}
	data, err := os.ReadFile(filepath.Join(m.dir, "go.mod"))
	if err != nil {
		return nil, err
	}
	if m.file, err = modfile.Parse(m.goMod(), data, nil); err != nil {
		return nil, err
	}
	if m.file.Module == nil {
		return nil, fmt.Errorf("%s names no module", m.goMod())
	}
	m.path = m.file.Module.Mod.Path
	return m, nil
}

// find returns the module with the given path, nil if there is none.
func find(modules []*workspaceModule, modulePath string) *workspaceModule {
	for _, m := range modules {
		if m.path == modulePath {
			return m
		}
	}
	return nil
}

// moduleOf returns the module that an import path is in, nil if there is none.
func moduleOf(modules []*workspaceModule, importPath string) *workspaceModule {
	for _, m := range modules {
		if m.path == importPath || strings.HasPrefix(importPath, m.path+"/") {
			return m
		}
	}
	return nil
}

// inDependencyOrder returns the modules, each after those that it requires, and
// by folder where that leaves a choice.
func inDependencyOrder(modules []*workspaceModule) ([]*workspaceModule, error) {
	waiting := slices.SortedFunc(slices.Values(modules), func(a, b *workspaceModule) int {
		return strings.Compare(a.folder, b.folder)
	})
	var ordered []*workspaceModule
	for len(waiting) > 0 {
		i := slices.IndexFunc(waiting, func(m *workspaceModule) bool {
			return !slices.ContainsFunc(m.siblings, func(s *workspaceModule) bool { return !slices.Contains(ordered, s) })
		})
		if i < 0 {
			return nil, fmt.Errorf("modules require each other in a circle, so none can be tagged first: %s", folders(waiting))
		}
		ordered = append(ordered, waiting[i])
		waiting = slices.Delete(waiting, i, i+1)
	}
	return ordered, nil
}

func folders(modules []*workspaceModule) string {
	var names []string
	for _, m := range modules {
		names = append(names, m.folder)
	}
	return strings.Join(names, ", ")
}

// checkReplacements returns an error if a released module would miss what its
// replace lines give it here: those are for siblings only, which have the
// version of the release, and consumers ignore them.
func checkReplacements(modules []*workspaceModule) error {
	var wrong []error
	for _, m := range modules {
		for _, r := range m.file.Replace {
			sibling := find(modules, r.Old.Path)
			switch {
			case sibling == nil:
				wrong = append(wrong, fmt.Errorf("%s replaces %s, which is no module of go.work: a user of the module gets %s itself, so require a released version of it instead",
					m.goMod(), r.Old.Path, r.Old.Path))
			case path.Join(m.folder, r.New.Path) != sibling.folder || r.New.Version != "":
				wrong = append(wrong, fmt.Errorf("%s replaces %s by %s instead of its folder %s", m.goMod(), r.Old.Path, r.New.Path, sibling.folder))
			}
		}
	}
	return errors.Join(wrong...)
}
