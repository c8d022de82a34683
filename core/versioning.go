package verso

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
)

// Versioning is what an adapter does with a request: it determines the version,
// describes a rejection, and builds links. It is made once, by [New] or by the
// constructor of a scheme, does not change, is safe for concurrent use, and
// knows no framework.
type Versioning struct {
	name     string
	source   Source // nil: the specification's base scheme
	config   Config
	served   *Served // over all time
	parts    []part
	vary     [][]string // by how many parts were looked at
	none     []Result   // of requests without a version
	absent   *Result    // of requests for the default version, by no part
	denied   bool       // the default is not allowed
	findings []Finding  // warnings
	answers  *answers
	routes   func(Request) *route.Table // nil: there are no routes

	catalogue    *catalogue.Catalogue     // of the versions; nil: every version is served
	plain        bool                     // nothing but the look-up decides on a version that was found
	dated        bool                     // it is that of the configuration, and says more than a list
	stages       []atomic.Pointer[Served] // what is served, by stage of the catalogue; made when it is first asked for
	expose       *Field                   // nil: none
	servedFields []Field                  // by version, nil: none

	planned     *atomic.Bool // a route has a plan
	said        *atomic.Bool // the warnings were logged
	saidHost    *atomic.Bool // and that a link has an unchecked host
	saidNowhere *atomic.Bool // and that a host has no place for a version
	saidPanic   *atomic.Bool // and that a function of the user's panicked

	contentType func(resource string, v Version) (string, error) // nil: no source has one
}

// part is one of the sources that a source is made of, or the source itself.
type part struct {
	name      string
	headers   []string
	pathParam string
	invalid   *Rejection
	missing   *Rejection
}

// New returns the versioning of a source. What is wrong with the configuration
// is an error: the [*ConfigError] of each mistake, joined.
func New(source Source, config Config) (*Versioning, error) {
	findings := config.checkUnread()
	if isNil(source) {
		return nil, joined(append(findings, refuse("source_missing", "Source", "there is no source: give one, such as verso.PathParam(%q)", "version")))
	}
	return newVersioning("", source, config, findings)
}

// newVersioning returns the versioning of a source, nil for the base scheme,
// under a name, "" for that of the source.
func newVersioning(name string, source Source, config Config, findings []Finding) (*Versioning, error) {
	findings = append(findings, config.prepare()...)
	set, err := newVersionSet(&config)
	if err != nil {
		return nil, joined(append(findings, refuse("produces", "Produces", "%w", err)))
	}
	served := set.servedAt(nil, config.Strict.RefuseContradictions)
	var described Description
	if source != nil {
		described = source.Describe()
		findings = append(findings, described.check(served)...)
	}
	warnings, err := refusals(findings)
	if err != nil {
		return nil, err
	}
	v := &Versioning{name: name, source: source, config: config, served: served, findings: warnings}
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
	v.plain = config.Strict.isZero()
	v.denied = !config.allows(config.DefaultVersion)
	v.answers = newAnswers(v)
	v.connect()
	return v, nil
}

// addFields makes the fields of the catalogue ready that are always the same.
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

// check returns what is wrong with a description and what it describes.
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

// addParts makes the parts ready: first the source itself, then those that it is
// made of.
func (v *Versioning) addParts(d Description) {
	v.parts, v.contentType = []part{newPart(d)}, d.ContentType
	for _, source := range d.Parts {
		described := source.Describe()
		v.parts = append(v.parts, newPart(described))
		if v.contentType == nil {
			v.contentType = described.ContentType
		}
	}
	v.vary = [][]string{slices.Clip(d.Headers)}
	var looked []string
	for _, p := range v.parts[1:] {
		for _, name := range p.headers {
			if !slices.Contains(looked, name) {
				looked = append(slices.Clip(looked), name)
			}
		}
		v.vary = append(v.vary, looked)
	}
}

func newPart(d Description) part {
	p := part{d.Name, d.Headers, d.PathParam, &d.Invalid, &d.Missing}
	if d.Invalid == (Rejection{}) {
		p.invalid = &invalidVersion
	}
	if d.Missing == (Rejection{}) {
		p.missing = &missingVersion
	}
	return p
}

