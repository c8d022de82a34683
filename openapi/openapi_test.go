package openapi_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oasdiff/yaml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/openapi"
)

// registered is a route with its options.
type registered struct {
	route   route.Route
	options []verso.RouteOption
}

func at(method, path string, options ...verso.RouteOption) registered {
	return registered{route.Route{Method: method, Path: path, Pattern: route.Colons(path)}, options}
}

// named returns the route with the given name.
func (r registered) named(name string) registered {
	r.route.Name = name
	return r
}

// as returns the route as one of EachVersion with the given path.
func (r registered) as(path string) registered {
	r.route.RegisteredPath = path
	return r
}

func bind(tb testing.TB, api *verso.Versioning, routes ...registered) *adapter.Binding {
	tb.Helper()
	binding := adapter.Bind(api, nil)
	for _, r := range routes {
		_, err := binding.Add(r.route, r.options...)
		require.NoError(tb, err)
	}
	return binding
}

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	os.Exit(m.Run())
}

func day(year int, month time.Month) time.Time {
	return time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
}

// dated returns a configuration in which v1, the default, is deprecated and ends.
func dated() verso.Config {
	return verso.Config{
		DefaultVersion: verso.V("v1"),
		Clock:          versotest.NewClock(day(2026, time.June)).Now,
		Catalogue: catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
			{Version: "v1", Deprecated: day(2026, time.January), Sunset: day(2027, time.January)},
			{Version: "v2"},
			{Version: "v3"},
		}}),
	}
}

