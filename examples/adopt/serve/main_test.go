package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"
)

// TestServer sends the request of docs/start.md before and after the end of v1.
func TestServer(t *testing.T) {
	gin.SetMode(gin.ReleaseMode)
	for _, withEcho := range []bool{false, true} {
		for _, test := range []struct {
			day    time.Time
			status int
			body   string
		}{
			{time.Date(2026, time.December, 1, 0, 0, 0, 0, time.UTC), http.StatusOK, `{"id":1,"title":"Paint the fence","owner":"ann","done":false}`},
			{time.Date(2027, time.December, 1, 0, 0, 0, 0, time.UTC), http.StatusGone, `{"error":"This API version has ended."}`},
		} {
			r := httptest.NewRequest(http.MethodGet, "/api/tasks/1", nil)
			r.Header.Set("Api-Key", "1")
			w := httptest.NewRecorder()
			newServer(withEcho, test.day).ServeHTTP(w, r)
			about := fmt.Sprintf("Echo %t, %s", withEcho, test.day)
			assert.Equal(t, test.status, w.Code, about)
			assert.JSONEq(t, test.body, w.Body.String(), about)
			assert.Equal(t, "@1796083200", w.Header().Get("Deprecation"), about)
		}
	}
}
