package verso

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

// The names of the environment variables, without a prefix.
const (
	fileVariable        = "VERSIONING_FILE"
	schemeVariable      = "VERSIONING_SCHEME"
	defaultVariable     = "DEFAULT_VERSION"
	allowedVariable     = "ALLOWED_VERSIONS"
	unversionedVariable = "ALLOW_UNVERSIONED"
	paramVariable       = "VERSION_PARAM"
	patternVariable     = "HOSTNAME_PATTERN"
	headerVariable      = "HEADER_NAME"
	templateVariable    = "MEDIA_TYPE_TEMPLATE"
)

var variables = []string{
	fileVariable, schemeVariable, defaultVariable, allowedVariable, unversionedVariable,
	paramVariable, patternVariable, headerVariable, templateVariable,
}

// FileConfigFromEnv reads a FileConfig from the environment variables
//
//	VERSIONING_SCHEME     URLPathVersioning
//	DEFAULT_VERSION       v1
//	ALLOWED_VERSIONS      v1,v2
//	ALLOW_UNVERSIONED     true
//	VERSION_PARAM         version
//	HOSTNAME_PATTERN      ^(v[0-9]+)\.example\.com$
//	HEADER_NAME           Api-Version
//	MEDIA_TYPE_TEMPLATE   application/vnd.acme.{version}+json
//
// or from the JSON file that VERSIONING_FILE names, each with the given prefix,
// which may be "", before its name. White space around a version is dropped. A
// variable that is empty counts as unset, but for the list of versions, where
// it would allow every version: that is an error, as is an empty version in the
// list, a value other than true and false, and a variable beside the file. A
// variable whose name is nearly one of these is a warning of
// [Versioning.Explain].
func FileConfigFromEnv(prefix string) (FileConfig, error) {
	get := func(name string) string { return os.Getenv(prefix + name) }
	if path := get(fileVariable); path != "" {
		return readFile(prefix, path)
	}
	c := FileConfig{
		Scheme:            get(schemeVariable),
		VersionParam:      get(paramVariable),
		HostPattern:       get(patternVariable),
		HeaderName:        get(headerVariable),
		MediaTypeTemplate: get(templateVariable),
		findings:          nearlyOurs(prefix),
	}
	if text := get(defaultVariable); text != "" {
		c.DefaultVersion = V(text)
	}
	if list, ok := os.LookupEnv(prefix + allowedVariable); ok {
		for text := range strings.SplitSeq(list, ",") {
			if text = strings.TrimSpace(text); text == "" {
				return FileConfig{}, fmt.Errorf("verso: %s%s=%q holds an empty version: remove the stray comma, "+
					"or unset the variable to allow every version", prefix, allowedVariable, list)
			}
			c.AllowedVersions = append(c.AllowedVersions, text)
		}
	}
	switch text := get(unversionedVariable); text {
	case "", "false":
	case "true":
		c.AllowUnversioned = true
	default:
		return FileConfig{}, fmt.Errorf("verso: %s%s=%q: write true or false", prefix, unversionedVariable, text)
	}
	return c, nil
}

// readFile reads the JSON file that a variable names.
func readFile(prefix, path string) (c FileConfig, err error) {
	for _, name := range variables {
		if _, ok := os.LookupEnv(prefix + name); ok && name != fileVariable {
			return c, fmt.Errorf("verso: %s%s is set beside %s%s: remove one", prefix, name, prefix, fileVariable)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return c, fmt.Errorf("verso: %s%s: %w", prefix, fileVariable, err)
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return c, fmt.Errorf("verso: %s: %w", path, err)
	}
	c.findings = nearlyOurs(prefix)
	return c, nil
}

// nearlyOurs returns a warning for each variable whose name differs from one of
// ours by a slip or two: ALLOWED_VERSION.
func nearlyOurs(prefix string) (findings []Finding) {
	for _, variable := range os.Environ() {
		variable, _, _ = strings.Cut(variable, "=")
		name, ok := strings.CutPrefix(variable, prefix)
		if !ok || slices.Contains(variables, name) {
			continue
		}
		for _, ours := range variables {
			if len(name) > 5 && distance(name, ours) <= 2 {
				findings = append(findings, warn("variable_unknown", "Environment",
					"the environment variable %s is not read: did you mean %s%s?", variable, prefix, ours))
			}
		}
	}
	return findings
}

// distance returns how many letters must be added, removed or changed to make
// one text of the other (Levenshtein), or 3 if their lengths differ by more
// than 2.
func distance(a, b string) int {
	if max(len(a)-len(b), len(b)-len(a)) > 2 {
		return 3
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