// bookings are the routes of testdata/bookings.yaml.
func bookings() []registered {
	return []registered{
		at("GET", "/rooms"),
		at("POST", "/rooms", verso.Since("v2")),
		at("GET", "/rooms/:room/bookings", verso.Since("v2")),
		at("GET", "/report", verso.RemovedIn("v3"), verso.DeprecatedAt(day(2026, time.March)), verso.SunsetAt(day(2026, time.December))),
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
	loader := openapi3.NewLoader()
	loader.IsExternalRefsAllowed = true
	document, err := loader.LoadFromData([]byte(strings.NewReplacer(replace...).Replace(string(content))))
	require.NoError(tb, err)
	return document
}

// The whole document, in each version.
func TestForVersion(t *testing.T) {
	api := verso.MustNew(verso.Header("Api-Version"), dated())
	for _, file := range []string{"bookings.yaml", "bookings-3.1.yaml"} {
		whole := load(t, file)
		before := text{whole}.String()
		service := bind(t, api, bookings()...).Explain()
		for _, version := range []string{"v1", "v2", "v3"} {
			t.Run(file+" "+version, func(t *testing.T) {
				document, err := openapi.ForVersion(whole, service, version)
				require.NoError(t, err)
				versotest.Golden(t, text{document}, "testdata/"+version+"/"+file)
				document.Components.Schemas["Room"].Value.Title = "changed"
			})
		}
		assert.Equal(t, before, text{whole}.String(), "the given document is left as it is")
	}
}

// One document per version, with its own schemas.
func TestForVersionOfItsOwnDocument(t *testing.T) {
	service := bind(t, verso.MustNew(verso.PathParam("version"), list()), at("GET", "/:version/rooms/:room")).Explain()
	document, err := openapi.ForVersion(load(t, "rooms.yaml", "/rooms", "/v2/rooms"), service, "v2")
	require.NoError(t, err)
	assert.Equal(t, []string{"https://example.com", "GET /v2/rooms/{id} 200 application/json 404"}, summary(document))
}

func list() verso.Config { return verso.Config{AllowedVersions: []string{"v1", "v2"}} }

// summary returns the servers of a document, and the parts of its operations that depend
// on the version.
func summary(document *openapi3.T) (lines []string) {
	for _, server := range document.Servers {
		lines = append(lines, server.URL)
	}
	for _, path := range document.Paths.Keys() {
		item := document.Paths.Value(path)
		for method, operation := range item.Operations() {
			line := []string{method, path}
			for _, p := range append(slices.Clone(item.Parameters), operation.Parameters...) {
				if p.Value.Name != "id" {
					line = append(line, fmt.Sprintf("%s:%s=%v required:%t", p.Value.In, p.Value.Name, p.Value.Schema.Value.Enum, p.Value.Required))
				}
			}
			if operation.RequestBody != nil {
				line = append(line, "body", strings.Join(slices.Sorted(maps.Keys(operation.RequestBody.Value.Content)), ", "))
			}
			for _, status := range operation.Responses.Keys() {
				line = append(line, status)
				if status[0] == '2' {
					line = append(line, strings.Join(slices.Sorted(maps.Keys(operation.Responses.Value(status).Value.Content)), ", "))
				}
			}
			lines = append(lines, strings.Join(line, " "))
		}
	}
	return lines
}

// A versioned and a neutral route with each source, however the document writes the
// path.
func TestForVersionInEachSource(t *testing.T) {
	withDefault := list()
	withDefault.DefaultVersion = verso.V("v2")
	other := list()
	other.DefaultVersion = verso.V("v1")
	path, prefix, host := verso.PathParam("version"), verso.PathPrefix("/api/{version}"), verso.HostLabel("")
	header, query := verso.Header("Api-Version"), verso.QueryParam("version")
	vendor, resource := verso.MediaType("application/vnd.acme.{version}+json"), verso.MediaType("application/vnd.acme.{resource}-{version}+json")
	param, plain := at("GET", "/:version/rooms/:room"), at("GET", "/rooms/:room")
	each := at("GET", "/api/v1/rooms/:room").as("/api/rooms/:room")
	const json, server, server1 = "application/json:", "https://example.com\n", "https://example.com/v1\n"
	versionParameter := []string{"/rooms/{id}:\n    parameters:\n", "/{version}/rooms/{id}:\n    parameters:\n      - {name: version, in: path, required: true, schema: {type: string}}\n"}
	for name, test := range map[string]struct {
		source  source.Source
		config  verso.Config
		route   registered
		replace []string // in testdata/rooms.yaml
		server  string   // "": https://example.com
		want    string   // of the route; the neutral one is GET /health 200 application/json
	}{
		"path parameter":            {path, list(), param, nil, "", "GET /v2/rooms/{id} 200 application/json 404"},
		"path parameter, there":     {path, list(), param, versionParameter, "", "GET /v2/rooms/{id} 200 application/json 404"},
		"path parameter, deeper":    {path, list(), at("GET", "/api/:version/rooms/:room"), []string{"/rooms", "/api/rooms"}, "", "GET /api/v2/rooms/{id} 200 application/json 404"},
		"with text around it":       {path, list(), at("GET", "/api-:version/rooms/:room"), []string{server, "https://example.com/api-v1\n"}, "https://example.com/api-v2", "GET /rooms/{id} 200 application/json 404"},
		"a version in the server":   {path, list(), param, []string{server, server1}, "https://example.com/v2", "GET /rooms/{id} 200 application/json 404"},
		"a variable of the server":  {path, list(), param, []string{server, "https://example.com/{version}\n    variables: {version: {default: latest}}\n"}, "https://example.com/v2", "GET /rooms/{id} 200 application/json 404"},
		"a variable with a version": {path, list(), param, []string{server, "https://example.com/{base}\n    variables: {base: {default: v1}}\n"}, "https://example.com/v2", "GET /rooms/{id} 200 application/json 404"},
		"a variable in the path":    {path, list(), at("GET", "/api/:version/rooms/:room"), []string{server, "https://{region}.example.com/{base}\n    variables: {region: {default: eu}, base: {default: api}}\n"}, "https://{region}.example.com/{base}", "GET /v2/rooms/{id} 200 application/json 404"},
		"a version in a variable":   {path, list(), at("GET", "/api/:version/rooms/:room"), []string{server, "https://example.com/{base}\n    variables: {base: {default: api/v1}}\n"}, "https://example.com/api/v2", "GET /rooms/{id} 200 application/json 404"},
		"a variable, header":        {header, list(), at("GET", "/api/rooms/:room"), []string{server, "/{base}\n    variables: {base: {default: api}}\n"}, "/{base}", "GET /rooms/{id} header:Api-Version=[v2] required:true 200 application/json 400"},
		"servers of all versions":   {path, list(), param, []string{server, server1 + "  - url: https://example.com/v2\n"}, "https://example.com/v2", "GET /rooms/{id} 200 application/json 404"},
		"a gateway":                 {path, list(), at("GET", "/api/:version/rooms/:room"), []string{server, "https://example.com/gateway/api\n"}, "https://example.com/gateway/api", "GET /v2/rooms/{id} 200 application/json 404"},
		"a gateway and a version":   {path, list(), param, []string{server, "https://example.com/gateway/v1\n"}, "https://example.com/gateway/v2", "GET /rooms/{id} 200 application/json 404"},
		"a server of the path":      {path, list(), param, []string{"/rooms/{id}:\n", "/rooms/{id}:\n    servers: [{url: /v1}]\n"}, "", "GET /rooms/{id} 200 application/json 404"},
		"a server of the operation": {path, list(), param, []string{"    get:\n", "    get:\n      servers: [{url: /v1}]\n"}, "", "GET /rooms/{id} 200 application/json 404"},
		"prefix":                    {prefix, list(), at("GET", "/api/v2/rooms/:room"), []string{"/rooms", "/api/v2/rooms"}, "", "GET /api/v2/rooms/{id} 200 application/json 404"},
		"prefix, each version":      {prefix, withDefault, each, []string{"/rooms", "/api/rooms"}, "", "GET /api/v2/rooms/{id} 200 application/json 404"},
		"prefix, template": {
			prefix, list(), each, []string{versionParameter[0], "/api" + versionParameter[1]}, "", "GET /api/v2/rooms/{id} 200 application/json 404",
		},
		"prefix, in the server":  {prefix, list(), each, []string{"https://example.com", "/api/v1"}, "/api/v2", "GET /rooms/{id} 200 application/json 404"},
		"prefix, unversioned":    {prefix, withDefault, at("GET", "/api/rooms/:room"), []string{"/rooms", "/api/rooms"}, "", "GET /api/rooms/{id} 200 application/json"},
		"namespace":              {verso.Namespace(), list(), at("GET", "/v2/rooms/:room").named("v2:room"), []string{"/rooms", "/v2/rooms"}, "", "GET /v2/rooms/{id} 200 application/json 404"},
		"namespace, below":       {verso.Namespace(), list(), at("GET", "/api/v2/rooms/:room").named("v2:room"), []string{server, "/api\n"}, "/api", "GET /v2/rooms/{id} 200 application/json 404"},
		"namespace, not in path": {verso.Namespace(), list(), plain.named("v2:room"), nil, "", "GET /rooms/{id} 200 application/json"},
		"host":                   {host, list(), plain, []string{"https://example.com", "https://v1.example.com:8443/"}, "https://v2.example.com:8443/", "GET /rooms/{id} 200 application/json 404"},
		"host, variable": {
			host, list(), plain, []string{server, "https://{v}.example.com/{base}\n    variables: {v: {default: v1}, base: {default: a}}\n"},
			"https://v2.example.com/{base}", "GET /rooms/{id} 200 application/json 404",
		},
		"query":          {query, list(), plain, nil, "", "GET /rooms/{id} query:version=[v2] required:true 200 application/json 400 404"},
		"query, default": {query, withDefault, plain, nil, "", "GET /rooms/{id} query:version=[v2] required:false 200 application/json 404"},
		"query, there": {
			query, list(), plain, []string{"    parameters:\n", "    parameters:\n      - {name: version, in: query, schema: {type: string}}\n"},
			"", "GET /rooms/{id} query:version=[v2] required:true 200 application/json 400 404",
		},
		"query, component": {
			query, list(), plain, []string{
				"    get:\n", "    get:\n      parameters: [{$ref: '#/components/parameters/Version'}]\n",
				"paths:", "components: {parameters: {Version: {name: version, in: query, schema: {type: string}, example: v1}}}\npaths:",
			}, "", "GET /rooms/{id} query:version=[v2] required:true 200 application/json 400 404",
		},
		"host, default": {host, withDefault, plain, nil, "", "GET /rooms/{id} 200 application/json"},
		"header, there in another case": {
			header, list(), plain, []string{
				"    get:\n", "    get:\n      parameters: [{$ref: '#/components/parameters/Version'}]\n",
				"paths:", "components: {parameters: {Version: {name: api-version, in: header, schema: {type: string}, examples: {one: {value: v1}}}}}\npaths:",
			}, "", "GET /rooms/{id} header:api-version=[v2] required:true 200 application/json 400",
		},
		"header": {header, list(), plain, nil, "", "GET /rooms/{id} header:Api-Version=[v2] required:true 200 application/json 400"},
		"header, another component": {
			header, other, plain, []string{
				"    get:\n", "    get:\n      parameters: [{$ref: '#/components/parameters/ApiVersion'}]\n",
				"paths:", "components: {parameters: {ApiVersion: {name: sort, in: query, schema: {type: string, enum: [a]}}}}\npaths:",
			}, "", "GET /rooms/{id} query:sort=[a] required:false header:Api-Version=[v2] required:true 200 application/json 400",
		},
		"media type":           {vendor, list(), plain, nil, "", "GET /rooms/{id} 200 application/vnd.acme.v2+json 400 406"},
		"media type, an older": {vendor, list(), plain, []string{json, "application/vnd.acme.v1+json:"}, "", "GET /rooms/{id} 200 application/vnd.acme.v2+json 400 406"},
		"media type, both":     {vendor, list(), plain, []string{json, "application/vnd.acme.v1+json: {}\n            text/csv: {}\n            application/vnd.acme.v2+json:"}, "", "GET /rooms/{id} 200 application/vnd.acme.v2+json, text/csv 400 406"},
		"media type of a resource": {
			resource, list(), plain, []string{json, "application/vnd.acme.room-v1+json: {}\n            application/json:"},
			"", "GET /rooms/{id} 200 application/json, application/vnd.acme.room-v2+json 400 406",
		},
		"media type without a suffix": {verso.MediaType("application/vnd.acme.{version}"), list(), plain, nil, "", "GET /rooms/{id} 200 application/vnd.acme.v2 400 406"},
		"media type of a body": {
			vendor, list(), at("POST", "/rooms/:room"), []string{"    get:\n", "    post:\n      requestBody: {content: {application/vnd.acme.v1+json: {}, text/csv: {}}}\n"},
			"", "POST /rooms/{id} body application/vnd.acme.v2+json, text/csv 200 application/vnd.acme.v2+json 400 406",
		},
		"accept":              {verso.AcceptParam("version"), list(), plain, nil, "", "GET /rooms/{id} 200 application/json; version=v2 400 406"},
		"accept, an older":    {verso.AcceptParam("version"), list(), plain, []string{json, "application/json; charset=utf-8; version=v1:"}, "", "GET /rooms/{id} 200 application/json; charset=utf-8; version=v2 400 406"},
		"header or path":      {verso.First(header, path), list(), param, nil, "", "GET /v2/rooms/{id} 200 application/json 404"},
		"path or header":      {verso.First(path, header), list(), plain, nil, "", "GET /rooms/{id} header:Api-Version=[v2] required:true 200 application/json 400"},
		"host or query":       {verso.First(host, query), list(), plain, nil, "", "GET /rooms/{id} query:version=[v2] required:true 200 application/json 400 404"},
		"host or query, host": {verso.First(host, query), list(), plain, []string{"https://example.com", "https://v1.example.com"}, "https://v2.example.com", "GET /rooms/{id} 200 application/json 400 404"},
		"any version":         {header, verso.Config{AnyVersion: true}, plain, nil, "", "GET /rooms/{id} header:Api-Version=[v2] required:true 200 application/json 400"},
		"catch-all":           {path, list(), at("GET", "/:version/*rest"), nil, "", "GET /v2/rooms/{id} 200 application/json 404"},
		"any method":          {header, list(), at("", "/rooms/:room"), nil, "", "GET /rooms/{id} header:Api-Version=[v2] required:true 200 application/json 400"},
	} {
		t.Run(name, func(t *testing.T) {
			service := bind(t, verso.MustNew(test.source, test.config), test.route, at("GET", "/health", verso.Neutral())).Explain()
			document, err := openapi.ForVersion(load(t, "rooms.yaml", test.replace...), service, "v2")
			require.NoError(t, err)
			assert.NotContains(t, text{document}.String(), "value: v1", "an example of another version")
			got := summary(verso.Must(openapi3.NewLoader().LoadFromData([]byte(text{document}.String())))) // as a reader has it
			assert.ElementsMatch(t, []string{cmp.Or(test.server, "https://example.com"), test.want}, withoutHealth(got))
			assert.NotEqual(t, got, withoutHealth(got), "the neutral route")
		})
	}
}

func withoutHealth(lines []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return strings.HasPrefix(line, "GET /health 200 ") })
}

