package adapter

import (
	"slices"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// Call is a request and the decision on it. An adapter has one on the stack of the
// function that handles the request, so that nothing is allocated, and sets its Request
// there: see [Seam.Check].
type Call struct {
	// Request is the request, which the adapter sets by [source.Request.SetHTTP] or
	// [source.Request.Set].
	Request source.Request

	// Route is the matched route for [verso.Observation], if an adapter learns it only
	// after the handler has returned.
	// Optional. Default value: nil, the route of the request.
	Route *route.Route

	exemptFromSunset bool          // no sunset and no brownout applies
	result           *verso.Result // nil: the request is rejected
	err              error         // why there is no result: an [*verso.Error], or a programming error
	fields           Fields
	rejection        *source.Rejection // what err rejects with, or nil
	exempt           bool              // there is nothing to decide
	unanswered       bool              // a CORS preflight, whose handler is not called
	outcome          source.ReadingOutcome
	lacks            []string // methods that the path of an unmatched request has in other versions only

	// For Observe.
	second int64           // in which the catalogue was asked, 0: it was not
	asked  int             // index of the version that the request is for, from 1; 0: that of result
	state  catalogue.State // of that version, zero: it is supported
}

// Fail turns the decision into a programming error, for example one in the adapter. It is
// called between [Seam.Decide] and [Seam.Proceed]: the request is answered by Seam.Fail
// instead of its handler.
func (c *Call) Fail(err error) { c.err, c.result = err, nil }

// IsRejected reports whether [Seam.Decide] has found that the request is to be rejected, or cannot be served.
func (c *Call) IsRejected() bool { return c.err != nil }

// Allow returns the Allow field with which a framework answers an unmatched request, without
// the methods that its version does not have (RFC 9110, section 10.2.1): see
// [Seam.CheckUnmatched]. An empty field is one without methods.
func (c *Call) Allow(field string) string {
	if len(c.lacks) == 0 {
		return field
	}
	methods := strings.FieldsFunc(field, func(c rune) bool { return c == ',' || c == ' ' || c == '\t' })
	lacks := func(method string) bool { return slices.Contains(c.lacks, method) }
	return strings.Join(slices.DeleteFunc(methods, lacks), ", ")
}

// namesVersion reports whether the request names a version, a wrong one or several
// included.
func (c *Call) namesVersion() bool {
	return c.outcome != source.Absent && c.outcome != source.NoPlace && c.outcome != source.Unversioned
}

// reject rejects a request.
func (c *Call) reject(v *engine, rejection *source.Rejection, reading *source.Reading) {
	_ = c.rejectEnded(v, rejection, reading)
}

// rejectEnded rejects a request with the versions that are served at the moment, and returns the
// error, to which the caller adds the dates of an end.
func (c *Call) rejectEnded(v *engine, rejection *source.Rejection, reading *source.Reading) *verso.Error {
	rejected := newError(v.parts[reading.Part].Name, rejection, reading)
	c.err, c.rejection = rejected, rejection
	if v.config.HideAllowedVersions {
		c.fields.lists = noLists
	}
	return rejected
}

var noLists = new(catalogue.Lists)
