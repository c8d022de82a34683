// Package fileconfig reads the configuration of a versioning from a file.
package fileconfig

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/internal/strictjson"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
)

// Config is a configuration in a file: where versions are read, and the settings. It
// decodes from JSON. The source is a list:
//
//	{
//		"sources": [
//			{"kind": "path", "name": "version"},
//			{"kind": "header", "name": "Api-Version"}
//		],
//		"allowed_versions": ["v1", "v2"],
//		"default_version": "v1"
//	}
//
// or a scheme of the specification, by its name:
//
//	{
//		"scheme": "URLPathVersioning",
//		"version_param": "version",
//		"allowed_versions": ["v1", "v2"]
//	}
//
// Only sources or a scheme are required.
type Config struct {
	Sources []Source `json:"sources"` // several: see [verso.First]
	Agree   bool     `json:"agree"`   // several are combined by [verso.Agree] instead

	Scheme       string `json:"scheme"`           // such as [scheme.URLPathVersioning], instead of Sources
	VersionParam string `json:"version_param"`    // of a scheme; absent or "": "version"
	HostPattern  string `json:"hostname_pattern"` // of [scheme.HostNameVersioning]: see [verso.HostLabel]

	DefaultVersion     verso.Version            `json:"default_version"`      // absent or null: none
	AfterDefaultSunset verso.AfterDefaultSunset `json:"after_default_sunset"` // "end" or "move": see [verso.Config]
	AllowedVersions    []string                 `json:"allowed_versions"`     // absent: all
	// see [verso.Config]; absent or null: false
	AllowUnversioned *bool    `json:"allow_unversioned"`
	Strict           *bool    `json:"strict"`                  // true: [verso.Strict]; absent or null: false
	AllowedHosts     []string `json:"allowed_hosts,omitempty"` // see [verso.Strictness]; absent: all
	LinksOrigin      string   `json:"links_origin"`            // see [verso.LinkConfig]; absent or "": that of the request
	TrustedHosts     []string `json:"trusted_hosts,omitempty"` // see [verso.LinkConfig]; absent: all

	// Catalogue lists the versions with their dates. It replaces
	// AllowedVersions: see package catalogue.
	Catalogue *catalogue.Config `json:"catalogue"`
}

// Source is a place of versions in a [Config].
type Source struct {
	Kind     string `json:"kind"`     // a name in [Kinds]
	Name     string `json:"name"`     // of the parameter or header, for the first four
	Pattern  string `json:"pattern"`  // of the host: see [verso.HostLabel]
	Template string `json:"template"` // of the media type or the prefix: see [verso.MediaType] and [verso.PathPrefix]
}

// source returns the source.
func (s Source) source() (source.Source, error) {
	var names []string
	for _, kind := range kinds {
		names = append(names, kind.Name)
	}
	at := slices.Index(names, s.Kind)
	if at < 0 {
		return nil, fmt.Errorf("%q is not a kind of source: use one of %s", s.Kind, strings.Join(names, ", "))
	}
	kind, given := kinds[at], map[string]string{"name": s.Name, "pattern": s.Pattern, "template": s.Template}
	for key, value := range given {
		if value != "" && key != kind.Key {
			return nil, fmt.Errorf("a source of the kind %q has no %s: remove %q", s.Kind, key, value)
		}
	}
	return kind.New(given[kind.Key]), nil
}

// schemes are the sources of the specification's schemes, by their names.
var schemes = map[string]func(c Config) source.Source{
	scheme.AcceptHeaderVersioning:   func(c Config) source.Source { return verso.AcceptParam(c.VersionParam) },
	scheme.URLPathVersioning:        func(c Config) source.Source { return verso.PathParam(c.VersionParam) },
	scheme.NamespaceVersioning:      func(Config) source.Source { return verso.Namespace() },
	scheme.HostNameVersioning:       func(c Config) source.Source { return verso.HostLabel("(?-i)" + c.HostPattern) },
	scheme.QueryParameterVersioning: func(c Config) source.Source { return verso.QueryParam(c.VersionParam) },
}

// New returns the versioning that the file configures. code has the settings that files
// cannot have. It fails if both set the same, for an unknown scheme, for a key without effect,
// and as [verso.New] does.
func (c Config) New(code verso.Config) (*verso.Versioning, error) {
	config, errs := c.join(code)
	from, err := c.source()
	if errs = append(errs, err); errors.Join(errs...) != nil {
		return nil, errors.Join(errs...)
	}
	if c.Scheme != "" {
		return verso.NewScheme(c.Scheme, from, config)
	}
	return verso.New(from, config)
}

