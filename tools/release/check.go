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
	"time"

	"golang.org/x/mod/module"
)

// checkOptions say what to check, and how.
type checkOptions struct {
	version   string
	strict    bool // fail unless the go.mod files require the version already
	worktree  bool // read the work tree instead of the commit
	published bool // use the modules that are published instead of those of the commit
	keep      bool // keep the temporary folder
}

// checker is a check under way.
type checker struct {
	options checkOptions
	out     io.Writer
	begun   time.Time

	dir      string // temporary
	root     string // of the released files, in dir
	modules  []*workspaceModule
	settings goSettings
	users    map[*workspaceModule]*user
	reports  []report
	without  sizes // of binaries without any module
}

// check publishes the modules of a repository to a file-system module proxy and
// does what users do with them. It fails at the first thing that users could
// not do.
func check(ctx context.Context, out io.Writer, repo *repository, options checkOptions) (err error) {
	dir, err := os.MkdirTemp("", "verso-release-")
	if err != nil {
		return err
	}
	c := &checker{
		options: options, out: out, begun: time.Now(),
		dir: dir, root: filepath.Join(dir, "source"),
		users: make(map[*workspaceModule]*user),
	}
	defer func() {
		if options.keep {
			c.progress("kept: %s", dir)
			return
		}
		err = errors.Join(err, os.RemoveAll(dir))
	}()
	if c.settings, err = readGoSettings(ctx); err != nil {
		return err
	}
	if err := c.release(ctx, repo); err != nil {
		return err
	}
	for _, m := range c.modules {
		if m.isLibrary() {
			if err := c.use(ctx, m); err != nil {
				return fmt.Errorf("a user of %s: %w", m.path, err)
			}
		}
	}
	if err := c.runQuickstarts(ctx); err != nil {
		return err
	}
	if err := c.runOutsiders(ctx); err != nil {
		return err
	}
	if err := c.checkStrangers(); err != nil {
		return err
	}
	c.progress("done")
	return printTable(out, c.reports, options.version, c.without)
}

// progress prints a line about what is done next.
func (c *checker) progress(format string, args ...any) {
	_, _ = fmt.Fprintf(c.out, "%5.1fs  %s\n", time.Since(c.begun).Seconds(), fmt.Sprintf(format, args...))
}

// release reads the modules and publishes them.
func (c *checker) release(ctx context.Context, repo *repository) error {
	var err error
	if c.options.worktree {
		c.progress("reading the work tree")
		err = repo.exportWorktree(ctx, c.root)
	} else {
		c.progress("reading the commit")
		err = repo.export(ctx, "HEAD", c.root)
	}
	if err != nil {
		return err
	}
	if c.modules, err = readWorkspace(c.root); err != nil {
		return err
	}
	if err := errors.Join(checkReplacements(c.modules), checkRequirements(c.modules, c.options.version, c.options.strict)); err != nil {
		return err
	}
	var rewritten []*workspaceModule
	for _, m := range c.modules {
		changed, err := m.require(c.modules, c.options.version)
		if err != nil {
			return err
		}
		if changed {
			rewritten = append(rewritten, m)
		}
	}
	if len(rewritten) > 0 {
		c.progress("requiring %s, as make release-version will: %s", c.options.version, folders(rewritten))
	}
	if c.options.published {
		return nil
	}
	c.progress("publishing %s: %s", c.options.version, folders(c.modules))
	committed, err := repo.commitTime(ctx)
	if err != nil {
		return err
	}
	return publish(filepath.Join(c.dir, "proxy"), c.root, c.modules, c.options.version, committed)
}

// newUser returns a user who gets the modules of the workspace from the proxy of
// this check, and all others as the machine gets them, or from what it has.
func (c *checker) newUser(name string) (*user, error) {
	proxies := c.settings.GOPROXY
	unlisted := c.settings.GONOSUMDB
	if !c.options.published {
		proxies = "file://" + filepath.ToSlash(filepath.Join(c.dir, "proxy")) +
			",file://" + filepath.ToSlash(filepath.Join(c.settings.GOMODCACHE, "cache", "download")) + "," + proxies
		for _, m := range c.modules {
			unlisted = strings.TrimPrefix(unlisted+","+m.path, ",")
		}
	}
	return newUser(c.dir, name, proxies, unlisted)
}

// use gets a module, compiles all of it, and takes its measure.
func (c *checker) use(ctx context.Context, m *workspaceModule) error {
	c.progress("go get %s", m.path)
	u, err := c.newUser(strings.ReplaceAll(m.folder, "/", "-"))
	if err != nil {
		return err
	}
	c.users[m] = u
	p, err := u.newProject(ctx, "project", nil)
	if err != nil {
		return err
	}
	if err := c.get(ctx, p, m); err != nil {
		return err
	}
	if _, err := p.goCommand(ctx, "build", m.path+"/..."); err != nil {
		return err
	}
	if m.folder != "conformance" {
		if err := checkTestingImports(ctx, p, m.path); err != nil {
			return err
		}
	}
	needs, err := readNeeds(ctx, p, m.path)
	if err != nil {
		return err
	}
	if m.folder == "core" && (needs.listed > 0 || needs.packages > 0) {
		return fmt.Errorf("core needs the standard library only, but lists %d other modules, and imports of %q", needs.listed, needs.modules)
	}
	functions, err := exportedFunctions(m.dir)
	if err != nil {
		return err
	}
	sizes, err := readSizes(ctx, p, m.path, functions)
	if err != nil {
		return err
	}
	if len(c.reports) == 0 {
		if c.without, err = readSizes(ctx, p, "", nil); err != nil {
			return err
		}
	}
	c.reports = append(c.reports, report{m, needs, sizes})
	return nil
}

