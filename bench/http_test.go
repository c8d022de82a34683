package bench

import (
	"context"
	"net/http"
	"strings"

	"github.com/goverso/verso/adapters/versohttp"
)

// constantKey and versionKey are keys of the context of a request, which is
// where net/http keeps values.
type (
	constantKey struct{}
	versionKey  struct{}
)

var inHTTP = &framework{
	name: "http",
	bare: func(s *schemeCase) http.Handler {
		return httpService(s, func(http.ResponseWriter, *http.Request) {})
	},
	nop: func(s *schemeCase) http.Handler {
		return httpService(s, func(http.ResponseWriter, *http.Request) {}, func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, r) })
		})
	},
	store: func(s *schemeCase) http.Handler {
		read := func(_ http.ResponseWriter, r *http.Request) {
			keptPointer, _ = r.Context().Value(constantKey{}).(*int)
		}
		return httpService(s, read, func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), constantKey{}, constant)))
			})
		})
	},
	verso: func(s *schemeCase) http.Handler {
		mux, err := versohttp.NewMux(versohttp.Config{Scheme: s.scheme})
		if err != nil {
			panic(err)
		}
		routes := mux
		if namespace, _, ok := strings.Cut(s.route, ":"); ok {
			routes = mux.Namespace(namespace)
		}
		routes.Name("user").HandleFunc("GET "+s.pattern, func(_ http.ResponseWriter, r *http.Request) {
			keptVersion = versohttp.Version(r)
		})
		return mux
	},
	byHand: func(s *schemeCase) http.Handler {
		read := func(_ http.ResponseWriter, r *http.Request) {
			keptText, _ = r.Context().Value(versionKey{}).(string)
		}
		determine := httpByHand(s)
		return httpService(s, read, func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				version := determine(r)
				if version == "" {
					version = defaultByHand
				}
				if !servedByHand[version] {
					http.NotFound(w, r)
					return
				}
				next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), versionKey{}, version)))
			})
		})
	},
}

func httpService(s *schemeCase, handler http.HandlerFunc, middleware ...func(http.Handler) http.Handler) http.Handler {
	var wrapped http.Handler = handler
	for _, wrap := range middleware {
		wrapped = wrap(wrapped)
	}
	mux := http.NewServeMux()
	mux.Handle("GET "+s.pattern, wrapped)
	return mux
}

// httpByHand returns what determines the version of a request by hand.
func httpByHand(s *schemeCase) func(*http.Request) string {
	switch s.name {
	case "accept_header":
		return func(r *http.Request) string { return acceptedByHand(r.Header.Get("Accept")) }
	case "url_path":
		return func(r *http.Request) string { return r.PathValue("version") }
	case "namespace":
		names := map[string]string{"GET " + s.pattern: s.route} // net/http has no names
		return func(r *http.Request) string { return namespaceByHand(names[r.Pattern]) }
	case "hostname":
		return func(r *http.Request) string { return hostByHand(r.Host) }
	default:
		return func(r *http.Request) string { return r.URL.Query().Get("version") }
	}
}
