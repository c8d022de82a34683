package coretest

import (
	"net/http"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
)

// Schemes returns the schemes of the specification.
func Schemes() map[string]func(verso.Config) (*verso.Versioning, error) {
	of := func(construct func(string, verso.Config) (*verso.Versioning, error), where string) func(verso.Config) (*verso.Versioning, error) {
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

// Sources returns all single sources.
func Sources() map[string]Single {
	return map[string]Single{
		"accept":     {verso.AcceptParam("version"), func(v string) Ask { return Accept("application/json; version=" + v) }},
		"path":       {verso.PathParam("version"), In},
		"namespace":  {verso.Namespace(), func(v string) Ask { return Named(v + ":users") }},
		"host":       {verso.HostLabel(""), func(v string) Ask { return Host(v + ".example.com") }},
		"pattern":    {verso.HostLabel(`([a-z0-9]+)\.api\.example\.com`), func(v string) Ask { return Host(v + ".api.example.com") }},
		"query":      {verso.QueryParam("version"), func(v string) Ask { return Query("version=" + v) }},
		"header":     {verso.Header("Api-Version"), func(v string) Ask { return Field(v) }},
		"media type": {verso.MediaType("application/vnd.acme.{version}+json"), func(v string) Ask { return Accept("application/vnd.acme." + v + "+json") }},
	}
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
