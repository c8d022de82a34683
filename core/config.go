package verso

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// Config is a scheme chosen by name, with its settings. It decodes from JSON
// and from the environment ([ConfigFromEnv]):
//
//	{
//		"scheme": "AcceptHeaderVersioning",
//		"default_version": "v1",
//		"allowed_versions": ["v1", "v2"],
//		"version_param": "version"
//	}
//
// Only the scheme is required.
type Config struct {
	Scheme           string   `json:"scheme"`            // name of a scheme, see [Schemes]
	DefaultVersion   Version  `json:"default_version"`   // absent or null: none
	AllowedVersions  []string `json:"allowed_versions"`  // absent or empty: all
	AllowUnversioned bool     `json:"allow_unversioned"` // see [Settings]
	VersionParam     string   `json:"version_param"`     // absent or "": "version"
	HostNamePattern  string   `json:"hostname_pattern"`  // HostNameVersioning only, see [NewHostName]
}

// Settings returns the settings in c.
func (c Config) Settings() Settings {
	return Settings{
		DefaultVersion:   c.DefaultVersion,
		AllowedVersions:  c.AllowedVersions,
		AllowUnversioned: c.AllowUnversioned,
		VersionParam:     c.VersionParam,
	}
}

// UnmarshalJSON decodes c from a JSON object. An unknown key and a null in the
// list of allowed versions are errors.
func (c *Config) UnmarshalJSON(data []byte) error {
	type plain Config // without this method
	var decoded struct {
		plain
		AllowedVersions []Version `json:"allowed_versions"`
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&decoded); err != nil {
		return fmt.Errorf("verso: configuration: %w", err)
	}
	for _, v := range decoded.AllowedVersions {
		if v.IsNone() {
			return errors.New(`verso: configuration: null in allowed_versions: write "allow_unversioned": true instead`)
		}
		decoded.plain.AllowedVersions = append(decoded.plain.AllowedVersions, v.String())
	}
	*c = Config(decoded.plain)
	return nil
}

// ConfigFromEnv reads a Config from the environment variables
//
//	VERSIONING_SCHEME   AcceptHeaderVersioning
//	DEFAULT_VERSION     v1
//	ALLOWED_VERSIONS    v1,v2
//	ALLOW_UNVERSIONED   true
//	VERSION_PARAM       version
//	HOSTNAME_PATTERN    ^(v[0-9]+)\.example\.com$
//
// each with the given prefix, which may be "", before its name. A variable
// that is empty counts as unset. White space around a version is dropped. An
// empty version in the list, and a value other than true and false, are errors.
func ConfigFromEnv(prefix string) (Config, error) {
	c := Config{
		Scheme:          os.Getenv(prefix + "VERSIONING_SCHEME"),
		VersionParam:    os.Getenv(prefix + "VERSION_PARAM"),
		HostNamePattern: os.Getenv(prefix + "HOSTNAME_PATTERN"),
	}
	if text := os.Getenv(prefix + "DEFAULT_VERSION"); text != "" {
		c.DefaultVersion = V(text)
	}
	if list := os.Getenv(prefix + "ALLOWED_VERSIONS"); list != "" {
		for text := range strings.SplitSeq(list, ",") {
			if text = strings.TrimSpace(text); text == "" {
				return Config{}, fmt.Errorf("verso: %sALLOWED_VERSIONS=%q holds an empty version: remove the stray comma", prefix, list)
			}
			c.AllowedVersions = append(c.AllowedVersions, text)
		}
	}
	switch text := os.Getenv(prefix + "ALLOW_UNVERSIONED"); text {
	case "", "false":
	case "true":
		c.AllowUnversioned = true
	default:
		return Config{}, fmt.Errorf("verso: %sALLOW_UNVERSIONED=%q: write true or false", prefix, text)
	}
	return c, nil
}

// Schemes maps the names of schemes to what makes them of a configuration. Add
// a scheme of your own to the map that [BuiltinSchemes] returns:
//
//	schemes := verso.BuiltinSchemes()
//	schemes["MyVersioning"] = newMyVersioning
//	scheme, err := schemes.New(config)
type Schemes map[string]func(Config) (Scheme, error)

// BuiltinSchemes returns a new map of the five schemes under the names that
// the specification gives them: AcceptHeaderVersioning, URLPathVersioning,
// NamespaceVersioning, HostNameVersioning and QueryParameterVersioning.
func BuiltinSchemes() Schemes {
	return Schemes{
		AcceptHeaderVersioning:   withoutHost(NewAcceptHeader),
		URLPathVersioning:        withoutHost(NewURLPath),
		NamespaceVersioning:      withoutHost(NewNamespace),
		HostNameVersioning:       func(c Config) (Scheme, error) { return NewHostName(c.Settings(), c.HostNamePattern) },
		QueryParameterVersioning: withoutHost(NewQueryParameter),
	}
}

// withoutHost makes a scheme that reads no host, and so takes no host pattern.
func withoutHost[S Scheme](construct func(Settings) (S, error)) func(Config) (Scheme, error) {
	return func(c Config) (Scheme, error) {
		if c.HostNamePattern != "" {
			return nil, fmt.Errorf("verso: %s reads no host: remove the host pattern %q", c.Scheme, c.HostNamePattern)
		}
		return construct(c.Settings())
	}
}

// New makes the scheme that the configuration names. It fails when there is no
// such scheme, when the scheme refuses its settings, and when a host pattern is
// given to a built-in scheme other than HostNameVersioning.
func (s Schemes) New(c Config) (Scheme, error) {
	construct, ok := s[c.Scheme]
	if !ok {
		return nil, fmt.Errorf("verso: no scheme is called %q: use one of %s",
			c.Scheme, strings.Join(slices.Sorted(maps.Keys(s)), ", "))
	}
	scheme, err := construct(c)
	if err != nil {
		return nil, err
	}
	return scheme, nil
}
