package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// draftCommand is what the README shows of the command draft.
var draftCommand = regexp.MustCompile(`(?m)^\$ (go tool draft .*)$`)

// runDraft runs the command draft as the README shows it, in an empty module with the documents of
// examples/drafted, and then the commands that it prints.
func (c *checker) runDraft(ctx context.Context, readme string) error {
	shown := draftCommand.FindStringSubmatch(readme)
	if shown == nil {
		return nil
	}
	c.progress("%s", shown[1])
	dir, err := c.newProject(ctx, "draft")
	if err != nil {
		return err
	}
	for _, name := range []string{"v1.yaml", "v2.yaml"} {
		text, err := os.ReadFile(filepath.Join(c.root, "examples", "drafted", name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	for _, m := range c.modules {
		if m.folder != "openapi" {
			continue
		}
		if _, err := c.command(ctx, dir, "go", "get", "-tool", m.path+"/cmd/draft"); err != nil {
			return err
		}
	}
	// Without -mod=mod, as users have it.
	printed, err := c.command(ctx, dir, "env", append([]string{"GOFLAGS=-modcacherw"}, strings.Fields(shown[1])...)...)
	if err != nil {
		return err
	}
	_, next, _ := strings.Cut(printed, "\nNext:\n")
	_, err = c.command(ctx, dir, "sh", "-ec", next)
	return err
}
