// Package fileconfig reads the configuration of a versioning from a file.
package fileconfig

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
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

// The names of the schemes that the specification does not have.
const (
	HeaderVersioning     = "HeaderVersioning"     // [verso.Header]
	MediaTypeVersioning  = "MediaTypeVersioning"  // [verso.MediaType]
	PathPrefixVersioning = "PathPrefixVersioning" // [verso.PathPrefix]
	FirstVersioning      = "FirstVersioning"      // [verso.First]
	AgreeVersioning      = "AgreeVersioning"      // [verso.Agree]
)

// Config is a configuration in a file: the name of a scheme, and its settings. It
// decodes from JSON:
//
//	{
//		"scheme": "URLPathVersioning",
//		"default_version": "v1",
//		"allowed_versions": ["v1", "v2"],
//		"version_param": "version"
//	}
//
// A combined source has a list:
//
//	{
//		"scheme": "FirstVersioning",
//		"allowed_versions": ["v1", "v2"],
//		"sources": [
//			{"kind": "path", "name": "version"},
//			{"kind": "header", "name": "Api-Version"}
//		]
//	}
//
// Only the scheme is required.
type Config struct {
	// a name such as [scheme.URLPathVersioning]
	Scheme             string                   `json:"scheme"`
	DefaultVersion     verso.Version            `json:"default_version"`      // absent or null: none
	AfterDefaultSunset verso.AfterDefaultSunset `json:"after_default_sunset"` // "end" or "move": see [verso.Config]
	AllowedVersions    []string                 `json:"allowed_versions"`     // absent: all
	// see [verso.Config]; absent or null: false
	AllowUnversioned *bool  `json:"allow_unversioned"`
	VersionParam     string `json:"version_param"` // absent or "": "version"
	// scheme.HostNameVersioning: see [verso.HostLabel]
	HostPattern string `json:"hostname_pattern"`
	HeaderName  string `json:"header_name"` // HeaderVersioning: see [verso.Header]
	// MediaTypeVersioning: see [verso.MediaType]
	MediaTypeTemplate string `json:"media_type_template"`
	// PathPrefixVersioning: see [verso.PathPrefix]
	PrefixTemplate string   `json:"prefix_template"`
	Sources        []Source `json:"sources"`                 // FirstVersioning and AgreeVersioning
	Strict         *bool    `json:"strict"`                  // true: [verso.Strict]; absent or null: false
	AllowedHosts   []string `json:"allowed_hosts,omitempty"` // see [verso.Strictness]; absent: all
	LinksOrigin    string   `json:"links_origin"`            // see [verso.LinkConfig]; absent or "": that of the request
	TrustedHosts   []string `json:"trusted_hosts,omitempty"` // see [verso.LinkConfig]; absent: all

	// Catalogue lists the versions with their dates. It replaces
	// AllowedVersions: see package catalogue.
	Catalogue *catalogue.Config `json:"catalogue"`
}

// Source is a part of a combined source in a [Config].
type Source struct {
	Kind     string `json:"kind"`     // a name in [Kinds]
	Name     string `json:"name"`     // of the parameter or header, for the first four
	Pattern  string `json:"pattern"`  // of the host: see [verso.HostLabel]
	Template string `json:"template"` // of the media type or the prefix: see [verso.MediaType] and [verso.PathPrefix]
}

// source returns the source.
func (s Source) source() (source.Source, error) {
	at, all := find(kinds, func(k Kind) string { return k.Name }, s.Kind)
	if at < 0 {
		return nil, fmt.Errorf("%q is not a kind of source: use one of %s", s.Kind, all)
	}
	kind, given := kinds[at], map[string]string{"name": s.Name, "pattern": s.Pattern, "template": s.Template}
	for key, value := range given {
		if value != "" && key != kind.Key {
			return nil, fmt.Errorf("a source of the kind %q has no %s: remove %q", s.Kind, key, value)
		}
	}
	return kind.New(given[kind.Key]), nil
}

// find returns the position of a name in a table, -1 if it is not there, and all its names.
func find[T any](table []T, nameOf func(T) string, name string) (at int, all string) {
	var names []string
	for _, row := range table {
		names = append(names, nameOf(row))
	}
	return slices.Index(names, name), strings.Join(names, ", ")
}

// schemeKind is a scheme that a [Config] can have.
type schemeKind struct {
	name    string
	setting string                           // the field of Config that it reads
	one     func(value string) source.Source // of that field; nil: several
	several func(...source.Source) source.Source
}

var schemes = []schemeKind{
	{scheme.AcceptHeaderVersioning, "VersionParam", verso.AcceptParam, nil},
	{scheme.URLPathVersioning, "VersionParam", verso.PathParam, nil},
	{scheme.NamespaceVersioning, "VersionParam", func(string) source.Source { return verso.Namespace() }, nil},
	{scheme.HostNameVersioning, "HostPattern", // as [scheme.NewHostName]
		func(pattern string) source.Source { return verso.HostLabel("(?-i)" + pattern) }, nil},
	{scheme.QueryParameterVersioning, "VersionParam", verso.QueryParam, nil},
	{HeaderVersioning, "HeaderName", verso.Header, nil},
	{MediaTypeVersioning, "MediaTypeTemplate", verso.MediaType, nil},
	{PathPrefixVersioning, "PrefixTemplate", verso.PathPrefix, nil},
	{FirstVersioning, "Sources", nil, verso.First},
	{AgreeVersioning, "Sources", nil, verso.Agree},
}

// New returns the versioning that the file configures. code has the settings that files
// cannot have. It fails if both set the same, for an unknown scheme, for a key that the
// scheme does not read, and as [verso.New] does.
func (c Config) New(code verso.Config) (*verso.Versioning, error) {
	at, all := find(schemes, func(s schemeKind) string { return s.name }, c.Scheme)
	if at < 0 {
		return nil, errors.Join(finding.Mistake(codes.SchemeUnknown, c.Scheme, all))
	}
	config, errs := c.join(code)
	for _, setting := range []string{"HeaderName", "MediaTypeTemplate", "PrefixTemplate", "Sources", "VersionParam",
		"HostPattern"} {
		// All schemes of the specification have a VersionParam.
		isRead := setting == schemes[at].setting ||
			setting == "VersionParam" && c.Scheme == scheme.HostNameVersioning
		if !isRead && c.setting(setting).Len() > 0 {
			errs = append(errs, finding.MistakeAt(setting, codes.NotRead, c.Scheme))
		}
	}
	from, err := c.source(schemes[at])
	if err != nil {
		errs = append(errs, finding.Mistake(codes.SourcesUnread, err))
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return verso.NewScheme(c.Scheme, from, config)
}

func (c Config) setting(field string) reflect.Value { return reflect.ValueOf(c).FieldByName(field) }

// source returns the source of the scheme.
func (c Config) source(s schemeKind) (source.Source, error) {
	c.VersionParam = cmp.Or(c.VersionParam, scheme.DefaultParam)
	if s.one != nil {
		return s.one(c.setting(s.setting).String()), nil
	}
	sources := make([]source.Source, len(c.Sources))
	for i, part := range c.Sources {
		var err error
		if sources[i], err = part.source(); err != nil {
			return nil, fmt.Errorf("source %d: %w", i+1, err)
		}
	}
	return s.several(sources...), nil
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
