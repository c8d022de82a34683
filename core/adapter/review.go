package adapter

import (
	"path"
	"slices"
	"strings"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/route"
)

// findingsOf returns the possible mistakes in what x explains, in the order of the rules. A rule
// adds at most a few findings, each for all routes that have the mistake. Those that are
// acknowledged are marked.
func findingsOf(x *explanations) []verso.Finding {
	w := &review{explanations: x, found: slices.Clone(x.api.Findings)}
	for r := range x.routes.current().table.Routes() {
		w.all = append(w.all, r)
		if !x.routes.isUnchecked(r) {
			w.checked = append(w.checked, r)
		}
		if x.routes.isVersioned(r) {
			w.versioned = append(w.versioned, r)
		}
	}
	w.catalogue()
	w.client()
	w.produces()
	w.errorsNotRewritten()
	w.notRewritten()
	w.rewriters()
	w.found = append(w.found, w.api.Reviews.Found()...)
	w.unchecked()
	w.files()
	w.unmounted()
	w.order()
	w.stored()
	w.inNoVersion()
	w.routesPastSunset()
	w.paramNotRead()
	w.versionInPath()
	w.unplaced()
	w.doubled()
	w.defaultUnused()
	w.unused()
	w.middleware()
	w.boundTwice()
	w.neighbours()
	w.hidden()
	w.lost()
	w.names()
	w.prefixes()
	w.unlinked()
	w.hosts()
	w.acknowledge() // last: it marks what the other rules have found
	return w.found
}

// catalogue adds the mistakes in the catalogue that depend on today's date.
func (w *review) catalogue() {
	if now := w.api.config.Clock(); now.Year() < 1990 { // not set, or counted in another unit since 1970
		w.add(codes.ClockZero, now.Format(time.RFC3339))
	}
	if !w.api.Dated {
		return
	}
	for _, warning := range w.api.Catalogue.Warnings(w.api.config.Clock()) {
		w.found = append(w.found, verso.Finding{Code: warning.Code, Field: "Catalogue", Message: warning.Message})
	}
	w.defaultOverTime()
}

// client adds that Observe does not learn who sends a request.
func (w *review) client() {
	if w.nameless {
		w.add(codes.ClientNotSet)
	}
}

// produces adds that no source negotiates.
func (w *review) produces() {
	if len(w.api.config.Produces) > 0 && !slices.Contains(w.api.Vary(), "Accept") {
		w.add(codes.ProducesUnused)
	}
}

// stored adds that Middleware for all routes may decide before the version is stored.
func (w *review) stored() {
	w.routes.adding.Lock()
	defer w.routes.adding.Unlock()
	isExempt := func(r *route.Route) bool { return r.Foreign && !r.Checked }
	if len(w.api.stored) > 0 && len(w.routes.middleware) > 0 && !slices.ContainsFunc(w.all, isExempt) {
		w.add(codes.StoredBehindMiddleware, w.api.stored[0].Describe().Name)
	}
}

// unused adds the options that no route has.
func (w *review) unused() {
	rs := w.routes
	rs.adding.Lock()
	defer rs.adding.Unlock()
	var at []string
	for _, t := range rs.tracked {
		if !t.used.Load() {
			at = append(at, t.at())
		}
	}
	w.addFor(at, codes.OptionUnused)
}

// boundTwice adds that New of the adapter was called again for the router.
func (w *review) boundTwice() {
	n := 1
	for other := range bindingsBeside(w.routes) {
		if other.api.Set == w.api.Set {
			n++
		}
	}
	if n > 1 {
		w.add(codes.BoundTwice, n)
	}
}

// hosts adds that clients choose the host of links, if there may be links, and that these repeat a version.
func (w *review) hosts() {
	if w.api.linksUnchecked() && (w.linked || slices.ContainsFunc(w.checked, (*route.Route).HasName)) {
		w.found = append(w.found, uncheckedHost)
	}
	if slices.Contains(w.api.Set.Known, path.Base(w.api.fixed.Behind)) &&
		slices.ContainsFunc(w.versioned, w.api.hasPlaceInPath) {
		w.add(codes.OriginVersion, w.api.config.Links.Origin)
	}
}

// defaultOverTime adds what happens to the default version, now and later.
func (w *review) defaultOverTime() {
	v := w.api
	index, ok := v.Catalogue.Index(v.config.DefaultVersion.String())
	if !ok || v.config.DefaultVersion.IsNone() {
		return
	}
	said := map[catalogue.State]bool{catalogue.Supported: true}
	for _, period := range v.Catalogue.Periods(v.config.Clock()) {
		state := period.State(index)
		if said[state] {
			continue
		}
		said[state] = true
		since := "now"
		if period.From().After(v.config.Clock()) {
			since = "on " + period.From().UTC().Format(time.DateOnly)
		}
		row, args := codes.DefaultDeprecated, []any{since, v.config.DefaultVersion}
		switch state {
		case catalogue.Unreleased:
			row = codes.DefaultUnreleased
		case catalogue.Ended:
			unnamed := w.unnamedAt(period.Moment)
			row, args = codes.DefaultGone, append(args, unnamed)
			if strings.HasPrefix(unnamed, "410") {
				w.find(codes.ForeignRoutesEnd, w.versioned, func(r *route.Route) bool {
					return r.Foreign && !w.isPlaced(r) // a middleware checks it
				}, since)
			}
		}
		if state != catalogue.Unreleased && v.config.AfterDefaultSunset != "" {
			continue // the configuration determines it
		}
		w.add(row, args...)
	}
}

// acknowledge marks the findings that are acknowledged. Once the routes are known, it
// adds a finding for each acknowledged code that no finding has.
func (w *review) acknowledge() {
	_, alone := w.routes.router.(noRouter)
	routeless := alone && len(w.routes.order) == 0
	for _, code := range w.api.config.Acknowledged {
		isKnown := routeless || slices.ContainsFunc(foundByRequests, func(r codes.Row) bool { return r.Code == code }) || slices.Contains(w.used, code)
		for i := range w.found {
			if w.found[i].Code == code {
				w.found[i].Acknowledged, isKnown = true, true
			}
		}
		if !isKnown {
			w.add(codes.AcceptedUnknown, code)
		}
	}
}

// foundByRequests are the warnings that a request may cause where no rule finds them.
var foundByRequests = []codes.Row{codes.NoPlaceForVersion, codes.AtLeastUnknown, codes.AtLeastUnversioned, codes.PreflightUnanswered,
	codes.BeforeRouter, codes.AnsweredEarly, codes.MiddlewareApart, codes.NoMethod, codes.PatternWithoutParam,
	codes.RewrittenPassedOn, codes.ErrorsNotRewritten, codes.FilesChecked, codes.OriginUnusable, codes.ClockStill,
	codes.HandlerDropped, codes.NotFoundElsewhere, codes.SkippedVersioned, codes.RejectedAsSuccess}
