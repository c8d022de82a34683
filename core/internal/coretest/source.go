package coretest

import (
	"net/http"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/fileconfig"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
)

// Schemes returns the schemes of the specification.
func Schemes() map[string]func(verso.Config) (*verso.Versioning, error) {
	of := func(construct func(string, verso.Config) (*verso.Versioning, error),
		where string) func(verso.Config) (*verso.Versioning, error) {
		return func(c verso.Config) (*verso.Versioning, error) { return construct(where, c) }
	}
	return map[string]func(verso.Config) (*verso.Versioning, error){
		scheme.AcceptHeaderVersioning:   of(scheme.NewAcceptHeader, "version"),
		scheme.URLPathVersioning:        of(scheme.NewURLPath, "version"),
		scheme.NamespaceVersioning:      scheme.NewNamespace,
		scheme.HostNameVersioning:       of(scheme.NewHostName, ""),
		scheme.QueryParameterVersioning: of(scheme.NewQueryParameter, "version"),
	}
}

// Single is a single source, and its request for a version.
type Single struct {
	Source source.Source
	Ask    func(version string) Ask
}

// asks are requests for a version, by the kind of the source.
var asks = map[string]func(version string) Ask{
	"accept":     func(v string) Ask { return Accept("application/json; version=" + v) },
	"path":       In,
	"namespace":  func(v string) Ask { return Named(v + ":users") },
	"host":       func(v string) Ask { return Host(v + ".example.com") },
	"query":      func(v string) Ask { return Query("version=" + v) },
	"header":     func(v string) Ask { return Field(v) },
	"media_type": func(v string) Ask { return Accept("application/vnd.acme." + v + "+json") },
}

// Sources returns all single sources, except the prefix of a path, which needs routes.
func Sources() map[string]Single {
	all := map[string]Single{"pattern": {verso.HostLabel(`([a-z0-9]+)\.api\.example\.com`),
		func(v string) Ask { return Host(v + ".api.example.com") }}}
	for _, kind := range fileconfig.Kinds() {
		if kind.Name == "path_prefix" {
			continue
		}
		ask := asks[kind.Name]
		if ask == nil {
			panic("a kind of source has no request: add it to asks: " + kind.Name)
		}
		all[kind.Name] = Single{kind.New(kind.Example), ask}
	}
	return all
}

// Three returns a source of three.
func Three(how func(...source.Source) source.Source) source.Source {
	return how(verso.QueryParam("version"), verso.PathParam("version"), verso.Header("Api-Version"))
}

// InTwo returns the request that names the version in the last two of Three.
func InTwo(version string) Ask {
	return Ask{Params: map[string]string{"version": version}, Header: http.Header{"Api-Version": {version}}}
}

// Vendor is the template of a MediaType.
const Vendor = "application/vnd.acme.{version}+json"

// Own is a custom source that consists of functions.
type Own struct {
	Described source.Description
	OnRead    func(source.Request, *source.ServedVersions) source.Reading
	OnWrite   func(source.Written, verso.Version) (source.Written, error)
}

// Read calls OnRead.
func (s Own) Read(r source.Request, served *source.ServedVersions) source.Reading {
	if s.OnRead == nil {
		return source.Reading{}
	}
	return s.OnRead(r, served)
}

// Write calls OnWrite.
func (s Own) Write(w source.Written, v verso.Version) (source.Written, error) {
	if s.OnWrite == nil {
		return w, nil
	}
	return s.OnWrite(w, v)
}

// Describe returns Described.
func (s Own) Describe() source.Description { return s.Described }
