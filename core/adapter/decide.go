package adapter

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/hostname"
	"github.com/goverso/verso/core/internal/outcome"
	"github.com/goverso/verso/core/internal/roster"
	"github.com/goverso/verso/core/internal/sources"
	"github.com/goverso/verso/core/internal/text"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// This file decides. In comes a Call: the request and the route that its check was registered with.
// Out come, in the Call, a result with the version and its place, or an error, and the response fields.
// Nothing else is read: a decision of an earlier check, or of a middleware, may be of another route. Where nothing has dates, readVersion does it with one look-up; else readVersionAt reads the clock
// once, and applyState and rejectEnded apply the state of the version and the dates of the route. Both write
// into the Call, which stays on the stack of the adapter, so a served request allocates nothing.

// decisions decides on requests.
type decisions struct {
	api    *engine
	params source.PathParams
	links  *links

	results  []verso.Result // by slot and part
	parts    int            // of which there are results
	rejected verso.Result   // of all rejected requests
	unread   *constant      // of requests that are not read
}

func newDecisions(links *links) *decisions {
	d := &decisions{api: links.api, params: links.routes.router, links: links,
		rejected: newResult(outcome.Fields{Rejected: true, Links: links}),
		unread:   newConstant(nil, links.api.expose, false), parts: len(links.api.parts)}
	for _, version := range slices.Concat(d.api.Set.All, []*roster.Version{d.api.Set.None}) {
		for part := range d.api.parts {
			d.results = append(d.results, newResult(outcome.Fields{Version: d.api.versions[version.Slot],
				Index: version.Index, Part: part, Links: links}))
		}
	}
	return d
}

// resultOf returns the result of a version, by the part that decided.
func (d *decisions) resultOf(version *roster.Version, part int) *verso.Result {
	if version.Slot >= 0 { // the usual case, which is inlined
		return &d.results[version.Slot*d.parts+part]
	}
	return d.unlisted(version, part)
}

func (d *decisions) unlisted(version *roster.Version, part int) *verso.Result {
	r := newResult(outcome.Fields{Version: verso.V(version.Text), Index: -1, Part: part, Links: d.links})
	return &r
}

func newResult(fields outcome.Fields) verso.Result { return verso.Result(outcome.New(fields)) }

// decide decides on a request, by the options of its route.
func (d *decisions) decide(c *Call) {
	r := &c.Request
	if !r.HasParams() {
		r.SetParams(d.params)
	}
	p := planOf(r.Route())
	switch {
	case p != nil && p.Neutral:
		c.exempt, c.result = true, d.resultOf(d.api.Set.None, 0)
		if p.table != nil {
			d.neutral(c, p)
		}
	case mayBePreflight(r) && isPreflight(r):
		d.preflight(c, p)
	default:
		d.readVersion(c, p)
	}
}

// mayBePreflight reports whether the route serves OPTIONS. The method of the route
// applies, since a middleware may have changed that of the request.
func mayBePreflight(r *source.Request) bool {
	if r.Route() == nil || r.Route().Method == "" {
		return r.Method() == http.MethodOptions
	}
	return r.Route().Method == http.MethodOptions
}

// neutral announces the end of a route without versions, or rejects its request after it. There
// is no version to list or to report.
func (d *decisions) neutral(c *Call, p *plan) {
	c.fields = Fields{constant: d.unread, lists: noLists, prepared: p.table.RouteFields()}
	if d.api.Catalogue == nil || c.exemptFromSunset || !p.table.Gone(d.api.Catalogue.At(d.api.config.Clock())) {
		return
	}
	c.result = nil
	c.rejectEnded(d.api, &routeGone, &source.Reading{}).Sunset = p.table.RouteSunset()
}

// preflight decides on a CORS preflight. A route without options whose handler is for
// OPTIONS alone exists to answer preflights, so they are not checked there. Elsewhere the
// host and a version that the request names are checked as in any request. A browser does
// not send the header of the request behind it, so a preflight without a version is not
// rejected. If the route has version options, its handler is not called either, because
// no version was decided.
func (d *decisions) preflight(c *Call, p *plan) {
	if p != nil || !onlyOptions(&c.Request) {
		c.Request.HideValues()
		d.readVersion(c, p)
		_, ok := c.err.(*verso.Error) //nolint:errorlint // an error of a source may wrap one
		if !ok || c.namesVersion() || c.rejection == &unknownHost {
			return
		}
	}
	*c = Call{exemptFromSunset: c.exemptFromSunset, Request: c.Request, exempt: true,
		result: d.resultOf(d.api.Set.None, 0)}
	if c.unanswered = p != nil; c.unanswered {
		d.api.journal.say(codes.PreflightUnanswered)
	}
}

// onlyOptions reports whether the handler of the route is for OPTIONS alone. A framework
// may have registered a route of other code for each method of any.
func onlyOptions(r *source.Request) bool {
	at := r.Route()
	return at != nil && at.Method == http.MethodOptions && !at.AnyMethod && !at.SharesHandler &&
		(!at.Foreign || !isOfAny(at))
}