// connect makes what requests keep, which leads back to v.
func (v *Versioning) connect() {
	v.said, v.saidHost, v.saidNowhere, v.saidPanic = new(atomic.Bool), new(atomic.Bool), new(atomic.Bool), new(atomic.Bool)
	if v.planned == nil { // copies share it, or a plan that was made of one would mean nothing to another
		v.planned = new(atomic.Bool)
	}
	v.served = v.served.set.connectedTo(v).servedAt(nil, v.config.Strict.RefuseContradictions)
	if v.catalogue != nil {
		v.stages = make([]atomic.Pointer[Served], v.catalogue.Stages())
	}
	v.none = v.resultsOf(Version{}, -1)
	v.absent = &v.none[0]
	if d := v.config.DefaultVersion; !d.IsNone() {
		v.absent = &v.served.lookup(d.String()).results[0]
	}
}

// resultsOf returns the results of a version, by the part that decided.
func (v *Versioning) resultsOf(version Version, index int) []Result {
	if v.catalogue == nil || index >= len(v.catalogue.Versions()) {
		index = -1
	}
	results := make([]Result, len(v.parts))
	for part := range results {
		results[part] = Result{version, v, part, index}
	}
	return results
}

// at returns what is served at a moment.
func (v *Versioning) at(moment catalogue.Moment) *Served {
	stage := &v.stages[moment.Stage()]
	served := stage.Load()
	if served == nil {
		served = v.served.set.servedAt(&moment, v.config.Strict.RefuseContradictions)
		stage.Store(served)
	}
	return served
}

// WithRoutes returns a copy whose results build links to the given routes. An
// adapter makes one for each middleware. The function is given the request that
// a link is built in, the zero Request outside of one.
func (v *Versioning) WithRoutes(routes func(Request) *route.Table) *Versioning {
	with := *v
	with.routes = routes
	with.connect()
	return &with
}

// Name returns the name of the scheme, "URLPathVersioning", or that of the
// source.
func (v *Versioning) Name() string { return v.name }

// Versions returns the known versions in order, the oldest first, and behind
// them the default version, if it is not in the list. It is empty when every
// version is served.
func (v *Versioning) Versions() []Version {
	versions := make([]Version, len(v.served.Versions()))
	for i, text := range v.served.Versions() {
		versions[i] = V(text)
	}
	return versions
}

// Vary names the request headers that decisions may depend on. [Decision.Vary]
// names those of one request.
func (v *Versioning) Vary() []string { return slices.Clone(v.vary[0]) }

// IsAllowedVersion reports whether a version may be served. Without a list every
// version is, and none; otherwise those in the list and the default, and none
// with AllowUnversioned only. Specification: "Allowed versions".
func (v *Versioning) IsAllowedVersion(version Version) bool { return v.config.allows(version) }

// DetermineVersion returns the version that the request asks for: one that is
// allowed, the default version, or none. A request that is rejected is an
// [*Error]; any other error is a programming error, such as [ErrNotImplemented].
// Specification: "The schemes".
func (v *Versioning) DetermineVersion(r Request) (Version, error) {
	decision, err := v.Determine(r)
	if err != nil {
		return Version{}, err
	}
	return decision.Result.Version, nil
}

