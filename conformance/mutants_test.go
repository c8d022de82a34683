package conformance_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// TestMutants breaks the reference adapter in ways in which adapters typically fail,
// and checks that the named cases and subtests fail.
func TestMutants(t *testing.T) {
	t.Setenv("VERSO_ROUNDS", "4")
	conformance.Quiet(t)
	for _, mutant := range mutants {
		t.Run(mutant.name, func(t *testing.T) {
			for _, name := range mutant.caughtBy {
				if err := conformance.CheckSubtest(t, mountReference, name); err != nil {
					t.Errorf("%s fails without the mutation: %v", name, err)
				}
				t.Run(name, func(t *testing.T) {
					if strings.HasPrefix(name, "faults/") || strings.HasPrefix(name, "concurrent/") {
						conformance.Hasten(t)
					}
					err := conformance.CheckSubtest(t, mounting(mutant.mutation(t)), name)
					if err == nil {
						t.Error("does not fail")
					}
					t.Logf("%.300v", err)
				})
			}
		})
	}
}

// mutant is a mutation, and what catches it.
type mutant struct {
	name     string
	mutation func(*testing.T) mutation
	caughtBy []string // IDs of cases, or "group/name"
}

// always returns a mutation that does not need the test.
func always(m mutation) func(*testing.T) mutation {
	return func(*testing.T) mutation { return m }
}

var mutants = slices.Concat(versionMutants, routeMutants, factMutants, rejectionMutants, fieldMutants, linkMutants, strictMutants, sharingMutants, observeMutants, decisionMutants, faultMutants, groupMutants, surfaceMutants, rewriteMutants)

var versionMutants = []mutant{
	{
		"none taken for the empty version",
		always(mutation{version: func(v verso.Version) verso.Version { return verso.V(v.String()) }}),
		[]string{"determine/query_parameter/missing/none", "determine/accept_header/no-header/x-none"},
	},
	{
		"empty version taken for none",
		always(mutation{version: func(v verso.Version) verso.Version { return drop(v, "") }}),
		[]string{"determine/query_parameter/empty/none", "determine/accept_header/empty/none"},
	},
	{
		"the default ignored",
		always(mutation{version: func(v verso.Version) verso.Version { return drop(v, "dflt", "v1") }}),
		[]string{"determine/accept_header/missing/default", "determine/hostname/localhost/x-default"},
	},
	{
		"unmatched request rejected",
		always(mutation{missing: func(w http.ResponseWriter, _ func()) {
			(&verso.Answer{Problem: verso.Problem{Status: http.StatusNotFound}, Body: []byte(`{"code": "c"}`)}).ServeHTTP(w, &http.Request{})
		}}),
		[]string{"unmatched/url_path/not-found", "unmatched/query_parameter/method"},
	},
	{
		"unmatched request versioned",
		always(mutation{missing: func(_ http.ResponseWriter, serve func()) { serve() }}),
		[]string{"unmatched/hostname/not-found", "unmatched/accept_header/method"},
	},
	{
		"405 answered as 404", always(mutation{notFound: true}), []string{"unmatched/url_path/method", "fields/no-method"},
	},
	{"a malformed escape in the path taken for no version", func(t *testing.T) mutation {
		t.Helper()
		m := path(func(value string) (string, bool) { return value, !strings.Contains(value, "\x00") })(t)
		m.conn = func(conn net.Conn) net.Conn { return lenientConn{conn} }
		return m
	}, []string{"hostile/path/malformed-escape"}},
}

var routeMutants = []mutant{
	{
		"no options of routes passed on",
		always(mutation{options: func(conformance.Route) []verso.RouteOption { return nil }}),
		[]string{"routes/random", "routes/since/earlier"},
	},
	{
		"only the last option of a route passed on",
		always(mutation{options: func(r conformance.Route) []verso.RouteOption { return r.Options[max(0, len(r.Options)-1):] }}),
		[]string{"routes/random"},
	},
	{
		"no options of HEAD and OPTIONS passed on",
		always(mutation{options: func(r conformance.Route) []verso.RouteOption {
			if r.Method == http.MethodHead || r.Method == http.MethodOptions {
				return nil
			}
			return r.Options
		}}),
		[]string{"routes/since/HEAD/v1", "routes/since/OPTIONS/v1"},
	},
	{
		"mistakes in routes passed over", always(mutation{lax: true}),
		[]string{"routes/mistakes/unknown-version", "routes/mistakes/neutral-and-versioned", "routes/mistakes/in-no-version", "routes/mistakes/choice-without-a-version"},
	},
	{
		"methods beyond the usual passed on without a version",
		always(mutation{exempt: func(r *matched) bool { return r.Method == http.MethodTrace || r.Method == "PURGE" }}),
		[]string{"routes/since/TRACE/v1", "routes/since/TRACE/v2", "routes/since/PURGE/v1", "routes/since/PURGE/v2"},
	},
	{
		"an unknown route passed on without a version", always(mutation{alone: true, exempt: func(r *matched) bool { return r.route.check == nil }}),
		[]string{"routes/nothing-said/v1", "routes/nothing-said/v9"},
	},
	{"links to versions without the route", always(mutation{link: func(r *matched, target verso.Target) (string, error) {
		built, err := adapter.LinkFor(r.result, r.request, target)
		if errors.Is(err, verso.ErrNotInVersion) {
			return "http://example.com/", nil
		}
		return built, err
	}}), []string{"routes/random"}},
	{"no path for the versions", always(mutation{forms: func(forms []string) []string { return forms[:1] }}), []string{"prefix/once/listed", "prefix/links/once", "twins/once/none-to-prefix"}},
	{"no path without a version", always(mutation{forms: func(forms []string) []string { return forms[1:] }}), []string{"prefix/move/fall-forward", "default/move/once-choices"}},
	{"a path for versions that do not have the route yet", always(mutation{eager: true}), []string{"prefix/since/none", "prefix/since/earlier", "prefix/since/other-method", "prefix/since/choices", "prefix/since/end"}},
	{"nothing answers for routes that were deleted", always(mutation{missing: func(w http.ResponseWriter, _ func()) {
		http.Error(w, "not found", http.StatusNotFound)
	}}), []string{"registered/unmatched/gone", "registered/unmatched/unknown", "registered/unmatched/once-gone"}},
	{"the routes of others checked", always(mutation{greedy: true}), []string{"registered/outside/unknown", "registered/outside/default-gone"}},
	{"kept requests ended", always(mutation{ends: true}), []string{"kept/gone", "kept/brownout", "kept/default-moves", "observe/kept"}},
	{
		"Allow missing", fields(func(h http.Header, _ bool) { h.Del("Allow") }),
		[]string{"routes/method/not-yet"},
	},
}

