package sources_test

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/source"
)

func TestSeveral(t *testing.T) {
	path, header, param := verso.PathParam("version"), verso.Header("Api-Version"), verso.QueryParam("version")
	acceptParam, media, label := verso.AcceptParam("version"), verso.MediaType(coretest.Vendor), verso.HostLabel("")
	const (
		contradicting = "400 contradicting_versions"
		missing       = "400 missing_version"
		badHeader     = "400 invalid_header_version"
		badPath       = "404 invalid_url_path_version"
	)
	both := func(inPath, inHeader string) coretest.Ask {
		return coretest.Ask{Params: coretest.In(inPath).Params, Header: http.Header{"Api-Version": {inHeader}}}
	}
	none, version := []string(nil), []string{"Api-Version"}
	tests := []struct {
		name   string
		source source.Source
		ask    coretest.Ask
		want   string
		vary   []string
	}{
		{"first, in the first", verso.First(path, header), both("v1", "v2"), "= v1", none},
		{"first, in the second", verso.First(path, header), coretest.Field("v2"), "= v2", version},
		{"first, unknown in the first", verso.First(path, header), both("v9", "v2"), badPath, none},
		{"first, empty in the first", verso.First(path, header), both("", "v2"), badPath, none},
		{"first, unknown in the second", verso.First(path, header), coretest.Field("v9"), badHeader, version},
		{"first, in none", verso.First(path, header), coretest.Ask{}, missing, version},
		{"first, header elements contradict", verso.First(path, header), coretest.Field("v1, v2"), contradicting, version},
		{"first, repeated query values: the last", verso.First(param, header), coretest.Query("version=v1&version=v2"), "= v2", none},
		{"first, repeated query values, the last unknown", verso.First(param, header), coretest.Query("version=v1&version=v9"), "404 invalid_query_parameter_version", none},
		{"first, host that matches nothing", verso.First(label, header), coretest.Ask{Host: "localhost", Header: coretest.Field("v2").Header}, "= v2", version},
		{"first, route without a namespace", verso.First(verso.Namespace(), path), coretest.Ask{Route: coretest.Named("users").Route, Params: coretest.In("v2").Params}, "= v2", none},
		{"first, namespace before", verso.First(verso.Namespace(), path), coretest.Ask{Route: coretest.Named("v1:users").Route, Params: coretest.In("v2").Params}, "= v1", none},
		{"first, two headers, in the first", verso.First(header, acceptParam), coretest.Field("v1"), "= v1", version},
		{"first, two headers, in the second", verso.First(header, acceptParam), coretest.Accept("a/b;version=v2"), "= v2", []string{"Api-Version", "Accept"}},
		{"first, too many pairs", verso.First(param, path), coretest.Ask{Query: string(slices.Repeat([]byte("&"), 10000)), Params: coretest.In("v1").Params}, "400 invalid_version", none},
		{"first, media type unknown", verso.First(path, media), coretest.Accept("application/vnd.acme.v9+json"), "406 not_acceptable", []string{"Accept"}},
		{"first, media type not reached", verso.First(path, media), coretest.Ask{Params: coretest.In("v1").Params, Header: coretest.Accept("application/vnd.acme.v9+json").Header}, "= v1", none},
		{"first, nested, the inner one decides", verso.First(verso.First(path, header), acceptParam), coretest.Field("v2"), "= v2", version},
		{"first, nested, the outer one decides", verso.First(verso.First(path, header), acceptParam), coretest.Accept("a/b;version=v2"), "= v2", []string{"Api-Version", "Accept"}},
		{"first, agreement first", verso.First(verso.Agree(path, header), acceptParam), both("v1", "v1"), "= v1", version},
		{"first, agreement contradicts", verso.First(verso.Agree(path, header), acceptParam), both("v1", "v2"), contradicting, version},
		{"first, agreement last", verso.First(acceptParam, verso.Agree(path, header)), both("v9", "v9"), badPath, []string{"Accept", "Api-Version"}},

		{"agree, both", verso.Agree(path, header), both("v1", "v1"), "= v1", version},
		{"agree, one", verso.Agree(path, header), coretest.In("v1"), "= v1", version},
		{"agree, the other", verso.Agree(path, header), coretest.Field("v1"), "= v1", version},
		{"agree, none", verso.Agree(path, header), coretest.Ask{}, missing, version},
		{"agree, contradicting", verso.Agree(path, header), both("v1", "v2"), contradicting, version},
		{"agree, contradicting in case", verso.Agree(path, header), both("v1", "V1"), contradicting, version},
		{"agree, contradicting, one unknown", verso.Agree(path, header), both("v9", "v1"), contradicting, version},
		{"agree, both unknown: the first rejects", verso.Agree(header, path), both("v9", "v9"), badHeader, version},
		{"agree, both unknown: the first rejects, path", verso.Agree(path, header), both("v9", "v9"), badPath, version},
		{"agree, one empty", verso.Agree(path, header), both("", "v1"), contradicting, version},
		{"agree, both empty", verso.Agree(path, header), both("", ""), badPath, version},
		{"agree, repeated query values", verso.Agree(param, header), coretest.Query("version=v1&version=v2"), contradicting, version},
		{"agree, repeated query values that are equal", verso.Agree(param, header), coretest.Query("version=v1&version=v1"), "= v1", version},
		{"agree, repeated accept parameters", verso.Agree(acceptParam, path), coretest.Accept("a/b;version=v1;version=v2"), contradicting, []string{"Accept"}},
		{"agree, header elements", verso.Agree(path, header), coretest.Field("v1,v2"), contradicting, version},
		{"agree, nothing acceptable before contradiction", verso.Agree(path, header, media), coretest.Ask{Params: coretest.In("v1").Params, Header: http.Header{"Api-Version": {"v2"}, "Accept": {"application/vnd.acme.v9+json"}}}, "406 not_acceptable", []string{"Accept", "Api-Version"}},
		{"agree, another media type is absent", verso.Agree(path, media), coretest.Ask{Params: coretest.In("v1").Params, Header: coretest.Accept("image/png").Header}, "= v1", []string{"Accept"}},
		{"first, another media type is absent", verso.First(media, path), coretest.Ask{Params: coretest.In("v2").Params, Header: coretest.Accept("image/png").Header}, "= v2", []string{"Accept"}},
		{"agree, nowhere is absent", verso.Agree(label, verso.Namespace(), path), coretest.Ask{Host: "localhost", Params: coretest.In("v2").Params}, "= v2", none},
		{"agree, nested", verso.Agree(verso.First(path, header), param), coretest.Ask{Params: coretest.In("v1").Params, Query: "version=v1", Header: coretest.Field("v2").Header}, "= v1", version},
		{"agree, nested, contradicting", verso.Agree(verso.First(path, header), param), coretest.Ask{Header: coretest.Field("v2").Header, Query: "version=v1"}, contradicting, version},
		{"agree, nested in nested", verso.Agree(verso.Agree(path, header), verso.First(verso.Agree(param))), coretest.Ask{Params: coretest.In("v2").Params, Query: "version=v2"}, "= v2", version},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			config := coretest.With(coretest.List("v1", "v2"), func(c *verso.Config) { c.Produces = []string{"application/json", "a/b"} })
			api := verso.MustNew(test.source, config)
			r := test.ask.Request()
			coretest.Expect(t, api, r, test.want)
			_, call := coretest.Begin(coretest.Bound(api), r)
			if got := slices.Sorted(slices.Values(coretest.Varies(call))); !slices.Equal(got, slices.Sorted(slices.Values(test.vary))) {
				t.Errorf("Vary %q, want %q", got, test.vary)
			}
			if test.want != missing {
				return
			}
			config.DefaultVersion = verso.V("v2")
			coretest.Expect(t, verso.MustNew(test.source, config), r, "= v2", "with a default")
		})
	}
}

