package verso_test

import (
	"errors"
	"net/http"
	"slices"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/source"
)

func TestSeveral(t *testing.T) {
	path, header, param := verso.PathParam("version"), verso.Header("Api-Version"), verso.QueryParam("version")
	acceptParam, media, label := verso.AcceptParam("version"), verso.MediaType(vendor), verso.HostLabel("")
	const (
		contradicting = "400 contradicting_versions"
		missing       = "400 missing_version"
		badHeader     = "400 invalid_header_version"
		badPath       = "404 invalid_url_path_version"
	)
	both := func(inPath, inHeader string) ask {
		return ask{params: in(inPath).params, header: http.Header{"Api-Version": {inHeader}}}
	}
	none, version := []string(nil), []string{"Api-Version"}
	tests := []struct {
		name   string
		source source.Source
		ask    ask
		want   string
		vary   []string
	}{
		{"first, in the first", verso.First(path, header), both("v1", "v2"), "= v1", none},
		{"first, in the second", verso.First(path, header), field("v2"), "= v2", version},
		{"first, unknown in the first", verso.First(path, header), both("v9", "v2"), badPath, none},
		{"first, empty in the first", verso.First(path, header), both("", "v2"), badPath, none},
		{"first, unknown in the second", verso.First(path, header), field("v9"), badHeader, version},
		{"first, in none", verso.First(path, header), ask{}, missing, version},
		{"first, header elements contradict", verso.First(path, header), field("v1, v2"), contradicting, version},
		{"first, repeated query values: the last", verso.First(param, header), query("version=v1&version=v2"), "= v2", none},
		{"first, repeated query values, the last unknown", verso.First(param, header), query("version=v1&version=v9"), "404 invalid_query_parameter_version", none},
		{"first, host that matches nothing", verso.First(label, header), ask{host: "localhost", header: field("v2").header}, "= v2", version},
		{"first, route without a namespace", verso.First(verso.Namespace(), path), ask{route: named("users").route, params: in("v2").params}, "= v2", none},
		{"first, namespace before", verso.First(verso.Namespace(), path), ask{route: named("v1:users").route, params: in("v2").params}, "= v1", none},
		{"first, two headers, in the first", verso.First(header, acceptParam), field("v1"), "= v1", version},
		{"first, two headers, in the second", verso.First(header, acceptParam), accept("a/b;version=v2"), "= v2", []string{"Api-Version", "Accept"}},
		{"first, too many pairs", verso.First(param, path), ask{query: string(slices.Repeat([]byte("&"), 10000)), params: in("v1").params}, "400 invalid_version", none},
		{"first, media type unknown", verso.First(path, media), accept("application/vnd.acme.v9+json"), "406 not_acceptable", []string{"Accept"}},
		{"first, media type not reached", verso.First(path, media), ask{params: in("v1").params, header: accept("application/vnd.acme.v9+json").header}, "= v1", none},
		{"first, nested, the inner one decides", verso.First(verso.First(path, header), acceptParam), field("v2"), "= v2", version},
		{"first, nested, the outer one decides", verso.First(verso.First(path, header), acceptParam), accept("a/b;version=v2"), "= v2", []string{"Api-Version", "Accept"}},
		{"first, agreement first", verso.First(verso.Agree(path, header), acceptParam), both("v1", "v1"), "= v1", version},
		{"first, agreement contradicts", verso.First(verso.Agree(path, header), acceptParam), both("v1", "v2"), contradicting, version},
		{"first, agreement last", verso.First(acceptParam, verso.Agree(path, header)), both("v9", "v9"), badPath, []string{"Accept", "Api-Version"}},

		{"agree, both", verso.Agree(path, header), both("v1", "v1"), "= v1", version},
		{"agree, one", verso.Agree(path, header), in("v1"), "= v1", version},
		{"agree, the other", verso.Agree(path, header), field("v1"), "= v1", version},
		{"agree, none", verso.Agree(path, header), ask{}, missing, version},
		{"agree, contradicting", verso.Agree(path, header), both("v1", "v2"), contradicting, version},
		{"agree, contradicting in case", verso.Agree(path, header), both("v1", "V1"), contradicting, version},
		{"agree, contradicting, one unknown", verso.Agree(path, header), both("v9", "v1"), contradicting, version},
		{"agree, both unknown: the first rejects", verso.Agree(header, path), both("v9", "v9"), badHeader, version},
		{"agree, both unknown: the first rejects, path", verso.Agree(path, header), both("v9", "v9"), badPath, version},
		{"agree, one empty", verso.Agree(path, header), both("", "v1"), contradicting, version},
		{"agree, both empty", verso.Agree(path, header), both("", ""), badPath, version},
		{"agree, repeated query values", verso.Agree(param, header), query("version=v1&version=v2"), contradicting, version},
		{"agree, repeated query values that are equal", verso.Agree(param, header), query("version=v1&version=v1"), "= v1", version},
		{"agree, repeated accept parameters", verso.Agree(acceptParam, path), accept("a/b;version=v1;version=v2"), contradicting, []string{"Accept"}},
		{"agree, header elements", verso.Agree(path, header), field("v1,v2"), contradicting, version},
		{"agree, nothing acceptable before contradiction", verso.Agree(path, header, media), ask{params: in("v1").params, header: http.Header{"Api-Version": {"v2"}, "Accept": {"application/vnd.acme.v9+json"}}}, "406 not_acceptable", []string{"Accept", "Api-Version"}},
		{"agree, another media type is absent", verso.Agree(path, media), ask{params: in("v1").params, header: accept("image/png").header}, "= v1", []string{"Accept"}},
		{"first, another media type is absent", verso.First(media, path), ask{params: in("v2").params, header: accept("image/png").header}, "= v2", []string{"Accept"}},
		{"agree, nowhere is absent", verso.Agree(label, verso.Namespace(), path), ask{host: "localhost", params: in("v2").params}, "= v2", none},
		{"agree, nested", verso.Agree(verso.First(path, header), param), ask{params: in("v1").params, query: "version=v1", header: field("v2").header}, "= v1", version},
		{"agree, nested, contradicting", verso.Agree(verso.First(path, header), param), ask{header: field("v2").header, query: "version=v1"}, contradicting, version},
		{"agree, nested in nested", verso.Agree(verso.Agree(path, header), verso.First(verso.Agree(param))), ask{params: in("v2").params, query: "version=v2"}, "= v2", version},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			config := with(list("v1", "v2"), func(c *verso.Config) { c.Produces = []string{"application/json", "a/b"} })
			api := verso.MustNew(test.source, config)
			r := test.ask.request()
			if got := outcome(api, r); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
			_, call := begin(bound(api), r)
			if got := slices.Sorted(slices.Values(varies(call))); !slices.Equal(got, slices.Sorted(slices.Values(test.vary))) {
				t.Errorf("Vary %q, want %q", got, test.vary)
			}
			if test.want != missing {
				return
			}
			config.DefaultVersion = verso.V("v2")
			if got := outcome(verso.MustNew(test.source, config), r); got != "= v2" {
				t.Errorf("with a default: %s", got)
			}
		})
	}
}