// isPreflight reports whether the request has the fields of a CORS preflight
// (Fetch, "CORS-preflight request").
func isPreflight(r *source.Request) bool {
	_, origin := r.Header("Origin")
	_, method := r.Header("Access-Control-Request-Method")
	return origin && method
}

// readVersion reads the version of a request, and looks it up.
func (d *decisions) readVersion(c *Call, p *plan) {
	v := d.api
	if v.Dated || p != nil {
		d.readVersionAt(c, p)
		return
	}
	var reading source.Reading
	sources.ReadInto(v.source, &c.Request, (*source.ServedVersions)(v.Served), &reading)
	if !v.isSound(&reading) {
		d.misread(c, &reading)
		return
	}
	c.fields.constant, c.outcome = v.constant[reading.PartsRead], reading.Outcome
	var known *roster.Version
	if c.outcome == source.Found {
		// the usual case; the empty version is never known where it is rejected: see Strictness
		if known = v.Served.Lookup(reading.Text); known != nil && len(v.hosts) == 0 {
			c.result = d.resultOf(known, v.partOf(&reading))
			return
		}
	}
	if version := d.resolve(c, &reading, known, v.Served); version != nil {
		c.result = d.resultOf(version, v.partOf(&reading))
	}
}

// readVersionAt is readVersion with the catalogue, at a moment. It reads the clock at most
// once, and only if something has a date.
func (d *decisions) readVersionAt(c *Call, p *plan) {
	v := d.api
	if p != nil && p.ambiguous {
		c.err = fmt.Errorf("verso: the routes of %q are in several namespaces, and some are not checked: register them with v",
			c.Request.Route().Path)
		return
	}
	moment := v.Catalogue.At(v.now(p))
	served := v.at(moment)
	c.Request.SetTime(moment.Second())
	var reading source.Reading
	sources.ReadInto(v.source, &c.Request, (*source.ServedVersions)(served), &reading)
	if !v.isSound(&reading) {
		d.misread(c, &reading)
		return
	}
	table := v.Catalogue.Table()
	if p != nil {
		table = p.table
	}
	c.second, c.outcome = moment.Second(), reading.Outcome
	c.fields.constant, c.fields.lists = v.constant[reading.PartsRead], table.Lists(moment)
	switch version := d.resolve(c, &reading, served.Lookup(reading.Text), served); {
	case version == nil: // rejected
		if reading.Later && c.rejection != nil && c.rejection.Status == http.StatusNotFound {
			c.fields.add("Cache-Control", "no-store")
		}
	case version.Index >= 0:
		d.applyState(c, moment, table, version, v.partOf(&reading))
	case p != nil && p.Dispatches && (!p.Unversioned || version != d.api.Set.None):
		c.reject(v, &notInVersion, &reading)
	case table.Gone(moment) && !c.exemptFromSunset:
		c.fields.prepared = table.RouteFields()
		c.rejectEnded(v, &routeGone, &reading).Sunset = table.RouteSunset()
	default:
		c.result, c.fields.prepared = d.resultOf(version, v.partOf(&reading)), table.RouteFields()
	}
}

// isSound reports whether the source has fulfilled its contract and not failed.
func (v *engine) isSound(reading *source.Reading) bool {
	return uint(reading.PartsRead) < uint(len(v.constant)) && uint(reading.Part) <= v.lastPart &&
		reading.Outcome != source.Failed
}

// partOf returns the part that had the version in a reading.
func (v *engine) partOf(reading *source.Reading) int {
	if !v.combined && reading.Outcome == source.Found {
		return 1 // the source itself
	}
	return reading.Part
}

// resolve returns the version of a request, nil if the request is rejected. known is the
// version that has the text of the reading, or nil.
func (d *decisions) resolve(c *Call, reading *source.Reading, known *roster.Version,
	served *roster.Versions) *roster.Version {
	v := d.api
	d.logNoPlace(c, reading)
	if len(v.hosts) > 0 && !serves(v.hosts, c.Request.Host()) {
		c.reject(v, &unknownHost, &source.Reading{}) // whatever it asks for
		return nil
	}
	version, rejection, err := v.find(reading, known, served)
	switch {
	case rejection != nil:
		part := &v.parts[v.partOf(reading)]
		if part.Stored && reading.Outcome == source.Found {
			v.journal.say(codes.StoredUnknown, part.Name, text.Bounded(reading.Text))
		}
		c.reject(v, rejection, reading)
		// Explain cannot warn of the route where the router does not list it.
		if at := c.Request.Route(); !c.namesVersion() && v.takesFiles(at) && !at.Checked {
			v.journal.say(codes.FilesChecked, quotedList([]string{at.Pattern.String()}), "rejected with "+describe(nil, c.err))
		}
	case err != nil:
		c.err = err
	}
	return version
}

// serves reports whether the host of a request is an allowed host.
func serves(hosts []string, host string) bool {
	if !hostname.IsValid(host) {
		return false
	}
	name := strings.TrimSuffix(hostname.WithoutPort(host), ".")
	return slices.ContainsFunc(hosts, func(served string) bool { return hostname.Matches(served, name) })
}