var factMutants = []mutant{
	{"an empty query value taken for a missing one", query(func(pairs []string) []string {
		return slices.DeleteFunc(pairs, func(pair string) bool { return strings.HasSuffix(pair, "=") || !strings.Contains(pair, "=") })
	}), []string{"determine/query_parameter/empty/default", "determine/query_parameter/empty/empty-list-default"}},
	{"first query value instead of the last", query(func(pairs []string) []string {
		slices.Reverse(pairs)
		return pairs
	}), []string{"determine/query_parameter/dup-good-good/x-none", "determine/query_parameter/dup-bad-last/x-both"}},
	{"query read with net/url", reading(func(l *lenient) {
		l.query = func(r *matched) string { return r.URL.Query().Encode() }
	}), []string{"determine/query_parameter/percent-bad/x-none", "determine/query_parameter/param-semicolon/x-param"}},
	{"query not decoded", reading(func(l *lenient) {
		l.query = func(r *matched) string { return strings.ReplaceAll(r.URL.RawQuery, "%", "%25") }
	}), []string{"determine/query_parameter/percent-lower-hex/x-none"}},
	{"path parameter not decoded", path(func(value string) (string, bool) { return url.PathEscape(value), true }),
		[]string{"determine/url_path/utf8/x-none", "determine/url_path/percent-space/x-none"}},
	{"path parameter decoded twice", path(func(value string) (string, bool) {
		plain, err := url.QueryUnescape(value)
		if err != nil {
			return value, true
		}
		return plain, true
	}), []string{"determine/url_path/plus/x-none", "path/percent-twice"}},
	{"a plus next to an unusual escape decoded to a space", reading(func(l *lenient) {
		l.path = func(r *matched, name string) (string, bool) {
			value, ok := r.params[name]
			if r.URL.RawPath != "" {
				value = strings.ReplaceAll(value, "+", " ")
			}
			return value, ok
		}
	}), []string{"path/plus-next-to-an-unusual-escape"}},
	{"an empty path parameter taken for a missing one", path(func(value string) (string, bool) { return value, value != "" }),
		[]string{"hostile/path/empty", "hostile/path/empty-at-the-end"}},
	{"path parameters compared without regard to case", reading(func(l *lenient) {
		l.path = func(r *matched, name string) (string, bool) {
			for other, value := range r.params {
				if strings.EqualFold(other, name) {
					return value, true
				}
			}
			return "", false
		}
	}), []string{"path/case-of-the-name", "path/case-of-the-name/reversed"}},
	{"port kept, and taken for part of the last label", host(func(r *matched) string { return strings.ReplaceAll(r.Host, ":", ".") }),
		[]string{"determine/hostname/port/x-both"}},
	{"X-Forwarded-Host trusted", host(func(r *matched) string { return cmp.Or(r.Header.Get("X-Forwarded-Host"), r.Host) }),
		[]string{"determine/hostname/forwarded-host/x-both", "links/forwarded-proto"}},
	{"host in lower case", host(func(r *matched) string { return strings.ToLower(r.Host) }), []string{"determine/hostname/upper/x-both"}},
	{"only the innermost namespace", always(mutation{route: func(r route.Route) route.Route {
		parts := strings.Split(r.Name, ":")
		r.Name = strings.Join(parts[max(0, len(parts)-2):], ":")
		return r
	}}), []string{"determine/namespace/v2-v1/x-allowed", "determine/namespace/api-v2/x-default"}},
	{"only the first line of a field", header(func(lines []string) []string { return lines[:1] }),
		[]string{"determine/accept_header/repeated-header/x-none", "determine/accept_header/rfc9110-two-lines", "lines/accept/last-line-counts", "lines/accept-language/last-line-counts", "lines/api-version/contradicting"}},
	{"only the last line of a field", header(func(lines []string) []string { return lines[len(lines)-1:] }),
		[]string{"lines/accept/first-line-counts", "lines/accept/empty-last-line", "lines/accept-language/first-line-counts", "lines/accept-language/last-line-unknown", "lines/api-version/contradicting"}},
	{"lines joined without a comma", header(func(lines []string) []string { return []string{strings.Join(lines, " ")} }),
		[]string{"lines/accept/first-line-counts", "lines/accept-language/first-line-counts"}},
	{"an empty field taken for a missing one", reading(func(l *lenient) {
		l.header = func(r *matched, name string) (string, bool) {
			value, ok := referenceFacts.Header(r, name)
			return value, ok && value != ""
		}
	}), []string{"sources/agree/empty-header-contradicts"}},
	{"the method of a route omitted", always(mutation{route: func(r route.Route) route.Route {
		r.Method = http.MethodGet
		return r
	}}), []string{"header/preflight"}},
}

