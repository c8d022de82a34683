package openapi_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/openapi"
)

// A mistake in the given document does not keep ForVersion from making one, if it can.
func TestInvalidDocuments(t *testing.T) {
	service := bind(t, verso.MustNew(verso.Header("Api-Version"), list()), at("GET", "/rooms/:id"), at("DELETE", "/rooms/:id")).Explain()
	for name, test := range map[string]struct {
		replace []string
		want    []string // parts of the message
		made    bool
	}{
		"conflicting paths": {
			[]string{"  /health:", "  /rooms/{room}: {delete: {parameters: [{name: room, in: path, required: true, schema: {}}], responses: {'204': {description: Gone.}}}}\n  /health:"},
			[]string{`conflicting paths "/rooms/{id}" and "/rooms/{room}"`}, true,
		},
		"info":  {[]string{"info: {title: Rooms, version: all}\n", ""}, []string{"info"}, false},
		"paths": {[]string{"paths:", "x-paths:"}, []string{"paths"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			document, err := openapi.ForVersion(load(t, "rooms.yaml", test.replace...), service, "v2")
			require.ErrorIs(t, err, openapi.ErrInvalid)
			for _, part := range append(test.want, `version "v2"`) {
				assert.ErrorContains(t, err, part)
			}
			assert.Equal(t, test.made, document != nil)
		})
	}
}

func TestForVersionFails(t *testing.T) {
	header, path, host := verso.Header("Api-Version"), verso.PathParam("version"), verso.HostLabel("")
	room := at("GET", "/rooms/:id")
	for name, test := range map[string]struct {
		source  source.Source
		route   registered
		replace []string
		version string
		want    string
	}{
		"no route": {header, at("GET", "/users"), nil, "v2", `no operation of the document, such as "/health", is a route of the version, which has "/users"`},
		"no route of the version": {
			header, at("GET", "/users", verso.RemovedIn("v2")), nil, "v2", `which has no routes`,
		},
		"another version of the path": {path, at("GET", "/:version/*rest"), []string{"/rooms", "/v1/rooms", "/health", "/v1/health"}, "v2", `the path "/v1/health" is that of version "v1": in the paths of all versions, write {version} for the version`},
		"no server with the host":     {host, room, nil, "v2", `GET /rooms/{id}: the version is in the host, but no server has a place for it`},
		"a server behind the version": {path, at("GET", "/:version/api/rooms/:id"), []string{"https://example.com", "https://example.com/api"}, "v2", `GET /rooms/{id}: the URL of its server ends after the place of the version in "/:version/api/rooms/:id"`},
		"no server":                   {path, at("GET", "/:version/api/rooms/:id"), []string{"servers:\n  - url: https://example.com\n", ""}, "v2", `which has "/:version/api/rooms/:id": the document has no server, whose URL may be the beginning of its paths`},
		"no server before a prefix":   {verso.PathPrefix("/api/{version}"), at("GET", "/api/v2/rooms"), []string{"servers:\n  - url: https://example.com\n", ""}, "v2", `add the server "/api" to the document, or begin its paths with "/api/{version}"`},
		"no server before a version":  {path, at("GET", "/api/:version/rooms/:id"), []string{"servers:\n  - url: https://example.com\n", ""}, "v2", `add the server "/api" to the document, or begin its paths with "/api/{version}"`},
		"one path twice": {
			path, at("GET", "/:version/rooms/:id"), []string{"  /rooms/{id}:", "  /{version}/rooms/{id}: {get: {parameters: [{name: id, in: path, required: true, schema: {}}], responses: {'200': {description: A.}}}}\n  /rooms/{id}:"}, "v2",
			`in this version the path is "/v2/rooms/{id}", the same as that of "/rooms/{id}": remove one of them`,
		},
		"a reference to another file": {
			header, room, []string{"application/json: {schema: {type: object}}", "application/json: {schema: {$ref: testdata/room.json}}"}, "v2",
			`#/paths/~1rooms~1{id}/get/responses/200/content/application~1json/schema: "testdata/room.json" refers to another document: bundle the files first`,
		},
		"a reference to what is gone": {
			header, room, []string{"application/json: {schema: {type: object}}", "application/json: {schema: {$ref: '#/paths/~1gone/get/responses/200/content/application~1json/schema'}}", "/health", "/gone"}, "v2",
			`#/paths/~1rooms~1{id}/get/responses/200/content/application~1json/schema: "#/paths/~1gone/get/responses/200/content/application~1json/schema" refers to a part of the document that this version does not have`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			service := bind(t, verso.MustNew(test.source, list()), test.route).Explain()
			document, err := openapi.ForVersion(load(t, "rooms.yaml", test.replace...), service, test.version)
			assert.ErrorContains(t, err, test.want)
			assert.NotErrorIs(t, err, openapi.ErrInvalid)
			assert.Nil(t, document)
		})
	}
}

func TestUnknownVersion(t *testing.T) {
	api := verso.MustNew(verso.Header("Api-Version"), list())
	_, err := openapi.ForVersion(load(t, "rooms.yaml"), bind(t, api, at("GET", "/rooms/:id")).Explain(), "v9")
	require.ErrorIs(t, err, verso.ErrUnknownVersion)
	_, err = openapi.ForVersion(load(t, "rooms.yaml"), &verso.Explanation{}, "v1")
	assert.ErrorContains(t, err, "no source")
}
