package openapitest_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/openapi/openapitest"
)

// router is a router with a route that was not registered through Verso.
type router struct{}

func (router) PathParam(any, string) (string, bool) { return "", false }
func (router) Routes() []adapter.Listed {
	return []adapter.Listed{{Route: route.Route{Method: "GET", Path: "/metrics", Pattern: route.Colons("/metrics")}}}
}

// recorder records the failure of a test.
type recorder struct {
	testing.TB
	failed string
}

func (r *recorder) Helper()                           {}
func (r *recorder) Errorf(format string, args ...any) { r.failed += fmt.Sprintf(format, args...) }

type routes map[string][]verso.RouteOption // by "GET /users", or "GET v1:users /v1/users" with a name

func explain(t *testing.T, from source.Source, config verso.Config, all routes) *verso.Explanation {
	t.Helper()
	binding := adapter.Bind(verso.MustNew(from, config), router{})
	for _, text := range slices.Sorted(maps.Keys(all)) { // the order of the differences
		options, words := all[text], strings.Fields(text)
		method, path := words[0], words[len(words)-1]
		added := route.Route{Method: method, Path: path, Pattern: route.Colons(path)}
		if len(words) == 3 {
			added.Name = words[1]
		}
		if method == "ANY" {
			added.Method, added.AnyMethod = "GET", true
		}
		_, err := binding.Add(added, options...)
		require.NoError(t, err)
	}
	return binding.Explain()
}

// document returns a document with the operations "GET /users", and servers.
func document(t *testing.T, operations string, servers ...string) *openapi3.T {
	t.Helper()
	doc := &openapi3.T{OpenAPI: "3.0.3", Info: &openapi3.Info{Title: "A", Version: "1"}, Paths: openapi3.NewPaths()}
	for line := range strings.SplitSeq(operations, ", ") {
		if method, path, ok := strings.Cut(line, " "); ok {
			doc.AddOperation(path, method, openapi3.NewOperation())
		}
	}
	for _, url := range servers {
		doc.AddServer(&openapi3.Server{URL: url})
	}
	return doc
}

