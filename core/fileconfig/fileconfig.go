// Package fileconfig reads the configuration of a versioning from a file or the
// environment.
package fileconfig

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
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

// Config is a configuration in a file or the environment: the name of a scheme, and
// its settings. It decodes from JSON and from the environment ([FromEnv]):
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
	Sources        []Source `json:"sources"`       // FirstVersioning and AgreeVersioning
	Strict         *bool    `json:"strict"`        // true: [verso.Strict]; absent or null: false
	AllowedHosts   []string `json:"allowed_hosts"` // see [verso.Strictness]; absent: all
	LinksOrigin    string   `json:"links_origin"`  // see [verso.LinkConfig]; absent or "": that of the request
	TrustedHosts   []string `json:"trusted_hosts"` // see [verso.LinkConfig]; absent: all

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
	index := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == s.Kind })
	if index < 0 {
		var names []string
		for _, k := range kinds {
			names = append(names, k.Name)
		}
		return nil, fmt.Errorf("%q is not a kind of source: use one of %s", s.Kind, strings.Join(names, ", "))
	}
	kind, given := kinds[index], map[string]string{"name": s.Name, "pattern": s.Pattern, "template": s.Template}
	for key, value := range given {
		if value != "" && key != kind.Key {
			return nil, fmt.Errorf("a source of the kind %q has no %s: remove %q", s.Kind, key, value)
		}
	}
	return kind.New(given[kind.Key]), nil
}