// A version in a host that says there is none is as absent in several as a host
// that matches nothing.
func TestSeveralUnversioned(t *testing.T) {
	label := verso.HostLabel(`(?:(v[0-9]+)\.)?example\.com`)
	for name, how := range map[string]func(...source.Source) source.Source{"first": verso.First, "agree": verso.Agree} {
		api := verso.MustNew(how(label, verso.PathParam("version")), coretest.WithDefault("v1", "v2"))
		r := coretest.In("v2")
		r.Host = "example.com"
		coretest.Expect(t, api, r.Request(), "= v2", name)
		coretest.Expect(t, api, coretest.Host("example.com").Request(), "= v1", name)
	}
}

// The rejection names the source that decided.
func TestSourceOfRejection(t *testing.T) {
	first := verso.First(verso.PathParam("version"), verso.Header("Api-Version"))
	for want, test := range map[string]struct {
		source source.Source
		ask    coretest.Ask
	}{
		`path parameter "version"`: {first, coretest.In("v9")}, `header "Api-Version"`: {first, coretest.Field("v9")},
		`first of path parameter "version", header "Api-Version"`: {first, coretest.Ask{}},
		`media type "application/vnd.acme.{version}+json"`: {verso.Agree(verso.PathParam("version"), verso.MediaType(coretest.Vendor)),
			coretest.Accept("application/vnd.acme.v9+json")},
	} {
		_, err := adapter.Bind(verso.MustNew(test.source, coretest.List("v1")), nil).DetermineVersion(test.ask.Request())
		var rejected *verso.Error
		ok := errors.As(err, &rejected)
		if !ok || rejected.Source != want {
			t.Errorf("rejected by %v, want %s", err, want)
		}
	}
}

