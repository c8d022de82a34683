// Package scheme has the five schemes of the versioning specification by their names,
// and its base scheme. Each is a source of package verso under another name.
// conformance/SPECIFICATION.md has their rules.
package scheme

import (
	"cmp"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

// The names of the schemes, for configuration files and errors.
const (
	AcceptHeaderVersioning   = "AcceptHeaderVersioning"
	URLPathVersioning        = "URLPathVersioning"
	NamespaceVersioning      = "NamespaceVersioning"
	HostNameVersioning       = "HostNameVersioning"
	QueryParameterVersioning = "QueryParameterVersioning"
)

// DefaultParam is the name of the parameter with the version where it is given as "".
const DefaultParam = "version"

// NewAcceptHeader returns the scheme AcceptHeaderVersioning: the versioning of
// [verso.AcceptParam]. The errors are those of [verso.New].
func NewAcceptHeader(param string, config verso.Config) (*verso.Versioning, error) {
	return verso.NewScheme(AcceptHeaderVersioning, verso.AcceptParam(cmp.Or(param, DefaultParam)), config)
}

// NewURLPath returns the scheme URLPathVersioning: the versioning of
// [verso.PathParam]. The errors are those of [verso.New].
func NewURLPath(param string, config verso.Config) (*verso.Versioning, error) {
	return verso.NewScheme(URLPathVersioning, verso.PathParam(cmp.Or(param, DefaultParam)), config)
}

// NewNamespace returns the scheme NamespaceVersioning: the versioning of
// [verso.Namespace]. The errors are those of [verso.New].
func NewNamespace(config verso.Config) (*verso.Versioning, error) {
	return verso.NewScheme(NamespaceVersioning, verso.Namespace(), config)
}

// NewHostName returns the scheme HostNameVersioning: the versioning of
// [verso.HostLabel], which compares hosts byte for byte here. The errors are those of
// [verso.New].
func NewHostName(pattern string, config verso.Config) (*verso.Versioning, error) {
	return verso.NewScheme(HostNameVersioning, verso.HostLabel("(?-i)"+pattern), config)
}

// NewQueryParameter returns the scheme QueryParameterVersioning: the versioning
// of [verso.QueryParam]. The errors are those of [verso.New].
func NewQueryParameter(param string, config verso.Config) (*verso.Versioning, error) {
	return verso.NewScheme(QueryParameterVersioning, verso.QueryParam(cmp.Or(param, DefaultParam)), config)
}

// NewBase returns the specification's base scheme, which reads no version:
// determining a version fails with [verso.ErrNotImplemented] and the text
// "<name>.determine_version() must be implemented.", and links carry no version.
func NewBase(name string, config verso.Config) (*verso.Versioning, error) {
	return verso.NewScheme(name, base{name}, config)
}

// base is the source of the base scheme.
type base struct{ name string }

func (b base) Read(source.Request, *source.ServedVersions) source.Reading {
	return source.Reading{Outcome: source.Failed, Err: notImplementedError(b)}
}

func (base) Write(w source.Written, _ verso.Version) (source.Written, error) { return w, nil }

func (b base) Describe() source.Description {
	never := source.Rejection{Status: 500, Message: "not_implemented"} // its name in Explain
	return source.Description{Name: b.name, Invalid: never}
}

// notImplementedError has the specification's text.
type notImplementedError base

func (e notImplementedError) Error() string {
	return e.name + ".determine_version() must be implemented."
}

func (notImplementedError) Is(target error) bool { return target == verso.ErrNotImplemented }
