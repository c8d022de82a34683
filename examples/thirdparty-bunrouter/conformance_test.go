package versobun_test

import (
	"context"
	"net/http"
	"slices"
	"testing"

	versobun "example.com/verso-bunrouter"
	"github.com/uptrace/bunrouter"

	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
)

func TestConformance(t *testing.T) {
	options := []conformance.Option{
		conformance.Without("middleware", "bunrouter does not list routes"),
		conformance.Without("mount", "bunrouter does not list routes"),
		conformance.Without("rewrite", "the adapter rewrites no bodies"),
		conformance.Without("scopes", "each route of a group has its own check"),
		conformance.Without("hosts", "bunrouter has no hosts"),
		conformance.Deviates("surface/several-preflight", "bunrouter has no routes for several methods: one for OPTIONS is for OPTIONS alone"),
		conformance.Deviates("surface/explain-foreign", "bunrouter does not list routes"),
		conformance.Deviates("cases/registered/unmatched/outside-method", "bunrouter does not list routes, so those of other code are not known"),
		conformance.Deviates("cases/registered/unmatched/path-method", "bunrouter answers with 404 where another pattern has the path for other methods"),
		conformance.Deviates("in/unmatched-versions", "bunrouter does not list routes"),
		conformance.Deviates("in/unmatched", "the middleware of a group of v runs for its routes alone, and bunrouter's runs for 405 too"),
		conformance.Deviates("not-found/param", "bunrouter answers with 404 where another pattern has the path for other methods"),
	}
	for reason, ids := range map[string][]string{
		"bunrouter has seven methods": {"routes/since/TRACE/v1", "routes/since/TRACE/v2", "routes/since/PURGE/v1", "routes/since/PURGE/v2"},
		"the 405 of bunrouter has no Allow": {
			"fields/no-method", "unmatched/not-found",
			"cases/registered/unmatched/method", "cases/registered/unmatched/method-later",
			"cases/registered/unmatched/neutral-method", "cases/registered/unmatched/neutral-method-gone",
			"cases/registered/unmatched/neutral-text", "cases/unmatched/url_path/method",
			"cases/prefix/since/other-method", "cases/registered/unmatched/method-none",
			"cases/registered/unmatched/outside-text", "cases/registered/unmatched/twin-method",
			"cases/unmatched/accept_header/method", "cases/unmatched/namespace/method",
			"cases/unmatched/hostname/method", "cases/unmatched/query_parameter/method",
		},
	} {
		for _, id := range ids {
			options = append(options, conformance.Deviates(id, reason))
		}
	}
	conformance.Run(t, mount, options...)
}

func FuzzServices(f *testing.F) { conformance.FuzzServices(f, mount) }

// mount mounts applications on bunrouter.
func mount(tb testing.TB, app conformance.App) *conformance.Server {
	tb.Helper()
	var config versobun.Config
	if app.ExemptFromSunset != "" {
		config.ExemptFromSunset = func(r bunrouter.Request) bool { return r.Header.Get(app.ExemptFromSunset) != "" }
	}
	if app.Client != nil {
		config.Client = func(r bunrouter.Request) string { return app.Client(stepOf(nil, nil, &r)) }
	}
	if app.ErrorHandler != nil {
		config.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, rejected *verso.Error, answer *verso.Answer) {
			app.ErrorHandler(rejected, answer).Write(w)
		}
	}
	var v *versobun.Routes
	unmatched := func(status int) bunrouter.HandlerFunc { // the options of a router come before its adapter
		plain := func(w http.ResponseWriter, _ bunrouter.Request) error {
			http.Error(w, http.StatusText(status), status)
			return nil
		}
		return func(w http.ResponseWriter, r bunrouter.Request) error {
			if app.NotFound {
				return v.NotFound(plain)(w, r)
			}
			return plain(w, r)
		}
	}
	r := bunrouter.New(
		bunrouter.WithNotFoundHandler(unmatched(http.StatusNotFound)),
		bunrouter.WithMethodNotAllowedHandler(unmatched(http.StatusMethodNotAllowed)),
	)
	v = versobun.New(r, app.API, config)
	of := v
	if app.Other != nil {
		of = versobun.New(r, app.Other)
	}
	v = v.Group("", conformance.Adapt(app.Between, middlewareOf(v))...)
	if app.After != nil {
		v = v.AfterCheck(conformance.Adapt(app.After, middlewareOf(of))...)
	}
	if app.InContext {
		v = v.AfterCheck(versobun.InContext)
	}
	in := conformance.Groups(v, middlewareOf(v), func(v *versobun.Routes, prefix string, middleware ...bunrouter.MiddlewareFunc) *versobun.Routes {
		return v.In(prefix, r.NewGroup(prefix, bunrouter.Use(middleware...)))
	})
	add := func(route conformance.Route) {
		path := route.Path(func(name string, rest bool) string {
			if rest {
				return "*" + name
			}
			return ":" + name
		})
		named := in(route.Group).Name(route.FullName()).With(route.Options...).Group("", conformance.Adapt(route.Middleware, middlewareOf(v))...)
		if route.EachVersion {
			named = named.EachVersion()
		}
		methods := route.Methods
		if methods == nil {
			methods = []string{route.Method}
		}
		for _, method := range methods {
			switch {
			case (route.Outside || route.Foreign) && method == "":
				for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} {
					r.Handle(method, path, handlerOf(r, route.Handle))
				}
			case route.Outside || route.Foreign:
				r.Handle(method, path, handlerOf(r, route.Handle))
			case route.Handlers != nil:
				named.HandleVersions(method, path, conformance.Handlers(route, func(handle handle) bunrouter.HandlerFunc { return handlerOf(r, handle) }))
			default:
				named.Handle(method, path, handlerOf(r, route.Handle))
			}
		}
	}
	for _, route := range app.Routes {
		add(route)
	}
	var outer bunrouter.HandlerFunc = func(w http.ResponseWriter, req bunrouter.Request) error { return r.ServeHTTPError(w, req.Request) }
	for _, wrap := range slices.Backward(conformance.Adapt(app.Before, middlewareOf(of))) {
		outer = wrap(outer)
	}
	server := conformance.Serve(tb, app, versobun.AsSent(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if err := outer(w, bunrouter.NewRequest(req)); err != nil {
			http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		}
	})))
	server.Link, server.Explain, server.Add = v.Link, v.Explain, add
	return server
}

