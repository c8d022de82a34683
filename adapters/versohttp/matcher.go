package versohttp

import (
	"net/http"
	"sync"
)

// matcher is the middleware around a whole ServeMux. It asks the mux for the
// pattern that a request matches, and lets a second mux, which has this pattern
// only, call the versioned handler: so the path arguments are set before the
// version is determined, and what the mux redirects is redirected alike.
type matcher struct {
	mux       *http.ServeMux
	versioned http.Handler // around mux
	routes    sync.Map     // the second mux of each pattern
}

func (m *matcher) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, pattern := m.mux.Handler(r)
	switch {
	case pattern == "":
		m.mux.ServeHTTP(w, r)
	case r.Method == http.MethodConnect:
		// For a redirected CONNECT, Handler returns what the client
		// sent in place of a pattern.
		m.versioned.ServeHTTP(w, r)
	default:
		m.route(pattern).ServeHTTP(w, r)
	}
}

func (m *matcher) route(pattern string) http.Handler {
	if known, ok := m.routes.Load(pattern); ok {
		return known.(*http.ServeMux)
	}
	mux := http.NewServeMux()
	mux.Handle(pattern, m.versioned)
	m.routes.Store(pattern, mux)
	return mux
}
