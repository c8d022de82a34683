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
	strictVariable      = "STRICT"
	hostsVariable       = "ALLOWED_HOSTS"
	originVariable      = "LINKS_ORIGIN"
	trustedVariable     = "TRUSTED_HOSTS"
)

var variables = []string{
	fileVariable, schemeVariable, defaultVariable, allowedVariable, unversionedVariable,
	paramVariable, patternVariable, headerVariable, templateVariable, prefixVariable,
	strictVariable, hostsVariable, originVariable, trustedVariable,
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
//	STRICT                true
//	ALLOWED_HOSTS         example.com,example.org
//	LINKS_ORIGIN          https://api.example.com
//	TRUSTED_HOSTS         api.example.com,*.example.org
//
// or from the JSON file that VERSIONING_FILE names. The given prefix, which may be "",
// precedes each name. White space around the elements of a list is removed. An empty
// variable means the same as an unset one. It fails if a list is empty, since that would
// allow every version or host, if an element of a list is empty, if a value is not true
// or false, and if a variable is set next to VERSIONING_FILE.
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
		LinksOrigin:       get(originVariable),
	}
	if text := get(defaultVariable); text != "" {
		c.DefaultVersion = V(text)
	}
	for _, list := range []struct {
		name string
		of   *[]string
	}{{allowedVariable, &c.AllowedVersions}, {hostsVariable, &c.AllowedHosts}, {trustedVariable, &c.TrustedHosts}} {
		text, ok := os.LookupEnv(prefix + list.name)
		if !ok {
			continue
		}
		for element := range strings.SplitSeq(text, ",") {
			if element = strings.TrimSpace(element); element == "" {
				return FileConfig{}, fmt.Errorf("verso: %s%s=%q has an empty element: remove the stray comma, "+
					"or unset the variable to allow all", prefix, list.name, text)
			}
			*list.of = append(*list.of, element)
		}
	}
	for _, flag := range []struct {
		name string
		of   *bool
	}{{unversionedVariable, &c.AllowUnversioned}, {strictVariable, &c.Strict}} {
		switch text := get(flag.name); text {
		case "", "false":
		case "true":
			*flag.of = true
		default:
			return FileConfig{}, fmt.Errorf("verso: %s%s=%q: write true or false", prefix, flag.name, text)
		}
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