// middlewareOf returns what makes middleware of bunrouter's.
func middlewareOf(v *versobun.Routes) func(conformance.Middleware) bunrouter.MiddlewareFunc {
	return func(run conformance.Middleware) bunrouter.MiddlewareFunc {
		return func(next bunrouter.HandlerFunc) bunrouter.HandlerFunc {
			return func(w http.ResponseWriter, r bunrouter.Request) error {
				step, ended := stepOf(v, w, &r), func() {}
				step.Wrap = func(with func(http.ResponseWriter) (http.ResponseWriter, func())) { w, ended = with(w) }
				status := run(step)
				defer func() { ended() }()
				if status != 0 {
					w.WriteHeader(status)
					return nil
				}
				return next(w, r)
			}
		}
	}
}

func stepOf(v *versobun.Routes, w http.ResponseWriter, r *bunrouter.Request) conformance.Step {
	return conformance.Step{
		Version:   versobun.Version(*r),
		Header:    r.Header.Get,
		Param:     func(name string) string { return versobun.Param(*r, name) },
		AddField:  func(name, value string) { w.Header().Add(name, value) },
		SetHeader: func(name, value string) { r.Header.Set(name, value) },
		SetMethod: func(method string) { r.Method = method },
		Query:     func(name string) string { return r.FormValue(name) },
		Form:      func(name string) string { return r.PostFormValue(name) },
		Keep: func(key, value string) {
			*r = r.WithContext(context.WithValue(r.Context(), key, value)) //nolint:staticcheck // frameworks have keys that are texts
		},
		SetTestVersion: func(version verso.Version) error {
			changed, err := v.SetTestVersion(*r, version)
			if err == nil {
				*r = changed
			}
			return err
		},
	}
}

type handle = func(conformance.Call) conformance.Response

func handlerOf(router *bunrouter.Router, handle handle) bunrouter.HandlerFunc {
	if handle == nil {
		return nil
	}
	return func(w http.ResponseWriter, r bunrouter.Request) error {
		response := handle(conformance.Call{
			Context:     r.Context(),
			Version:     versobun.Version(r),
			Param:       func(name string) string { return versobun.Param(r, name) },
			Link:        func(target verso.Target) (string, error) { return versobun.Link(r, target) },
			Query:       r.URL.Query().Get,
			Form:        r.PostFormValue,
			AtLeast:     func(version string) bool { return versobun.AtLeast(r, version) },
			ContentType: func(resource string) (string, error) { return versobun.ContentType(r, resource) },
		})
		if response.PassOn != "" {
			again := r.Request.Clone(r.Context())
			again.URL.Path, again.URL.RawPath = response.PassOn, ""
			return router.ServeHTTPError(w, again)
		}
		if response.Err != nil {
			return response.Err
		}
		response.Write(w)
		return nil
	}
}