// source returns the source, or the mistakes in it.
func (c Config) source() (source.Source, error) {
	reader, ofScheme := "sources", c.Scheme != "" || len(c.Sources) == 0
	if ofScheme {
		reader = c.Scheme
	}
	ofName := schemes[c.Scheme]
	if ofScheme && ofName == nil {
		return nil, finding.Mistake(codes.SchemeUnknown, c.Scheme,
			strings.Join(slices.Sorted(maps.Keys(schemes)), ", "))
	}
	var errs []error
	for _, key := range []struct {
		field         string
		isSet, isRead bool
	}{
		{"Sources", len(c.Sources) > 0, !ofScheme},
		{"Agree", c.Agree, !ofScheme},
		{"VersionParam", c.VersionParam != "", ofScheme},
		{"HostPattern", c.HostPattern != "", c.Scheme == scheme.HostNameVersioning},
	} {
		if key.isSet && !key.isRead {
			errs = append(errs, finding.MistakeAt(key.field, codes.NotRead, reader))
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	if ofScheme {
		c.VersionParam = cmp.Or(c.VersionParam, scheme.DefaultParam)
		return ofName(c), nil
	}
	return c.several()
}

// several returns the source of a list.
func (c Config) several() (source.Source, error) {
	var all []source.Source
	for i, part := range c.Sources {
		one, err := part.source()
		if err != nil {
			return nil, finding.Mistake(codes.SourcesUnread, fmt.Errorf("source %d: %w", i+1, err))
		}
		all = append(all, one)
	}
	switch {
	case len(all) == 1:
		return all[0], nil
	case c.Agree:
		return verso.Agree(all...), nil
	}
	return verso.First(all...), nil
}

// join adds the settings of the file to those of code.
func (c Config) join(code verso.Config) (_ verso.Config, errs []error) {
	set := func(field string, inCode, inFile bool) bool {
		if inCode && inFile {
			errs = append(errs, finding.MistakeAt(field, codes.ConfiguredTwice))
		}
		return inFile
	}
	join(set, "DefaultVersion", &code.DefaultVersion, c.DefaultVersion)
	join(set, "AfterDefaultSunset", &code.AfterDefaultSunset, c.AfterDefaultSunset)
	join(set, "AllowedVersions", &code.AllowedVersions, c.AllowedVersions)
	join(set, "Strict.AllowedHosts", &code.Strict.AllowedHosts, c.AllowedHosts)
	join(set, "Links.Origin", &code.Links.Origin, c.LinksOrigin)
	join(set, "Links.TrustedHosts", &code.Links.TrustedHosts, c.TrustedHosts)
	if set("Catalogue", code.Catalogue != nil, c.Catalogue != nil) {
		var err error
		if code.Catalogue, err = catalogue.New(*c.Catalogue); err != nil {
			errs = append(errs, finding.Joined(finding.OfCatalogue("Catalogue", err)))
		}
	}
	// The hosts are a setting of their own.
	requests := code.Strict
	requests.AllowedHosts = nil
	if set("Strict", !reflect.ValueOf(requests).IsZero(), c.Strict != nil) && *c.Strict {
		hosts := code.Strict.AllowedHosts
		code.Strict = verso.Strict()
		code.Strict.AllowedHosts = hosts
	}
	if set("AllowUnversioned", code.AllowUnversioned, c.AllowUnversioned != nil) {
		code.AllowUnversioned = *c.AllowUnversioned
	}
	return code, errs
}

// join sets a setting of code as the file has it, if it does.
func join[T any](set func(field string, inCode, inFile bool) bool, field string, code *T, file T) {
	isSet := func(value reflect.Value) bool {
		return !value.IsZero() && (value.Kind() != reflect.Slice || value.Len() > 0)
	}
	if set(field, isSet(reflect.ValueOf(*code)), isSet(reflect.ValueOf(file))) {
		*code = file
	}
}

// UnmarshalJSON decodes c from a JSON object. An unknown or duplicate key, an
// empty list of versions or hosts, null for one of hosts, which is what YAML without its lines
// becomes, and a null in the list of versions are errors.
func (c *Config) UnmarshalJSON(data []byte) error {
	type plainConfig Config // without this method
	var decoded struct {
		plainConfig
		AllowedVersions *[]verso.Version `json:"allowed_versions"`
	}
	if err := strictjson.Unmarshal(data, &decoded); err != nil {
		if strings.HasPrefix(err.Error(), `unknown field "versions"`) {
			err = errors.New(`unknown field "versions": write the catalogue under the key "catalogue"`)
		}
		return fmt.Errorf("verso: configuration: %w", err)
	}
	var written struct {
		Allowed json.RawMessage `json:"allowed_hosts,omitempty"`
		Trusted json.RawMessage `json:"trusted_hosts"`
	}
	_ = json.Unmarshal(data, &written) // what could be decoded
	for i, hosts := range [][]string{decoded.AllowedHosts, decoded.TrustedHosts} {
		if len(hosts) == 0 && [][]byte{written.Allowed, written.Trusted}[i] != nil {
			return fmt.Errorf("verso: configuration: %s is empty: list the hosts, or remove the key to allow every host",
				[]string{"allowed_hosts", "trusted_hosts"}[i])
		}
	}
	if list := decoded.AllowedVersions; list != nil {
		if len(*list) == 0 {
			return errors.New("verso: configuration: allowed_versions is empty: list the versions, or remove the key to allow every version")
		}
		for _, v := range *list {
			if v.IsNone() {
				return errors.New(`verso: configuration: null in allowed_versions: write "allow_unversioned": true instead`)
			}
			decoded.plainConfig.AllowedVersions = append(decoded.plainConfig.AllowedVersions, v.String())
		}
	}
	*c = Config(decoded.plainConfig)
	return nil
}