// misread fails a request whose source failed or broke its contract.
func (d *decisions) misread(c *Call, reading *source.Reading) {
	if c.err = d.api.errMisread(reading); errors.Is(reading.Err, sources.ErrStored) {
		d.api.journal.say(codes.StoredType, reading.Err)
	}
}

// logNoPlace logs once that a request without a place for a version is served. Routes
// without a namespace or a prefix are found earlier: see review. Hosts that probes use do not count.
func (d *decisions) logNoPlace(c *Call, reading *source.Reading) {
	v, part := d.api, &d.api.parts[reading.Part]
	if reading.Outcome != source.NoPlace || part.Namespace || v.prefix != nil && !v.isStripped(&c.Request) ||
		part.Place == source.InHost && hostname.IsLocal(c.Request.Host()) {
		return
	}
	if version, err := v.versionFor(reading, v.Served); err == nil {
		v.journal.say(codes.NoPlaceForVersion, part.Name, describe(version, nil))
	}
}

// isStripped reports whether the path of a request had a version when it was sent, and has none in front of the check.
func (v *engine) isStripped(request *source.Request) bool {
	r, ok := request.Unwrap().(*http.Request)
	if !ok {
		return false
	}
	sent, _, _ := strings.Cut(r.RequestURI, "?")
	path := r.URL.EscapedPath()
	return sent != path && v.isPlaced(sent) && !v.isPlaced(path)
}

// isPlaced reports whether a path has a version in the prefix.
func (v *engine) isPlaced(path string) bool {
	pattern, err := route.NewPattern(path, route.Literal(path))
	text, _ := v.prefix.Place(&pattern, v.Set)
	return err == nil && text != ""
}

// now returns the time by which a decision on a route is made: any, if nothing has a date.
func (v *engine) now(p *plan) time.Time {
	if v.Dated || !p.Config.Deprecated.IsZero() || !p.Config.Sunset.IsZero() {
		now := v.config.Clock()
		v.clock.look(now, v.journal)
		return now
	}
	return time.Unix(0, 0)
}

// applyState decides by the state that a version of the catalogue has, and by its route.
func (d *decisions) applyState(c *Call, moment catalogue.Moment, table *catalogue.Table, asked *roster.Version,
	part int) {
	v := d.api
	c.asked, c.state = asked.Index+1, moment.State(asked.Index)
	var decision catalogue.Decision
	reading := source.Reading{Part: part}
	switch {
	case c.exemptFromSunset:
		decision = table.DecideExempt(moment, asked.Index)
	case c.outcome == source.Found:
		decision = table.Decide(moment, asked.Index)
	default:
		asked, decision = v.unversionedAt(moment, table)
	}
	if c.outcome == source.Found {
		reading.Outcome, reading.Text = source.Found, asked.Text
	}
	c.fields.prepared = decision.Fields
	if table.NamesSuccessor(moment, asked.Index) {
		c.fields.link = d.links.successor(&c.Request, moment, asked.Index, part)
	}
	switch decision.Outcome {
	case catalogue.Served:
		c.result = d.resultOf(v.Set.All[decision.Version], part)
		if v.servedFields != nil {
			c.fields.served = &v.servedFields[decision.Version]
		}
	case catalogue.VersionGone:
		v.addEnd(c.rejectEnded(v, &versionGone, &reading), table, moment, asked.Index)
	case catalogue.VersionBrownout:
		c.fields.add("Cache-Control", "no-store")
		if decision.RetryAfter > 0 {
			c.fields.add("Retry-After", strconv.FormatInt(decision.RetryAfter, 10))
		}
		rejected := c.rejectEnded(v, &versionBrownout, &reading)
		rejected.Status = decision.Status
		v.addEnd(rejected, table, moment, asked.Index)
	case catalogue.RouteGone:
		c.rejectEnded(v, &routeGone, &reading).Sunset = table.RouteSunset()
	default: // NotInVersion, since what is not released was not found
		if allow := d.links.routes.methodsIn(&c.Request, decision.Version); len(allow) > 0 {
			c.fields.add("Allow", strings.Join(allow, ", "))
			c.reject(v, &methodNotInVersion, &reading)
			return
		}
		c.reject(v, &notInVersion, &reading)
	}
}

// addEnd adds the sunset of an ending version, and the version that clients should move to.
func (v *engine) addEnd(rejected *verso.Error, table *catalogue.Table, moment catalogue.Moment, index int) {
	rejected.Sunset = table.Sunset(index)
	if successor, ok := moment.Successor(index); ok {
		rejected.Successor = v.Catalogue.Versions()[successor]
	}
}

// noteStored logs that something is stored for a request, if it is, after the decision.
func (d *decisions) noteStored(now *source.Request) {
	if d.isStored(now) {
		d.api.journal.say(codes.StoredLate)
	}
}

// isStored reports whether something is stored for a request that a source reads.
func (d *decisions) isStored(r *source.Request) bool {
	return slices.ContainsFunc(d.api.stored, func(s source.Source) bool {
		return s.Read(*r, (*source.ServedVersions)(d.api.Served)).Outcome != source.Absent
	})
}
