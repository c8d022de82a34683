package versogin_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/conformance"
)

// TestKeepServed has an authentication that says who asks, in front of routes whose
// version has ended, with and without the middleware on the engine. Routes of
// others are not asked about.
func TestKeepServed(t *testing.T) {
	authenticate := func(c *gin.Context) { c.Set("user", c.GetHeader("Authorization")) }
	after := func() time.Time { return conformance.Sunset }
	for _, withMiddleware := range []bool{false, true} {
		r := gin.New()
		v := versogin.New(r, conformance.Retiring(t, after), versogin.Config{KeepServed: func(c *gin.Context) bool {
			assert.NotEqual(t, "/others", c.FullPath())
			return c.GetString("user") == "our UI"
		}})
		if withMiddleware {
			r.Use(v.Middleware())
		}
		answer := func(c *gin.Context) { c.String(http.StatusOK, versogin.Version(c).String()) }
		api := v.Group("/api", authenticate)
		api.GET("/users", answer)
		api.Choose("GET", "/rooms", versogin.Handlers{"v1": answer, "v2": nil})
		r.GET("/others", answer)
		for _, test := range []struct {
			target, user string
			status       int
		}{
			{"/api/users", "our UI", http.StatusOK},
			{"/api/rooms", "our UI", http.StatusOK},
			{"/api/users", "somebody", http.StatusGone},
			{"/api/rooms", "", http.StatusGone},
		} {
			request := httptest.NewRequest(http.MethodGet, test.target, nil)
			request.Header.Set("Authorization", test.user)
			request.Header.Set("Api-Version", "v1")
			w := httptest.NewRecorder()
			r.ServeHTTP(w, request)
			assert.Equal(t, test.status, w.Code, "%s of %q", test.target, test.user)
			assert.Equal(t, conformance.FieldsOfV1["Sunset"], w.Header()["Sunset"])
			if test.status == http.StatusOK {
				assert.Equal(t, "v1", w.Body.String())
			}
		}
		request := httptest.NewRequest(http.MethodGet, "/others", nil)
		request.Header.Set("Api-Version", "v1")
		w := httptest.NewRecorder()
		r.ServeHTTP(w, request)
		assert.Equal(t, withMiddleware, w.Code == http.StatusGone, "of others")
	}
}
