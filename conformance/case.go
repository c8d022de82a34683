package conformance

import (
	"bufio"
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

	verso "github.com/goverso/verso/core"
)

// casesVariable names the environment variable that adds a folder of cases.
const casesVariable = "VERSO_CASES"

//go:embed cases
var embedded embed.FS

// Case is one reference case. cases/README.md describes its form.
type Case struct {
	ID     string   `json:"id"`     // unique; the name of its subtest
	Op     string   `json:"op"`     // "determine", "reverse", ...
	Scheme string   `json:"scheme"` // "accept_header", "url_path", ...
	Level  string   `json:"level"`  // "http", or "core" for what runs without a framework
	Rule   string   `json:"rule"`   // what the case holds an implementation to
	Tags   []string `json:"tags"`
	Source string   `json:"-"` // the file and the line of the case

	settings settings
	line     []byte                  // the whole case, for the fields of its operation
	tables   map[string][]TableRoute // the routes.json beside it
	added    bool                    // from the folder that VERSO_CASES names
}

// settings are the settings of a case.
type settings struct {
	DefaultVersion  verso.Version   `json:"default_version"`
	AllowedVersions []verso.Version `json:"allowed_versions"` // none in it: AllowUnversioned
	VersionParam    string          `json:"version_param"`
	HostNameRegex   string          `json:"hostname_regex"`
}

func (s settings) verso() verso.Settings {
	settings := verso.Settings{DefaultVersion: s.DefaultVersion, VersionParam: s.VersionParam}
	for _, v := range s.AllowedVersions {
		if v.IsNone() {
			settings.AllowUnversioned = true
		} else {
			settings.AllowedVersions = append(settings.AllowedVersions, v.String())
		}
	}
	return settings
}

// newScheme makes the scheme that the case is about.
func (c *Case) newScheme() (verso.Scheme, error) {
	return c.settings.newScheme(c.Scheme)
}

// newScheme makes the scheme that cases call by the given name.
func (s settings) newScheme(name string) (verso.Scheme, error) {
	settings := s.verso()
	switch name {
	case "accept_header":
		return verso.NewAcceptHeader(settings)
	case "url_path":
		return verso.NewURLPath(settings)
	case "namespace":
		return verso.NewNamespace(settings)
	case "hostname":
		return verso.NewHostName(settings, s.HostNameRegex)
	case "query_parameter":
		return verso.NewQueryParameter(settings)
	case "base":
		return verso.NewBase("BaseVersioning", settings)
	default:
		return nil, fmt.Errorf("unknown scheme %q", name)
	}
}

// decode reads the fields that the operation of the case has.
func (c *Case) decode(operation any) error {
	return json.Unmarshal(c.line, operation)
}

// Cases returns the built-in cases, and after them those in the folder that
// the environment variable VERSO_CASES names, which take the place of built-in
// ones with the same ID. It fails on a file that is not of the form, and when
// two cases of a folder have the same ID.
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

// readFolder reads the files *.jsonl of a folder. The tables of its routes.json
// join the given ones.
func readFolder(folder fs.FS, name string, tables map[string][]TableRoute) ([]Case, error) {
	own := make(map[string][]TableRoute, len(tables))
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
	if len(files) == 0 {
		return nil, fmt.Errorf("no files *.jsonl in folder %q: give its absolute path, since tests run in the folder of their package", name)
	}
	var cases []Case
	seen := make(map[string]string) // where an ID stands
	for _, file := range files {
		data, err := fs.ReadFile(folder, file)
		if err != nil {
			return nil, err
		}
		lines := bufio.NewScanner(bytes.NewReader(data))
		lines.Buffer(nil, len(data)+1)
		for number := 1; lines.Scan(); number++ {
			if strings.TrimSpace(lines.Text()) == "" {
				continue
			}
			c, err := parseCase(bytes.Clone(lines.Bytes()))
			c.Source = fmt.Sprintf("%s:%d", filepath.Join(name, file), number)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.Source, err)
			}
			if first, twice := seen[c.ID]; twice {
				return nil, fmt.Errorf("%s: case %q stands already at %s", c.Source, c.ID, first)
			}
			seen[c.ID] = c.Source
			c.tables = own
			cases = append(cases, c)
		}
	}
	return cases, nil
}

func parseCase(line []byte) (Case, error) {
	var c struct {
		Case
		Settings settings `json:"settings"`
	}
	if err := json.Unmarshal(line, &c); err != nil {
		return Case{}, err
	}
	c.settings, c.line = c.Settings, line
	if c.Level == "" {
		c.Level = "core"
	}
	if c.ID == "" || c.Op == "" {
		return Case{}, errors.New("a case needs an id and an op")
	}
	return c.Case, nil
}
