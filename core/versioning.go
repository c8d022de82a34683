package verso

import (
	"errors"
	"fmt"
	"github.com/goverso/verso/core/internal/nils"
	"github.com/goverso/verso/core/internal/prefix"
	"github.com/goverso/verso/core/internal/roster"
	"github.com/goverso/verso/core/source"
	"slices"
	"strings"
	"time"

	"github.com/goverso/verso/core/catalogue"
)

// Versioning is the configuration of a service: where a request has its version, and
// which versions are served. [New] and the constructors of package scheme return one. It
// is immutable and safe for concurrent use.
//
// The New of an adapter installs it in a framework.
type Versioning struct {
	name     string
	source   source.Source
	config   Config
	set      *roster.Set
	versions []Version        // by slot
	served   *roster.Versions // over all time
	parts    []part
	constant []*constant // by how many parts were looked at
	lastPart uint        // that a reading may have
	findings []Finding
	answers  *answers

	catalogue   *catalogue.Catalogue // of the versions; nil: every version is served
	dated       bool                 // it has dates, links or statuses, not only a list
	plain       bool                 // nothing but the look-up decides on a version that was found
	denied      bool                 // the default is not allowed
	combined    bool                 // there are several sources
	linked      int                  // the first part in the URL, 0: the version is not in the URL
	prefix      *prefix.Prefix       // nil: no part reads a path prefix
	prefixFirst bool                 // no other part overrules the path prefix
	byNamespace bool                 // a part reads the namespace of the route
	pathParams  []string             // that parts read

	expose       *catalogue.Field  // nil: none
	servedFields []catalogue.Field // by version, nil: none

	made, clock time.Time // when the versioning was made, and the time of the clock then if versions have dates

	contentType func(resource string, v Version) (string, error) // nil: no source has one
}

// part is one of the sources of a combined source, or the source itself.
type part struct {
	source source.Source
	source.Description
	invalid *source.Rejection
	missing *source.Rejection
}

// New returns the versioning of a source. The error joins a [*Finding] for each
// mistake in the configuration.
func New(source source.Source, config Config) (*Versioning, error) {
	return NewScheme("", source, config)
}

// MustNew is [New] for a configuration in source code. It panics if that has mistakes.
func MustNew(source source.Source, config Config) *Versioning { return Must(New(source, config)) }

