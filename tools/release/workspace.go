package main

import (
	"context"
	"errors"
	"fmt"
	"go/build"
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
