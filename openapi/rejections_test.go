package openapi_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/openapi"
)

// ownSource is a source that does not describe its rejections.
type ownSource struct{ source.Source }

func (s ownSource) Describe() source.Description { return source.Description{Name: "own"} }

// teapot is a source with an unusual status.
type teapot struct{ source.Source }

func (s teapot) Describe() source.Description {
	d := s.Source.Describe()
	d.Invalid.Status = 418
	return d
}

// An operation has exactly the responses that its requests can receive.
func TestRejections(t *testing.T) {
	header, path := verso.Header("Api-Version"), verso.PathParam("version")
	withDefault := list()
	withDefault.DefaultVersion = verso.V("v1")
	over := func(action catalogue.Action, brownouts ...catalogue.Brownout) verso.Config {
		return verso.Config{Clock: dated().Clock, Catalogue: catalogue.MustNew(catalogue.Config{AfterSunset: action, Versions: []catalogue.Entry{
			{Version: "v1"}, {Version: "v2", Deprecated: day(2026, time.August), Sunset: day(2027, time.January), Brownouts: brownouts}, {Version: "v3"},
		}})}
	}
	for name, test := range map[string]struct {
		source  source.Source
		config  verso.Config
		path    string
		options []verso.RouteOption
		want    []string
	}{
		"header":             {header, list(), "/rooms/:id", nil, []string{"200", "400"}},
		"not in the default": {header, withDefault, "/rooms/:id", []verso.RouteOption{verso.Since("v2")}, []string{"200", "400", "404"}},
		"path parameter":     {path, withDefault, "/:version/rooms/:id", []verso.RouteOption{verso.Since("v2")}, []string{"200", "404"}},
		"its end":            {path, over(catalogue.Gone), "/:version/rooms/:id", nil, []string{"200", "404", "410"}},
		"served on":          {path, over(catalogue.Serve), "/:version/rooms/:id", nil, []string{"200", "404"}},
		"a brownout": {
			path, over(catalogue.Gone, catalogue.Brownout{From: day(2026, time.November), Until: day(2026, time.December), Status: 503}),
			"/:version/rooms/:id", nil, []string{"200", "404", "410", "503"},
		},
		"end of the route":     {header, list(), "/rooms/:id", []verso.RouteOption{verso.SunsetAt(day(2027, time.June))}, []string{"200", "400", "410"}},
		"neutral":              {header, list(), "/rooms/:id", []verso.RouteOption{verso.Neutral()}, []string{"200"}},
		"custom source":        {ownSource{header}, list(), "/rooms/:id", nil, []string{"200", "400"}},
		"custom status":        {teapot{header}, list(), "/rooms/:id", nil, []string{"200", "400", "418"}},
		"any version, by type": {verso.AcceptParam("version"), verso.Config{AnyVersion: true}, "/rooms/:id", nil, []string{"200", "406"}},
		"query parameter":      {verso.QueryParam("version"), list(), "/rooms/:id", nil, []string{"200", "400", "404"}},
	} {
		t.Run(name, func(t *testing.T) {
			service := bind(t, verso.MustNew(test.source, test.config), at("GET", test.path, test.options...)).Explain()
			document, err := openapi.ForVersion(load(t, "rooms.yaml"), service, "v2")
			require.NoError(t, err)
			for _, item := range document.Paths.Map() {
				assert.Equal(t, test.want, item.Get.Responses.Keys())
				for _, status := range test.want[1:] {
					assert.NotEmpty(t, *item.Get.Responses.Value(status).Value.Description)
				}
			}
		})
	}
}

// Rejections have the media type that the adapter sends, and no content if it is that of
// the service's own error handler.
func TestMediaTypeOfRejections(t *testing.T) {
	service := bind(t, verso.MustNew(verso.Header("Api-Version"), list()), at("GET", "/rooms/:id")).Explain()
	require.Equal(t, verso.ProblemType, service.ProblemType)
	for mediaType, want := range map[string][]string{verso.ProblemType: {verso.ProblemType}, "application/json": {"application/json"}, "": nil} {
		service.ProblemType = mediaType
		document, err := openapi.ForVersion(load(t, "rooms.yaml"), service, "v2")
		require.NoError(t, err)
		response := document.Paths.Value("/rooms/{id}").Get.Responses.Value("400").Value
		assert.ElementsMatch(t, want, slices.Collect(maps.Keys(response.Content)))
		for _, content := range response.Content {
			assert.Equal(t, "#/components/schemas/VersionProblem", content.Schema.Ref)
		}
		assert.Equal(t, want != nil, document.Components.Schemas["VersionProblem"] != nil)
	}
}

// A document with only webhooks has no paths in any version.
func TestWebhooksAlone(t *testing.T) {
	document := &openapi3.T{
		OpenAPI: "3.1.0", Info: &openapi3.Info{Title: "A", Version: "all"},
		Webhooks: map[string]*openapi3.PathItem{"booked": {Post: openapi3.NewOperation()}},
	}
	service := bind(t, verso.MustNew(verso.Header("Api-Version"), list())).Explain()
	made, err := openapi.ForVersion(document, service, "v2")
	require.NoError(t, err)
	assert.Zero(t, made.Paths.Len())
	assert.Len(t, made.Webhooks, 1)
}

// A scheme of the specification rejects a request without a version as one for a version
// that is not served.
func TestRejectionsOfAScheme(t *testing.T) {
	service := bind(t, verso.Must(scheme.NewQueryParameter("version", list())), at("GET", "/rooms/:id")).Explain()
	document, err := openapi.ForVersion(load(t, "rooms.yaml"), service, "v2")
	require.NoError(t, err)
	for _, item := range document.Paths.Map() {
		assert.Equal(t, []string{"200", "404"}, item.Get.Responses.Keys())
	}
}
