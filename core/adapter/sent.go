package adapter

import (
	"errors"
	"fmt"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/source"
)

// Sent decides in which version a service sends something by itself, such as a webhook: no
// request has the version of its receiver, so the service has stored it. A Sent is immutable
// and safe for concurrent use. The zero Sent is not valid: [NewSent] returns one.
type Sent struct {
	api   *engine
	table *catalogue.Table
}

// NewSent returns what is sent in the versions that [verso.Since] and [verso.RemovedIn] leave.
// Other options are mistakes. The errors are [*verso.Finding]s, joined.
func NewSent(api *verso.Versioning, options ...verso.RouteOption) (*Sent, error) {
	v, o := newEngine(api), optionsOf(options)
	var wrong error
	if o.Neutral || o.Dated || o.Dispatches || o.Names != nil || o.Used != nil || o.Config.Choices != nil {
		wrong = finding.Mistake(codes.SentOption)
	}
	o.Neutral, o.Dated, o.Dispatches, o.Versioned, o.Config = false, false, false, true,
		catalogue.RouteConfig{Since: o.Config.Since, RemovedIn: o.Config.RemovedIn}
	plan, err := v.plan(&o)
	if err = errors.Join(wrong, err); err != nil {
		return nil, err
	}
	return &Sent{v, plan.table}, nil
}

// In reports whether a version has what is sent, whenever the version ends.
func (s *Sent) In(version verso.Version) bool {
	index, ok := s.api.Catalogue.Index(version.String())
	return ok && s.table.Has(index)
}

// Version returns the version whose form a receiver gets now: its stored version, or the
// version that answers requests for it after its end. Brownouts do not count. It fails
//
//   - with the [*verso.Error] of a request, if the stored version has ended;
//   - with [verso.ErrNotInVersion], if the version that would answer does not have it;
//   - with [verso.ErrUnknownVersion], if the stored version is none, is not in the catalogue,
//     or is not released.
func (s *Sent) Version(stored verso.Version) (verso.Version, error) {
	v := s.api
	index, ok := v.Catalogue.Index(stored.String())
	if !ok || stored.IsNone() {
		return verso.Version{}, fmt.Errorf("%w: %q", verso.ErrUnknownVersion, stored)
	}
	moment := v.Catalogue.At(v.now(&plan{}))
	switch d := s.table.Decide(moment, index); {
	case d.Outcome == catalogue.Unknown:
		return verso.Version{}, fmt.Errorf("%w: %q is not released", verso.ErrUnknownVersion, stored)
	case d.Outcome == catalogue.VersionGone:
		gone := newError(v.parts[0].Name, &versionGone, &source.Reading{Outcome: source.Found, Text: stored.String()})
		v.addEnd(gone, s.table, moment, index)
		return verso.Version{}, gone
	case !s.table.Has(d.Version):
		return verso.Version{}, fmt.Errorf("%w: %q", verso.ErrNotInVersion, v.Catalogue.Versions()[d.Version])
	default:
		return v.versions[d.Version], nil
	}
}

// ServedField returns the header field that names a version, without a name if the catalogue
// has none.
func (s *Sent) ServedField(version verso.Version) catalogue.Field {
	if index, ok := s.api.Catalogue.Index(version.String()); ok && s.api.servedFields != nil {
		return s.api.servedFields[index]
	}
	return catalogue.Field{}
}