var rejectionMutants = []mutant{
	{"400 instead of 404 and 406", problem(func(p *verso.Problem) { p.Status = http.StatusBadRequest }),
		[]string{"determine/url_path/v9/both", "determine/accept_header/v0/both"}},
	{"404 for the Accept scheme", problem(func(p *verso.Problem) { p.Status = http.StatusNotFound }), []string{"determine/accept_header/v0/both"}},
	{"no message", problem(func(p *verso.Problem) { p.Detail = p.Title }), []string{"determine/url_path/v9/both"}},
	{"no code", problem(func(p *verso.Problem) { p.Code = "" }), []string{"refusal/url_path/members"}},
	{"allowed versions omitted", problem(func(p *verso.Problem) { p.AllowedVersions = nil }), []string{"refusal/accept_header/members"}},
	{"allowed versions shown", problem(func(p *verso.Problem) { p.AllowedVersions = []string{"v1", "v2"} }),
		[]string{"refusal/hidden/url_path", "refusal/hidden/accept_header", "refusal/hidden/not-acceptable"}},
	{"not translated", problem(func(p *verso.Problem) { _, p.Detail, _ = strings.Cut(p.Detail, "] ") }), []string{"refusal/language/exact"}},
	{"title not translated", problem(func(p *verso.Problem) { _, p.Title, _ = strings.Cut(p.Title, "] ") }), []string{"refusal/language/exact"}},
	{"a rejection as application/json", always(mutation{content: "application/json"}), []string{"cases/content-type"}},
	{"a rejected request reaches the handler", always(mutation{continues: true}), []string{"determine/url_path/v9/both", "determine/accept_header/v0/both"}},
	{"a request whose source fails reaches the handler", always(mutation{continues: true}), []string{
		"faults/source/fails", "faults/source/fails-without-an-error", "faults/source/returns-unknown-outcome", "faults/source/returns-unknown-part",
	}},
	{"the rejection repeats the request", func(*testing.T) mutation {
		var last atomic.Pointer[string]
		return mutation{
			around: func(r *http.Request, serve func(*http.Request)) {
				query, _ := url.QueryUnescape(r.URL.RawQuery)
				last.Store(&query)
				serve(r)
			},
			problem: func(p *verso.Problem) { p.Detail += *last.Load() },
		}
	}, []string{"hostile/query/markup", "hostile/query/direction"}},
}