// TestMergedPaths: a path of one version beside the {version} path of all is merged with
// it by method, and each operation keeps the parameters and servers of its own path.
func TestMergedPaths(t *testing.T) {
	whole := verso.Must(openapi3.NewLoader().LoadFromData([]byte(`
openapi: 3.0.3
info: {title: Rooms, version: all}
paths:
  /a/{version}/rooms/{id}:
    servers: [{url: https://all.example.com}]
    parameters:
      - {name: version, in: path, required: true, schema: {type: string}}
      - {name: id, in: path, required: true, schema: {type: string}}
      - {name: all, in: query, schema: {type: string}}
    get: {summary: all, responses: {"200": {description: OK}}}
    put: {summary: all, parameters: [{name: all, in: query, schema: {type: integer}}], responses: {"200": {description: OK}}}
  /a/v2/rooms/{id}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: integer}}
      - {name: own, in: query, schema: {type: string}}
    get: {summary: own, responses: {"200": {description: OK}}}
  /a/v3/rooms/{id}:
    get: {summary: own, parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {"200": {description: OK}}}
`)))
	service := bind(t, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}}),
		at("GET", "/a/:version/rooms/:id"), at("PUT", "/a/:version/rooms/:id")).Explain()
	described := func(o *openapi3.Operation, item *openapi3.PathItem) string {
		names := []string{o.Summary}
		for _, p := range slices.Concat(item.Parameters, o.Parameters) {
			names = append(names, p.Value.Name)
		}
		if o.Servers != nil {
			names = append(names, (*o.Servers)[0].URL)
		}
		return strings.Join(names, " ")
	}
	for version, want := range map[string][2]string{
		"v1": {"all id all", "all id all all"}, // the one of the operation overrides that of the path
		"v2": {"own id own", "all all id https://all.example.com"},
		"v3": {"own id", "all all id https://all.example.com"},
	} {
		document, err := openapi.ForVersion(whole, service, version)
		require.NoError(t, err, version)
		require.Equal(t, []string{"/a/" + version + "/rooms/{id}"}, document.Paths.Keys())
		item := document.Paths.Value("/a/" + version + "/rooms/{id}")
		assert.Equal(t, want, [2]string{described(item.Get, item), described(item.Put, item)}, version)
	}
}

