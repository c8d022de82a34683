package conformance_test

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
)

// TestMutants breaks the reference adapter in the ways in which adapters go
// wrong, and sees that the named cases notice.
func TestMutants(t *testing.T) {
	cases, err := conformance.Cases()
	if err != nil {
		t.Fatal(err)
	}
	byID := make(map[string]conformance.Case, len(cases))
	for _, c := range cases {
		byID[c.ID] = c
	}
	for _, mutant := range mutants {
		t.Run(mutant.name, func(t *testing.T) {
			for _, id := range mutant.caughtBy {
				c, ok := byID[id]
				if !ok {
					t.Fatalf("there is no case %q", id)
				}
				mount := func(tb testing.TB, app conformance.App) http.Handler {
					tb.Helper()
					return mountMutant(tb, app, mutant.mutation)
				}
				if err := conformance.Check(t, mount, c); err == nil {
					t.Errorf("case %q does not notice", id)
				}
				if err := conformance.Check(t, mountReference, c); err != nil {
					t.Errorf("case %q fails without the mutation: %v", id, err)
				}
			}
		})
	}
}

var mutants = []struct {
	name     string
	mutation mutation
	caughtBy []string
}{
	{
		name:     "none taken for the empty version",
		mutation: mutation{version: func(v verso.Version) verso.Version { return verso.V(v.String()) }},
		caughtBy: []string{"determine/query_parameter/missing/none", "determine/accept_header/no-header/x-none"},
	},
	{
		name: "empty version taken for none",
		mutation: mutation{version: func(v verso.Version) verso.Version {
			if v.String() == "" {
				return verso.Version{}
			}
			return v
		}},
		caughtBy: []string{"determine/query_parameter/empty/none", "determine/accept_header/empty/none"},
	},
	{
		name:     "the default ignored",
		mutation: mutation{version: func(v verso.Version) verso.Version { return drop(v, "dflt", "v1") }},
		caughtBy: []string{"determine/accept_header/missing/default", "determine/hostname/localhost/x-default"},
	},
	{
		name:     "an empty query value taken for a missing one",
		mutation: reading(func(r *lenient) { r.query = nonEmpty(r.reference.QueryParam) }),
		caughtBy: []string{"determine/query_parameter/empty/default", "determine/query_parameter/empty/empty-list-default"},
	},
	{
		name: "first query value instead of the last",
		mutation: reading(func(r *lenient) {
			r.query = func(name string) (string, bool) {
				values, ok := r.URL.Query()[name]
				return strings.Join(values[:min(1, len(values))], ""), ok
			}
		}),
		caughtBy: []string{"determine/query_parameter/dup-good-good/x-none", "determine/query_parameter/dup-bad-last/x-both"},
	},
	{
		name: "query read with net/url",
		mutation: reading(func(r *lenient) {
			r.query = func(name string) (string, bool) {
				values := r.URL.Query()[name]
				if len(values) == 0 {
					return "", false
				}
				return values[len(values)-1], true
			}
		}),
		caughtBy: []string{"determine/query_parameter/percent-bad/x-none", "determine/query_parameter/param-semicolon/x-param"},
	},
	{
		name: "query not decoded",
		mutation: reading(func(r *lenient) {
			r.query = func(name string) (string, bool) {
				value, ok := r.reference.QueryParam(name)
				return url.QueryEscape(value), ok
			}
		}),
		caughtBy: []string{"determine/query_parameter/percent-lower-hex/x-none"},
	},
	{
		name: "path argument not decoded",
		mutation: reading(func(r *lenient) {
			r.path = func(name string) (string, bool) {
				value, ok := r.reference.PathParam(name)
				return url.PathEscape(value), ok
			}
		}),
		caughtBy: []string{"determine/url_path/utf8/x-none", "determine/url_path/percent-space/x-none"},
	},
	{
		name: "path argument decoded twice",
		mutation: reading(func(r *lenient) {
			r.path = func(name string) (string, bool) {
				value, ok := r.reference.PathParam(name)
				plain, err := url.QueryUnescape(value)
				if err != nil {
					return value, ok
				}
				return plain, ok
			}
		}),
		caughtBy: []string{"determine/url_path/plus/x-none"},
	},
	{
		name: "port kept, and taken for part of the last label",
		mutation: reading(func(r *lenient) {
			r.host = strings.ReplaceAll(r.Request.Host, ":", ".")
		}),
		caughtBy: []string{"determine/hostname/port/x-both"},
	},
	{
		name: "X-Forwarded-Host trusted",
		mutation: reading(func(r *lenient) {
			r.host = cmp.Or(r.Header.Get("X-Forwarded-Host"), r.Request.Host)
		}),
		caughtBy: []string{"determine/hostname/forwarded-host/x-both"},
	},
	{
		name: "host in lower case",
		mutation: reading(func(r *lenient) {
			r.host = strings.ToLower(r.Request.Host)
		}),
		caughtBy: []string{"determine/hostname/upper/x-both"},
	},
	{
		name: "only the innermost namespace",
		mutation: reading(func(r *lenient) {
			r.namespace = r.route.Namespace[strings.LastIndex(r.route.Namespace, ":")+1:]
		}),
		caughtBy: []string{"determine/namespace/v2-v1/x-allowed", "determine/namespace/api-v2/x-default"},
	},
	{
		name: "Accept not negotiated",
		mutation: reading(func(r *lenient) {
			r.accepted = func() (string, bool) { return r.Header.Get("Accept"), true }
		}),
		caughtBy: []string{"determine/accept_header/repeated-header/x-none", "determine/accept_header/multi-q-zero/x-default"},
	},
	{
		name: "only the first line of Accept",
		mutation: reading(func(r *lenient) {
			r.accepted = func() (string, bool) {
				return r.versioning.AcceptedMediaType(r.Header["Accept"][:min(1, len(r.Header["Accept"]))])
			}
		}),
		caughtBy: []string{"determine/accept_header/repeated-header/x-none", "determine/accept_header/rfc9110-two-lines"},
	},
	{
		name: "nothing acceptable taken for anything accepted",
		mutation: reading(func(r *lenient) {
			r.accepted = func() (string, bool) {
				accepted, _ := r.reference.AcceptedMediaType()
				return accepted, true
			}
		}),
		caughtBy: []string{"determine/accept_header/any-main-only/x-none", "refusal/accept_header/negotiation"},
	},
	{
		name:     "400 instead of 404 and 406",
		mutation: mutation{problem: func(p *verso.Problem, _ http.Header) { p.Status = http.StatusBadRequest }},
		caughtBy: []string{"determine/url_path/v9/both", "determine/accept_header/v0/both"},
	},
	{
		name:     "404 for the Accept scheme",
		mutation: mutation{problem: func(p *verso.Problem, _ http.Header) { p.Status = http.StatusNotFound }},
		caughtBy: []string{"determine/accept_header/v0/both"},
	},
	{
		name:     "no message",
		mutation: mutation{problem: func(p *verso.Problem, _ http.Header) { p.Detail = p.Title }},
		caughtBy: []string{"determine/url_path/v9/both"},
	},
	{
		name:     "no code",
		mutation: mutation{problem: func(p *verso.Problem, _ http.Header) { p.Code = "" }},
		caughtBy: []string{"refusal/url_path/members"},
	},
	{
		name:     "allowed versions left out",
		mutation: mutation{problem: func(p *verso.Problem, _ http.Header) { p.AllowedVersions = nil }},
		caughtBy: []string{"refusal/accept_header/members"},
	},
	{
		name:     "not translated",
		mutation: mutation{problem: func(p *verso.Problem, _ http.Header) { _, p.Detail, _ = strings.Cut(p.Detail, "] ") }},
		caughtBy: []string{"refusal/language/exact"},
	},
	{
		name:     "title not translated",
		mutation: mutation{problem: func(p *verso.Problem, _ http.Header) { _, p.Title, _ = strings.Cut(p.Title, "] ") }},
		caughtBy: []string{"refusal/language/exact"},
	},
	{
		name:     "Content-Language missing",
		mutation: mutation{header: func(h http.Header, _ bool) { h.Del("Content-Language") }},
		caughtBy: []string{"refusal/language/region-fallback", "refusal/language/absent"},
	},
	{
		name: "Content-Language on what is served",
		mutation: mutation{header: func(h http.Header, refused bool) {
			if !refused {
				h.Set("Content-Language", "en")
			}
		}},
		caughtBy: []string{"refusal/served/hostname"},
	},
	{
		name: "Vary missing on refusals",
		mutation: mutation{header: func(h http.Header, refused bool) {
			if refused {
				h.Del("Vary")
			}
		}},
		caughtBy: []string{"determine/accept_header/v0/both", "determine/accept_header/shape-suffix/x-both"},
	},
	{
		name: "Vary missing on what is served",
		mutation: mutation{header: func(h http.Header, refused bool) {
			if !refused {
				h.Del("Vary")
			}
		}},
		caughtBy: []string{"determine/accept_header/no-header/x-none"},
	},
	{
		name:     "Vary doubled",
		mutation: mutation{header: func(h http.Header, _ bool) { h.Add("Vary", "accept") }},
		caughtBy: []string{"determine/accept_header/v1/both"},
	},
	{
		name: "Vary without Accept-Language",
		mutation: mutation{header: func(h http.Header, _ bool) {
			h["Vary"] = slices.DeleteFunc(h["Vary"], func(name string) bool { return name == "Accept-Language" })
		}},
		caughtBy: []string{"refusal/language/absent"},
	},
	{
		name: "unmatched request refused",
		mutation: mutation{missing: func(w http.ResponseWriter, _ func()) {
			verso.WriteProblem(w, &http.Request{}, verso.Problem{Type: "t", Title: "t", Detail: "d", Status: http.StatusNotFound})
		}},
		caughtBy: []string{"unmatched/url_path/not-found", "unmatched/query_parameter/method"},
	},
	{
		name:     "unmatched request versioned",
		mutation: mutation{missing: func(_ http.ResponseWriter, serve func()) { serve() }},
		caughtBy: []string{"unmatched/hostname/not-found", "unmatched/accept_header/method"},
	},
	{
		name: "reversed without escaping",
		mutation: reversing(func(built string, r *reference, target verso.Target) string {
			plain, err := url.PathUnescape(built)
			if err != nil {
				return built
			}
			return plain
		}),
		caughtBy: []string{"reverse/url_path/wrapper/version-question", "reverse/query_parameter/wrapper/path-question"},
	},
	{
		name: "relative URLs",
		mutation: reversing(func(built string, r *reference, target verso.Target) string {
			return strings.TrimPrefix(built, "http://"+r.Request.Host)
		}),
		caughtBy: []string{"reverse/base/wrapper/plain"},
	},
	{
		name: "version put twice",
		mutation: reversing(func(built string, r *reference, target verso.Target) string {
			return built + "&version=" + r.version.String()
		}),
		caughtBy: []string{"reverse/query_parameter/wrapper/detail-kwargs"},
	},
	{
		name: "version not put",
		mutation: mutation{reverse: func(r *reference, target verso.Target) (string, error) {
			r.version = verso.Version{}
			return r.versioning.Reverse(r, r.Request, target)
		}},
		caughtBy: []string{"reverse/url_path/wrapper/versioned-kwargs", "reverse/namespace/wrapper/ns-v1"},
	},
	{
		name: "the caller's argument loses",
		mutation: mutation{reverse: func(r *reference, target verso.Target) (string, error) {
			delete(target.Kwargs, "version")
			return r.versioning.Reverse(r, r.Request, target)
		}},
		caughtBy: []string{"reverse/url_path/wrapper/caller-version"},
	},
	{
		name: "no second try",
		mutation: mutation{reverse: func(r *reference, target verso.Target) (string, error) {
			target.Version = r.version // an explicit version has no second try
			return r.versioning.Reverse(r, r.Request, target)
		}},
		caughtBy: []string{"reverse/namespace/wrapper/ns-v3-missing", "reverse/namespace/wrapper/ns-missing-in-v2"},
	},
	{
		name: "second try on mixed arguments",
		mutation: mutation{reverse: func(r *reference, target verso.Target) (string, error) {
			built, err := r.versioning.Reverse(r, r.Request, target)
			if err != nil {
				r.version = verso.Version{}
				return r.versioning.Reverse(r, r.Request, target)
			}
			return built, nil
		}},
		caughtBy: []string{"links/url_path/mixed-arguments"},
	},
}