var fieldMutants = []mutant{
	{"Content-Language missing", fields(func(h http.Header, _ bool) { h.Del("Content-Language") }),
		[]string{"refusal/language/region-fallback", "refusal/language/absent"}},
	{"Content-Language on what is served", fields(func(h http.Header, rejected bool) {
		if !rejected {
			h.Set("Content-Language", "en")
		}
	}), []string{"refusal/served/hostname"}},
	{"Vary missing on rejections", fields(func(h http.Header, rejected bool) {
		if rejected {
			h.Del("Vary")
		}
	}), []string{"determine/accept_header/v0/both", "determine/accept_header/shape-suffix/x-both", "caching/url_path/rejected/200"}},
	{"Vary missing on what is served", fields(func(h http.Header, rejected bool) {
		if !rejected {
			h.Del("Vary")
		}
	}), []string{"determine/accept_header/no-header/x-none", "caching/accept_header/absent/200", "caching/accept_header/served/304", "caching/accept_header/any/500"}},
	{"the Allow of a 405 left on a rejection", fields(func(h http.Header, _ bool) { h.Set("Allow", "GET") }), []string{"not-found/param"}},
	{"Vary with more than is read", fields(func(h http.Header, _ bool) { h.Add("Vary", "Accept-Language") }),
		[]string{"caching/query_parameter/absent/200", "header/absent"}},
	{"Vary with all headers that may be read", always(mutation{early: func(r *matched, next func()) {
		verso.AddVary(r.w.Header(), r.of.app.API.Vary()...)
		next()
	}}),
		[]string{"sources/first/path-and-header", "sources/first/query-before-header", "sources/links/other-version-from-path"}},
	{"Vary doubled", fields(func(h http.Header, _ bool) { h.Add("Vary", "accept") }), []string{"determine/accept_header/v1/both"}},
	{"Vary without Accept-Language", fields(func(h http.Header, _ bool) { leaveOut(h, "Accept-Language") }), []string{"refusal/language/absent"}},
	{"the Vary of an outer middleware overwritten", fields(func(h http.Header, _ bool) { leaveOut(h, "X-Outer") }), []string{"caching/accept_header/served/outer", "caching/url_path/served/outer", "caching/accept_header/rejected/outer", "caching/url_path/rejected/outer"}},
	{"Vary in two lines", fields(func(h http.Header, _ bool) {
		h["Vary"] = slices.Collect(strings.SplitSeq(strings.Join(h["Vary"], ", "), ", "))
	}), []string{"vary/one-line/served", "vary/one-line/two-outer-lines", "vary/one-line/rejected"}},
	{"only the first line of an outer Vary kept", fields(func(h http.Header, _ bool) { leaveOut(h, "Cookie") }), []string{"caching/header/served/outer-of-two-lines", "caching/header/rejected/outer-of-two-lines", "caching/accept_header/served/outer-of-two-lines"}},
	{"a name added to a Vary of *", joining(replacing(adapter.JoinField, adapter.AddField)),
		[]string{"caching/header/served/outer-of-any", "caching/header/rejected/outer-of-any", "caching/header/served/outer-in-lower-case"}},
	{"a Link of an outer middleware overwritten", joining(replacing(adapter.AddField, adapter.SetField)),
		[]string{"fields/outer", "fields/outer-304", "fields/outer-gone"}},
	{"a Deprecation of an outer middleware overwritten", joining(replacing(adapter.KeepField, adapter.SetField)),
		[]string{"fields/outer", "fields/outer-deprecation"}},
	{"a Deprecation of an outer middleware doubled", joining(replacing(adapter.KeepField, adapter.AddField)),
		[]string{"fields/outer", "fields/outer-deprecation"}},
	{"a list of versions of an outer middleware added to", joining(replacing(adapter.SetField, adapter.AddField)),
		[]string{"fields/outer", "fields/outer-gone"}},
	{"fields missing on 304", always(mutation{writer: func(w http.ResponseWriter) http.ResponseWriter { return bare304{w} }}),
		[]string{"fields/304", "fields/outer-304"}},
	{"fields missing after a panic", always(mutation{panics: func(h http.Header) { clear(h) }}), []string{"faults/handler/panics-behind-fields"}},
	{"an extra field", fields(func(h http.Header, _ bool) { h.Set("Cache-Control", "no-store") }), []string{"header/absent", "header/unknown"}},
}

var observeMutants = []mutant{
	{"not checked, so not observed", always(mutation{exempt: func(*matched) bool { return true }}), []string{"observe/served", "observe/rejected"}},
	{"observed before the handler", always(mutation{early: behind}), []string{"observe/served", "observe/panics", "surface/stored"}},
	{"rejections answered in front of the check, which observes", always(mutation{early: answering(isRejection)}), []string{"observe/rejected", "observe/not-in-version"}},
	{"failures answered in front of the check, which observes", always(mutation{early: answering(func(err error) bool { return !isRejection(err) })}), []string{"observe/failed"}},
	{"observed twice", always(mutation{early: before(anything)}), []string{"observe/served", "observe/rejected"}},
	{"HEAD not checked, so not observed", always(mutation{exempt: func(r *matched) bool { return r.Method == http.MethodHead }}), []string{"observe/head", "observe/rejected-head"}},
	{"observed in another context", always(mutation{reader: detached{}}), []string{"observe/served", "observe/panics"}},
}

