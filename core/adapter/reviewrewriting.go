package adapter

import (
	"slices"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/route"
)

// errorsNotRewritten adds that error middleware answers in the newest version only.
func (w *review) errorsNotRewritten() {
	if !w.routes.rewritesErrors.Load() && w.rewrites() {
		w.add(codes.ErrorsNotRewritten)
	}
}

// rewrites reports whether a route has a rewriter.
func (w *review) rewrites() bool {
	return slices.ContainsFunc(w.checked, func(r *route.Route) bool { return rewriterOf(r) != nil })
}

// notRewritten adds the routes that older clients get the newest form of, if other routes are rewritten: those of older
// versions without a rewriter, and neutral ones, whose rewriter never runs.
func (w *review) notRewritten() {
	if !w.rewrites() {
		return
	}
	w.find(codes.NotRewritten, w.checked, func(r *route.Route) bool {
		p, rewriter := planOf(r), rewriterOf(r)
		if p != nil && p.Neutral {
			return rewriter != nil && !isDefault(rewriter)
		}
		return rewriter == nil && !r.Foreign && (p == nil || !p.Dispatches) && w.isInOlderVersion(r)
	})
}

// isDefault reports whether a rewriter is for routes that are the same in all versions.
func isDefault(rewriter verso.Rewriter) bool {
	d, ok := rewriter.(verso.DefaultRewriter)
	return ok && d.IsDefault()
}

// isInOlderVersion reports whether a version before the newest one has a route.
func (w *review) isInOlderVersion(r *route.Route) bool {
	known := w.api.Set.Known
	older := known[:max(0, len(known)-1)] // none, if every version is served
	if only, fixed := w.api.onlyVersion(r); fixed {
		return !only.IsNone() && slices.Contains(older, only.String())
	}
	for index := range older {
		if hasVersion(r, index) {
			return true
		}
	}
	return false
}

// rewriters adds what rewriters find in their routes.
func (w *review) rewriters() {
	at := make(map[verso.Finding][]string) // the patterns, by what was found
	var order []verso.Finding
	for _, r := range w.checked {
		rewriter := rewriterOf(r)
		if rewriter == nil {
			continue
		}
		for _, f := range rewriter.Review(w.api.Versioning) {
			if at[f] == nil {
				order = append(order, f)
			}
			at[f] = append(at[f], r.Pattern.String())
		}
	}
	for _, f := range order {
		f.Message = quotedList(at[f]) + ": " + f.Message
		w.found = append(w.found, f)
	}
}