// get gets a module as the README says, without a version, and fails if that is
// not the version of the release.
func (c *checker) get(ctx context.Context, p *project, m *workspaceModule) error {
	if _, err := p.goCommand(ctx, "get", m.path); err != nil {
		return fmt.Errorf("%w\nif it needs a module that is not released, require another version of it, or release it first", err)
	}
	got, err := p.goCommand(ctx, "list", "-m", "-f", "{{.Version}}", m.path)
	if err != nil {
		return err
	}
	if got = strings.TrimSpace(got); got != c.options.version {
		return fmt.Errorf("go get gives version %s instead of %s", got, c.options.version)
	}
	return nil
}

// runQuickstarts builds each quickstart as the README says, serves it and asks
// what the README asks.
func (c *checker) runQuickstarts(ctx context.Context) error {
	readme, err := os.ReadFile(filepath.Join(c.root, "README.md"))
	if err != nil {
		return err
	}
	questions, err := readQuestions(string(readme))
	if err != nil {
		return fmt.Errorf("README.md: %w", err)
	}
	quickstarts, err := readQuickstarts(c.root, c.modules)
	if err != nil {
		return err
	}
	for i, q := range quickstarts {
		c.progress("quickstart of %s", q)
		if err := c.runQuickstart(ctx, fmt.Sprintf("quickstart%d", i), q, questions); err != nil {
			return fmt.Errorf("quickstart of %s: %w", q, err)
		}
	}
	return nil
}

func (c *checker) runQuickstart(ctx context.Context, name string, q *quickstart, questions []question) error {
	p, err := c.users[q.adapter].newProject(ctx, name, nil)
	if err != nil {
		return err
	}
	if err := c.get(ctx, p, q.adapter); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(p.dir, "main.go"), strings.NewReader(q.source)); err != nil {
		return err
	}
	if _, err := p.goCommand(ctx, "mod", "tidy"); err != nil {
		return err
	}
	program := filepath.Join(p.dir, "server.bin")
	if _, err := p.goCommand(ctx, "build", "-o", program, "."); err != nil {
		return err
	}
	s, err := startServer(ctx, program)
	if err != nil {
		return err
	}
	defer s.stop()
	return s.ask(ctx, questions)
}

// runOutsiders tests the adapters of others.
func (c *checker) runOutsiders(ctx context.Context) error {
	outsiders, err := thirdParties(c.root)
	if err != nil {
		return err
	}
	for _, outsider := range outsiders {
		c.progress("tests of %s", outsider.folder)
		if err := checkOutsider(outsider, c.modules); err != nil {
			return err
		}
		u, err := c.newUser(filepath.Base(outsider.folder))
		if err != nil {
			return err
		}
		c.users[outsider] = u
		if _, err := outsider.require(c.modules, c.options.version); err != nil {
			return err
		}
		counts, err := testOutsider(ctx, u, outsider, c.modules)
		if err != nil {
			return fmt.Errorf("tests of %s: %w", outsider.folder, err)
		}
		for _, count := range counts {
			c.progress("%s: %s", outsider.folder, count)
		}
	}
	return nil
}

// checkStrangers fails if a user of one module has downloaded an adapter, or an
// adapter's framework, that the user did not ask for.
func (c *checker) checkStrangers() error {
	c.progress("looking for downloads that nobody asked for")
	brings := make(map[*workspaceModule][]string) // an adapter, what comes with it
	for _, r := range c.reports {
		if !r.module.isAdapter() {
			continue
		}
		brings[r.module] = []string{r.module.path}
		for _, path := range r.needs.direct {
			if find(c.modules, path) == nil {
				brings[r.module] = append(brings[r.module], path)
			}
		}
	}
	for m, u := range c.users {
		downloaded, err := u.downloaded()
		if err != nil {
			return err
		}
		if len(downloaded) == 0 {
			return fmt.Errorf("the module cache of the user of %s is empty, so this check found nothing out", m.path)
		}
		for adapter, strangers := range brings {
			if err := checkDownloads(m, adapter, brings[m], strangers, downloaded); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkDownloads fails if the user of a module has downloaded what comes with
// an adapter and not with the module.
func checkDownloads(m, adapter *workspaceModule, own, strangers []string, downloaded []module.Version) error {
	for _, stranger := range strangers {
		if slices.Contains(own, stranger) || stranger == m.path {
			continue
		}
		for _, d := range downloaded {
			if d.Path == stranger {
				return fmt.Errorf("a user of %s downloads %s, which is for users of %s: go mod why -m %s says why", m.path, d, adapter.path, d.Path)
			}
		}
	}
	return nil
}