var decisionMutants = []mutant{
	{
		"a version in the store trusted while requests are observed",
		always(mutation{exempt: func(r *matched) bool { return r.of.seam.Observes() && r.result != nil }}),
		[]string{"decisions/set-before/observe", "middleware/set-before/observe"},
	},
	{
		"a version in the store trusted behind the middleware",
		always(mutation{exempt: func(r *matched) bool { return r.of.app.Middleware > 0 && r.result != nil }}),
		[]string{"middleware/set-before/plain", "middleware/set-before/keep-served", "middleware/set-before/once"},
	},
	{
		"a version in the store trusted by the middleware",
		always(mutation{exempt: func(r *matched) bool { return r.route.Foreign && r.result != nil }}),
		[]string{"middleware/foreign-set-before/plain", "middleware/foreign-set-before/observe", "middleware/foreign-set-before/keep-served", "middleware/foreign-set-before/once"},
	},
	{
		"the check in front of the middleware of the route", always(mutation{early: around(anything), exempt: func(r *matched) bool { return r.result != nil }}),
		[]string{"decisions/rewritten/plain", "middleware/rewritten/observe", "middleware/rewritten/keep-served"},
	},
	{
		"the middleware decides on checked routes too", always(mutation{early: around(behindMiddleware)}),
		[]string{"middleware/versions/once", "middleware/rewritten/plain", "middleware/rewritten/once", "middleware/set-after/once"},
	},
	{
		"the middleware decides on checked routes whose path others have, without their options",
		always(mutation{early: around(behindMiddleware, "/health", "/rooms", "/choice")}),
		[]string{"middleware/versions/plain", "middleware/versions/keep-served", "middleware/versions/once", "middleware/rewritten/plain"},
	},
	{
		"the routes of others not checked where requests are kept",
		always(mutation{exempt: func(r *matched) bool { return r.route.Foreign && r.of.app.ExemptFromSunset != "" }}), []string{"middleware/foreign/keep-served"},
	},
	{
		"the routes of others not checked", always(mutation{exempt: func(r *matched) bool { return r.route.Foreign }}),
		[]string{"middleware/foreign/plain", "middleware/foreign/observe"},
	},
	{
		"the routes of others not checked where a middleware has set the method of another route",
		always(mutation{exempt: func(r *matched) bool { return r.route.Foreign && r.Method == http.MethodGet }}),
		[]string{"middleware/overridden/plain", "middleware/overridden/observe", "middleware/overridden/keep-served"},
	},
	{
		"a preflight made of a route of others by a middleware that has set the method",
		always(mutation{exempt: func(r *matched) bool {
			return r.route.Foreign && r.Method == http.MethodOptions && r.route.Method != http.MethodOptions
		}}),
		[]string{"middleware/overridden/plain", "middleware/overridden/observe", "middleware/overridden/keep-served"},
	},
	{
		"the middleware observes what the route observes too", always(mutation{early: before(behindMiddleware)}),
		[]string{"middleware/versions/once", "middleware/set-other/once", "middleware/other-after/once"},
	},
	{
		"the middleware is installed twice, and does not notice",
		always(mutation{early: func(r *matched, next func()) {
			if !r.route.Foreign {
				next()
				return
			}
			r.of.check(r, r.of.routeOf(r), func() {
				r.of.check(r, r.of.routeOf(r), func() { r.of.call(r, r.route.Handle) })
			})
		}}), []string{"middleware/foreign/once", "middleware/overridden/once"},
	},
	{
		"requests not checked while they are observed", always(mutation{exempt: func(r *matched) bool { return r.of.seam.Observes() }}),
		[]string{"decisions/versions/observe", "decisions/set-other/observe"},
	},
	{
		"the handler picked by the version in the store", always(mutation{trusts: true}),
		[]string{"decisions/set-after/plain", "decisions/set-after/keep-served", "decisions/set-other/plain", "middleware/set-after/observe", "middleware/other-after/plain", "middleware/other-after/keep-served"},
	},
	{
		"observed in front of the check too", always(mutation{early: before(anything)}),
		[]string{"decisions/versions/once", "decisions/set-before/once", "decisions/rewritten/once", "decisions/set-after/once", "decisions/set-other/once"},
	},
	{
		"preflights pass without a check", always(mutation{exempt: isPreflight}),
		[]string{"decisions/preflights/plain", "decisions/preflights/observe", "middleware/preflights/plain", "middleware/foreign-preflights/plain"},
	},
	{"preflights for what others register pass without a check", always(mutation{exempt: func(r *matched) bool { return r.route.Foreign && isPreflight(r) }}), []string{"middleware/foreign-preflights/plain", "middleware/several-preflight"}},
	{
		"preflights without a version reach a handler that has options", always(mutation{exempt: func(r *matched) bool { return isPreflight(r) && r.Header.Get("Api-Version") == "" }}),
		[]string{"decisions/preflights/plain", "decisions/preflights/keep-served"},
	},
	{"the SetTestVersion of another API taken for the first one's", always(mutation{alike: true}), []string{"decisions/set-other/plain", "middleware/set-other/plain"}},
	{
		"the middleware of the suite passed over", always(mutation{quiet: true}),
		[]string{"decisions/set-before/plain", "decisions/set-after/plain", "decisions/set-other/plain", "decisions/rewritten/plain"},
	},
}

func anything(*matched) bool { return true }

func isPreflight(r *matched) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
}

func behindMiddleware(r *matched) bool { return r.of.app.Middleware > 0 }

func isRejection(err error) bool {
	ok := errors.As(err, new(*verso.Error))
	return ok
}

// around returns another check around the middleware and the check of a route: of all
// routes, or of those of some paths, of which it takes the options for those of others.
func around(when func(*matched) bool, paths ...string) func(*matched, func()) {
	return func(r *matched, next func()) {
		switch {
		case r.route.check == nil || !when(r) || len(paths) > 0 && !slices.Contains(paths, r.route.Pattern):
			next()
		case len(paths) > 0:
			r.of.check(r, (&route.Route{Path: r.route.Pattern, Foreign: true}).Prepare(), next)
		default:
			r.of.check(r, r.of.routeOf(r), next)
		}
	}
}

// behind calls the handler when the check has returned.
func behind(r *matched, _ func()) {
	var served bool
	r.of.check(r, r.of.routeOf(r), func() { served = true })
	if served {
		r.stored()(r)
	}
}

// before returns another check, which has returned when the middleware of a route runs.
func before(when func(*matched) bool) func(*matched, func()) {
	return func(r *matched, next func()) {
		if r.route.check != nil && when(r) {
			r.of.check(r, r.of.routeOf(r), func() {})
		}
		next()
	}
}

// answering returns what answers requests by itself, if they have certain errors.
func answering(which func(error) bool) func(*matched, func()) {
	return func(r *matched, next func()) {
		if _, err := r.of.seam.DetermineVersion(r.of.callOf(r, r.of.routeOf(r)).Request); err != nil && which(err) {
			r.w.WriteHeader(http.StatusInternalServerError)
			return
		}
		next()
	}
}

// detached are facts whose context is not that of the request.
type detached struct{ facts }

func (detached) Context(any) context.Context { return context.Background() }