func TestCovers(t *testing.T) {
	config := verso.Config{AllowedVersions: []string{"v1", "v2"}}
	header, path, prefix := verso.Header("Api-Version"), verso.PathParam("version"), verso.PathPrefix("/{version}")
	since := []verso.RouteOption{verso.Since("v2")}
	for name, test := range map[string]struct {
		source     source.Source
		config     verso.Config
		routes     routes
		operations string
		versions   []string
		want       []string // the differences
	}{
		"the same":               {header, config, routes{"GET /users": nil, "POST /users/:id": since}, "GET /users, POST /users/{name}", nil, nil},
		"an operation too many":  {header, config, routes{"GET /users": nil}, "GET /users, POST /users, GET /rooms", nil, []string{"GET /rooms: an operation of the document, but not a route", "POST /users: an operation"}},
		"a route too many":       {header, config, routes{"GET /users": nil, "POST /users": since}, "GET /users", nil, []string{"POST /users: a route, but not an operation of the document (v2)"}},
		"both":                   {header, config, routes{"GET /users": nil}, "GET /people", nil, []string{"GET /people: an operation", "GET /users: a route, but not an operation of the document (v1, v2)"}},
		"neutral":                {header, config, routes{"GET /users": nil, "GET /health": {verso.Neutral()}}, "GET /users", nil, nil},
		"neutral, documented":    {header, config, routes{"GET /users": nil, "GET /health": {verso.Neutral()}}, "GET /users, GET /health", nil, nil},
		"of others":              {header, config, routes{"GET /users": nil}, "GET /users, GET /metrics", nil, nil},
		"HEAD and OPTIONS":       {header, config, routes{"GET /users": nil, "HEAD /rooms": nil, "OPTIONS /rooms": nil}, "GET /users, HEAD /users", nil, nil},
		"any method":             {header, config, routes{"ANY /users": nil}, "GET /users, PATCH /users", nil, nil},
		"any method, none":       {header, config, routes{"ANY /users": nil, "GET /rooms": nil}, "GET /rooms", nil, []string{"/users: a route"}},
		"rest":                   {header, config, routes{"GET /files/*path": nil}, "GET /files/{folder}/{name}", nil, nil},
		"rest, of two paths":     {header, config, routes{"GET /files/*path": nil, "GET /users": nil}, "GET /users, GET /files/{name}, GET /files/{folder}/{name}", nil, nil},
		"rest, two methods":      {header, config, routes{"ANY /files/*path": nil}, "GET /files/{name}, PUT /files/{name}", nil, nil},
		"catch-all":              {header, config, routes{"ANY /*path": nil}, "GET /users, POST /users, GET /rooms", nil, []string{"/*path: a route for every operation of the document"}},
		"catch-all, two methods": {header, config, routes{"GET /*path": nil, "POST /*path": nil}, "POST /users, GET /rooms", nil, []string{"GET /*path: a route for every", "POST /*path: a route for every"}},
		"catch-all, in path":     {path, config, routes{"GET /:version/*path": nil}, "GET /users, GET /rooms", nil, []string{"GET /:version/*path: a route for every"}},
		"catch-all, in prefixes": {prefix, config, routes{"GET /v1/*path": nil, "GET /v2/*path": nil}, "GET /v1/users, GET /v1/rooms, GET /v2/users, GET /v2/rooms", nil, []string{"GET /v1/*path: a route for every", "GET /v2/*path: a route for every"}},
		"catch-all, and health":  {header, config, routes{"GET /*path": nil, "GET /health": {verso.Neutral()}}, "GET /users, GET /rooms, GET /health", nil, []string{"GET /*path: a route for every"}},
		"no operations":          {header, config, nil, "", nil, []string{"the document has no operations"}},
		"a literal":              {header, config, routes{"GET /users/:id": nil}, "GET /users/{id}, GET /users/me", nil, nil},
		"a literal too long":     {header, config, routes{"GET /users/:id": nil}, "GET /users/{id}, GET /users/me/rooms", nil, []string{"GET /users/me/rooms: an operation"}},
		"path parameter":         {path, config, routes{"GET /:version/users": nil}, "GET /users", nil, nil},
		"path, both versions":    {path, config, routes{"GET /:version/users": nil}, "GET /v1/users, GET /v2/users", nil, nil},
		"path, one version":      {path, config, routes{"GET /:version/users": nil}, "GET /v1/users", nil, []string{"GET /:version/users: a route, but not an operation of the document (v2)"}},
		"path, of one version":   {path, config, routes{"GET /:version/users": nil, "POST /:version/users": since}, "GET /v1/users", []string{"v1"}, nil},
		"path, no version":       {path, config, routes{"GET /:version/users": nil}, "GET /users, GET /v9/users", nil, []string{"GET /v9/users: an operation"}},
		"path or header":         {verso.First(path, header), config, routes{"GET /:version/users": nil, "GET /users": nil}, "GET /v1/users, GET /v2/users", nil, nil},
		"any version":            {path, verso.Config{AnyVersion: true}, routes{"GET /:version/users": nil}, "GET /{version}/users", nil, nil},
		"prefix":                 {prefix, config, routes{"GET /v1/users": nil, "GET /v2/people": nil}, "GET /v1/users, GET /v2/people", nil, nil},
		"prefix, wrong":          {prefix, config, routes{"GET /v1/users": nil, "GET /v2/people": nil}, "GET /v2/users, GET /v2/people", nil, []string{"GET /v2/users: an operation", "GET /v1/users: a route"}},
		"namespace":              {verso.Namespace(), config, routes{"GET v1:users /v1/users": nil, "GET v2:users /v2/users": nil}, "GET /users", nil, nil},
		"in no version":          {verso.Namespace(), config, routes{"GET v1:users /v1/users": nil, "GET v9:users /v9/users": nil}, "GET /v1/users", nil, nil},
		"not understood":         {header, config, routes{"GET /a:b:c": nil, "GET /users": nil}, "GET /users", nil, []string{"GET /a:b:c: a route whose pattern is not understood"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := &recorder{TB: t}
			openapitest.Covers(r, document(t, test.operations), explain(t, test.source, test.config, test.routes), test.versions...)
			if test.want == nil {
				assert.Empty(t, r.failed)
				return
			}
			lines := strings.Split(r.failed, "\n\t")
			require.Len(t, lines[1:], len(test.want), r.failed)
			for i, want := range test.want {
				assert.Contains(t, lines[i+1], want)
			}
		})
	}
}

// The paths of servers precede those of operations.
func TestCoversBehindServers(t *testing.T) {
	service := explain(t, verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}, routes{"GET /api/:version/users": nil})
	for _, url := range []string{"/api", "/api/v1", "/api/{version}", "https://example.com/api/", "https://{host}/gateway/api/v2"} {
		openapitest.Covers(t, document(t, "GET /users", url), service)
	}
	r := &recorder{TB: t}
	openapitest.Covers(r, document(t, "GET /users", "/other"), service)
	assert.Contains(t, r.failed, "GET /users")

	own := document(t, "GET /users", "/other")
	own.Paths.Value("/users").Servers = openapi3.Servers{{URL: "/api"}}
	openapitest.Covers(t, own, service)
}
