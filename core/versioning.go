package verso

import (
	"slices"

	"github.com/goverso/verso/core/catalogue"
)

// Versioning is the configuration of a service: where a request has its version, and
// which versions are served. [New] and the constructors of the schemes return one. It
// is immutable and safe for concurrent use.
//
// The New of an adapter installs it in a framework.
type Versioning struct {
	name     string
	source   Source // nil: the specification's base scheme
	config   Config
	set      *versionSet
	parts    []part
	vary     []*vary // by how many parts were looked at
	findings []Finding
	answers  *answers
	unbound  *Binding

	catalogue    *catalogue.Catalogue // of the versions; nil: every version is served
	dated        bool                 // it says more than a list
	plain        bool                 // nothing but the look-up decides on a version that was found
	denied       bool                 // the default is not allowed
	combined     bool                 // there are several sources
	prefix       *prefix              // nil: no part reads a path prefix
	byNamespace  bool                 // a part reads the namespace of the route
	byRoute      bool                 // a part reads the namespace, a path parameter or a prefix
	expose       *Field               // nil: none
	servedFields []Field              // by version, nil: none

	contentType func(resource string, v Version) (string, error) // nil: no source has one
}

// part is one of the sources of a combined source, or the source itself.
type part struct {
	name      string
	headers   []string
	pathParam string
	inURL     bool
	namespace bool
	invalid   *Rejection
	missing   *Rejection
}

// New returns the versioning of a source. The error joins a [*Finding] for each
// mistake in the configuration.
func New(source Source, config Config) (*Versioning, error) {
	findings := config.checkUnread()
	if isNil(source) {
		return nil, joined(append(findings, refuse("source_missing", "Source", "there is no source: give one, such as verso.PathParam(%q)", "version")))
	}
	return newVersioning("", source, config, findings)
}

// newVersioning returns the versioning of a source, nil for the base scheme, with a
// name, "" for that of the source.
func newVersioning(name string, source Source, config Config, findings []Finding) (*Versioning, error) {
	findings = append(findings, config.prepare()...)
	set, err := newVersionSet(&config)
	if err != nil {
		return nil, joined(append(findings, refuse("produces", "Produces", "%w", err)))
	}
	var described Description
	if source != nil {
		described = source.Describe()
		findings = append(findings, described.check(set.servedAt(nil, config.Strict.RefuseContradictions))...)
	}
	warnings, err := refusals(findings)
	if err != nil {
		return nil, err
	}
	v := &Versioning{name: name, source: source, config: config, set: set, findings: warnings}
	if name == "" {
		v.name = described.Name
	}
	v.addParts(described)
	if v.catalogue, err = config.versionsOverTime(); err != nil {
		return nil, joined(catalogueFindings("AllowedVersions", err))
	}
	if v.dated = config.Catalogue != nil && !config.Catalogue.IsPlain(); v.dated {
		v.addFields()
	}
	v.plain = len(config.Strict.hosts) == 0 // the empty version is never known then: see Strictness
	v.denied = !config.allows(config.DefaultVersion)
	v.answers = newAnswers(v)
	v.unbound = v.Bind(nil)
	return v, nil
}

// addFields prepares the headers of the catalogue that never change.
func (v *Versioning) addFields() {
	if expose, ok := v.catalogue.ExposeField(); ok {
		v.expose = &expose
	}
	for index := range v.catalogue.Versions() {
		if served, ok := v.catalogue.ServedField(index); ok {
			v.servedFields = append(v.servedFields, served)
		}
	}
}

// check returns the mistakes in a description, and those that its Check finds.
func (d *Description) check(served *Served) (findings []Finding) {
	if d.Name == "" {
		findings = append(findings, refuse("source_name", "Source", "the source has no name: let Describe return one"))
	}
	for _, r := range []Rejection{d.Invalid, d.Missing} {
		if r != (Rejection{}) && (r.Status < 400 || r.Status > 599 || r.Message == "") {
			findings = append(findings, refuse("source_rejection", "Source",
				"the %s rejects with status %d, message %q: use a status of 400 to 599 and a message", d.Name, r.Status, r.Message))
		}
	}
	if d.Check != nil {
		findings = append(findings, d.Check(served)...)
	}
	return findings
}

