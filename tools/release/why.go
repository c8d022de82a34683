package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
)

// platforms are those that programs are looked at for, as GOOS and GOARCH.
var platforms = [][2]string{
	{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "arm64"}, {"windows", "amd64"},
}

// use is what a program compiles of a module.
type use struct {
	folders   map[string]bool // of its packages
	importers map[string]bool // modules that import a package of it
}

// packages returns the folders of the packages, none for no use.
func (u *use) packages() []string {
	if u == nil {
		return nil
	}
	return slices.Collect(maps.Keys(u.folders))
}

// readUses returns what the project's program compiles, on any of the
// platforms, of each module.
func readUses(ctx context.Context, p *project) (map[string]*use, error) {
	uses := make(map[string]*use)
	for _, platform := range platforms {
		there := *p.user
		there.environment = append(slices.Clip(there.environment), "GOOS="+platform[0], "GOARCH="+platform[1])
		packages, err := listPackages(ctx, &project{&there, p.dir}, ".")
		if err != nil {
			return nil, err
		}
		owners := make(map[string]string) // of packages
		for _, pkg := range packages {    // each after those that it imports
			if pkg.Module == nil {
				continue
			}
			path := pkg.Module.Path
			owners[pkg.ImportPath] = path
			if uses[path] == nil {
				uses[path] = &use{make(map[string]bool), make(map[string]bool)}
			}
			uses[path].folders[pkg.Dir] = true
			for _, imported := range pkg.Imports {
				if owner := owners[imported]; owner != "" && owner != path {
					uses[owner].importers[path] = true
				}
			}
		}
	}
	return uses, nil
}

// readSums returns the modules whose code a go.sum has the hash of, not only
// their go.mod, in the form "path version".
func readSums(file string) (map[string]bool, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	sums := make(map[string]bool)
	for line := range strings.Lines(string(data)) {
		if fields := strings.Fields(line); len(fields) > 1 && !strings.HasSuffix(fields[1], "/go.mod") {
			sums[fields[0]+" "+fields[1]] = true
		}
	}
	return sums, nil
}

// why says of what a module is a part that go mod tidy downloads for the
// project, and who imports it.
func why(ctx context.Context, p *project, modulePath string, used *use) (part, string, error) {
	if used != nil {
		var importers []string
		for _, importer := range slices.Sorted(maps.Keys(used.importers)) {
			importers = append(importers, code(importer))
		}
		return ofPrograms, "Imported by " + strings.Join(importers, ", ") + ".", nil
	}
	chain, err := whyChain(ctx, p, "-vendor", modulePath) // without the tests of dependencies
	if err != nil {
		return "", "", err
	}
	if len(chain) > 0 {
		importer, _ := readChain(chain, modulePath)
		return ofTagged, "Imported by " + code(importer) + ".", nil
	}
	if chain, err = whyChain(ctx, p, modulePath); err != nil {
		return "", "", err
	}
	switch importer, tested := readChain(chain, modulePath); {
	case tested == "":
		return "", "", fmt.Errorf("nothing says why go mod tidy downloads %s: %q", modulePath, chain)
	case importer == tested:
		return ofTests, "Imported by the tests of " + code(tested) + ".", nil
	default:
		return ofTests, "Imported by " + code(importer) + ", for the tests of " + code(tested) + ".", nil
	}
}

// whyChain returns the packages through which the project needs a module, each
// imported by the one before it; none if it does not.
func whyChain(ctx context.Context, p *project, args ...string) ([]string, error) {
	out, err := p.goCommand(ctx, append([]string{"mod", "why", "-m"}, args...)...)
	if err != nil {
		return nil, err
	}
	var chain []string
	for line := range strings.Lines(out) {
		if !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "(") {
			chain = append(chain, strings.TrimSpace(line))
		}
	}
	return chain, nil
}

// readChain returns the last package of a chain that is not of the module, and
// the one whose tests the chain leads through, "" if there is none.
func readChain(chain []string, modulePath string) (importer, tested string) {
	for _, path := range chain {
		if path == modulePath || strings.HasPrefix(path, modulePath+"/") {
			break
		}
		importer = path
		if of, isTest := strings.CutSuffix(path, ".test"); isTest {
			importer, tested = of, of
		}
	}
	return importer, tested
}
