package openapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/examples/openapi"
)

const whole = `{
  "openapi": "3.0.3",
  "info": {"title": "Bookings", "version": "all"},
  "paths": {
    "/rooms": {
      "get": {"responses": {"200": {"description": "rooms"}}},
      "post": {"responses": {"201": {"description": "a room"}}}
    },
    "/bookings/{id}": {
      "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
      "get": {"responses": {"200": {"description": "a booking"}}}
    },
    "/report": {"get": {"responses": {"200": {"description": "the old report"}}}},
    "/planned": {"get": {"responses": {"200": {"description": "registered nowhere yet"}}}}
  }
}`

func TestForVersion(t *testing.T) {
	day := func(year int, month time.Month) time.Time { return time.Date(year, month, 1, 0, 0, 0, 0, time.UTC) }
	versions, err := catalogue.New(catalogue.Config{Versions: []catalogue.Entry{
		{Version: "v1", Deprecated: day(2026, time.January), Sunset: day(2027, time.January)},
		{Version: "v2"},
		{Version: "v3"},
	}})
	require.NoError(t, err)
	api := verso.Must(verso.NewURLPath(verso.Config{
		Catalogue: versions,
		Clock:     func() time.Time { return day(2026, time.June) },
	}))
	r := gin.New()
	v := versogin.New(r, api)
	v.GET("/:version/rooms", answer)
	v.Since("v2").POST("/:version/rooms", answer)
	v.Choose(http.MethodGet, "/:version/bookings/:id", versogin.Handlers{"v2": answer, "v3": answer})
	v.RemovedIn("v3").With(verso.DeprecatedAt(day(2026, time.March))).GET("/:version/report", answer)

	loaded, err := openapi3.NewLoader().LoadFromData([]byte(whole))
	require.NoError(t, err)
	for version, want := range map[string]map[string]bool{ // operation -> deprecated
		"v1": {"GET /rooms": true, "GET /report": true},
		"v2": {"GET /rooms": false, "POST /rooms": false, "GET /bookings/{id}": false, "GET /report": true},
		"v3": {"GET /rooms": false, "POST /rooms": false, "GET /bookings/{id}": false},
	} {
		t.Run(version, func(t *testing.T) {
			document, err := openapi.ForVersion(loaded, v.Explain(), version)
			require.NoError(t, err)
			require.NoError(t, document.Validate(t.Context()))
			got := make(map[string]bool)
			for path, item := range document.Paths.Map() {
				for method, operation := range item.Operations() {
					got[method+" "+path] = operation.Deprecated
				}
			}
			assert.Equal(t, want, got)
			assert.Equal(t, version, document.Info.Version)
			assert.Equal(t, "/"+version, document.Servers[0].URL)
		})
	}
	assert.Len(t, loaded.Paths.Map(), 4, "the whole document is left as it is")
}

func answer(*gin.Context) {}
