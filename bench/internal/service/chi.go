package service

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/goverso/verso/adapters/versochi"
	verso "github.com/goverso/verso/core"
)

func inChi(o *Options) Server {
	r := chi.NewRouter()
	v := versochi.New(r, o.API, versochi.Config{Client: client[*http.Request](o)})
	read := func(r *http.Request) string { return text(r.Context().Value(contextKey{})) }
	if o.Variant == Verso || o.Variant == Middleware {
		read = func(r *http.Request) string { return versochi.Version(r).String() }
	}
	for _, route := range o.Routes {
		handler := func(w http.ResponseWriter, r *http.Request) {
			if o.Inside != nil {
				o.Inside(func(t verso.Target) (string, error) { return versochi.Link(r, t) })
			}
			if o.Answer != nil {
				status, body := o.Answer(read(r))
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(status)
				_ = json.NewEncoder(w).Encode(body)
				return
			}
			kept = read(r)
		}
		if o.Variant == Verso {
			group, name := v.With(o.Options...), route.Name
			if namespace, rest, ok := strings.Cut(route.Name, ":"); ok {
				group, name = group.Namespace(namespace), rest
			}
			if group = group.Name(name); o.HandleVersions {
				group.HandleVersions(http.MethodGet, route.Pattern, versochi.Handlers{"v1": handler, "v2": handler})
				continue
			}
			group.Get(route.Pattern, handler)
			continue
		}
		hand := newByHand(o, route, lean, usual)
		wrapped := func(w http.ResponseWriter, r *http.Request) {
			if hand.variant == Store {
				handler(w, r.WithContext(context.WithValue(r.Context(), contextKey{}, &constant)))
				return
			}
			version := hand.group
			if hand.inPath {
				version = chi.URLParam(r, "version")
			}
			if version == "" && hand.read != nil {
				version = hand.read(r)
			}
			if version == "" {
				version = "v1"
			}
			if hand.vary != nil || hand.fields != nil {
				hand.respond(w.Header())
			}
			if hand.variant == Floor {
				if constant := floor(version); constant != nil {
					handler(w, r.WithContext(context.WithValue(r.Context(), contextKey{}, constant)))
					return
				}
			} else if hand.isServed(version) {
				handler(w, r.WithContext(context.WithValue(r.Context(), contextKey{}, version)))
				return
			}
			http.NotFound(w, r)
		}
		if o.Variant == Bare || o.Variant == Middleware {
			wrapped = handler
		}
		r.Get(route.Pattern, wrapped)
	}
	if o.Variant == Middleware {
		return Server{handler: v.Middleware()(r)}
	}
	return Server{handler: r}
}
