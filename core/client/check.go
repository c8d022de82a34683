package client

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"time"

	verso "github.com/goverso/verso/core"
)

// New returns a transport that asks for the version. What is wrong with the
// configuration is an error: the [*verso.ConfigError] of each mistake, joined.
//
// It refuses a source that writes neither a header nor the query, and a version
// that cannot be where the source writes it.
func New(config Config) (*Transport, error) {
	hosts, errs := parseHosts(config.Hosts)
	place, err := newPlace(config.Source, config.InURL, config.Version)
	if err := errors.Join(append(errs, err)...); err != nil {
		return nil, err
	}
	t := &Transport{
		base: config.Base, place: place, version: config.Version, hosts: hosts,
		logger: config.Logger, onNotice: config.OnNotice, clock: config.Clock,
	}
	if t.base == nil {
		t.base = http.DefaultTransport
	}
	if t.clock == nil {
		t.clock = time.Now
	}
	return t, nil
}

func mistake(code, field, format string, args ...any) error {
	return &verso.ConfigError{Code: code, Field: field, Message: fmt.Sprintf(format, args...)}
}

// newPlace returns where a source writes the version, nowhere if it is in the URL.
func newPlace(source verso.Source, inURL bool, version verso.Version) (place, error) {
	switch {
	case version.String() == "":
		return place{}, mistake("version_missing", "Version", "there is no version to ask for: give one, such as verso.V(%q)", "v1")
	case inURL && source != nil:
		return place{}, mistake("in_url", "InURL", "the version is in the URL, but there is a Source: remove one")
	case inURL:
		return place{}, nil
	case isNil(source):
		return place{}, mistake("source_missing", "Source",
			"there is no source: give the one that the service reads, such as verso.Header(%q), or set InURL if the version is in the URL", "Api-Version")
	}
	if _, err := verso.New(source, verso.Config{AllowedVersions: []string{version.String()}}); err != nil {
		return place{}, ofVersion(err)
	}
	target, err := source.Write(verso.Target{Version: version}, version)
	if err != nil {
		return place{}, mistake("version_place", "Version", "the %s cannot carry version %q: %v", source.Describe().Name, version, err)
	}
	params, query, header := target.Written()
	if len(params) > 0 || target.FullName() != "" || len(query) == 0 && header[0] == "" {
		return place{}, mistake("source_place", "Source",
			"the %s does not write the version into a header or the query: if it is in the path or the host, remove Source and set InURL; "+
				"of several sources, give the one to use: verso.Header, AcceptParam, MediaType or QueryParam",
			source.Describe().Name)
	}
	p := place{query: query, name: http.CanonicalHeaderKey(header[0])}
	if p.name != "" {
		var ok bool
		if p.value, ok = latin1Bytes(header[1]); !ok {
			return place{}, mistake("version_place", "Version", "the %s cannot carry version %q: use visible characters of ISO-8859-1",
				source.Describe().Name, version)
		}
	}
	if p.name == "Accept" {
		p.accept = newAccept(p.value, source, version)
	}
	return p, nil
}

// ofVersion returns the mistakes in a configuration with the version as its list,
// under the names of the fields of [Config].
func ofVersion(err error) error {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		var all []error
		for _, one := range several.Unwrap() {
			all = append(all, ofVersion(one))
		}
		return errors.Join(all...)
	}
	found, ok := errors.AsType[*verso.ConfigError](err)
	if !ok {
		return err
	}
	field := "Source"
	if found.Field == "AllowedVersions" {
		field = "Version"
	}
	return &verso.ConfigError{Code: cmp.Or(found.Code, "source"), Field: field, Message: found.Message}
}

func isNil(source verso.Source) bool {
	v := reflect.ValueOf(source)
	return source == nil || v.Kind() == reflect.Pointer && v.IsNil()
}