// A version in a host that says there is none is as absent in several as a host
// that matches nothing.
func TestSeveralUnversioned(t *testing.T) {
	label := verso.HostLabel(`(?:(v[0-9]+)\.)?example\.com`)
	for name, how := range map[string]func(...source.Source) source.Source{"first": verso.First, "agree": verso.Agree} {
		api := verso.MustNew(how(label, verso.PathParam("version")), withDefault("v1", "v2"))
		r := in("v2")
		r.host = "example.com"
		if got := outcome(api, r.request()); got != "= v2" {
			t.Errorf("%s: %s", name, got)
		}
		if got := outcome(api, host("example.com").request()); got != "= v1" {
			t.Errorf("%s, in none: %s", name, got)
		}
	}
}

// The rejection names the source that decided.
func TestSourceOfRejection(t *testing.T) {
	api := verso.MustNew(verso.First(verso.PathParam("version"), verso.Header("Api-Version")), list("v1"))
	for want, r := range map[string]ask{
		`path parameter "version"`: in("v9"), `header "Api-Version"`: field("v9"),
		`first of path parameter "version", header "Api-Version"`: {},
	} {
		_, err := adapter.Bind(api, nil).DetermineVersion(r.request())
		rejected, ok := errors.AsType[*verso.Error](err)
		if !ok || rejected.Source != want {
			t.Errorf("rejected by %v, want %s", err, want)
		}
	}
}

// Links of several sources carry the version where the request had it
// (sources/links/* of the cases).
func TestLinksOfSeveral(t *testing.T) {
	path, header, param, acceptParam := verso.PathParam("version"), verso.Header("Api-Version"), verso.QueryParam("v"), verso.AcceptParam("version")
	const plain, inPath, inQuery = "http://api.example.com/users", "http://api.example.com/v1/users", "http://api.example.com/users?v=v1"
	tests := []struct {
		name    string
		source  source.Source
		ask     ask
		version string
		want    string
	}{
		{"default: none", verso.First(path, header), ask{}, "", plain},
		{"default, agree: none", verso.Agree(path, header), ask{}, "", plain},
		{"from the path", verso.First(path, header), in("v1"), "", inPath},
		{"from the header", verso.First(path, header), field("v1"), "", plain},
		{"from the query", verso.First(path, param), query("v=v1"), "", inQuery},
		{"another version, from the path", verso.First(path, header), in("v2"), "v1", inPath},
		{"another version, from the header", verso.First(path, header), field("v2"), "v1", inPath},
		{"another version, from the query", verso.First(path, param), query("v=v2"), "v1", inQuery},
		{"another version, default", verso.First(header, param, path), ask{}, "v1", inQuery},
		{"another version, no URL source", verso.First(header, acceptParam), field("v2"), "v1", plain},
		{"agree, both: the first of a URL", verso.Agree(header, path), ask{params: in("v1").params, header: field("v1").header}, "", inPath},
		{"agree, three", verso.Agree(header, param, path), ask{params: in("v1").params, query: "v=v1", header: field("v1").header}, "", inQuery},
		{"agree, header only", verso.Agree(header, path), field("v1"), "", plain},
		{"nested, from the inner path", verso.First(param, verso.Agree(header, path)), in("v1"), "", inPath},
		{"nested, from the outer query", verso.First(param, verso.Agree(header, path)), query("v=v1"), "", inQuery},
		{"nested, another version from the inner header", verso.First(verso.Agree(header, path), param), field("v2"), "v1", inPath},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			api := bound(verso.MustNew(test.source, withDefault("v2", "v1")), linkedRoutes...)
			test.ask.host = "api.example.com"
			r := test.ask.request()
			result, call := begin(api, r)
			if call.err != nil {
				t.Fatal(call.err)
			}
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
