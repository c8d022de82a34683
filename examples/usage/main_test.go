package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/versotest"
)

// TestTwoProcesses shows the same page in both, and lets v1 end once nobody has called
// it for 30 days.
func TestTwoProcesses(t *testing.T) {
	gin.SetMode(gin.ReleaseMode)
	clock := versotest.NewClock(firstDay(now))
	versions, err := newVersions(now)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "#usage.db")
	var services []http.Handler
	for range 2 {
		config := verso.Config{Catalogue: versions, Clock: clock.Now}
		store, err := newStore(file, &config)
		require.NoError(t, err)
		service, err := newService(config, store)
		require.NoError(t, err)
		services = append(services, service)
		t.Cleanup(func() { require.NoError(t, store.Close(context.Background())) })
	}
	i := 0
	play(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i++
		services[i%2].ServeHTTP(w, r)
	}), now, clock.Set)
	get := func(service http.Handler, query string) *httptest.ResponseRecorder {
		response := httptest.NewRecorder()
		service.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/usage?"+query, nil))
		return response
	}
	get(services[0], "")
	get(services[1], "")
	head := httptest.NewRecorder()
	services[0].ServeHTTP(head, httptest.NewRequest(http.MethodHead, "/usage", nil))
	assert.Equal(t, http.StatusOK, head.Code)
	for _, format := range []string{"html", "json", "csv"} {
		first, second := get(services[0], "format="+format), get(services[1], "format="+format)
		assert.Equal(t, 200, first.Code, first.Body)
		assert.Equal(t, first.Body.String(), second.Body.String(), format)
	}
	assert.Contains(t, get(services[0], "format=html").Body.String(), "20 of 40 clients have not moved.")
	assert.Equal(t, http.StatusConflict, get(services[0], "ready=v1").Code)
	clock.Advance(31 * 24 * time.Hour)
	get(services[1], "") // it lives
	assert.Equal(t, http.StatusConflict, get(services[0], "ready=v1").Code, "quiet clients may call it again")
	response := get(services[0], "ready=v1&quiet=30")
	assert.Equal(t, http.StatusOK, response.Code, response.Body)
}
