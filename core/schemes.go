package verso

import "cmp"

// The names of the schemes, for configuration files and errors. The first five are the
// specification's.
const (
	AcceptHeaderVersioning   = "AcceptHeaderVersioning"
	URLPathVersioning        = "URLPathVersioning"
	NamespaceVersioning      = "NamespaceVersioning"
	HostNameVersioning       = "HostNameVersioning"
	QueryParameterVersioning = "QueryParameterVersioning"

	HeaderVersioning     = "HeaderVersioning"     // [Header]
	MediaTypeVersioning  = "MediaTypeVersioning"  // [MediaType]
	PathPrefixVersioning = "PathPrefixVersioning" // [PathPrefix]
	FirstVersioning      = "FirstVersioning"      // [First]
	AgreeVersioning      = "AgreeVersioning"      // [Agree]
)

// NewAcceptHeader returns the scheme AcceptHeaderVersioning: the versioning of
// [AcceptParam]. The errors are those of [New].
func NewAcceptHeader(config Config) (*Versioning, error) {
	return newScheme(AcceptHeaderVersioning, AcceptParam(config.param()), config)
}

// NewURLPath returns the scheme URLPathVersioning: the versioning of
// [PathParam]. The errors are those of [New].
func NewURLPath(config Config) (*Versioning, error) {
	return newScheme(URLPathVersioning, PathParam(config.param()), config)
}

// NewNamespace returns the scheme NamespaceVersioning: the versioning of
// [Namespace]. The errors are those of [New].
func NewNamespace(config Config) (*Versioning, error) {
	return newScheme(NamespaceVersioning, Namespace(), config)
}

// NewHostName returns the scheme HostNameVersioning: the versioning of
// [HostLabel]. The errors are those of [New].
func NewHostName(config Config) (*Versioning, error) {
	return newScheme(HostNameVersioning, HostLabel(config.HostPattern), config)
}

// NewQueryParameter returns the scheme QueryParameterVersioning: the versioning
// of [QueryParam]. The errors are those of [New].
func NewQueryParameter(config Config) (*Versioning, error) {
	return newScheme(QueryParameterVersioning, QueryParam(config.param()), config)
}

// NewBase returns the specification's base scheme, which has no source:
// determining a version fails with [ErrNotImplemented] and the text
// "<name>.determine_version() must be implemented.", and links carry no version.
func NewBase(name string, config Config) (*Versioning, error) {
	return newScheme(name, nil, config)
}

func newScheme(name string, source Source, config Config) (*Versioning, error) {
	var findings []Finding
	if config.HostPattern != "" && name != HostNameVersioning {
		findings = append(findings, refuse("not_read", "HostPattern", "%s reads no host: remove the pattern %q", name, config.HostPattern))
	}
	return newVersioning(name, source, config, findings)
}

func (c *Config) param() string { return cmp.Or(c.VersionParam, DefaultVersionParam) }