// Links of several sources carry the version where the request had it
// (sources/links/* of the cases).
func TestLinksOfSeveral(t *testing.T) {
	path, header, param, acceptParam := verso.PathParam("version"), verso.Header("Api-Version"), verso.QueryParam("v"), verso.AcceptParam("version")
	own := coretest.Own{Described: source.Description{Name: "own", Place: source.InQuery}, OnWrite: func(w source.Written, _ verso.Version) (source.Written, error) {
		w.SetQuery("part", strconv.Itoa(w.Part()))
		return w, nil
	}}
	const plain, inPath, inQuery = "http://api.example.com/users", "http://api.example.com/v1/users", "http://api.example.com/users?v=v1"
	tests := []struct {
		name    string
		source  source.Source
		ask     coretest.Ask
		version string
		want    string
	}{
		{"default: none", verso.First(path, header), coretest.Ask{}, "", plain},
		{"default, agree: none", verso.Agree(path, header), coretest.Ask{}, "", plain},
		{"from the path", verso.First(path, header), coretest.In("v1"), "", inPath},
		{"from the header", verso.First(path, header), coretest.Field("v1"), "", plain},
		{"from the query", verso.First(path, param), coretest.Query("v=v1"), "", inQuery},
		{"another version, from the path", verso.First(path, header), coretest.In("v2"), "v1", inPath},
		{"another version, from the header", verso.First(path, header), coretest.Field("v2"), "v1", inPath},
		{"another version, from the query", verso.First(path, param), coretest.Query("v=v2"), "v1", inQuery},
		{"another version, default", verso.First(header, param, path), coretest.Ask{}, "v1", inQuery},
		{"another version, in a later part", verso.First(header, acceptParam, own), coretest.Field("v2"), "v1", "http://api.example.com/users?part=0"},
		{"another version, no URL source", verso.First(header, acceptParam), coretest.Field("v2"), "v1", plain},
		{"agree, both: the first of a URL", verso.Agree(header, path), coretest.Ask{Params: coretest.In("v1").Params, Header: coretest.Field("v1").Header}, "", inPath},
		{"agree, three", verso.Agree(header, param, path), coretest.Ask{Params: coretest.In("v1").Params, Query: "v=v1", Header: coretest.Field("v1").Header}, "", inQuery},
		{"agree, header only", verso.Agree(header, path), coretest.Field("v1"), "", plain},
		{"nested, from the inner path", verso.First(param, verso.Agree(header, path)), coretest.In("v1"), "", inPath},
		{"nested, from the outer query", verso.First(param, verso.Agree(header, path)), coretest.Query("v=v1"), "", inQuery},
		{"nested, another version from the inner header", verso.First(verso.Agree(header, path), param), coretest.Field("v2"), "v1", inPath},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			api := coretest.Bound(verso.MustNew(test.source, coretest.WithDefault("v2", "v1")), coretest.LinkedRoutes...)
			test.ask.Host = "api.example.com"
			r := test.ask.Request()
			result, _ := coretest.Decided(t, api, r)
			target := verso.Target{Name: "users"}
			if test.version != "" {
				target.Version = verso.V(test.version)
			}
			if got, err := adapter.LinkFor(result, r, target); got != test.want || err != nil {
				t.Errorf("%q, %v, want %q", got, err, test.want)
			}
		})
	}
}

// TestOrderOfSeveral: which source decides, and what is found in the order of the sources.
func TestOrderOfSeveral(t *testing.T) {
	prefix, header, path := verso.PathPrefix("/{version}"), verso.Header("Api-Version"), verso.PathParam("version")
	always := verso.HostLabel("(.*)")
	for name, test := range map[string]struct {
		source  source.Source
		decides bool // the prefix
		codes   []string
	}{
		"first, the prefix first":        {verso.First(prefix, header), true, nil},
		"first, the prefix last":         {verso.First(header, prefix), false, []string{"prefix_overruled"}},
		"first, no prefix":               {verso.First(path, header), false, nil},
		"first, the parameter last":      {verso.First(header, path), false, []string{"prefix_overruled"}},
		"first, always a version":        {verso.First(always, header), false, []string{"sources_unreachable"}},
		"first, a version in any name":   {verso.First(verso.HostLabel("([a-z][a-z0-9.]*|)"), header), false, nil}, // not in an address
		"first, always a version at end": {verso.First(header, always), false, nil},
		"first, none":                    {verso.First(), false, []string{"sources_empty"}},
		"agree, with a prefix":           {verso.Agree(header, prefix), true, nil},
		"agree, no prefix":               {verso.Agree(header, path), false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			d := test.source.Describe()
			var codes []string
			api, err := verso.New(test.source, coretest.List("v1", "v2"))
			for _, f := range coretest.ConfigErrors(err) {
				codes = append(codes, f.Code)
			}
			if err == nil {
				codes = coretest.Findings(adapter.Bind(api, nil).Explain())
			}
			if d.PrefixDecides != test.decides || !slices.Equal(codes, test.codes) {
				t.Errorf("the prefix decides: %v; found %q, want %v, %q", d.PrefixDecides, codes, test.decides, test.codes)
			}
		})
	}
}
