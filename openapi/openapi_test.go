package openapi_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oasdiff/yaml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/openapi"
)

// noRouter is a router of which the binding alone knows the routes.
type noRouter struct{}

func (noRouter) PathParam(any, string) (string, bool) { return "", false }
func (noRouter) Routes() []route.Route                { return nil }

// registered is a route with its options.
type registered struct {
	route   route.Route
	options []verso.RouteOption
}

func at(method, path string, options ...verso.RouteOption) registered {
	return registered{route.Route{Method: method, Path: path, Pattern: route.Colons(path)}, options}
}

// named returns the route with a name.
func (r registered) named(name string) registered {
	r.route.Name = name
	return r
}

// as returns the route as one of EachVersion with the given path.
func (r registered) as(path string) registered {
	r.route.As = path
	return r
}

func bind(tb testing.TB, api *verso.Versioning, routes ...registered) *verso.Binding {
	tb.Helper()
	binding := api.Bind(noRouter{})
	for _, r := range routes {
		_, err := binding.Add(r.route, r.options...)
		require.NoError(tb, err)
	}
	return binding
}

func day(year int, month time.Month) time.Time {
	return time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
}

// dated returns a configuration in which v1 is deprecated, and ends.
func dated(change func(*verso.Config)) verso.Config {
	versions, err := catalogue.New(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
		{Version: "v1", Deprecated: day(2026, time.January), Sunset: day(2027, time.January)},
		{Version: "v2"},
		{Version: "v3"},
	}})
	if err != nil {
		panic(err)
	}
	config := verso.Config{Catalogue: versions, Clock: versotest.NewClock(day(2026, time.June)).Now}
	if change != nil {
		change(&config)
	}
	return config
}

// bookings are the routes of testdata/bookings.yaml under a prefix.
func bookings(prefix string) []registered {
	return []registered{
		at("GET", prefix+"/rooms"),
		at("POST", prefix+"/rooms", verso.Since("v2")),
		at("GET", prefix+"/rooms/:room/bookings", verso.Since("v2")),
		at("GET", prefix+"/report", verso.RemovedIn("v3"), verso.DeprecatedAt(day(2026, time.March)), verso.SunsetAt(day(2026, time.December))),
		at("GET", "/health", verso.Neutral()),
	}
}

// text is a document in YAML.
type text struct{ *openapi3.T }

func (t text) String() string {
	encoded, err := json.Marshal(t.T)
	if err != nil {
		return err.Error()
	}
	encoded, err = yaml.JSONToYAML(encoded)
	if err != nil {
		return err.Error()
	}
	return string(encoded)
}

func load(tb testing.TB, file string, replace ...string) *openapi3.T {
	tb.Helper()
	content, err := os.ReadFile("testdata/" + file)
	require.NoError(tb, err)
	document, err := openapi3.NewLoader().LoadFromData([]byte(strings.NewReplacer(replace...).Replace(string(content))))
	require.NoError(tb, err)
	return document
}

// The whole document, in each version.
func TestForVersion(t *testing.T) {
	api := verso.Must(verso.New(verso.Header("Api-Version"), dated(func(c *verso.Config) { c.DefaultVersion = verso.V("v1") })))
	for _, file := range []string{"bookings.yaml", "bookings31.yaml"} {
		whole := load(t, file)
		before := text{whole}.String()
		service := bind(t, api, bookings("")...).Explain()
		for _, version := range []string{"v1", "v2", "v3"} {
			t.Run(file+" "+version, func(t *testing.T) {
				document, err := openapi.ForVersion(whole, service, version)
				require.NoError(t, err)
				versotest.Golden(t, text{document}, "testdata/"+version+"."+file)
			})
		}
		assert.Equal(t, before, text{whole}.String(), "the given document is left as it is")
	}
}