// drop returns none for a version that is one of the given.
func drop(v verso.Version, texts ...string) verso.Version {
	if slices.Contains(texts, v.String()) {
		return verso.Version{}
	}
	return v
}

// lenient is a request of which single facts are read otherwise.
type lenient struct {
	*reference
	accepted  func() (string, bool)
	path      func(string) (string, bool)
	query     func(string) (string, bool)
	namespace string
	host      string
}

func (r *lenient) AcceptedMediaType() (string, bool)     { return r.accepted() }
func (r *lenient) PathParam(name string) (string, bool)  { return r.path(name) }
func (r *lenient) QueryParam(name string) (string, bool) { return r.query(name) }
func (r *lenient) Namespace() string                     { return r.namespace }
func (r *lenient) Host() string                          { return r.host }

// reading returns a mutation of what the scheme reads.
func reading(change func(*lenient)) mutation {
	return mutation{request: func(r *reference) verso.Request {
		read := &lenient{r, r.AcceptedMediaType, r.PathParam, r.QueryParam, r.Namespace(), r.Host()}
		change(read)
		return read
	}}
}

// reversing returns a mutation of the URLs that are built.
func reversing(change func(built string, r *reference, target verso.Target) string) mutation {
	return mutation{reverse: func(r *reference, target verso.Target) (string, error) {
		built, err := r.versioning.Reverse(r, r.Request, target)
		if err != nil {
			return "", err
		}
		return change(built, r, target), nil
	}}
}

// nonEmpty drops empty values.
func nonEmpty(read func(string) (string, bool)) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, ok := read(name)
		return value, ok && value != ""
	}
}
