package versotest

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

// WithVersion returns a copy of a request that asks for a version where the API reads it: in
// a header, in Accept, in the query, in the host of r, or in the path. For the path,
// the URL of r must have the path parameter of the route pattern, ":version" or
// "{version}":
//
//	r := versotest.WithVersion(t, api, "v2", httptest.NewRequest("GET", "/:version/users/7", nil))
//
// For a [verso.PathPrefix] the path may be that of any version, or that without one.
//
// In a combined source, a path parameter carries the version, or else the first part
// that r has a place for. To test a namespace, use [ToRoute].
//
// The test fails when the API does not serve the version, and when r has no place
// for it.
func WithVersion(tb testing.TB, api *verso.Versioning, version string, r *http.Request) *http.Request {
	tb.Helper()
	asked, err := ask(api, version, r)
	if err != nil {
		tb.Fatalf("versotest: %v", err)
	}
	return asked
}

// ToRoute is like [WithVersion] for a named route, in all schemes: the URL of the copy is
// that of the route in the version, and if no URL can carry the version, the copy has a
// header as well. link builds links without a request: it is the method Link of what the
// adapter's New returns. For Echo, wrap it in a function that adds the Echo instance.
//
//	r := versotest.ToRoute(t, api, "v2", httptest.NewRequest("GET", "/", nil), v.Link, verso.Target{Name: "user-list"})
//
// The test fails as in [WithVersion], and when the link cannot be built. To test a host, set
// an origin in the configuration that has a place for the version.
func ToRoute(tb testing.TB, api *verso.Versioning, version string, r *http.Request,
	link func(verso.Target) (string, error), target verso.Target,
) *http.Request {
	tb.Helper()
	asked, err := askRoute(api, version, r, link, target)
	if err != nil {
		tb.Fatalf("versotest: %v", err)
	}
	return asked
}

func ask(api *verso.Versioning, version string, r *http.Request) (*http.Request, error) {
	sources, err := sourcesOf(api, version)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(sources, func(a, b source.Source) int { // otherwise a parameter would stay in the path
		return cmp.Compare(len(b.Describe().PathParam), len(a.Describe().PathParam))
	})
	var reasons []error
	for _, from := range sources {
		asked := r.Clone(r.Context())
		err := writeInto(asked, api, from, version)
		if err == nil {
			return asked, nil
		}
		reasons = append(reasons, fmt.Errorf("%s: %w", from.Describe().Name, err))
	}
	return nil, fmt.Errorf("%s %s has no place for version %q: %w", r.Method, r.URL, version, errors.Join(reasons...))
}

func askRoute(api *verso.Versioning, version string, r *http.Request, link func(verso.Target) (string, error),
	target verso.Target) (*http.Request, error) {
	sources, err := sourcesOf(api, version)
	if err != nil {
		return nil, err
	}
	target.Version = verso.V(version)
	built, err := link(target)
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(built)
	if err != nil {
		return nil, err
	}
	asked := r.Clone(r.Context())
	if u.Host != "" {
		asked.Host = u.Host
	}
	move(asked, u)
	if slices.ContainsFunc(sources, func(s source.Source) bool { return s.Describe().Place != source.NotInURL }) {
		return asked, nil // the link has the version
	}
	return asked, writeInto(asked, api, sources[0], version)
}

// sourcesOf returns the sources that a version can be read from.
func sourcesOf(api *verso.Versioning, version string) ([]source.Source, error) {
	if !api.IsAllowedVersion(verso.V(version)) {
		return nil, fmt.Errorf("version %q is not served: ask for one of %q, or write the request by hand to test a rejection", version, api.Versions())
	}
	if parts := api.Source().Describe().Parts; len(parts) > 0 {
		return slices.Clone(parts), nil
	}
	return []source.Source{api.Source()}, nil
}

// writeInto writes a version into a request with a source.
func writeInto(r *http.Request, api *verso.Versioning, from source.Source, version string) error {
	written, err := from.Write(source.Written{}, verso.V(version))
	if err != nil {
		return err
	}
	host, err := written.Host(r.Host)
	if err != nil {
		return err
	}
	param, segment := written.Param()
	queryParam, value := written.Query()
	name, field := written.Header()
	base := withoutPrefix(from.Describe().PathPrefix, r.URL.EscapedPath(), api.Versions())
	path, err := written.Path(base)
	if err != nil {
		return err
	}
	switch {
	case written.Name("") != "":
		return errors.New("the version is in the name of the route: call ToRoute")
	case param != "":
		return fill(r, param, segment)
	case path != base:
		u, err := url.Parse(path)
		if err != nil {
			return err
		}
		u.RawQuery = r.URL.RawQuery
		move(r, u)
	case host != "":
		r.Host = host
	case name != "":
		r.Header.Set(name, field)
	case queryParam != "":
		u, all := *r.URL, r.URL.Query()
		all.Set(queryParam, value)
		u.RawQuery = all.Encode()
		move(r, &u)
	default:
		return errors.New("the source writes nothing: set the version in the request by hand")
	}
	return nil
}

// withoutPrefix returns a path without the prefix of a version, or "{version}" in its place.
func withoutPrefix(template, path string, versions []verso.Version) string {
	if template == "" {
		return path
	}
	for _, version := range append(versions, verso.V("{version}"), verso.V("%7Bversion%7D")) {
		prefix := strings.Replace(template, "{version}", version.String(), 1)
		if rest, ok := strings.CutPrefix(path+"/", prefix+"/"); ok {
			return strings.TrimSuffix(template[:strings.LastIndexByte(template, '/')]+"/"+rest, "/")
		}
	}
	return path
}

// fill replaces a parameter in the path with a value.
func fill(r *http.Request, name, value string) error {
	u := *r.URL
	u.Path, u.RawPath = replaceSegment(u.Path, name, value), replaceSegment(u.RawPath, name, url.PathEscape(value))
	if u.Path == r.URL.Path {
		return fmt.Errorf("the path has no :%s and no {%s} where the version should be", name, name)
	}
	move(r, &u)
	return nil
}

func replaceSegment(path, name, value string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if segment == ":"+name || segment == "{"+name+"}" {
			segments[i] = value
		}
	}
	return strings.Join(segments, "/")
}

// move sets the path and the query of a request.
func move(r *http.Request, to *url.URL) {
	r.URL.Path, r.URL.RawPath, r.URL.RawQuery = to.Path, to.RawPath, to.RawQuery
	if r.RequestURI != "" { // a server's request
		r.RequestURI = r.URL.RequestURI()
	}
}
