package bench

import "net/http"

// discard is a response that costs nothing, so that a benchmark measures the
// service and not a recorder.
type discard struct {
	header http.Header
	status int
}

func newDiscard() *discard {
	return &discard{header: make(http.Header)}
}

func (w *discard) Header() http.Header         { return w.header }
func (w *discard) Write(b []byte) (int, error) { return len(b), nil }
func (w *discard) WriteHeader(status int)      { w.status = status }

// serve lets a handler answer a request. What an earlier answer left is cleared,
// as it would be if the response was new.
func (w *discard) serve(handler http.Handler, r *http.Request) {
	clear(w.header)
	handler.ServeHTTP(w, r)
}
