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

	"golang.org/x/mod/modfile"
)

// dependenciesPage holds the tables of dependencies.
const dependenciesPage = "docs/dependencies.md"

// updateDependencies gets each module of the work tree as users do, and writes
// what comes with it into a page. With check it changes nothing, and fails when
// the page says something else. It fails, too, for a direct dependency that
// nothing gives a reason for, and for a licence that is not accepted.
func updateDependencies(ctx context.Context, repo *repository, version string, check bool) (err error) {
	dir, err := os.MkdirTemp("", "verso-dependencies-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	c := &checker{
		options: checkOptions{version: version, worktree: true}, out: io.Discard,
		dir: dir, root: filepath.Join(dir, "source"),
	}
	if c.settings, err = readGoSettings(ctx); err != nil {
		return err
	}
	if err := c.release(ctx, repo); err != nil {
		return err
	}
	imported := slices.DeleteFunc(slices.Clone(c.modules), func(m *workspaceModule) bool { return !m.isLibrary() })
	if err := checkReasons(imported, reasons); err != nil {
		return err
	}
	u, err := c.newUser("anybody")
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, m := range imported {
		p, err := u.newProject(ctx, strings.ReplaceAll(m.folder, "/", "-"), nil)
		if err != nil {
			return err
		}
		if err := c.get(ctx, p, m); err != nil {
			return err
		}
		dependencies, err := readDependencies(ctx, p, m, c.modules)
		if err != nil {
			return fmt.Errorf("%s: %w", m.path, err)
		}
		text.WriteString("\n### " + m.folder + "\n\n" + dependenciesTable(dependencies))
	}
	return updatePage(repo.dir, dependenciesPage, text.String()+"\n", "make dependencies", check)
}

// dependency is a module that another one brings to its users.
type dependency struct {
	path, version string
	direct        bool
	part          part
	licences      []string // SPDX identifiers; none for a module of which users get the go.mod only
	why           string
}

// part says of what a dependency is a part.
type part string

const (
	ofPrograms part = "programs"   // of users, on one of the platforms
	ofTagged   part = "build tags" // programs that are built with certain tags, or for other platforms
	ofTests    part = "tests"      // go mod tidy downloads it, no program compiles it
	ofGraph    part = "graph"      // users download the go.mod
)

// readDependencies returns what comes with a module to a project that has got
// it and imports all its packages: direct dependencies first, then by path.
func readDependencies(ctx context.Context, p *project, m *workspaceModule, modules []*workspaceModule) ([]dependency, error) {
	if err := importAll(ctx, p, m); err != nil {
		return nil, err
	}
	uses, err := readUses(ctx, p)
	if err != nil {
		return nil, err
	}
	downloaded, err := readSums(filepath.Join(p.dir, "go.sum"))
	if err != nil {
		return nil, err
	}
	out, err := p.goCommand(ctx, "list", "-m", "-f", "{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}", "all")
	if err != nil {
		return nil, err
	}
	var all []dependency
	for line := range strings.Lines(out) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) < 3 || fields[0] == m.path {
			continue
		}
		d := dependency{path: fields[0], version: fields[1], direct: m.requiresDirectly(fields[0]), part: ofGraph}
		used := uses[d.path]
		if used != nil || downloaded[d.path+" "+d.version] {
			if d.part, d.why, err = why(ctx, p, d.path, used); err != nil {
				return nil, err
			}
			if d.licences, err = readLicences(fields[2], used.packages()); err != nil {
				return nil, fmt.Errorf("%s@%s: %w", d.path, d.version, err)
			}
		}
		if d.direct {
			d.why = reasons[d.path]
		}
		if find(modules, d.path) != nil {
			d.version = "the same"
		}
		all = append(all, d)
	}
	slices.SortStableFunc(all, func(a, b dependency) int {
		switch {
		case a.direct == b.direct:
			return strings.Compare(a.path, b.path)
		case a.direct:
			return -1
		default:
			return 1
		}
	})
	return all, nil
}

// importAll writes a program that imports all packages of a module, and tidies
// its go.mod.
func importAll(ctx context.Context, p *project, m *workspaceModule) error {
	packages, err := p.lines(ctx, "list", m.path+"/...")
	if err != nil {
		return err
	}
	var imports strings.Builder
	for _, path := range packages {
		fmt.Fprintf(&imports, "import _ %q\n", path)
	}
	program := "package main\n\n" + imports.String() + "\nfunc main() {}\n"
	if err := writeFile(filepath.Join(p.dir, "main.go"), strings.NewReader(program)); err != nil {
		return err
	}
	_, err = p.goCommand(ctx, "mod", "tidy")
	return err
}

// requiresDirectly reports whether a package or test of the module itself
// imports the module with the given path.
func (m *workspaceModule) requiresDirectly(modulePath string) bool {
	return slices.ContainsFunc(m.file.Require, func(r *modfile.Require) bool {
		return r.Mod.Path == modulePath && !r.Indirect
	})
}

// dependenciesTable returns the dependencies as a table in Markdown.
func dependenciesTable(dependencies []dependency) string {
	if len(dependencies) == 0 {
		return "The standard library only.\n"
	}
	var table strings.Builder
	table.WriteString("| Module | Version | Licence | Part of | Why it is there |\n|---|---|---|---|---|\n")
	for _, part := range []part{ofPrograms, ofTagged, ofTests} {
		for _, d := range dependencies {
			if d.part == part {
				fmt.Fprintf(&table, "| %s | %s | %s | %s | %s |\n", code(d.path), d.version, strings.Join(d.licences, ", "), d.part, d.why)
			}
		}
	}
	var listed []string
	for _, d := range dependencies {
		if d.part == ofGraph {
			listed = append(listed, code(d.path+" "+d.version))
		}
	}
	if len(listed) > 0 {
		fmt.Fprintf(&table, "\nIn the graph only (%d): %s.\n", len(listed), strings.Join(listed, ", "))
	}
	return table.String()
}

// code returns a text as code in Markdown.
func code(text string) string {
	return "`" + text + "`"
}
