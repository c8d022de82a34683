package openapi_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/openapi"
)

// contentOf returns a document with the media types of a body, of a response, and of an error.
func contentOf(t *testing.T, body, response, failure string) *openapi3.T {
	t.Helper()
	content := func(list string) string {
		var all []string
		for each := range strings.SplitSeq(list, ", ") {
			all = append(all, `"`+each+`": {schema: {title: "`+each+`"}}`)
		}
		return "content: {" + strings.Join(all, ", ") + "}"
	}
	return verso.Must(openapi3.NewLoader().LoadFromData([]byte(`
openapi: 3.0.3
info: {title: Rooms, version: all}
paths:
  /rooms:
    post:
      requestBody: {` + content(body) + `}
      responses:
        x-note: stays
        "201": {description: Made., headers: {X-Rate: {schema: {type: string}}}, ` + content(response) + `}
        "422": {description: Refused., ` + content(failure) + `}
        default: {description: Failed., ` + content(failure) + `}
`)))
}

// The media types of successful responses name the version, and those of bodies that named one. Errors stay as the
// service writes them, and what only later versions have is not renamed into an older document.
func TestMediaTypesOfOperations(t *testing.T) {
	const plain, problem, csv = "application/json", verso.ProblemType, "text/csv"
	param, vendor, resource := verso.AcceptParam("version"), verso.MediaType("application/vnd.acme.{version}+json"),
		verso.MediaType("application/vnd.acme.{resource}.{version}+json")
	for name, test := range map[string]struct {
		source                  source.Source
		version                 string
		body, response, failure string
		wantBody, wantResponse  string // with the title of each schema, which is the given media type; "": as given
	}{
		"parameter, plain": {
			param, "v2", plain, plain, plain + ", " + problem,
			"", plain + "; version=v2 of " + plain,
		},
		"parameter, a problem": {
			param, "v2", plain, plain + ", " + problem, problem,
			"", plain + "; version=v2 of " + plain + ", " + problem + " of " + problem,
		},
		"parameter, other parameters": {
			param, "v2", plain + "; charset=utf-8; version=v1", csv + "; header=present; version=v2, " + plain, plain + "; version=v1",
			plain + "; charset=utf-8; version=v2 of " + plain + "; charset=utf-8; version=v1",
			plain + "; version=v2 of " + plain + ", " + csv + "; header=present; version=v2 of " + csv + "; header=present; version=v2",
		},
		"parameter, all versions": {
			param, "v2", plain + "; version=v3, " + plain + "; version=v1", plain + "; version=v1, " + plain + "; version=v2, " + plain + "; version=v3", plain,
			plain + "; version=v2 of " + plain + "; version=v1", plain + "; version=v2 of " + plain + "; version=v2",
		},
		"parameter, one without": {
			param, "v3", plain, plain + ", " + plain + "; version=v1, " + plain + "; version=v2", plain,
			"", plain + " of " + plain + ", " + plain + "; version=v3 of " + plain + "; version=v2",
		},
		"vendor, plain": {
			vendor, "v2", plain, plain + ", " + csv, plain + ", " + problem,
			"", "application/vnd.acme.v2+json of " + plain + ", " + csv + " of " + csv,
		},
		"vendor, an older": {
			vendor, "v3", "application/vnd.acme.v1+json, application/vnd.acme.v2+json", "application/vnd.acme.v1+json, application/vnd.acme.v2+json", "application/vnd.acme.v1+json",
			"application/vnd.acme.v3+json of application/vnd.acme.v2+json", "application/vnd.acme.v3+json of application/vnd.acme.v2+json",
		},
		"vendor, a later": {
			vendor, "v1", "application/vnd.acme.v3+json, " + csv, "application/vnd.acme.v1+json, application/vnd.acme.v3+json, " + csv, plain,
			csv + " of " + csv, "application/vnd.acme.v1+json of application/vnd.acme.v1+json, " + csv + " of " + csv,
		},
		"vendor, in another case": {
			vendor, "v2", "Application/Vnd.Acme.V1+JSON", "application/vnd.ACME.v1+json", plain,
			"application/vnd.acme.v2+json of Application/Vnd.Acme.V1+JSON", "application/vnd.acme.v2+json of application/vnd.ACME.v1+json",
		},
		"resource, plain": {
			resource, "v2", plain, plain + ", application/vnd.acme.room.v1+json, application/vnd.acme.page.v2+json", plain,
			"", plain + " of " + plain + ", application/vnd.acme.page.v2+json of application/vnd.acme.page.v2+json, " +
				"application/vnd.acme.room.v2+json of application/vnd.acme.room.v1+json",
		},
		"resource, in another case": {
			resource, "v2", "Application/Vnd.Acme.Room.V1+JSON", plain, plain,
			"application/vnd.acme.Room.v2+json of Application/Vnd.Acme.Room.V1+JSON", plain + " of " + plain,
		},
		"resource, none": {
			resource, "v2", "application/vnd.acme..v1+json, application/vnd.acme.v1+json", plain, plain,
			"", plain + " of " + plain,
		},
	} {
		t.Run(name, func(t *testing.T) {
			whole := contentOf(t, test.body, test.response, test.failure)
			before := text{whole}.String()
			service := bind(t, verso.MustNew(test.source, verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}}), at("POST", "/rooms")).Explain()
			document, err := openapi.ForVersion(whole, service, test.version)
			require.NoError(t, err)
			operation := document.Paths.Value("/rooms").Post
			listed := func(content openapi3.Content) string {
				var all []string
				for _, mediaType := range slices.Sorted(maps.Keys(content)) {
					all = append(all, mediaType+" of "+content[mediaType].Schema.Value.Title)
				}
				return strings.Join(all, ", ")
			}
			given := whole.Paths.Value("/rooms").Post
			if test.wantBody == "" {
				test.wantBody = listed(given.RequestBody.Value.Content)
			}
			assert.Equal(t, test.wantBody, listed(operation.RequestBody.Value.Content))
			assert.Equal(t, test.wantResponse, listed(operation.Responses.Status(201).Value.Content))
			assert.NotNil(t, operation.Responses.Status(201).Value.Headers["X-Rate"])
			for _, status := range []string{"422", "default"} {
				assert.Equal(t, listed(given.Responses.Value(status).Value.Content), listed(operation.Responses.Value(status).Value.Content))
			}
			assert.Equal(t, map[string]any{"x-note": "stays"}, operation.Responses.Extensions)
			assert.Equal(t, before, text{whole}.String(), "the given document is left as it is")
		})
	}
}
