package adapter

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/inside"
	"github.com/goverso/verso/core/internal/origin"
	"github.com/goverso/verso/core/internal/prefix"
	"github.com/goverso/verso/core/internal/roster"
	"github.com/goverso/verso/core/source"
)

// engine is a [verso.Versioning], prepared for requests.
type engine struct {
	*verso.Versioning
	inside.Parts

	source   source.Source
	config   *verso.Config
	versions []verso.Version                   // by slot
	stages   []atomic.Pointer[roster.Versions] // by stage of the catalogue; made when first asked for
	parts    []part
	constant []*constant // by how many parts were looked at
	lastPart uint        // that a reading may have
	answers  *answers
	journal  *onceLogger
	clock    stillness
	hosts    []string      // Strict.AllowedHosts in the form of Links.TrustedHosts
	fixed    origin.Origin // Links.Origin

	denied      bool            // the default is not allowed
	combined    bool            // there are several sources
	linked      int             // the first part in the URL, 0: the version is not in the URL
	stored      []source.Source // the parts that read what is stored for a request
	prefix      *prefix.Prefix  // nil: no part reads a path prefix
	byNamespace bool            // a part reads the namespace of the route
	pathParams  []string        // that parts read

	expose       *catalogue.Field  // nil: none
	servedFields []catalogue.Field // by version, nil: none

	contentType func(resource string, v verso.Version) (string, error) // nil: no source has one
}

// newEngine prepares a versioning for requests.
func newEngine(api *verso.Versioning) *engine {
	v := &engine{Versioning: api, Parts: *inside.Of(api), source: api.Source()}
	v.config = v.Config.(*verso.Config)
	v.journal = &onceLogger{logger: v.config.Logger, acknowledged: v.config.Acknowledged}
	for _, known := range v.Set.All {
		v.versions = append(v.versions, verso.V(known.Text))
	}
	v.versions = append(v.versions, verso.Version{})
	if v.Catalogue != nil {
		v.stages = make([]atomic.Pointer[roster.Versions], v.Catalogue.Stages())
	}
	if v.Dated {
		v.addFields()
	}
	v.addParts(v.Described)
	for _, domain := range v.config.Strict.AllowedHosts {
		v.hosts = append(v.hosts, domain, "*."+domain)
	}
	if v.config.Links.Origin != "" {
		v.fixed, _ = origin.Split(v.config.Links.Origin, v.config.Links.TrustedHosts) // which New has checked
	}
	v.denied = !v.IsAllowedVersion(v.config.DefaultVersion)
	v.answers = newAnswers(v.config, v.Set.Known)
	return v
}

// part is a source in a combined source, or the source itself, with the default rejections.
type part struct {
	source source.Source
	source.Description
}

// addFields prepares the headers of the catalogue that never change.
func (v *engine) addFields() {
	if expose, ok := v.Catalogue.ExposeField(); ok {
		v.expose = &expose
	}
	for index := range v.Catalogue.Versions() {
		if served, ok := v.Catalogue.ServedField(index); ok {
			v.servedFields = append(v.servedFields, served)
		}
	}
}

// addParts prepares the parts: first the source itself, for requests in which no part
// has a version, then the parts of a combined source, or the source again.
func (v *engine) addParts(d source.Description) {
	v.addPart(v.source, d)
	v.combined = len(d.Parts) > 0
	if !v.combined {
		v.addPart(v.source, d)
	}
	for _, from := range d.Parts {
		v.addPart(from, from.Describe())
	}
	private := func(p part) bool { return p.Stored && len(p.Headers) == 0 }
	v.constant = []*constant{newConstant(d.Headers, v.expose, slices.ContainsFunc(v.parts[1:], private))}
	if !v.combined {
		return
	}
	v.lastPart = uint(len(v.parts)) - 1
	var looked []string
	for i, p := range v.parts[1:] {
		for _, name := range p.Headers {
			if !slices.Contains(looked, name) {
				looked = append(looked, name)
			}
		}
		v.constant = append(v.constant, newConstant(looked, v.expose, slices.ContainsFunc(v.parts[1:i+2], private)))
	}
}

func (v *engine) addPart(from source.Source, d source.Description) {
	d.Invalid, d.Missing = cmp.Or(d.Invalid, invalidVersion), cmp.Or(d.Missing, missingVersion)
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
	if d.Stored && len(v.parts) > 0 {
		v.stored = append(v.stored, from)
	}
	v.parts = append(v.parts, part{from, d})
}