// One route and a neutral one, in each source, and as documents write its path.
func TestForVersionInEachSource(t *testing.T) {
	list := verso.Config{AllowedVersions: []string{"v1", "v2"}}
	withDefault := list
	withDefault.DefaultVersion = verso.V("v2")
	path, prefix, host := verso.PathParam("version"), verso.PathPrefix("/api/{version}"), verso.HostLabel("")
	header, query := verso.Header("Api-Version"), verso.QueryParam("version")
	param := at("GET", "/:version/rooms/:room")
	each := at("GET", "/api/v1/rooms/:room").as("/api/rooms/:room")
	for name, test := range map[string]struct {
		source  verso.Source
		config  verso.Config
		route   registered
		replace []string // in testdata/rooms.yaml
	}{
		"path":                  {path, list, param, nil},
		"path-kept":             {path, list, param, []string{"/rooms/{id}:\n    parameters:\n", "/{version}/rooms/{id}:\n    parameters:\n      - {name: version, in: path, required: true, schema: {type: string}}\n"}},
		"path-in-server":        {path, list, param, []string{"https://example.com\n", "https://example.com/{base}\n    variables: {base: {default: v1}}\n  - url: https://example.com/v1\n  - url: https://example.com/v2\n"}},
		"path-behind-gateway":   {path, list, at("GET", "/api/:version/rooms/:room"), []string{"https://example.com", "https://example.com/gateway/api"}},
		"prefix":                {prefix, list, at("GET", "/api/v2/rooms/:room"), []string{"/rooms", "/api/v2/rooms"}},
		"prefix-each":           {prefix, withDefault, each, []string{"/rooms", "/api/rooms"}},
		"prefix-each-template":  {verso.PathPrefix("/api/v{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}}, at("GET", "/api/vv1/rooms/:room").as("/api/rooms/:room"), []string{"/rooms", "/api/v{version}/rooms", "    parameters:\n", "    parameters:\n      - {name: version, in: path, required: true, schema: {type: string}}\n"}},
		"prefix-in-server":      {prefix, list, each, []string{"https://example.com", "/api/v1"}},
		"namespace":             {verso.Namespace(), list, at("GET", "/v2/rooms/:room").named("v2:room"), []string{"/rooms", "/v2/rooms"}},
		"namespace-unversioned": {verso.Namespace(), list, at("GET", "/api/v2/rooms/:room").named("v2:room"), []string{"https://example.com", "/api"}},
		"host":                  {host, list, at("GET", "/rooms/:room"), []string{"https://example.com", "https://v1.example.com/"}},
		"host-variable":         {host, list, at("GET", "/rooms/:room"), []string{"https://example.com\n", "https://{v}.example.com:{port}/{base}\n    variables: {v: {default: v1}, port: {default: '8443'}, base: {default: a}}\n"}},
		"query":                 {query, list, at("GET", "/rooms/:room"), nil},
		"query-there":           {query, list, at("GET", "/rooms/:room"), []string{"    parameters:\n", "    parameters:\n      - {$ref: '#/components/parameters/Version'}\n", "paths:", "components: {parameters: {Version: {name: version, in: query, description: 'Our version.', schema: {type: string}, example: v1}}}\npaths:"}},
		"header":                {header, list, at("GET", "/rooms/:room"), nil},
		"header-default":        {header, withDefault, at("GET", "/rooms/:room"), []string{"paths:", "components: {parameters: {ApiVersion: {name: other, in: query, schema: {type: string}}}}\npaths:"}},
		"media-type":            {verso.MediaType("application/vnd.acme.{version}+json"), list, at("GET", "/rooms/:room"), nil},
		"media-type-named":      {verso.MediaType("application/vnd.acme.{version}+json"), list, at("GET", "/rooms/:room"), []string{"application/json:", "application/vnd.acme.v1+json:"}},
		"media-type-resource":   {verso.MediaType("application/vnd.acme.{resource}-{version}+json"), list, at("GET", "/rooms/:room"), []string{"application/json:", "application/vnd.acme.room-v1+json: {schema: {type: string}}\n            application/vnd.acme.room-v2+json:"}},
		"accept":                {verso.AcceptParam("version"), list, at("GET", "/rooms/:room"), nil},
		"accept-named":          {verso.AcceptParam("version"), list, at("GET", "/rooms/:room"), []string{"application/json:", "application/json; charset=utf-8; version=v1:"}},
		"first-path":            {verso.First(header, path), list, param, nil},
		"first-header":          {verso.First(path, header), list, at("GET", "/rooms/:room"), nil},
		"first-host":            {verso.First(host, query), list, at("GET", "/rooms/:room"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			service := bind(t, verso.Must(verso.New(test.source, test.config)), test.route, at("GET", "/health", verso.Neutral())).Explain()
			document, err := openapi.ForVersion(load(t, "rooms.yaml", test.replace...), service, "v2")
			require.NoError(t, err)
			versotest.Golden(t, text{document}, "testdata/source/"+name+".yaml")
		})
	}
}
