package verso

import (
	"errors"
	"fmt"
	"strings"
)

// decide decides on a request.
func (b *Binding) decide(c *Call) {
	c.binding = b
	r := &c.Request
	if r.router == nil {
		r.router = b.router
	}
	v := b.api
	if v.source == nil {
		c.Err = notImplementedError{v.name}
		return
	}
	p := planOf(r.route)
	switch {
	case p != nil && p.neutral:
		c.exempt, c.result = true, &b.none[0]
	case r.mayBePreflight() && r.isPreflight():
		b.preflight(c, p)
	default:
		b.determine(c, p)
	}
}

// preflight decides on a CORS preflight. A rejected preflight would hide the response
// to the actual request from the browser, so a route for OPTIONS rejects none. A route
// for any method, whose handler may not recognise it, rejects it if its URL has a
// version that is unknown or has ended.
func (b *Binding) preflight(c *Call, p *plan) {
	onlyOptions := c.Request.onlyOptions()
	if onlyOptions && (p == nil || !p.dispatches) {
		c.exempt, c.result = true, &b.none[0]
		return
	}
	b.determine(c, p)
	rejected, ok := c.Err.(*Error) //nolint:errorlint // as in Rejected
	if ok && !onlyOptions && rejected.rejection == &unknownHost {
		// The host must not hide that the version is unknown.
		*c = Call{Kept: c.Kept, binding: b, Request: c.Request, anyHost: true}
		b.determine(c, p)
		rejected, _ = c.Err.(*Error) //nolint:errorlint // as in Rejected
	}
	if !ok || rejected != nil && !onlyOptions && rejected.namedInURL && rejected.isOfVersion() {
		return
	}
	*c = Call{Kept: c.Kept, binding: b, Request: c.Request, exempt: true, result: &b.none[0]}
}

// determine determines the version of a request to a route.
func (b *Binding) determine(c *Call, p *plan) {
	v := b.api
	if !b.begun.Load() {
		b.sayOnce()
	}
	if p == severalNamespaces {
		c.Err = fmt.Errorf("verso: the routes of %q are in several namespaces, and some carry no check of the version: register them with v", c.Request.route.Path)
		return
	}
	if v.dated || p != nil {
		b.overTime(c, p)
		return
	}
	var reading Reading
	read(v.source, &c.Request, b.served, &reading)
	if !v.isSound(&reading) {
		c.Err = v.misread(&reading)
		return
	}
	c.vary, c.named = v.vary[reading.Looked], reading.Outcome == Found
	if c.named && v.plain { // the usual case
		if version := b.served.found(&reading); version != nil {
			c.result = &version.results[reading.Part]
			return
		}
	}
	b.sayNowhereOnce(&reading)
	if c.rejectsHost() {
		c.Err = v.reject(&unknownHost, &Reading{}) // whatever it asks for
		return
	}
	c.result, c.Err = b.resolve(&reading, b.served)
}

// isSound reports whether a source has kept its contract.
func (v *Versioning) isSound(reading *Reading) bool {
	if v.combined {
		return uint(reading.Looked) < uint(len(v.vary)) && uint(reading.Part) < uint(len(v.parts))
	}
	sound := reading.Looked == 0 && reading.Part == 0
	if sound && reading.Outcome == Found {
		reading.Part = 1 // the source itself
	}
	return sound
}

func (c *Call) rejectsHost() bool {
	strict := &c.binding.api.config.Strict
	return len(strict.hosts) > 0 && !c.anyHost && !strict.serves(c.Request.Host())
}

// resolve returns the decision for a reading.
func (b *Binding) resolve(reading *Reading, served *Served) (*Result, error) {
	v := b.api
	rejection := v.parts[reading.Part].invalid
	if strict := v.config.Strict.rejects(reading, rejection); strict != nil {
		return nil, v.reject(strict, reading)
	}
	switch reading.Outcome {
	case Found:
		if version := served.found(reading); version != nil {
			return &version.results[reading.Part], nil
		}
		if served.set.any {
			return &Result{version: V(strings.Clone(reading.Text)), binding: b, part: reading.Part, index: -1, own: true}, nil
		}
	case Absent, Nowhere:
		if (reading.Outcome == Nowhere || !v.denied) && served.has(b.absent) {
			return b.absent, nil
		}
		rejection = v.parts[reading.Part].missing
	case Unversioned:
		if v.config.allows(Version{}) {
			return &b.none[reading.Part], nil
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
	part := &v.parts[reading.Part]
	return &Error{
		Source:     part.name,
		Status:     rejection.Status,
		MessageID:  rejection.Message,
		Message:    rejection.english(),
		Asked:      strings.Clone(reading.Text),
		HasAsked:   reading.Outcome == Found || reading.Outcome == Contradicting,
		rejection:  rejection,
		namedInURL: part.inURL && reading.Outcome == Found,
	}
}

// isOfVersion reports whether the version is the reason: it is unknown, or has
// ended.
func (e *Error) isOfVersion() bool {
	switch e.rejection {
	case &versionGone:
		return true
	case &missingVersion, &notAcceptable, &contradicting, &emptyVersion, &unknownHost,
		&versionBrownout, &routeGone, &notInVersion, &methodNotInVersion:
		return false
	}
	return true // that of the source
}

// misread returns the error of a source that failed or broke its contract.
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
		v.name, reading.Outcome, reading.Part, len(v.vary)-1, reading.Looked)
}
