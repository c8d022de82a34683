package conformance_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// mountReference is the reference adapter: the application on plain net/http.
func mountReference(tb testing.TB, app conformance.App) http.Handler {
	tb.Helper()
	return mountMutant(tb, app, mutation{})
}

// mutation breaks the reference adapter on purpose, so that the suite can be
// seen to notice. Each field changes one thing; a nil one changes nothing.
type mutation struct {
	request func(*reference) verso.Request                 // what the scheme reads
	version func(verso.Version) verso.Version              // what the handler sees
	problem func(*verso.Problem, http.Header)              // what a refusal says
	header  func(header http.Header, refused bool)         // the fields of the response
	missing func(w http.ResponseWriter, serve func())      // what an unmatched request gets
	reverse func(*reference, verso.Target) (string, error) // how a handler reverses
	failure func(w http.ResponseWriter, err error)         // what the client sees of an error of the scheme
	around  func(r *http.Request, serve func(*http.Request))
}

// reference is the request of the reference adapter.
type reference struct {
	*http.Request
	versioning *verso.Versioning
	route      conformance.Route
	params     map[string]string
	version    verso.Version
}

var _ verso.Request = (*reference)(nil)

func (r *reference) AcceptedMediaType() (string, bool) {
	return r.versioning.AcceptedMediaType(r.Header["Accept"])
}

func (r *reference) PathParam(name string) (string, bool) {
	value, ok := r.params[name]
	return value, ok
}

func (r *reference) QueryParam(name string) (string, bool) {
	return verso.QueryParam(r.URL.RawQuery, name)
}

func (r *reference) Namespace() string      { return r.route.Namespace }
func (r *reference) Host() string           { return r.Request.Host }
func (r *reference) Version() verso.Version { return r.version }

func mountMutant(tb testing.TB, app conformance.App, m mutation) http.Handler {
	tb.Helper()
	routes := make([]route.Route, len(app.Routes))
	for i, r := range app.Routes {
		routes[i] = route.Route{Name: r.FullName(), Pattern: route.Braces(r.Pattern)}
	}
	table := route.NewTable(routes...)
	versioning, err := verso.NewVersioning(verso.VersioningConfig{
		Scheme:     app.Scheme,
		Produces:   app.Produces,
		Translator: app.Translator,
		Strict:     app.Strict,
		Routes:     func(verso.Request) *route.Table { return table },
	})
	if err != nil {
		tb.Fatal(err)
	}
	mounted := func(w http.ResponseWriter, r *http.Request) {
		serve := func(route conformance.Route, params map[string]string) {
			serveReference(w, r, &reference{Request: r, versioning: versioning, route: route, params: params}, m)
		}
		for _, route := range app.Routes {
			if params, ok := match(route.Pattern, r.URL); ok && route.Method == r.Method {
				serve(route, params)
				return
			}
		}
		if m.missing != nil {
			m.missing(w, func() { serve(app.Routes[0], nil) })
			return
		}
		http.NotFound(w, r)
	}
	if m.around == nil {
		return http.HandlerFunc(mounted)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.around(r, func(r *http.Request) { mounted(w, r) })
	})
}

func serveReference(w http.ResponseWriter, r *http.Request, matched *reference, m mutation) {
	var request verso.Request = matched
	if m.request != nil {
		request = m.request(matched)
	}
	determined, err := matched.versioning.Determine(request, r, w.Header())
	var refused *verso.Error
	switch {
	case errors.As(err, &refused):
		problem := matched.versioning.Problem(refused, r.Header, w.Header())
		if m.problem != nil {
			m.problem(&problem, w.Header())
		}
		if m.header != nil {
			m.header(w.Header(), true)
		}
		verso.WriteProblem(w, r, problem)
		return
	case err != nil && m.failure != nil:
		m.failure(w, err)
		return
	case err != nil:
		http.Error(w, "internal server error", http.StatusInternalServerError)
		return
	}
	if m.header != nil {
		m.header(w.Header(), false)
	}
	matched.version = determined.Version
	if m.version != nil {
		matched.version = m.version(matched.version)
	}
	matched.route.Handle(w, r, conformance.Call{
		Version: matched.version,
		Param:   func(name string) string { return matched.params[name] },
		Reverse: func(target verso.Target) (string, error) {
			if m.reverse != nil {
				return m.reverse(matched, target)
			}
			return matched.versioning.Reverse(matched, r, target)
		},
	})
}

// match matches a path with a pattern of the cases, segment by segment.
func match(pattern string, u *url.URL) (params map[string]string, ok bool) {
	want, got := strings.Split(pattern, "/"), strings.Split(u.EscapedPath(), "/")
	if rest := len(want) - 1; strings.HasSuffix(pattern, "*}") && len(got) > rest {
		want[rest] = strings.Replace(want[rest], "*", "", 1)
		got = append(got[:rest:rest], strings.Join(got[rest:], "/"))
	}
	if len(want) != len(got) {
		return nil, false
	}
	params = make(map[string]string)
	for i, segment := range want {
		text, err := url.PathUnescape(got[i])
		if err != nil {
			return nil, false
		}
		if name, ok := strings.CutPrefix(segment, "{"); ok && text != "" {
			params[strings.TrimSuffix(name, "}")] = text
		} else if segment != text {
			return nil, false
		}
	}
	return params, true
}