// errMisread returns the error of a source that failed or broke its contract.
func (v *engine) errMisread(reading *source.Reading) error {
	if reading.Outcome != source.Failed {
		return fmt.Errorf("verso: the source %s returned outcome %d, part %d of %d, %d looked at: see source.Reading",
			v.Name(), reading.Outcome, reading.Part, len(v.constant)-1, reading.PartsRead)
	}
	switch rejection := errors.As(reading.Err, new(*verso.Error)); {
	case reading.Err == nil:
		return fmt.Errorf("verso: the source %s failed without an error: set Reading.Err", v.Name())
	case rejection:
		return fmt.Errorf("verso: the source %s failed with a rejection (%s): to reject a request, return another outcome", v.Name(), reading.Err.Error())
	case errors.Is(reading.Err, verso.ErrNotImplemented):
		return reading.Err
	}
	return fmt.Errorf("verso: the source %s failed: %w", v.Name(), reading.Err)
}

// versionFor returns the version that a reading is for. The error is a rejection, or that
// of a source that broke its contract.
func (v *engine) versionFor(reading *source.Reading, served *roster.Versions) (*roster.Version, error) {
	version, rejection, err := v.find(reading, served.Lookup(reading.Text), served)
	if rejection != nil {
		err = newError(v.parts[reading.Part].Name, rejection, reading)
	}
	return version, err
}

// find is versionFor with the rejection, for the version that has the text, or nil.
func (v *engine) find(reading *source.Reading, known *roster.Version, served *roster.Versions) (*roster.Version,
	*source.Rejection, error) {
	rejection := &v.parts[reading.Part].Invalid
	switch strict := &v.config.Strict; {
	case strict.RefuseEmpty && reading.Outcome == source.Found && reading.Text == "":
		return nil, &emptyVersion, nil
	case strict.RefuseUnversioned && (reading.Outcome == source.NoPlace || reading.Outcome == source.Unversioned):
		return nil, rejection, nil
	}
	switch reading.Outcome {
	case source.Found:
		if known != nil {
			return known, nil, nil
		}
		if v.Set.Any {
			return &roster.Version{Text: strings.Clone(reading.Text), Slot: -1, Index: -1}, nil, nil
		}
	case source.Absent, source.NoPlace:
		if version := v.byDefault(); (reading.Outcome == source.NoPlace || !v.denied) && served.Has(version) {
			return version, nil, nil
		}
		rejection = &v.parts[reading.Part].Missing
	case source.Unversioned:
		if v.IsAllowedVersion(verso.Version{}) {
			return v.Set.None, nil, nil
		}
	case source.Contradicting:
		rejection = &contradicting
	case source.NotAcceptable:
		rejection = &notAcceptable
	case source.Malformed:
		rejection = &invalidVersion
	default:
		return nil, nil, v.errMisread(reading)
	}
	return nil, rejection, nil
}

// byDefault returns the version of a request without a version.
func (v *engine) byDefault() *roster.Version {
	if d := v.config.DefaultVersion; !d.IsNone() {
		return v.Set.Lookup(d.String())
	}
	return v.Set.None
}

// unversionedAt decides on a request that asks for no version, by the default
// version. It returns the version that the request is decided by.
func (v *engine) unversionedAt(moment catalogue.Moment, table *catalogue.Table) (*roster.Version, catalogue.Decision) {
	byDefault := v.byDefault()
	d := table.Decide(moment, byDefault.Index)
	if d.State != catalogue.Ended {
		return byDefault, d
	}
	switch v.config.AfterDefaultSunset {
	case verso.RejectUnversioned:
		d = catalogue.Decision{Outcome: catalogue.VersionGone, State: d.State, Version: -1, Fields: d.Fields}
	case verso.MoveUnversioned:
		if next, ok := moment.Next(byDefault.Index); ok {
			return v.Set.All[next], table.Decide(moment, next)
		}
	}
	return byDefault, d
}

// at returns what is served at a moment.
func (v *engine) at(moment catalogue.Moment) *roster.Versions {
	stage := &v.stages[moment.Stage()]
	served := stage.Load()
	if served == nil {
		served = v.Set.At(&moment, v.config.Strict.RefuseContradictions)
		stage.Store(served)
	}
	return served
}
