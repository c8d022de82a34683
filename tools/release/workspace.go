package main

import (
	"errors"
	"fmt"
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// workspaceModule is a module of the repository.
type workspaceModule struct {
	path   string // "github.com/goverso/verso/adapters/versogin"
	folder string // in the repository, with slashes: "adapters/versogin"
	dir    string // in the file system
	file   *modfile.File
}

// isAdapter reports whether the module connects Verso with a framework.
func (m *workspaceModule) isAdapter() bool {
	return strings.HasPrefix(m.folder, "adapters/")
}

// isLibrary reports whether users import the module: it is no example, and its folder
// holds a package that is neither a command nor tests only.
func (m *workspaceModule) isLibrary() bool {
	if m.folder == "examples" || strings.HasPrefix(m.folder, "examples/") {
		return false
	}
	p, err := build.ImportDir(m.dir, 0)
	return err == nil && p.Name != "main" && len(p.GoFiles) > 0
}

// requires returns the module's requirements that are among the given modules.
func (m *workspaceModule) requires(modules []*workspaceModule) []*modfile.Require {
	return slices.DeleteFunc(slices.Clone(m.file.Require), func(r *modfile.Require) bool {
		return find(modules, r.Mod.Path) == nil
	})
}

// find returns the module with the given path, or nil.
func find(modules []*workspaceModule, path string) *workspaceModule {
	for _, m := range modules {
		if m.path == path {
			return m
		}
	}
	return nil
}

// readWorkspace returns the modules of the go.work in a folder, each after those that
// it requires, and the modules that represent third parties, examples/thirdparty-*.
func readWorkspace(root string) (modules, outsiders []*workspaceModule, err error) {
	data, err := os.ReadFile(filepath.Join(root, "go.work"))
	if err != nil {
		return nil, nil, err
	}
	work, err := modfile.ParseWork("go.work", data, nil)
	if err != nil {
		return nil, nil, err
	}
	for _, use := range work.Use {
		m, err := readModule(root, filepath.Join(root, filepath.FromSlash(use.Path)))
		if err != nil {
			return nil, nil, err
		}
		modules = append(modules, m)
	}
	dirs, err := filepath.Glob(filepath.Join(root, "examples", "thirdparty-*"))
	if err != nil {
		return nil, nil, err
	}
	for _, dir := range dirs {
		m, err := readModule(root, dir)
		if err != nil {
			return nil, nil, err
		}
		outsiders = append(outsiders, m)
	}
	modules, err = inDependencyOrder(modules)
	return modules, outsiders, err
}

func readModule(root, dir string) (*workspaceModule, error) {
	folder, err := filepath.Rel(root, dir)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return nil, err
	}
	file, err := modfile.Parse(filepath.ToSlash(folder)+"/go.mod", data, nil)
	if err != nil {
		return nil, err
	}
	return &workspaceModule{file.Module.Mod.Path, filepath.ToSlash(folder), dir, file}, nil
}

// inDependencyOrder returns the modules, each after those that it requires, otherwise
// ordered by folder.
func inDependencyOrder(modules []*workspaceModule) (ordered []*workspaceModule, err error) {
	slices.SortFunc(modules, func(a, b *workspaceModule) int { return strings.Compare(a.folder, b.folder) })
	for len(modules) > 0 {
		i := slices.IndexFunc(modules, func(m *workspaceModule) bool { return len(m.requires(modules)) == 0 })
		if i < 0 {
			return nil, fmt.Errorf("modules require each other in a cycle, including %s: none can be tagged first",
				modules[0].folder)
		}
		ordered = append(ordered, modules[i])
		modules = slices.Delete(modules, i, i+1)
	}
	return ordered, nil
}

// versionOf returns the version at which the users require the modules.
func versionOf(modules, users []*workspaceModule) (version string, err error) {
	for _, m := range users {
		for _, required := range m.requires(modules) {
			if version == "" {
				version = required.Mod.Version
			}
			if required.Mod.Version != version {
				err = errors.Join(err, fmt.Errorf("%s/go.mod requires %s, but another go.mod requires version %s: "+
					"run release set", m.folder, required.Mod, version))
			}
		}
	}
	return version, err
}
