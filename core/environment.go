package verso

import (
	"fmt"
	"os"
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
	prefixVariable      = "PREFIX_TEMPLATE"
)

var variables = []string{
	fileVariable, schemeVariable, defaultVariable, allowedVariable, unversionedVariable,
	paramVariable, patternVariable, headerVariable, templateVariable, prefixVariable,
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
//	PREFIX_TEMPLATE       /api/{version}
//
// or from the JSON file that VERSIONING_FILE names. The given prefix, which may be "",
// precedes each name. White space around a version is removed. An empty variable means
// the same as an unset one. It fails if the list of versions is empty, since that would
// allow every version, if a version in it is empty, if a value is not true or false,
// and if a variable is set next to VERSIONING_FILE.
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
		PrefixTemplate:    get(prefixVariable),
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
			return c, fmt.Errorf("verso: %s%s is set next to %s%s: remove one", prefix, name, prefix, fileVariable)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return c, fmt.Errorf("verso: %s%s: %w", prefix, fileVariable, err)
	}
	if err := c.UnmarshalJSON(data); err != nil {
		return c, fmt.Errorf("verso: %s: %w", path, err)
	}
	return c, nil
}