// New returns the versioning that the file configures. code has the settings that files
// cannot have. It fails if both set the same, for an unknown scheme, for a key that the
// scheme does not read, and as [verso.New] does.
func (c Config) New(code verso.Config) (*verso.Versioning, error) {
	if !slices.Contains(schemeNames, c.Scheme) {
		return nil, errors.Join(finding.Mistake("scheme_unknown", "Scheme",
			"%q is not a scheme: use one of %s", c.Scheme, strings.Join(schemeNames, ", ")))
	}
	config, errs := c.join(code)
	errs = append(errs, c.checkUnread()...)
	from, err := c.source()
	if err != nil {
		errs = append(errs, finding.Mistake("sources", "Sources", "%w", err))
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return verso.NewScheme(c.Scheme, from, config)
}

var schemeNames = []string{
	scheme.AcceptHeaderVersioning, scheme.URLPathVersioning, scheme.NamespaceVersioning, scheme.HostNameVersioning,
	scheme.QueryParameterVersioning,
	HeaderVersioning, MediaTypeVersioning, PathPrefixVersioning, FirstVersioning, AgreeVersioning,
}

// source returns the source of the scheme.
func (c Config) source() (source.Source, error) {
	param := cmp.Or(c.VersionParam, scheme.DefaultParam)
	switch c.Scheme {
	case scheme.AcceptHeaderVersioning:
		return verso.AcceptParam(param), nil
	case scheme.URLPathVersioning:
		return verso.PathParam(param), nil
	case scheme.NamespaceVersioning:
		return verso.Namespace(), nil
	case scheme.HostNameVersioning:
		return verso.HostLabel("(?-i)" + c.HostPattern), nil // as [scheme.NewHostName]
	case scheme.QueryParameterVersioning:
		return verso.QueryParam(param), nil
	case HeaderVersioning:
		return verso.Header(c.HeaderName), nil
	case MediaTypeVersioning:
		return verso.MediaType(c.MediaTypeTemplate), nil
	case PathPrefixVersioning:
		return verso.PathPrefix(c.PrefixTemplate), nil
	}
	sources := make([]source.Source, len(c.Sources))
	for i, s := range c.Sources {
		var err error
		if sources[i], err = s.source(); err != nil {
			return nil, fmt.Errorf("source %d: %w", i+1, err)
		}
	}
	if c.Scheme == FirstVersioning {
		return verso.First(sources...), nil
	}
	return verso.Agree(sources...), nil
}

// checkUnread returns the keys that the scheme does not read.
func (c Config) checkUnread() (errs []error) {
	several := c.Scheme == FirstVersioning || c.Scheme == AgreeVersioning
	own := several || c.Scheme == HeaderVersioning || c.Scheme == MediaTypeVersioning ||
		c.Scheme == PathPrefixVersioning
	for _, key := range []struct {
		field         string
		given, isRead bool
	}{
		{"HeaderName", c.HeaderName != "", c.Scheme == HeaderVersioning},
		{"MediaTypeTemplate", c.MediaTypeTemplate != "", c.Scheme == MediaTypeVersioning},
		{"PrefixTemplate", c.PrefixTemplate != "", c.Scheme == PathPrefixVersioning},
		{"Sources", len(c.Sources) > 0, several},
		{"VersionParam", c.VersionParam != "", !own},
		{"HostPattern", c.HostPattern != "", c.Scheme == scheme.HostNameVersioning},
	} {
		if key.given && !key.isRead {
			errs = append(errs, finding.Mistake("not_read", key.field, "%s does not read it: remove it", c.Scheme))
		}
	}
	return errs
}

// join adds the settings of the file to those of code.
func (c Config) join(code verso.Config) (_ verso.Config, errs []error) {
	set := func(field string, inCode, inFile bool) bool {
		if inCode && inFile {
			errs = append(errs, finding.Mistake("configured_twice", field,
				"it is set in code and in the file: remove one"))
		}
		return inFile
	}
	if set("DefaultVersion", !code.DefaultVersion.IsNone(), !c.DefaultVersion.IsNone()) {
		code.DefaultVersion = c.DefaultVersion
	}
	if set("AfterDefaultSunset", code.AfterDefaultSunset != "", c.AfterDefaultSunset != "") {
		code.AfterDefaultSunset = c.AfterDefaultSunset
	}
	if set("AllowedVersions", len(code.AllowedVersions) > 0, len(c.AllowedVersions) > 0) {
		code.AllowedVersions = c.AllowedVersions
	}
	if set("Catalogue", code.Catalogue != nil, c.Catalogue != nil) {
		var err error
		if code.Catalogue, err = catalogue.New(*c.Catalogue); err != nil {
			for _, f := range finding.OfCatalogue("Catalogue", err) {
				errs = append(errs, &f)
			}
		}
	}
	if set("Strict.AllowedHosts", len(code.Strict.AllowedHosts) > 0, len(c.AllowedHosts) > 0) {
		code.Strict.AllowedHosts = c.AllowedHosts
	}
	if set("Links.Origin", code.Links.Origin != "", c.LinksOrigin != "") {
		code.Links.Origin = c.LinksOrigin
	}
	if set("Links.TrustedHosts", len(code.Links.TrustedHosts) > 0, len(c.TrustedHosts) > 0) {
		code.Links.TrustedHosts = c.TrustedHosts
	}
	// The hosts are a setting of their own.
	requests := code.Strict
	requests.AllowedHosts = nil
	if set("Strict", !reflect.ValueOf(requests).IsZero(), c.Strict != nil) && *c.Strict {
		strict := verso.Strict()
		strict.AllowedHosts = code.Strict.AllowedHosts
		code.Strict = strict
	}
	if set("AllowUnversioned", code.AllowUnversioned, c.AllowUnversioned != nil) {
		code.AllowUnversioned = *c.AllowUnversioned
	}
	return code, errs
}

// UnmarshalJSON decodes c from a JSON object. An unknown or duplicate key, an
// empty list of versions or hosts, and a null in the list of versions are errors.
func (c *Config) UnmarshalJSON(data []byte) error {
	type plainConfig Config // without this method
	var decoded struct {
		plainConfig
		AllowedVersions *[]verso.Version `json:"allowed_versions"`
	}
	if err := strictjson.Unmarshal(data, &decoded); err != nil {
		return fmt.Errorf("verso: configuration: %w", err)
	}
	for i, hosts := range [][]string{decoded.AllowedHosts, decoded.TrustedHosts} {
		if hosts != nil && len(hosts) == 0 {
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