// Determine decides on a request that matched a route: see
// [Versioning.DetermineVersion] for the errors. The decision has the fields of
// the response in either case. A CORS preflight is not looked at and has no
// version: a browser must see the answer to the request behind it.
//
// For a version that the configuration names it returns the same result each
// time and allocates nothing.
func (v *Versioning) Determine(r Request) (decision Decision, err error) {
	if v.source == nil {
		return Decision{}, notImplementedError{v.name}
	}
	if r.isPreflight() {
		return Decision{Result: &v.none[0], exempt: true}, nil
	}
	if !v.said.Load() {
		v.sayOnce(r)
	}
	var plan *Plan
	if v.planned.Load() {
		r.route = r.Route()
		if plan = planOf(r.route); plan != nil && plan.neutral {
			return Decision{Result: &v.none[0], exempt: true}, nil
		}
	}
	if v.dated || plan != nil {
		return v.overTime(r, plan)
	}
	reading := v.source.Read(r, v.served)
	if !v.isSound(&reading) {
		return Decision{}, v.misread(&reading)
	}
	decision.Vary, decision.named = v.vary[reading.Looked], reading.Outcome == Found
	if decision.named && v.plain { // the usual case
		if version := v.served.found(&reading); version != nil {
			decision.Result = &version.results[reading.Part]
			return decision, nil
		}
	}
	v.sayNowhereOnce(&reading)
	if v.rejectsHost(r) {
		return decision, v.reject(&unknownHost, &Reading{}) // whatever it asks for
	}
	decision.Result, err = v.decide(&reading, v.served)
	return decision, err
}

// isSound reports whether a source kept its contract.
func (v *Versioning) isSound(reading *Reading) bool {
	return uint(reading.Looked) < uint(len(v.vary)) && uint(reading.Part) < uint(len(v.parts))
}

func (v *Versioning) rejectsHost(r Request) bool {
	strict := &v.config.Strict
	return len(strict.hosts) > 0 && !strict.serves(r.Host())
}

// decide returns what a reading leads to.
func (v *Versioning) decide(reading *Reading, served *Served) (*Result, error) {
	if !v.config.Strict.isZero() {
		if rejection := v.config.Strict.rejects(reading, v.parts[reading.Part].invalid); rejection != nil {
			return nil, v.reject(rejection, reading)
		}
	}
	if reading.Outcome == Found {
		if version := served.found(reading); version != nil {
			return &version.results[reading.Part], nil
		}
	}
	return v.resolve(reading, served)
}

// resolve decides on a reading that has no known version.
func (v *Versioning) resolve(reading *Reading, served *Served) (*Result, error) {
	rejection := v.parts[reading.Part].invalid
	switch reading.Outcome {
	case Found:
		if served.set.any {
			return &Result{V(strings.Clone(reading.Text)), v, reading.Part, -1}, nil
		}
	case Absent:
		if !v.denied && served.has(v.absent) {
			return v.absent, nil
		}
		rejection = v.parts[reading.Part].missing
	case Nowhere:
		if served.has(v.absent) {
			return v.absent, nil
		}
		rejection = v.parts[reading.Part].missing
	case Unversioned:
		if v.config.allows(Version{}) {
			return &v.none[reading.Part], nil
		}
	case Contradicting:
		rejection = &contradicting
	case NotAcceptable:
		rejection = &notAcceptable
	case Malformed:
		rejection = &invalidVersion
	default:
		return nil, v.misread(reading)
	}
	return nil, v.reject(rejection, reading)
}

// reject returns the error of a rejected request.
func (v *Versioning) reject(rejection *Rejection, reading *Reading) *Error {
	return &Error{
		Source:    v.parts[reading.Part].name,
		Status:    rejection.Status,
		MessageID: rejection.Message,
		Message:   rejection.english(),
		Asked:     strings.Clone(reading.Text),
		HasAsked:  reading.Outcome == Found || reading.Outcome == Contradicting,
		rejection: rejection,
	}
}

// misread returns the error of a source that did not keep its contract, or that
// failed.
func (v *Versioning) misread(reading *Reading) error {
	if reading.Outcome == Failed {
		if reading.Err == nil {
			return fmt.Errorf("verso: the source %s failed without an error: set Reading.Err", v.name)
		}
		if _, rejection := errors.AsType[*Error](reading.Err); rejection {
			return fmt.Errorf("verso: the source %s failed with a rejection (%s): to reject a request, return another outcome", v.name, reading.Err.Error())
		}
		return fmt.Errorf("verso: the source %s failed: %w", v.name, reading.Err)
	}
	return fmt.Errorf("verso: the source %s returned outcome %d, part %d of %d, %d looked at: see verso.Reading",
		v.name, reading.Outcome, reading.Part, len(v.parts)-1, reading.Looked)
}