var linkMutants = []mutant{
	{"links without escaping", linking(func(built string, _ *matched) string {
		plain, err := url.PathUnescape(built)
		if err != nil {
			return built
		}
		return plain
	}), []string{"reverse/url_path/wrapper/version-question", "reverse/query_parameter/wrapper/path-question"}},
	{"relative URLs", linking(func(built string, r *matched) string { return strings.TrimPrefix(built, "http://"+r.Host) }),
		[]string{"reverse/base/wrapper/plain"}},
	{"links outside of the request", always(mutation{link: func(r *matched, target verso.Target) (string, error) {
		target.Version = r.result.Version()
		return r.of.seam.Link(target)
	}}), []string{"reverse/base/wrapper/plain", "reverse/namespace/wrapper/ns-v3-missing"}},
	{"version put twice", linking(func(built string, r *matched) string { return built + "&version=" + r.result.Version().String() }),
		[]string{"reverse/query_parameter/wrapper/detail-kwargs"}},
	{"version not put", always(mutation{link: func(r *matched, target verso.Target) (string, error) {
		return r.of.seam.Reverse(r.request, verso.Version{}, target)
	}}), []string{"reverse/url_path/wrapper/versioned-kwargs", "reverse/namespace/wrapper/ns-v1", "links/query_parameter"}},
	{"the caller's path parameter loses", always(mutation{link: func(r *matched, target verso.Target) (string, error) {
		delete(target.Params, "version")
		return adapter.LinkFor(r.result, r.request, target)
	}}), []string{"reverse/url_path/wrapper/caller-version"}},
	{"no second try", always(mutation{link: func(r *matched, target verso.Target) (string, error) {
		target.Version = r.result.Version() // an explicit version has no second try
		return adapter.LinkFor(r.result, r.request, target)
	}}), []string{"reverse/namespace/wrapper/ns-v3-missing", "reverse/namespace/wrapper/ns-missing-in-v2"}},
	{"second try on mixed parameters", always(mutation{link: func(r *matched, target verso.Target) (string, error) {
		built, err := adapter.LinkFor(r.result, r.request, target)
		if err != nil {
			return r.of.seam.Reverse(r.request, verso.Version{}, target)
		}
		return built, nil
	}}), []string{"links/url_path/mixed-arguments"}},
	{"links are not told of TLS", reading(func(l *lenient) { l.secure = func(*matched) bool { return false } }),
		[]string{"links/https/base", "links/https/url_path", "links/https/hostname", "links/https/query_parameter", "links/url_path"}},
	{"X-Forwarded-Proto trusted", reading(func(l *lenient) {
		l.secure = func(r *matched) bool { return r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" }
	}), []string{"links/forwarded-proto"}},
	{"the scheme of an absolute-form target trusted", reading(func(l *lenient) {
		l.secure = func(r *matched) bool { return r.TLS != nil || r.URL.Scheme == "https" }
	}), []string{"links/absolute-form/https-over-plain"}},
	{"fixed text escaped twice in links", linking(func(built string, _ *matched) string { return strings.ReplaceAll(built, "caf%", "caf%25") }),
		[]string{"links/fixed-text-escaped"}},
	{"links ignore the configured origin", linking(func(built string, r *matched) string {
		_, path, _ := strings.Cut(strings.TrimPrefix(built, "https://"), "/")
		return "http://" + r.Host + "/" + path
	}), []string{"links/origin/url_path", "links/trusted/no", "links/relative/url_path"}},
	{"path parameters in lower case", path(func(value string) (string, bool) { return strings.ToLower(value), true }),
		[]string{"links/url_path"}},
}

var strictMutants = []mutant{
	{"contradictions served", query(func(pairs []string) []string { return pairs[max(0, len(pairs)-1):] }),
		[]string{"strictness/contradiction-in-query/all", "strictness/contradiction-in-query/contradictions"}},
	{"empty versions served", query(func(pairs []string) []string {
		return slices.DeleteFunc(pairs, func(pair string) bool { return strings.HasSuffix(pair, "=") })
	}), []string{"strictness/empty-in-query/all", "strictness/empty-in-query/empty"}},
	{"unknown hosts served", host(func(*matched) string { return "example.com" }),
		[]string{"strictness/unknown-host/all", "strictness/unknown-host/host", "strictness/unknown-host-and-accept/host"}},
	{"what strictness needs built only where it has several parts", func(t *testing.T) mutation {
		t.Helper()
		m := reading(func(l *lenient) {
			l.host = func(*matched) string { return "api.example.com" }
			l.query = func(r *matched) string {
				pairs := strings.Split(r.URL.RawQuery, "&")
				return strings.TrimSuffix(pairs[len(pairs)-1], "version=")
			}
		})(t)
		m.when = func(api *verso.Versioning) bool { return !severalParts(api) }
		return m
	}, []string{"strictness/contradiction-in-query/contradictions", "strictness/empty-in-query/empty", "strictness/unknown-host/host"}},
}

// severalParts reports whether a versioning rejects both unknown hosts and
// contradictions.
func severalParts(api *verso.Versioning) bool {
	rejects := func(rawURL string) bool {
		r, _ := http.NewRequest(http.MethodGet, rawURL, nil)
		var request source.Request
		request.Set(referenceFacts, r.Method, &matched{Request: r}, nil)
		_, err := adapter.Bind(api, nil).DetermineVersion(request)
		return err != nil
	}
	return rejects("http://unknown.invalid/") && rejects("http://example.com/?version=v1&version=v2")
}

var sharingMutants = []mutant{
	{"version in a shared variable", func(*testing.T) mutation {
		var shared atomic.Pointer[verso.Result]
		return mutation{
			link: func(r *matched, target verso.Target) (string, error) {
				return adapter.LinkFor(shared.Swap(r.result), r.request, target)
			},
		}
	}, []string{"concurrent/query_parameter", "concurrent/sources"}},
	{"language of another rejection", func(*testing.T) mutation {
		var last atomic.Value
		last.Store("en")
		return mutation{header: func(h http.Header, rejected bool) {
			if rejected {
				h.Set("Content-Language", last.Swap(h.Get("Content-Language")).(string))
			}
		}}
	}, []string{"concurrent/query_parameter", "concurrent/accept_header"}},
	{"a goroutine left behind", func(t *testing.T) mutation {
		t.Helper()
		end := make(chan struct{})
		t.Cleanup(func() { close(end) })
		return mutation{around: func(r *http.Request, serve func(*http.Request)) {
			go func() { <-end }()
			serve(r)
		}}
	}, []string{"concurrent/query_parameter", "faults/source/fails"}},
}

var faultMutants = []mutant{
	{"panics swallowed", always(mutation{around: func(r *http.Request, serve func(*http.Request)) {
		defer func() { _ = recover() }()
		serve(r)
	}}), []string{
		"faults/handler/panics", "faults/handler/panics-in-its-answer", "faults/source/panics", "faults/source/panics-in-a-link",
		"faults/origin/panics", "faults/translator/panics",
	}},
	{"an error of a handler dropped", always(mutation{dropped: true}), []string{"faults/handler/returns-an-error", "observe/fails"}},
	{"panics swallowed while requests are observed", always(mutation{early: func(r *matched, next func()) {
		if r.of.seam.Observes() {
			defer func() { _ = recover() }()
		}
		next()
	}}), []string{"observe/panics"}},
	{"fields missing after an error", always(mutation{cleared: true}), []string{"faults/handler/fails-behind-fields"}},
	{"the request of a source that failed used again", func(*testing.T) mutation {
		var pooled atomic.Pointer[matched]
		return mutation{
			reader: reading(func(l *lenient) {
				l.request = func(r *matched) *matched {
					pooled.CompareAndSwap(nil, r)
					return pooled.Load()
				}
			})(nil).reader,
			header: func(http.Header, bool) { pooled.Store(nil) },
		}
	}, []string{"faults/source/panics", "faults/source/fails"}},
	{"an error of the source shown to the client", always(mutation{failure: func(w http.ResponseWriter, err error) {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}}), []string{"faults/source/fails"}},
	{"an error of the source in the log of the process", always(mutation{failure: func(w http.ResponseWriter, err error) {
		log.Print(err)
		w.WriteHeader(http.StatusInternalServerError)
	}}), []string{"faults/source/logged"}},
	{"an error of the source taken for no version", always(mutation{failure: func(w http.ResponseWriter, _ error) {
		_, _ = fmt.Fprintf(w, "%#v", verso.Version{})
	}}), []string{"faults/source/fails", "faults/source/fails-without-an-error", "faults/source/returns-unknown-outcome", "faults/source/returns-unknown-part"}},
	{"an error of the source taken for a rejection", always(mutation{failure: func(w http.ResponseWriter, _ error) {
		w.WriteHeader(http.StatusBadRequest)
	}}), []string{"faults/source/fails"}},
	{"the language of a translator sent unchecked", fields(func(h http.Header, rejected bool) {
		if rejected && h.Get("Content-Language") == "" {
			h.Set("Content-Language", "de\r\nX-Evil: 1")
		}
	}), []string{"faults/translator/returns-line-break", "faults/translator/returns-no-language", "faults/translator/returns-nothing"}},
	{"handlers not told that the client has disconnected", func(t *testing.T) mutation {
		t.Helper()
		ctx, cancel := context.WithCancel(context.Background())
		t.Cleanup(cancel)
		return mutation{around: func(r *http.Request, serve func(*http.Request)) { serve(r.WithContext(ctx)) }}
	}, []string{"faults/client/leaves-before-its-answer"}},
	{"answers buffered", always(mutation{writer: func(w http.ResponseWriter) http.ResponseWriter { return &buffered{ResponseWriter: w} }}),
		[]string{"faults/client/leaves-in-a-stream"}},
	{"answers that cannot be cancelled", always(mutation{writer: func(w http.ResponseWriter) http.ResponseWriter { return endless{w} }}),
		[]string{"faults/client/leaves-in-a-stream"}},
}

// buffered keeps what is written to it.
type buffered struct {
	http.ResponseWriter
	kept bytes.Buffer
}

func (b *buffered) Write(p []byte) (int, error) { return b.kept.Write(p) }
func (*buffered) Flush()                        {}

// endless hides the errors of writing.
type endless struct{ http.ResponseWriter }

func (e endless) Write(p []byte) (int, error) {
	_, _ = e.ResponseWriter.Write(p)
	return len(p), nil
}

func (e endless) Flush() { _ = http.NewResponseController(e.ResponseWriter).Flush() }

// drop returns no version for a version that is one of the given ones.
func drop(v verso.Version, texts ...string) verso.Version {
	if slices.Contains(texts, v.String()) {
		return verso.Version{}
	}
	return v
}

// lenient are facts with single changes.
type lenient struct {
	facts
	request func(*matched) *matched
	secure  func(*matched) bool
	host    func(*matched) string
	query   func(*matched) string
	header  func(r *matched, name string) (string, bool)
	path    func(r *matched, name string) (string, bool)
}

func (l *lenient) of(request any) *matched {
	if l.request != nil {
		return l.request(request.(*matched))
	}
	return request.(*matched)
}

func (l *lenient) Secure(request any) bool {
	if l.secure != nil {
		return l.secure(l.of(request))
	}
	return l.facts.Secure(request)
}

func (l *lenient) Host(request any) string {
	if l.host != nil {
		return l.host(l.of(request))
	}
	return l.facts.Host(request)
}

func (l *lenient) RawQuery(request any) string {
	if l.query != nil {
		return l.query(l.of(request))
	}
	return l.facts.RawQuery(l.of(request))
}

func (l *lenient) Header(request any, name string) (string, bool) {
	if l.header != nil {
		return l.header(l.of(request), name)
	}
	return l.facts.Header(request, name)
}

func (l *lenient) PathParam(request any, name string) (string, bool) {
	if l.path != nil {
		return l.path(l.of(request), name)
	}
	return l.facts.PathParam(request, name)
}

// reading returns a mutation of what the source reads.
func reading(change func(*lenient)) func(*testing.T) mutation {
	l := &lenient{facts: referenceFacts}
	change(l)
	return always(mutation{reader: l})
}

// query returns a mutation of the pairs of a query.
func query(change func(pairs []string) []string) func(*testing.T) mutation {
	return reading(func(l *lenient) {
		l.query = func(r *matched) string { return strings.Join(change(strings.Split(r.URL.RawQuery, "&")), "&") }
	})
}

// path returns a mutation of existing path parameters.
func path(change func(value string) (string, bool)) func(*testing.T) mutation {
	return reading(func(l *lenient) {
		l.path = func(r *matched, name string) (string, bool) {
			if value, ok := r.params[name]; ok {
				return change(value)
			}
			return "", false
		}
	})
}

func host(change func(*matched) string) func(*testing.T) mutation {
	return reading(func(l *lenient) { l.host = change })
}

// header returns a mutation of the lines of a field.
func header(change func(lines []string) []string) func(*testing.T) mutation {
	return reading(func(l *lenient) {
		l.header = func(r *matched, name string) (string, bool) {
			if lines := r.Header[name]; len(lines) > 0 {
				return strings.Join(change(lines), ", "), true
			}
			return "", false
		}
	})
}

func problem(change func(*verso.Problem)) func(*testing.T) mutation {
	return always(mutation{problem: change})
}

// joining returns a mutation of the modes in which fields join existing ones.
func joining(change func(adapter.FieldMode) adapter.FieldMode) func(*testing.T) mutation {
	return always(mutation{fields: func(h http.Header, fields adapter.Fields) {
		fields.Each(func(field catalogue.Field, mode adapter.FieldMode) {
			switch lines := h[field.Name]; change(mode) {
			case adapter.JoinField:
				h[field.Name] = mode.Join(lines, field.Lines)
			case adapter.AddField:
				h[field.Name] = append(slices.Clip(lines), field.Lines...)
			case adapter.SetField:
				h[field.Name] = field.Lines
			case adapter.KeepField:
				if len(lines) == 0 {
					h[field.Name] = field.Lines
				}
			}
		})
	}})
}

// replacing returns a change of one mode into another.
func replacing(from, to adapter.FieldMode) func(adapter.FieldMode) adapter.FieldMode {
	return func(mode adapter.FieldMode) adapter.FieldMode {
		if mode == from {
			return to
		}
		return mode
	}
}

// bare304 removes the fields of a version from a 304.
type bare304 struct{ http.ResponseWriter }

func (w bare304) WriteHeader(status int) {
	if status == http.StatusNotModified {
		for name := range conformance.FieldsOfV1 {
			w.Header().Del(name)
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

// lenientConn lets a malformed escape through to the handler, as NUL.
type lenientConn struct{ net.Conn }

func (c lenientConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	copy(p[:n], bytes.ReplaceAll(p[:n], []byte("%zz"), []byte("%00")))
	return n, err
}

func fields(change func(h http.Header, rejected bool)) func(*testing.T) mutation {
	return always(mutation{header: change})
}

// leaveOut removes a name from the Vary field of a response.
func leaveOut(h http.Header, name string) {
	names := slices.DeleteFunc(strings.Split(h.Get("Vary"), ", "), func(other string) bool { return other == name })
	if len(names) == 0 {
		h.Del("Vary")
		return
	}
	h.Set("Vary", strings.Join(names, ", "))
}

// linking returns a mutation of the URLs that are built.
func linking(change func(built string, r *matched) string) func(*testing.T) mutation {
	return always(mutation{link: func(r *matched, target verso.Target) (string, error) {
		built, err := adapter.LinkFor(r.result, r.request, target)
		if err != nil {
			return "", err
		}
		return change(built, r), nil
	}})
}
