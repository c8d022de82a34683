package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// compareAPIs prints, in Markdown, what the commit at hand changes in the
// exported API of each module that users import, against the last tag of the
// module in its history.
func compareAPIs(ctx context.Context, out io.Writer, repo *repository, apidiff string) error {
	dir, err := os.MkdirTemp("", "verso-api-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if apidiff, err = filepath.Abs(apidiff); err != nil {
		return err
	}
	c := &comparison{repo, apidiff, dir}
	head, err := c.tree(ctx, "HEAD")
	if err != nil {
		return err
	}
	modules, err := readWorkspace(head)
	if err != nil {
		return err
	}
	tags, err := repo.tags(ctx)
	if err != nil {
		return err
	}
	for _, m := range modules {
		if !m.isLibrary() {
			continue
		}
		last := lastTag(tags, m)
		title, changes := m.folder, "No tag yet.\n"
		if last != "" {
			title += " since " + last
			if changes, err = c.changes(ctx, m, last); err != nil {
				return fmt.Errorf("%s: %w", title, err)
			}
			changes = cmp.Or(changes, "No changes.\n")
		}
		if _, err := fmt.Fprintf(out, "### %s\n\n%s\n", title, changes); err != nil {
			return err
		}
	}
	return nil
}

// lastTag returns the tag of the module's highest version, "" for none.
func lastTag(tags []string, m *workspaceModule) string {
	var own []string
	for _, tag := range tags {
		if version, ok := strings.CutPrefix(tag, m.folder+"/"); ok && !strings.Contains(version, "/") {
			own = append(own, tag)
		}
	}
	if last := lastVersion(own); last != "" {
		return m.tag(last)
	}
	return ""
}

// comparison compares revisions of a repository with the program apidiff.
type comparison struct {
	repo    *repository
	apidiff string
	dir     string // temporary
}

// tree returns a folder with the files of a revision.
func (c *comparison) tree(ctx context.Context, revision string) (string, error) {
	dir := filepath.Join(c.dir, filepath.FromSlash(revision))
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	return dir, c.repo.export(ctx, revision, dir)
}

// changes returns what apidiff says of a module since a tag.
func (c *comparison) changes(ctx context.Context, m *workspaceModule, tag string) (string, error) {
	then, err := c.export(ctx, m, tag)
	if err != nil {
		return "", err
	}
	now, err := c.export(ctx, m, "HEAD")
	if err != nil {
		return "", err
	}
	return c.run(ctx, c.dir, "-m", then, now)
}

// export writes the API of a module at a revision into a file.
func (c *comparison) export(ctx context.Context, m *workspaceModule, revision string) (string, error) {
	tree, err := c.tree(ctx, revision)
	if err != nil {
		return "", err
	}
	name := filepath.Join(c.dir, strings.ReplaceAll(m.folder+"@"+revision, "/", "_"))
	_, err = c.run(ctx, filepath.Join(tree, filepath.FromSlash(m.folder)), "-m", "-w", name, m.path)
	return name, err
}

func (c *comparison) run(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, c.apidiff, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("apidiff %s: %w\n%s", strings.Join(args, " "), err, &complaint)
	}
	return string(out), nil
}
