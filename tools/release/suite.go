package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// suitePage holds the table of adapters.
const suitePage = "docs/adapters.md"

// suiteResult is how an adapter did in the conformance suite.
type suiteResult struct {
	adapter    string
	passed     map[string]int // by kind of case
	all        map[string]int
	deviations []string // declared, with their reasons
}

// updateSuiteTable runs the conformance suite of all adapters, of the modules
// in go.work and of the third party, and writes the table of the results into
// its page. With check it changes nothing, and fails when the table is not what
// it would write.
func updateSuiteTable(ctx context.Context, root string, check bool) error {
	modules, err := readWorkspace(root)
	if err != nil {
		return err
	}
	var results []suiteResult
	for _, m := range modules {
		if m.isAdapter() {
			result, err := runSuite(ctx, m.dir, "")
			if err != nil {
				return err
			}
			results = append(results, result)
		}
	}
	third, err := runThirdPartySuite(ctx, root, modules)
	if err != nil {
		return err
	}
	results = append(results, third)
	return updatePage(root, suitePage, suiteTable(results), "make adapters", check)
}

// runThirdPartySuite runs the suite of the third-party adapter against the
// modules at hand, in a workspace that is made for it.
func runThirdPartySuite(ctx context.Context, root string, modules []*workspaceModule) (suiteResult, error) {
	dir := filepath.Join(root, "examples", "thirdparty-chi")
	temp, err := os.MkdirTemp("", "suite")
	if err != nil {
		return suiteResult{}, err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	work := "go 1.26.0\n\nuse " + dir + "\n"
	for _, m := range modules {
		if m.folder == "core" || m.folder == "conformance" {
			work += "replace " + m.path + " => " + m.dir + "\n"
		}
	}
	file := filepath.Join(temp, "go.work")
	if err := os.WriteFile(file, []byte(work), 0o644); err != nil {
		return suiteResult{}, err
	}
	return runSuite(ctx, dir, file)
}

// runSuite runs the test TestConformance in dir and counts its cases.
func runSuite(ctx context.Context, dir, workFile string) (suiteResult, error) {
	command := exec.CommandContext(ctx, "go", "test", "-count=1", "-json", "-run", "^TestConformance$", ".")
	command.Dir = dir
	command.Env = append(os.Environ(), "GOWORK="+workFile, "VERSO_CASES=")
	output, err := command.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return suiteResult{}, err
	}
	result := suiteResult{adapter: filepath.Base(dir), passed: make(map[string]int), all: make(map[string]int)}
	for lines := bufio.NewScanner(bytes.NewReader(output)); lines.Scan(); {
		var event struct{ Action, Test, Output string }
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
			return suiteResult{}, fmt.Errorf("%s: %w", dir, err)
		}
		id, isCase := strings.CutPrefix(event.Test, "TestConformance/")
		kind, _, _ := strings.Cut(id, "/")
		switch {
		case !isCase:
		case event.Action == "output" && strings.Contains(event.Output, "deviates as declared"):
			result.deviations = append(result.deviations, id+": "+strings.TrimSpace(event.Output))
		case event.Action == "pass":
			result.passed[kind]++
			result.all[kind]++
		case event.Action == "fail", event.Action == "skip":
			result.all[kind]++
		}
	}
	if len(result.all) == 0 {
		return suiteResult{}, fmt.Errorf("%s: no case ran", dir)
	}
	return result, nil
}

// suiteTable returns the results as a table in Markdown.
func suiteTable(results []suiteResult) string {
	var table strings.Builder
	table.WriteString("\n| Cases of level http |")
	rule := "|---|"
	for _, result := range results {
		table.WriteString(" " + result.adapter + " |")
		rule += "---:|"
	}
	table.WriteString("\n" + rule + "\n")
	kinds := make(map[string]int)
	for _, result := range results {
		maps.Copy(kinds, result.all)
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		table.WriteString("| " + kind + " |")
		for _, result := range results {
			fmt.Fprintf(&table, " %d of %d |", result.passed[kind], result.all[kind])
		}
		table.WriteString("\n")
	}
	table.WriteString("\nDeclared deviations:")
	none := true
	for _, result := range results {
		for _, deviation := range result.deviations {
			table.WriteString("\n- " + result.adapter + ", " + deviation)
			none = false
		}
	}
	if none {
		table.WriteString(" none")
	}
	table.WriteString(".\n\n")
	return table.String()
}
