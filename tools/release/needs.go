package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// needs are what the import of a module brings with it.
type needs struct {
	listed   int      // modules in the build list
	modules  []string // modules of the packages below, the module itself left out
	packages int      // packages outside the standard library and the module
	direct   []string // modules of the packages that the module itself imports
}

// listedPackage is what go list tells of a package.
type listedPackage struct {
	ImportPath string
	Dir        string
	Standard   bool
	Imports    []string
	Module     *struct{ Path string }
}

// listPackages returns the packages of the given patterns and those that they
// import, directly or not.
func listPackages(ctx context.Context, p *project, patterns ...string) ([]listedPackage, error) {
	args := append([]string{"list", "-deps", "-json=ImportPath,Dir,Standard,Imports,Module"}, patterns...)
	out, err := p.goCommand(ctx, args...)
	if err != nil {
		return nil, err
	}
	var packages []listedPackage
	for decoder := json.NewDecoder(strings.NewReader(out)); ; {
		var pkg listedPackage
		if err := decoder.Decode(&pkg); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		packages = append(packages, pkg)
	}
}

// readNeeds returns what a project needs for its import of the module.
func readNeeds(ctx context.Context, p *project, modulePath string) (*needs, error) {
	listed, err := p.lines(ctx, "list", "-m", "-f", "{{if not .Main}}{{.Path}}{{end}}", "all")
	if err != nil {
		return nil, err
	}
	packages, err := listPackages(ctx, p, modulePath)
	if err != nil {
		return nil, err
	}
	n := &needs{listed: len(listed) - 1}
	owners := make(map[string]string) // of packages
	var imported []string
	for _, pkg := range packages {
		switch {
		case pkg.Standard || pkg.Module == nil:
		case pkg.Module.Path == modulePath:
			imported = append(imported, pkg.Imports...)
		default:
			n.packages++
			owners[pkg.ImportPath] = pkg.Module.Path
			if !slices.Contains(n.modules, pkg.Module.Path) {
				n.modules = append(n.modules, pkg.Module.Path)
			}
		}
	}
	for _, path := range imported {
		if owner := owners[path]; owner != "" && !slices.Contains(n.direct, owner) {
			n.direct = append(n.direct, owner)
		}
	}
	return n, nil
}

// checkTestingImports returns an error if a package of the module imports
// testing outside of its tests.
func checkTestingImports(ctx context.Context, p *project, modulePath string) error {
	out, err := p.goCommand(ctx, "list", "-f", `{{.ImportPath}}: {{join .Imports " "}}`, modulePath+"/...")
	if err != nil {
		return err
	}
	for line := range strings.Lines(out) {
		path, imports, _ := strings.Cut(line, ":")
		for imported := range strings.FieldsSeq(imports) {
			if imported == "testing" || strings.HasPrefix(imported, "testing/") {
				return fmt.Errorf("package %s imports %s, which services would link: move that to a file _test.go", path, imported)
			}
		}
	}
	return nil
}
