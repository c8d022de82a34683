package main

import (
	"cmp"
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
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
		service, err := newService(config, store, "secret")
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
	require.EventuallyWithT(t, func(t *assert.CollectT) { // a page does not wait for long until its process has written
		first, second := get(services[0], "format=csv"), get(services[1], "format=csv")
		assert.Equal(t, first.Body.String(), second.Body.String())
	}, time.Minute, time.Millisecond)
	head := httptest.NewRecorder()
	services[0].ServeHTTP(head, httptest.NewRequest(http.MethodHead, "/usage", nil))
	assert.Equal(t, http.StatusOK, head.Code)
	for _, format := range []string{"html", "json", "csv"} {
		first, second := get(services[0], "format="+format), get(services[1], "format="+format)
		assert.Equal(t, 200, first.Code, first.Body)
		assert.Equal(t, first.Body.String(), second.Body.String(), format)
	}
	assert.Contains(t, get(services[0], "format=html").Body.String(), "20 of 40 clients have not moved.")
	closed := get(services[0], "ready=v1")
	assert.Equal(t, http.StatusConflict, closed.Code)
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	// The third name depends on the day.
	reasons := regexp.MustCompile(`"reasons":\["[^:]*: [^,]*, [^,]*, `).FindString(closed.Body.String())
	assert.Contains(t, string(readme), cmp.Or(reasons, closed.Body.String()))
	clock.Advance(31 * 24 * time.Hour)
	get(services[1], "") // it lives
	assert.Equal(t, http.StatusConflict, get(services[0], "ready=v1").Code, "quiet clients may call it again")
	response := get(services[0], "ready=v1&quiet=30")
	assert.Equal(t, http.StatusOK, response.Code, response.Body)
}

// TestExceptions: only who knows the password may say that a client may break.
func TestExceptions(t *testing.T) {
	gin.SetMode(gin.ReleaseMode)
	clock := versotest.NewClock(now)
	versions, err := newVersions(now)
	require.NoError(t, err)
	config := verso.Config{Catalogue: versions, Clock: clock.Now}
	calls := usage.NewTable(&config)
	service, err := newService(config, calls, "secret")
	require.NoError(t, err)
	request := httptest.NewRequest(http.MethodGet, "/v1/bookings", nil)
	request.Header.Set("Api-Key", "key-36")
	service.ServeHTTP(httptest.NewRecorder(), request)
	clock.Advance(time.Minute)
	for password, want := range map[string]int{"": http.StatusForbidden, "wrong": http.StatusForbidden, "secret": http.StatusSeeOther} {
		form := url.Values{"version": {"v1"}, "client": {"status-page"}, "kind": {"may_break"}, "until": {now.AddDate(0, 2, 0).Format(time.DateOnly)}}
		request := httptest.NewRequest(http.MethodPost, "/exceptions", strings.NewReader(form.Encode()))
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.SetBasicAuth("ann", password)
		response := httptest.NewRecorder()
		service.ServeHTTP(response, request)
		assert.Equal(t, want, response.Code, response.Body)
	}
	response := httptest.NewRecorder()
	service.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/usage?clients=v1&format=json", nil))
	assert.Contains(t, response.Body.String(), `"client":"status-page","group":"accepted"`)
	assert.Contains(t, response.Body.String(), `"by":"ann"`)
}
