package fileconfig

import (
	"errors"
	"fmt"
	"os"
	"strings"

	verso "github.com/goverso/verso/core"
)

// fileVariable names the file, without a prefix.
const fileVariable = "VERSIONING_FILE"

// variable is an environment variable, without a prefix, and what it sets: a *string, a
// **bool, a *[]string or a *verso.Version.
type variable struct {
	name string
	of   any
}

func variables(c *Config) []variable {
	return []variable{
		{"VERSIONING_SCHEME", &c.Scheme},
		{"DEFAULT_VERSION", &c.DefaultVersion},
		{"ALLOWED_VERSIONS", &c.AllowedVersions},
		{"ALLOW_UNVERSIONED", &c.AllowUnversioned},
		{"VERSION_PARAM", &c.VersionParam},
		{"HOSTNAME_PATTERN", &c.HostPattern},
		{"HEADER_NAME", &c.HeaderName},
		{"MEDIA_TYPE_TEMPLATE", &c.MediaTypeTemplate},
		{"PREFIX_TEMPLATE", &c.PrefixTemplate},
		{"STRICT", &c.Strict},
		{"ALLOWED_HOSTS", &c.AllowedHosts},
		{"LINKS_ORIGIN", &c.LinksOrigin},
		{"TRUSTED_HOSTS", &c.TrustedHosts},
	}
}

// FromEnv reads a Config from the environment variables
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
func FromEnv(prefix string) (Config, error) {
	if path := os.Getenv(prefix + fileVariable); path != "" {
		return readFile(prefix, path)
	}
	var c Config
	for _, v := range variables(&c) {
		if text, ok := os.LookupEnv(prefix + v.name); ok {
			if err := v.set(text); err != nil {
				return Config{}, fmt.Errorf("verso: %s%s=%q%w", prefix, v.name, text, err)
			}
		}
	}
	return c, nil
}

// set sets what the variable is for. The error continues the text of the variable.
func (v variable) set(text string) error {
	switch of := v.of.(type) {
	case *[]string:
		for element := range strings.SplitSeq(text, ",") {
			if element = strings.TrimSpace(element); element == "" {
				return errors.New(" has an empty element: remove the stray comma, or unset the variable to allow all")
			}
			*of = append(*of, element)
		}
	case **bool:
		switch text {
		case "true", "false":
			*of = new(text == "true")
		case "":
		default:
			return errors.New(": write true or false")
		}
	case *verso.Version:
		if text != "" {
			*of = verso.V(text)
		}
	case *string:
		*of = text
	}
	return nil
}

// readFile reads the JSON file that a variable names.
func readFile(prefix, path string) (c Config, err error) {
	for _, v := range variables(&c) {
		if _, ok := os.LookupEnv(prefix + v.name); ok {
			return c, fmt.Errorf("verso: %s%s is set next to %s%s: remove one", prefix, v.name, prefix, fileVariable)
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
