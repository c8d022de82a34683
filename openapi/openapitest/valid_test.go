package openapitest_test

import (
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/openapi/openapitest"
)

// A failure says in which version the mistake is, and where.
func TestValid(t *testing.T) {
	const head = "openapi: 3.1.0\ninfo: {title: A, version: all}\npaths:\n"
	const get = "  /rooms/{id}: {get: {parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {'200': {description: A., content: {a/b: {schema: {type: object}}}}}}}\n"
	service := explain(t, verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}, routes{
		"GET /rooms/:id": nil, "DELETE /rooms/:id": {verso.Since("v2")}, "POST /hook": {verso.Neutral()},
	})
	for name, test := range map[string]struct {
		document string
		versions []string
		want     []string
	}{
		"valid":     {head + get, nil, nil},
		"operation": {"openapi: 3.0.3" + head[14:] + get + "  /hook: {post: {}}\n", nil, []string{`version "v1"`, "/hook", "POST", "responses", `version "v2"`}},
		"parameter": {head + "  /rooms/{id}: {get: {parameters: [{name: other, in: path, required: true, schema: {type: string}}], responses: {'200': {description: A.}}}}\n", []string{"v1"}, []string{"GET /rooms/{id}", "missing: [id"}},
		"schema":    {head + "  /rooms/{id}: {get: {parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {'200': {description: A., content: {a/b: {schema: {type: strin}}}}}}}\n", []string{"v1"}, []string{"/rooms/{id}", "GET", `"strin"`}},
		"conflicting paths, in v2": {
			head + get + "  /rooms/{name}: {delete: {parameters: [{name: name, in: path, required: true, schema: {type: string}}], responses: {'204': {description: Gone.}}}}\n",
			nil, []string{`version "v2"`, "conflicting paths"},
		},
		"path items of webhooks": {head + get + "webhooks: {a: {$ref: '#/components/pathItems/A'}}\ncomponents: {pathItems: {A: {post: {responses: {'204': {description: Heard.}}}}}}\n", nil, nil},
		"not made":               {head + "  /users: {get: {responses: {'200': {description: A.}}}}\n", nil, []string{"no operation", `version "v2"`}},
	} {
		t.Run(name, func(t *testing.T) {
			document, err := openapi3.NewLoader().LoadFromData([]byte(test.document))
			require.NoError(t, err)
			r := &recorder{TB: t}
			openapitest.Valid(r, document, service, test.versions...)
			for _, want := range test.want {
				assert.Contains(t, r.failed, want)
			}
			assert.Equal(t, test.want == nil, r.failed == "", r.failed)
		})
	}
}
