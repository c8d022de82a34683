package conformance

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/fileconfig"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
)

// service is the service of a case: its versions, where they are read, and what it produces. It
// has the form of the specification's reference cases, so that they run without a change.
type service struct {
	Settings  settings        `json:"settings"`
	Produces  []string        `json:"produces"`
	Languages []string        `json:"languages"` // of the suite's translator; empty: no translator
	Now       string          `json:"now"`       // the time, RFC 3339; "": nothing depends on it
	Catalogue json.RawMessage `json:"catalogue"`
	Sources   struct {        // of the scheme "sources"
		Mode string  `json:"mode"` // "first" or "agree"
		From []place `json:"from"`
	} `json:"sources"`
}

// settings are the settings of a case. Several name the same thing for different schemes, as
// the specification does.
type settings struct {
	DefaultVersion    verso.Version            `json:"default_version"`
	AllowedVersions   []verso.Version          `json:"allowed_versions"` // containing no version: AllowUnversioned
	AfterDefault      verso.AfterDefaultSunset `json:"after_default"`    // null or absent: not set
	Accepted          []string                 `json:"accepted"`         // codes of Config.Acknowledged
	AllowUnversioned  bool                     `json:"allow_unversioned"`
	VersionParam      string                   `json:"version_param"`
	HostNameRegex     string                   `json:"hostname_regex"`
	HeaderName        string                   `json:"header_name"`
	MediaTypeTemplate string                   `json:"media_type_template"`
	PrefixTemplate    string                   `json:"prefix_template"`
	Config            json.RawMessage          `json:"config"` // more fields of a [verso.Config], by name
}

// place is where a version is read from.
type place struct {
	Kind     string `json:"kind"`
	Name     string `json:"name"`     // of the parameter or the header
	Pattern  string `json:"pattern"`  // of the host
	Template string `json:"template"` // of the media type or the path prefix
}

// An unknown kind is an error of the case and not of the adapter. The constructors are public: a
// case must be something that a user can write.
func (p place) source() (source.Source, error) {
	if p.Kind == "nothing" {
		return carriesNothing{}, nil
	}
	for _, kind := range fileconfig.Kinds() {
		if kind.Name == p.Kind {
			return kind.New(map[string]string{"name": p.Name, "pattern": p.Pattern, "template": p.Template}[kind.Key]),
				nil
		}
	}
	return nil, fmt.Errorf("unknown source %q", p.Kind)
}

// kinds are the kinds of places that schemes read, if the names differ. Names of schemes are
// the specification's, and kinds are Verso's.
var kinds = map[string]string{"accept_header": "accept", "url_path": "path", "hostname": "host",
	"query_parameter": "query", "base": "nothing"}

// source returns the source of the scheme that cases call by the given name.
func (s *service) source(name string) (source.Source, error) {
	p := place{cmp.Or(kinds[name], name), cmp.Or(s.Settings.VersionParam, scheme.DefaultParam),
		s.Settings.HostNameRegex, s.Settings.MediaTypeTemplate}
	switch name {
	case "header":
		p.Name = s.Settings.HeaderName
	case "path_prefix":
		p.Template = s.Settings.PrefixTemplate
	case "sources":
		return s.several()
	}
	return p.source()
}

// several returns the combined source.
func (s *service) several() (source.Source, error) {
	parts := make([]source.Source, len(s.Sources.From))
	for i, from := range s.Sources.From {
		var err error
		if parts[i], err = from.source(); err != nil {
			return nil, err
		}
	}
	if s.Sources.Mode == "agree" {
		return verso.Agree(parts...), nil
	}
	return verso.First(parts...), nil
}

// config returns the configuration of the service, without its source.
func (s *service) config() (verso.Config, error) {
	config := verso.Config{
		DefaultVersion: s.Settings.DefaultVersion, AfterDefaultSunset: s.Settings.AfterDefault,
		AllowUnversioned: s.Settings.AllowUnversioned,
		Produces:         s.Produces, Acknowledged: s.Settings.Accepted,
	}
	// A list with null in it is how the specification allows requests without a version.
	for _, v := range s.Settings.AllowedVersions {
		if v.IsNone() {
			config.AllowUnversioned = true
		} else {
			config.AllowedVersions = append(config.AllowedVersions, v.String())
		}
	}
	if len(s.Languages) > 0 {
		config.Translator = translator(s.Languages)
	}
	if s.Now != "" {
		now, err := time.Parse(time.RFC3339Nano, s.Now)
		if err != nil {
			return config, err
		}
		config.Clock = func() time.Time { return now }
	}
	// It is decoded as the configuration file of a service would be.
	if len(s.Catalogue) > 0 && string(s.Catalogue) != "null" {
		var lives catalogue.Config
		if err := json.Unmarshal(s.Catalogue, &lives); err != nil {
			return config, err
		}
		var err error
		if config.Catalogue, err = catalogue.New(lives); err != nil {
			return config, err
		}
	}
	// These are decoded last, since they may replace a setting from above.
	if s.Settings.Config == nil {
		return config, nil
	}
	return config, json.Unmarshal(s.Settings.Config, &config)
}

// versioning returns the versioning of the scheme that cases call by the given name, as users
// make it. The package scheme is only a way to configure core, and the cases check that it
// stays so.
func (s *service) versioning(name string) (*verso.Versioning, error) {
	config, err := s.config()
	from, sourceErr := s.source(name)
	if err = errors.Join(err, sourceErr); err != nil {
		return nil, err
	}
	construct, ok := constructors[name]
	if !ok {
		return verso.New(from, config)
	}
	where := s.Settings.VersionParam
	if name == "hostname" {
		where = s.Settings.HostNameRegex
	}
	return construct(where, config)
}

// constructors are the constructors of the specification's schemes: where is the name of
// a parameter, or the pattern of a host.
var constructors = map[string]func(where string, config verso.Config) (*verso.Versioning, error){
	"accept_header": scheme.NewAcceptHeader,
	"url_path":      scheme.NewURLPath,
	"namespace": func(_ string, config verso.Config) (*verso.Versioning,
		error) {
		return scheme.NewNamespace(config)
	},
	"hostname":        scheme.NewHostName,
	"query_parameter": scheme.NewQueryParameter,
	"base": func(_ string, config verso.Config) (*verso.Versioning, error) {
		return scheme.NewBase("BaseVersioning", config)
	},
}

// carriesNothing is a source in which no request and no link has a version. The base scheme of
// the specification has one version for all.
type carriesNothing struct{}

// Read finds nothing, which is not a failure.
func (carriesNothing) Read(source.Request, *source.ServedVersions) source.Reading {
	return source.Reading{}
}

// Write leaves links alone.
func (carriesNothing) Write(w source.Written, _ verso.Version) (source.Written, error) { return w, nil }

// Describe names no header, so responses do not vary.
func (carriesNothing) Describe() source.Description { return source.Description{Name: "nothing"} }
