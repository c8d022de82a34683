package versohttp

import (
	"net/http"

	"github.com/goverso/verso/core/adapter"
)

// notFound is what NotFound puts around a handler. It may be around the ServeMux, or on it
// as the handler of "/".
type notFound struct {
	*bound
	next http.Handler
}

// notFoundOf returns the handler of NotFound, or nil for another handler.
func notFoundOf(handler http.Handler) *notFound {
	around, _ := handler.(*adapter.Around)
	if around == nil {
		return nil
	}
	n, _ := around.Handler.(*notFound)
	return n
}

func (n *notFound) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	handler, pattern := n.mux.Handler(r)
	isOn := notFoundOf(handler) == n
	if pattern == "" && !isRedirect(handler) || isOn {
		call, rejected := n.shared.Unmatched(w, r)
		if rejected {
			return
		}
		if isOn && n.next == http.Handler(n.mux) { // which would call this again
			http.NotFound(w, r)
			return
		}
		if pattern == "" {
			w = &unmatchedWriter{w, call}
		}
	}
	n.next.ServeHTTP(w, r)
}

// unmatchedWriter leaves out of the Allow field of the ServeMux what the version lacks.
type unmatchedWriter struct {
	http.ResponseWriter
	call *adapter.Call
}

// Unwrap is for [http.ResponseController].
func (w *unmatchedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *unmatchedWriter) WriteHeader(status int) {
	if header := w.Header(); status == http.StatusMethodNotAllowed && len(header["Allow"]) > 0 {
		header.Set("Allow", w.call.Allow(header.Get("Allow")))
	}
	w.ResponseWriter.WriteHeader(status)
}