// NewScheme is [New] for a scheme that has another name than its source, and that rejects
// a request without a version as it rejects one for a version that is not served: those of
// package scheme.
func NewScheme(name string, source source.Source, config Config) (*Versioning, error) {
	if nils.Is(source) {
		return nil, mistake("source_missing", "Source", "the source is nil: pass one, such as verso.PathParam(%q)", "version")
	}
	findings := config.prepare()
	versions, unlisted := config.versionsOverTime()
	set, err := roster.NewSet(config.roster(versions))
	if err != nil {
		return nil, joined(append(findings, refuse("produces", "Produces", "%w", err)))
	}
	v := &Versioning{name: name, source: source, config: config, set: set, catalogue: versions}
	for _, known := range set.All {
		v.versions = append(v.versions, V(known.Text))
	}
	v.versions = append(v.versions, Version{})
	v.served = set.At(nil, config.Strict.RefuseContradictions)
	described := source.Describe()
	if name == "" {
		v.name = described.Name
	} else {
		described.Missing = described.Invalid
	}
	if v.findings, err = refusals(append(findings, checkDescription(&described, v.served)...)); err != nil {
		return nil, err
	}
	if unlisted != nil {
		return nil, joined(catalogueFindings("AllowedVersions", unlisted))
	}
	if v.dated = config.Catalogue != nil && !config.Catalogue.IsPlain(); v.dated {
		v.addFields()
		v.made, v.clock = time.Now(), config.Clock()
	}
	v.addParts(described)
	v.plain = len(config.Strict.hosts) == 0 // the empty version is never known then: see Strictness
	v.denied = !config.allows(config.DefaultVersion)
	v.answers = newAnswers(v)
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

// addParts prepares the parts: first the source itself, for requests in which no part
// has a version, then the parts of a combined source, or the source again.
func (v *Versioning) addParts(d source.Description) {
	v.addPart(v.source, d)
	v.combined = len(d.Parts) > 0
	if !v.combined {
		v.addPart(v.source, d)
	}
	v.prefixFirst = d.PrefixDecides
	for _, source := range d.Parts {
		v.addPart(source, source.Describe())
	}
	v.constant = []*constant{newConstant(d.Headers, v.expose)}
	if !v.combined {
		return
	}
	v.lastPart = uint(len(v.parts)) - 1
	var looked []string
	for _, p := range v.parts[1:] {
		for _, name := range p.Headers {
			if !slices.Contains(looked, name) {
				looked = append(looked, name)
			}
		}
		v.constant = append(v.constant, newConstant(looked, v.expose))
	}
}

func (v *Versioning) addPart(from source.Source, d source.Description) {
	p := part{from, d, &d.Invalid, &d.Missing}
	if d.Invalid == (source.Rejection{}) {
		p.invalid = &invalidVersion
	}
	if d.Missing == (source.Rejection{}) {
		p.missing = &missingVersion
	}
	if v.contentType == nil {
		v.contentType = d.ContentType
	}
	if d.PathPrefix != "" {
		v.prefix = prefix.Parse(d.PathPrefix)
	}
	if d.Place != source.NotInURL && v.linked == 0 {
		v.linked = len(v.parts)
	}
	v.byNamespace = v.byNamespace || d.Namespace
	if d.PathParam != "" && len(v.parts) > 0 {
		v.pathParams = append(v.pathParams, d.PathParam)
	}
	v.parts = append(v.parts, p)
}

// Name returns the name of the scheme, "URLPathVersioning", or that of the
// source.
func (v *Versioning) Name() string { return v.name }

// Versions returns the known versions in order, the oldest first. A default version
// that is not in the list is the last. It returns none if every version is served.
func (v *Versioning) Versions() []Version {
	return append(make([]Version, 0, len(v.set.Known)), v.versions[:len(v.set.Known)]...)
}

// Vary returns the names of the request headers that decisions may depend on.
func (v *Versioning) Vary() []string { return slices.Clone(v.parts[0].Headers) }

// Source returns the source that versions are read from.
func (v *Versioning) Source() source.Source { return v.source }

// Sources returns the names of the sources that versions are read from, those in
// combined sources: see [source.Description].
func (v *Versioning) Sources() (names []string) {
	for _, p := range v.parts[1:] {
		names = append(names, p.Name)
	}
	return names
}

// IsAllowedVersion reports whether a version may be served. Without a list, every
// version and the zero Version are allowed; with one, the listed versions and the
// default are, and the zero Version only with AllowUnversioned. Specification:
// "Allowed versions".
func (v *Versioning) IsAllowedVersion(version Version) bool { return v.config.allows(version) }

// isSound reports whether the source has fulfilled its contract and not failed.
func (v *Versioning) isSound(reading *source.Reading) bool {
	return uint(reading.PartsRead) < uint(len(v.constant)) && uint(reading.Part) <= v.lastPart && reading.Outcome != source.Failed
}

// partOf returns the part that had the version in a reading.
func (v *Versioning) partOf(reading *source.Reading) int {
	if !v.combined && reading.Outcome == source.Found {
		return 1 // the source itself
	}
	return reading.Part
}

// misread returns the error of a source that failed or broke its contract.
func (v *Versioning) misread(reading *source.Reading) error {
	if reading.Outcome != source.Failed {
		return fmt.Errorf("verso: the source %s returned outcome %d, part %d of %d, %d looked at: see source.Reading",
			v.name, reading.Outcome, reading.Part, len(v.constant)-1, reading.PartsRead)
	}
	switch _, rejection := errors.AsType[*Error](reading.Err); {
	case reading.Err == nil:
		return fmt.Errorf("verso: the source %s failed without an error: set Reading.Err", v.name)
	case rejection:
		return fmt.Errorf("verso: the source %s failed with a rejection (%s): to reject a request, return another outcome", v.name, reading.Err.Error())
	case errors.Is(reading.Err, ErrNotImplemented):
		return reading.Err
	}
	return fmt.Errorf("verso: the source %s failed: %w", v.name, reading.Err)
}

// resolve returns the version that a reading is for. The error is a rejection, or that
// of a source that broke its contract.
func (v *Versioning) resolve(reading *source.Reading, served *roster.Versions) (*roster.Version, error) {
	rejection := v.parts[reading.Part].invalid
	if strict := v.config.Strict.rejects(reading, rejection); strict != nil {
		return nil, v.reject(strict, reading)
	}
	switch reading.Outcome {
	case source.Found:
		if version := served.Lookup(reading.Text); version != nil {
			return version, nil
		}
		if v.set.Any {
			return &roster.Version{Text: strings.Clone(reading.Text), Slot: -1, Index: -1}, nil
		}
	case source.Absent, source.NoPlace:
		if version := v.byDefault(); (reading.Outcome == source.NoPlace || !v.denied) && served.Has(version) {
			return version, nil
		}
		rejection = v.parts[reading.Part].missing
	case source.Unversioned:
		if v.config.allows(Version{}) {
			return v.set.None, nil
		}
	case source.Contradicting:
		rejection = &contradicting
	case source.NotAcceptable:
		rejection = &notAcceptable
	case source.Malformed:
		rejection = &invalidVersion
	default:
		return nil, v.misread(reading)
	}
	return nil, v.reject(rejection, reading)
}

// byDefault returns the version of a request without a version.
func (v *Versioning) byDefault() *roster.Version {
	if d := v.config.DefaultVersion; !d.IsNone() {
		return v.set.Lookup(d.String())
	}
	return v.set.None
}

// versionOf returns a version as users know it.
func (v *Versioning) versionOf(known *roster.Version) Version {
	if known.Slot >= 0 {
		return v.versions[known.Slot]
	}
	return V(known.Text)
}

// checkDescription returns the mistakes in a description, and those that its Check finds.
func checkDescription(d *source.Description, served *roster.Versions) (findings []Finding) {
	if d.Name == "" {
		findings = append(findings, refuse("source_name", "Source", "the source has no name: let Describe return one"))
	}
	for _, r := range []source.Rejection{d.Invalid, d.Missing} {
		if r != (source.Rejection{}) && (r.Status < 400 || r.Status > 599 || r.Message == "") {
			findings = append(findings, refuse("source_rejection", "Source",
				"the %s rejects with status %d, message %q: use a status of 400 to 599 and a message", d.Name, r.Status, r.Message))
		}
	}
	if d.Check != nil {
		findings = append(findings, d.Check((*source.ServedVersions)(served))...)
	}
	return findings
}

// reject returns the error of a rejected request.
func (v *Versioning) reject(rejection *source.Rejection, reading *source.Reading) *Error {
	part := &v.parts[reading.Part]
	return &Error{
		Source: part.Name, Status: rejection.Status, MessageID: rejection.Message, Message: englishOf(rejection), rejection: rejection,
		Requested: strings.Clone(reading.Text), HasRequested: reading.Outcome == source.Found || reading.Outcome == source.Contradicting,
	}
}

// decideUnversioned decides on a request that asks for no version, by the default
// version. It returns the version that the request is decided by.
func (v *Versioning) decideUnversioned(moment catalogue.Moment, table *catalogue.Table) (*roster.Version, catalogue.Decision) {
	byDefault := v.byDefault()
	d := table.Decide(moment, byDefault.Index)
	if d.State != catalogue.Ended {
		return byDefault, d
	}
	switch v.config.AfterDefaultSunset {
	case RejectUnversioned:
		d = catalogue.Decision{Outcome: catalogue.VersionGone, State: d.State, Version: -1, Fields: d.Fields}
	case MoveUnversioned:
		if next, ok := moment.Next(byDefault.Index); ok {
			return v.set.All[next], table.Decide(moment, next)
		}
	}
	return byDefault, d
}
