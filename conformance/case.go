package conformance

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// casesVariable names the environment variable that adds a folder of cases. A variable and not
// an option: the cases of a newer suite can be tried on an adapter without touching its tests.
const casesVariable = "VERSO_CASES"

//go:embed cases
var embedded embed.FS

// Case is a reference case. cases/README.md describes its form. A case names its rule, so that
// a failure explains itself without the specification at hand.
type Case struct {
	ID     string   `json:"id"`     // unique; the name of its subtest
	Op     string   `json:"op"`     // "determine", "reverse", ...
	Scheme string   `json:"scheme"` // "accept_header", "url_path", ...
	Level  string   `json:"level"`  // "http", or "core" for cases that run without a framework
	Rule   string   `json:"rule"`   // the rule that the case tests
	Tags   []string `json:"tags"`
	Source string   `json:"-"` // the file and the line of the case

	service service
	group   string                  // of its subtest
	line    []byte                  // the whole case, for the fields of its operation
	tables  map[string][]tableRoute // the routes.json in its folder
	added   bool                    // from the folder that VERSO_CASES names
}

// tableRoute is a route of a table in routes.json. Tables are shared, as most links need the
// same few routes.
type tableRoute struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace"` // "" or null: none
	Pattern   string `json:"pattern"`
}

// Decode reads the fields that the operation of the case has into each of the values, as
// [json.Unmarshal] does. In values of any type, numbers are [json.Number]. The operations have
// different fields, and the suite must not know those of operations that only core runs.
func (c *Case) Decode(operations ...any) error {
	for _, operation := range operations {
		if err := decode(c.line, operation); err != nil {
			return err
		}
	}
	return nil
}

// decode decodes JSON. In values of any type, numbers are [json.Number]. A float64 would turn
// the large integers of some cases into other numbers.
func decode(data []byte, v any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	return decoder.Decode(v)
}

// explain adds the rule and the place of the case to an error.
func (c *Case) explain(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w\nrule: %s\ncase: %s", err, c.Rule, c.Source)
}

// Cases returns the built-in cases, followed by those in the folder that the environment
// variable VERSO_CASES names, which replace built-in cases with the same ID. It fails when a
// file is malformed, and when two cases of a folder have the same ID. Replacing by ID makes it
// possible to correct a case without a new release.
func Cases() ([]Case, error) {
	folder, err := fs.Sub(embedded, "cases")
	if err != nil {
		return nil, err
	}
	cases, err := readFolder(folder, "cases", nil)
	if err != nil {
		return nil, err
	}
	name := os.Getenv(casesVariable)
	if name == "" {
		return cases, nil
	}
	added, err := readFolder(os.DirFS(name), name, cases[0].tables)
	if err != nil {
		return nil, fmt.Errorf("%s=%s: %w", casesVariable, name, err)
	}
	replaced := make(map[string]bool, len(added))
	for i := range added {
		added[i].added = true
		replaced[added[i].ID] = true
	}
	cases = slices.DeleteFunc(cases, func(c Case) bool { return replaced[c.ID] })
	return append(cases, added...), nil
}

// readFolder reads the files *.jsonl of a folder. It adds the tables of its routes.json to the
// given ones. All errors name the file and the line, since cases are written by hand.
func readFolder(folder fs.FS, name string, tables map[string][]tableRoute) ([]Case, error) {
	own := make(map[string][]tableRoute, len(tables))
	maps.Copy(own, tables)
	if data, err := fs.ReadFile(folder, "routes.json"); err == nil {
		if err := json.Unmarshal(data, &own); err != nil {
			return nil, fmt.Errorf("routes.json: %w", err)
		}
	}
	files, err := fs.Glob(folder, "*.jsonl")
	if err != nil {
		return nil, err
	}
	// An empty folder is most likely a wrong path, and would pass as a success.
	if len(files) == 0 {
		return nil, fmt.Errorf("folder %q has no files *.jsonl: give its absolute path, since tests run in the folder of their package", name)
	}
	var cases []Case
	seen := make(map[string]string) // where an ID is
	for _, file := range files {
		data, err := fs.ReadFile(folder, file)
		if err != nil {
			return nil, err
		}
		for i, line := range bytes.Split(data, []byte("\n")) {
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			c := Case{
				Level: "core", Source: fmt.Sprintf("%s:%d", filepath.Join(name, file), i+1),
				group: strings.TrimSuffix(file, ".jsonl"), line: line, tables: own,
			}
			err := c.Decode(&c, &c.service)
			if first, twice := seen[c.ID]; err == nil && twice {
				err = fmt.Errorf("case %q is already at %s", c.ID, first)
			}
			if err == nil && (c.ID == "" || c.Op == "") {
				err = errors.New("a case needs an id and an op")
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.Source, err)
			}
			seen[c.ID] = c.Source
			cases = append(cases, c)
		}
	}
	return cases, nil
}