// addParts prepares the parts: first the source itself, for requests in which no part
// has a version, then the parts of a combined source, or the source again.
func (v *Versioning) addParts(d Description) {
	v.contentType = d.ContentType
	v.addPart(d)
	if v.combined = len(d.Parts) > 0; !v.combined {
		v.addPart(d)
	}
	for _, source := range d.Parts {
		described := source.Describe()
		v.addPart(described)
		if v.contentType == nil {
			v.contentType = described.ContentType
		}
	}
	v.vary = []*vary{newVary(d.Headers)}
	if !v.combined {
		return
	}
	var looked []string
	for _, p := range v.parts[1:] {
		for _, name := range p.headers {
			if !slices.Contains(looked, name) {
				looked = append(looked, name)
			}
		}
		v.vary = append(v.vary, newVary(looked))
	}
}

func (v *Versioning) addPart(d Description) {
	p := part{d.Name, d.Headers, d.PathParam, d.InURL, d.Namespace, &d.Invalid, &d.Missing}
	if d.Invalid == (Rejection{}) {
		p.invalid = &invalidVersion
	}
	if d.Missing == (Rejection{}) {
		p.missing = &missingVersion
	}
	v.byNamespace = v.byNamespace || p.namespace
	if d.PathPrefix != "" {
		v.prefix = parsePrefix(d.PathPrefix)
	}
	v.byRoute = v.byRoute || p.namespace || p.pathParam != "" || d.PathPrefix != ""
	v.parts = append(v.parts, p)
}

// Name returns the name of the scheme, "URLPathVersioning", or that of the
// source.
func (v *Versioning) Name() string { return v.name }

// Versions returns the known versions in order, the oldest first. A default version
// that is not in the list is the last. It returns none if every version is served.
func (v *Versioning) Versions() []Version {
	versions := make([]Version, len(v.set.known))
	for i, text := range v.set.known {
		versions[i] = V(text)
	}
	return versions
}

// Vary returns the names of the request headers that decisions may depend on.
func (v *Versioning) Vary() []string { return slices.Clone(v.parts[0].headers) }

// Source returns the source that versions are read from, nil for the
// specification's base scheme.
func (v *Versioning) Source() Source { return v.source }

// Sources returns the names of the sources that versions are read from, those in
// combined sources: see [Description].
func (v *Versioning) Sources() (names []string) {
	for _, p := range v.parts[1:] {
		names = append(names, p.name)
	}
	return names
}

// pathParams returns the path parameters that the sources read.
func (v *Versioning) pathParams() (names []string) {
	for _, p := range v.parts[1:] {
		if p.pathParam != "" {
			names = append(names, p.pathParam)
		}
	}
	return names
}

// IsAllowedVersion reports whether a version may be served. Without a list, every
// version and the zero Version are allowed; with one, the listed versions and the
// default are, and the zero Version only with AllowUnversioned. Specification:
// "Allowed versions".
func (v *Versioning) IsAllowedVersion(version Version) bool { return v.config.allows(version) }

// DetermineVersion returns the version that the request asks for: an allowed version,
// the default version, or the zero Version. A rejected request is an [*Error]; any
// other error is a programming error, such as [ErrNotImplemented]. Specification: "The
// schemes".
func (v *Versioning) DetermineVersion(r Request) (Version, error) {
	var call Call
	call.Request = r
	result := v.unbound.Begin(&call, nil)
	if call.Err != nil {
		return Version{}, call.Err
	}
	return result.version, nil
}

// Explain returns the configuration, what each kind of request gets, and possible
// mistakes. The Explain of an adapter lists the routes as well.
func (v *Versioning) Explain() *Explanation { return v.unbound.Explain() }
