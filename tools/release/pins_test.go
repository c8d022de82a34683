package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	usesKey = regexp.MustCompile(`(^|[\s{,])["']?uses["']?\s*:`)
	pinned  = regexp.MustCompile(`^\s*(- )?uses: [\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
)

// unpinned returns the lines of a workflow that use an action of others by
// anything but a full commit hash with its version beside it. A tag can be moved
// to other code, a commit hash cannot.
func unpinned(workflow string) []string {
	var wrong []string
	number := 0
	for line := range strings.Lines(workflow) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if code, _, _ := strings.Cut(line, " #"); usesKey.MatchString(code) && !strings.HasPrefix(strings.TrimSpace(line), "#") && !pinned.MatchString(line) {
			wrong = append(wrong, fmt.Sprintf("%d: %s", number, strings.TrimSpace(line)))
		}
	}
	return wrong
}

func TestUnpinned(t *testing.T) {
	const hash = "fbc6f3992d24b796d5a048ff273f7fcc4a7b6c09"
	for _, test := range []struct {
		name, line string
		pinned     bool
	}{
		{"commit and version", "      - uses: actions/checkout@" + hash + " # v5.1.0", true},
		{"action in a folder", "        uses: github/codeql-action/init@" + hash + " # v4.36.2", true},
		{"comment", "      # uses: actions/checkout@v5", true},
		{"comment after code", "      - run: make # uses: nothing", true},
		{"other key", "      - name: what it uses", true},
		{"tag", "      - uses: actions/checkout@v5", false},
		{"branch", "      - uses: actions/checkout@main", false},
		{"short commit", "      - uses: actions/checkout@fbc6f39 # v5.1.0", false},
		{"commit without version", "      - uses: actions/checkout@" + hash, false},
		{"tag with a commit in its comment", "      - uses: actions/checkout@v5 # " + hash, false},
		{"quoted value", `      - uses: "actions/checkout@v5"`, false},
		{"quoted key", `      - "uses": actions/checkout@v5`, false},
		{"flow style", "      - {uses: actions/checkout@v5}", false},
		{"container", "      - uses: docker://alpine:3", false},
		{"value on the next line", "      - uses:", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if wrong := unpinned("steps:\n" + test.line + "\n"); (len(wrong) == 0) != test.pinned {
				t.Errorf("not pinned: %q", wrong)
			}
		})
	}
}

func TestWorkflowsPinActions(t *testing.T) {
	files, err := filepath.Glob("../../.github/workflows/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no workflows (%v)", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range unpinned(string(text)) {
			t.Errorf("%s:%s: write the full commit hash of a release, and its version after it: @0123… # v1.2.3", filepath.Base(file), line)
		}
	}
}

// TestDependabotKnowsAllModules fails for a module that nobody would hear of new
// versions for.
func TestDependabotKnowsAllModules(t *testing.T) {
	text, err := os.ReadFile("../../.github/dependabot.yml")
	if err != nil {
		t.Fatal(err)
	}
	var patterns []string
	for line := range strings.Lines(string(text)) {
		if pattern, found := strings.CutPrefix(strings.TrimSpace(line), "- /"); found {
			patterns = append(patterns, pattern)
		}
	}
	err = filepath.WalkDir("../..", func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() != "go.mod" {
			return err
		}
		folder, err := filepath.Rel("../..", filepath.Dir(name))
		if err != nil {
			return err
		}
		for _, pattern := range patterns {
			if matched, err := filepath.Match(pattern, filepath.ToSlash(folder)); matched || err != nil {
				return err
			}
		}
		t.Errorf(".github/dependabot.yml names no folder that matches %s", folder)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
