package verso

import (
	"errors"
	"slices"

	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/internal/inside"
	"github.com/goverso/verso/core/internal/nils"
	"github.com/goverso/verso/core/internal/roster"
	"github.com/goverso/verso/core/source"
)

// Versioning is the configuration of a service: where a request has its version, and
// which versions are served. [New] and the constructors of package scheme return one; the
// zero Versioning is not valid, and panics where it is used. It is immutable, but for
// [Versioning.AddReview], and safe for concurrent use.
//
// The New of an adapter installs it in a framework.
type Versioning struct {
	name   string
	source source.Source
	config Config
	kept   inside.Parts
}

func init() { inside.Of = func(v any) *inside.Parts { return v.(*Versioning).made() } }

// made returns the parts that New made.
func (v *Versioning) made() *inside.Parts {
	if v.kept.Set == nil {
		panic(errors.New("verso: the Versioning is empty: make it with verso.New or verso.MustNew"))
	}
	return &v.kept
}

// New returns the versioning of a source. The error joins a [*Finding] for each
// mistake in the configuration.
func New(from source.Source, config Config) (*Versioning, error) {
	return NewScheme("", from, config)
}

// MustNew is [New] for a configuration in source code. It panics if that has mistakes.
func MustNew(from source.Source, config Config) *Versioning { return Must(New(from, config)) }

// Must returns the value, or panics with err. It is for configurations in source code.
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// NewScheme is [New] for a scheme that has another name than its source, and that rejects
// a request without a version as it rejects one for a version that is not served: those of
// package scheme.
func NewScheme(name string, from source.Source, config Config) (*Versioning, error) {
	if nils.Is(from) {
		return nil, finding.Mistake(codes.SourceMissing, "version")
	}
	findings := config.prepare()
	versions := config.versionsOverTime()
	set, err := roster.NewSet(roster.Config{
		Known: config.knownVersions(), Listed: len(config.listed()), Any: config.allowsAny(),
		Dotless: len(config.Strict.AllowedHosts) > 0, Default: config.DefaultVersion.String(),
		HasDefault: !config.DefaultVersion.IsNone(),
		Produces:   config.Produces, Catalogue: versions, Clock: config.Clock,
	})
	if err != nil {
		return nil, finding.Joined(append(findings, finding.Of(codes.Produces, err)))
	}
	v := &Versioning{name: name, source: from, config: config}
	v.kept = inside.Parts{
		Config: &v.config, Described: from.Describe(), Set: set,
		Served: set.At(nil, config.Strict.RefuseContradictions),
		Listed: config.listed(), Catalogue: versions, Reviews: new(inside.Reviews),
	}
	if described := &v.kept.Described; name == "" {
		v.name = described.Name
	} else {
		described.Missing = described.Invalid
	}
	if v.kept.Findings, err = finding.Refusals(append(findings,
		checkDescription(&v.kept.Described, v.kept.Served)...)); err != nil {
		return nil, err
	}
	v.kept.Dated = config.Catalogue != nil && !config.Catalogue.IsPlain()
	return v, nil
}

// Name returns the name of the scheme, "URLPathVersioning", or that of the
// source.
func (v *Versioning) Name() string { return v.name }

// Versions returns the known versions in order, the oldest first. A default version
// that is not in the list is the last. It returns none if every version is served.
func (v *Versioning) Versions() []Version {
	all := v.made().Set.Known
	versions := make([]Version, len(all))
	for i, known := range all {
		versions[i] = V(known)
	}
	return versions
}

// Vary returns the names of the request headers that decisions may depend on.
func (v *Versioning) Vary() []string { return slices.Clone(v.made().Described.Headers) }

// AddReview adds a function that Explain of an adapter asks for findings about what belongs to v and no route may have, such
// as a history of its bodies.
func (v *Versioning) AddReview(find func() []Finding) { v.made().Reviews.Add(find) }

// Source returns the source that versions are read from.
func (v *Versioning) Source() source.Source { return v.source }

// Sources returns the names of the sources that versions are read from, those in
// combined sources: see [source.Description].
func (v *Versioning) Sources() (names []string) {
	described := &v.made().Described
	for _, part := range described.Parts {
		names = append(names, part.Describe().Name)
	}
	if len(names) == 0 {
		names = []string{described.Name}
	}
	return names
}

// IsAllowedVersion reports whether a version may be served. Without a list, every
// version and the zero Version are allowed; with one, the listed versions and the
// default are, and the zero Version only with AllowUnversioned. Specification:
// "Allowed versions".
func (v *Versioning) IsAllowedVersion(version Version) bool {
	set := v.made().Set
	if set.Any || version.IsNone() {
		return set.Any || v.config.AllowUnversioned
	}
	return set.Lookup(version.String()) != nil
}

// checkDescription returns the mistakes in a description, and those that its Check finds.
func checkDescription(d *source.Description, served *roster.Versions) (findings []Finding) {
	if d.Name == "" {
		findings = append(findings, finding.Of(codes.SourceName))
	}
	for _, r := range []source.Rejection{d.Invalid, d.Missing} {
		if r != (source.Rejection{}) && (r.Status < 400 || r.Status > 599 || r.Message == "") {
			findings = append(findings, finding.Of(codes.SourceRejection, d.Name, r.Status, r.Message))
		}
	}
	if d.Check != nil {
		findings = append(findings, d.Check((*source.ServedVersions)(served))...)
	}
	return findings
}
