package adapter

import (
	"net/http"
	"slices"
	"strings"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/route"
)

// hidden adds the routes without versions that take what NotFound should answer: requests for a
// deleted route of an ended version. A page for every path is one, and what the router lists as
// its own NotFound.
func (w *review) hidden() {
	ends := w.ends()
	if ends {
		of := slices.DeleteFunc(slices.Clone(w.all), w.routes.isVersioned)
		if router, ok := w.routes.router.(interface{ OwnNotFound() []*route.Route }); ok {
			of = append(of, router.OwnNotFound()...)
		}
		w.find(codes.NotFoundHidden, append(of, w.pagesBelow()...), w.hides)
	}
	if router, ok := w.routes.router.(interface{ TakenNotFound() []*route.Route }); ok {
		w.find(codes.NotFoundTaken, router.TakenNotFound(), func(r *route.Route) bool { return w.isInVersion(r) || ends && w.hides(r) })
	}
}

// pagesBelow returns the routes for all paths below the beginnings of versioned ones, of a router that lists none.
func (w *review) pagesBelow() (pages []*route.Route) {
	router, ok := w.routes.router.(interface {
		RoutesAt(host, path string) []*route.Route
	})
	if !ok {
		return nil
	}
	asked := make(map[pathOn]bool)
	for _, r := range w.versioned {
		if r.Pattern.Err() != nil {
			continue
		}
		segments := w.segmentsOf(&r.Pattern)
		for i := 2; i <= w.placeIn(r, segments) && !strings.Contains(segments[i-1], "{"); i++ {
			at := pathOn{r.Host, strings.Join(segments[:i], "/") + "/verso/asks/who/has/all/paths"}
			if !asked[at] {
				asked[at], pages = true, append(pages, router.RoutesAt(at.host, at.path)...)
			}
		}
	}
	return pages
}

// lost adds the routes that a router got which only takes note of them, when that was done.
func (w *review) lost() {
	if router, ok := w.routes.router.(interface{ Lost() []*route.Route }); ok {
		w.find(codes.RouteLost, router.Lost(), func(*route.Route) bool { return true })
	}
}

// ends reports whether a version ends at any time.
func (w *review) ends() bool {
	v := w.api
	return v.Dated && slices.ContainsFunc(v.Catalogue.Periods(v.config.Clock()), func(p catalogue.Period) bool {
		for index := range v.Catalogue.Versions() {
			if p.State(index) == catalogue.Ended {
				return true
			}
		}
		return false
	})
}

// isInVersion reports whether the paths of a route have a version.
func (w *review) isInVersion(r *route.Route) bool {
	if p := w.api.prefix; p != nil {
		if version, _ := p.Place(&r.Pattern, w.api.Set); version != "" {
			return true
		}
	}
	return w.api.hasPlaceInPath(r)
}

// hides reports whether a route takes all paths beside a route with a version, where no route
// with one does.
func (w *review) hides(page *route.Route) bool {
	lead, ok := w.leadOf(page)
	if !ok || !getsGET(page) {
		return false
	}
	return slices.ContainsFunc(w.versioned, func(r *route.Route) bool {
		if r.Pattern.Err() != nil || page.Host != "" && page.Host != r.Host {
			return false
		}
		segments := w.segmentsOf(&r.Pattern)
		return len(lead) <= w.placeIn(r, segments) && HasLead(segments, lead) &&
			!slices.ContainsFunc(w.versioned, func(guard *route.Route) bool {
				below, ok := w.leadOf(guard)
				return ok && len(below) > len(lead) && getsGET(guard) && guard.Host == r.Host &&
					HasLead(segments, below)
			})
	})
}

func getsGET(r *route.Route) bool { return r.Method == "" || r.Method == http.MethodGet }

// placeIn returns the segment of a route with the version, or the last one if the version is elsewhere.
func (w *review) placeIn(r *route.Route, segments []string) int {
	for i, s := range segments {
		inPrefix := r.PrefixVersion != "" && i == strings.Count(w.api.prefix.Template, "/")
		if inPrefix || strings.Contains(s, versionSegment) {
			return i
		}
	}
	return len(segments) - 1
}

// leadOf returns the segments of a pattern in front of the rest of a path, if the rest is a whole segment.
func (w *review) leadOf(r *route.Route) (lead []string, ok bool) {
	if r.Pattern.Err() != nil {
		return nil, false
	}
	segments := w.segmentsOf(&r.Pattern)
	last := len(segments) - 1
	router, hasSubtrees := w.routes.router.(interface{ TakesBelow() bool })
	return segments[:last], segments[last] == "{*}" || segments[last] == "" && hasSubtrees && router.TakesBelow()
}
