package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var (
	beforeRelease = regexp.MustCompile(`(?s)<!-- until the release -->\n.*?<!-- from the release on:\n(.*?)-->\n`)
	goProgram     = regexp.MustCompile("(?ms)^```go\n(package main\n.*?)^```")
	shellCommand  = regexp.MustCompile(`(?m)^\$ (.*)$`)
	cloneCommand  = regexp.MustCompile(`(?m)^\$ go -C verso/examples run (\./\S+)(?: +#.*)?$`)
)

// released returns the README as it is from the first release on.
func released(readme string) string { return beforeRelease.ReplaceAllString(readme, "$1") }

// writeReadme makes README.md that of a release.
func writeReadme(repo string) error {
	name := filepath.Join(repo, "README.md")
	page, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return os.WriteFile(name, []byte(released(string(page))), 0o644)
}

// runReadme runs the commands of the released README that get a module, builds the
// program that it shows with what they got, and sends it the requests after it.
func (c *checker) runReadme(ctx context.Context, page string, quickstarts []*quickstart) error {
	c.progress("README.md from the release on")
	if strings.Contains(page, "use.sh") || strings.Contains(page, "verso/examples run") {
		return errors.New("it still uses a clone: " +
			"mark the lines with <!-- until the release --> and <!-- from the release on: as the rest")
	}
	program, shown := shownProgram(page, quickstarts)
	if shown == nil {
		return errors.New("it shows no program, or another one than those that it links to")
	}
	dir := filepath.Join(c.dir, "projects", "readme")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var begin []string
	for _, block := range consoleBlock.FindAllStringSubmatch(page, -1) {
		for _, command := range shellCommand.FindAllStringSubmatch(block[1], -1) {
			if !strings.HasPrefix(command[1], "curl ") && !strings.HasPrefix(command[1], "go run ") {
				begin = append(begin, command[1])
			}
		}
	}
	if !strings.Contains(strings.Join(begin, "\n"), "go get ") {
		return errors.New("it has no command $ go get: show how to begin")
	}
	where, err := c.command(ctx, dir, "sh", "-ec", strings.Join(append(begin, "pwd"), "\n"))
	if err != nil {
		return err
	}
	printed := strings.Split(strings.TrimSpace(where), "\n")
	q := *shown
	q.source = program
	return c.runQuickstart(ctx, printed[len(printed)-1], &q)
}

// checkPages returns an error if the pages of a repository are not yet those of a version.
func checkPages(repo, version string) error {
	page, err := os.ReadFile(filepath.Join(repo, "README.md"))
	if err != nil {
		return err
	}
	if released(string(page)) != string(page) {
		return errors.New("README.md has lines until the release: run `release readme`")
	}
	if _, err := os.Stat(filepath.Join(repo, "tools", "use.sh")); err == nil {
		return errors.New("tools/use.sh is for the time until the release: remove it")
	}
	changes, err := os.ReadFile(filepath.Join(repo, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	dated := regexp.MustCompile(`(?m)^## ` + regexp.QuoteMeta(version) + ` - \d{4}-\d{2}-\d{2}$`)
	if !dated.Match(changes) {
		return fmt.Errorf("CHANGELOG.md has no heading such as \"## %s - 2027-01-31\": add it", version)
	}
	return nil
}

// shownProgram returns the program that a page shows, and which of those that it links to this
// is, or nil.
func shownProgram(page string, quickstarts []*quickstart) (program string, shown *quickstart) {
	found := goProgram.FindStringSubmatch(page)
	if found == nil {
		return "", nil
	}
	i := slices.IndexFunc(quickstarts, func(q *quickstart) bool { return strings.Contains(q.source, found[1]) })
	if i < 0 {
		return "", nil
	}
	return found[1], quickstarts[i]
}

// buildFromClone builds the programs that the README runs in a clone, in the workspace
// that the clone is.
func (c *checker) buildFromClone(ctx context.Context, readme string) error {
	for _, command := range cloneCommand.FindAllStringSubmatch(readme, -1) {
		c.progress("%s", command[0])
		out := filepath.Join(c.dir, "clone.bin")
		if _, err := c.command(ctx, c.root, "env", "GOWORK=", "GOFLAGS=-modcacherw", "go", "-C", "examples",
			"build", "-o", out, command[1]); err != nil {
			return err
		}
	}
	return nil
}