// TestMergedPathBehind: the path of one version comes after the other one here.
func TestMergedPathBehind(t *testing.T) {
	whole := verso.Must(openapi3.NewLoader().LoadFromData([]byte(`
openapi: 3.0.3
info: {title: Rooms, version: all}
paths:
  /rooms: {parameters: [{name: all, in: query, schema: {type: string}}], get: {summary: all}, put: {summary: all}}
  /v2/rooms: {get: {summary: own}}
`)))
	service := bind(t, verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}), at("GET", "/:version/rooms"), at("PUT", "/:version/rooms")).Explain()
	item := verso.Must(openapi.ForVersion(whole, service, "v2")).Paths.Value("/v2/rooms")
	assert.Equal(t, []any{"own", 0, "all", 1, 0}, []any{item.Get.Summary, len(item.Get.Parameters), item.Put.Summary, len(item.Put.Parameters), len(item.Parameters)})
}

// TestNewerNeighbour: a version before the first of /rooms/search has the operation of /rooms/{id} alone.
func TestNewerNeighbour(t *testing.T) {
	whole := verso.Must(openapi3.NewLoader().LoadFromData([]byte(`
openapi: 3.0.3
info: {title: Rooms, version: all}
paths:
  /rooms/search: {get: {responses: {"200": {description: OK}}}}
  /rooms/{id}: {get: {parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {"200": {description: OK}}}}
`)))
	search, room := at("GET", "/rooms/search", verso.Since("v2")), at("GET", "/rooms/:id")
	for _, routes := range [][]registered{{search, room}, {room, search}} {
		service := bind(t, verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}), routes...).Explain()
		for version, want := range map[string][]string{"v1": {"/rooms/{id}"}, "v2": {"/rooms/search", "/rooms/{id}"}} {
			document, err := openapi.ForVersion(whole, service, version)
			require.NoError(t, err, version)
			assert.ElementsMatch(t, want, document.Paths.Keys(), version)
		}
	}
}
