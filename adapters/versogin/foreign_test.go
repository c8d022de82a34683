package versogin_test

import (
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

// counting is a source that counts how often a request is decided on.
type counting struct {
	source.Source
	reads *atomic.Int32
}

func (s counting) Read(r source.Request, served *source.ServedVersions) source.Reading {
	s.reads.Add(1)
	return s.Source.Read(r, served)
}

// TestForeignRoutesBesideChecked has routes of Gin's own behind the middleware, where
// routes of v or groups with a check have the same patterns or prefixes.
func TestForeignRoutesBesideChecked(t *testing.T) {
	var reads atomic.Int32
	r, v := newRoutes(true, strict(counting{verso.Header("Api-Version"), &reads}), overrideMethod)
	v.Since("v2").RouterGroup("/options").GET("/x", answerVersion)
	v.Neutral().RouterGroup("/neutral").GET("/x", answerVersion)
	v.RouterGroup("/plain").GET("/x", answerVersion)
	v.Since("v2").GET("/own/x", answerVersion)
	for _, prefix := range []string{"/options", "/neutral", "/plain", "/own"} {
		r.POST(prefix+"/x", answerVersion)
		r.GET(prefix+"/y", answerVersion)
	}
	check := func(method, target, version, want string, decisions int) {
		t.Helper()
		for _, override := range []string{"", "GET", "POST", "PATCH"} {
			reads.Store(0)
			assert.Equal(t, want, outcome(t, r, method, target, as(override, asking(version))), "%s %s in %s as %s", method, target, version, override)
			assert.Equal(t, decisions, int(reads.Load()), "%s %s in %s as %s", method, target, version, override)
		}
	}
	const invalid = "Bad Request, invalid_header_version"
	for _, prefix := range []string{"/options", "/neutral", "/plain", "/own"} {
		check("POST", prefix+"/x", "v1", "OK, in v1", 1)
		check("POST", prefix+"/x", "v9", invalid, 1)
		check("GET", prefix+"/y", "v1", "OK, in v1", 1)
		check("GET", prefix+"/y", "v9", invalid, 1)
	}
	check("GET", "/options/x", "v1", "Not Found, not_in_version", 1)
	check("GET", "/options/x", "v2", "OK, in v2", 1)
	check("GET", "/neutral/x", "v9", "OK, in ", 0)
	check("GET", "/plain/x", "v1", "OK, in v1", 1)
	check("GET", "/plain/x", "v9", invalid, 1)
	check("GET", "/own/x", "v1", "Method Not Allowed, method_not_in_version", 1)

	r.PUT("/own/x", answerVersion) // when the routes are known
	check("PUT", "/own/x", "v1", "OK, in v1", 1)
	check("PUT", "/own/x", "v9", invalid, 1)
}

// TestForeignRoutesUnderPrefixes has the version in the patterns.
func TestForeignRoutesUnderPrefixes(t *testing.T) {
	r, v := newRoutes(true, strict(verso.PathPrefix("/api/{version}")))
	v.Since("v1").RouterGroup("/api/v1").GET("/x", answerVersion)
	v.GET("/api/v2/x", answerVersion)
	r.GET("/api/v1/y", answerVersion)
	assert.Equal(t, "OK, in v1", outcome(t, r, "GET", "/api/v1/x", nil))
	assert.Equal(t, "OK, in v1", outcome(t, r, "GET", "/api/v1/y", nil))
	r.POST("/api/v2/x", answerVersion)
	assert.Equal(t, "OK, in v2", outcome(t, r, "POST", "/api/v2/x", nil))
}

// TestExemptFromSunsetInRouterGroup: the check of a group is asked, and the middleware is not.
func TestExemptFromSunsetInRouterGroup(t *testing.T) {
	for name, behind := range installs {
		t.Run(name, func(t *testing.T) {
			r := gin.New()
			v := versogin.New(r, conformance.Retiring(t, func() time.Time { return conformance.Sunset }), versogin.Config{ExemptFromSunset: func(*gin.Context) bool { return true }})
			if behind {
				r.Use(v.Middleware())
			}
			v.RouterGroup("/plain").GET("/x", answerVersion)
			assert.Equal(t, "OK, in v1", outcome(t, r, "GET", "/plain/x", asking("v1")))
		})
	}
}

// TestForeignRoutesOfTwoVersionings has two APIs that have middleware in one engine.
func TestForeignRoutesOfTwoVersionings(t *testing.T) {
	var reads, readsOfOther atomic.Int32
	r, v := newRoutes(true, strict(counting{verso.Header("Api-Version"), &reads}))
	other := versogin.New(r, strict(counting{verso.QueryParam("schema"), &readsOfOther}))
	r.Use(other.Middleware())
	v.GET("/own", answerVersion)
	other.GET("/other", answerVersion)
	v.GET("/both", answerVersion)
	other.POST("/both", answerVersion)
	r.PUT("/both", answerVersion)
	for _, test := range []struct {
		method, target string
		want           [2]int // decisions of v and of the other
	}{
		{"GET", "/own?schema=v1", [2]int{1, 1}},
		{"GET", "/other?schema=v1", [2]int{1, 1}},
		{"GET", "/both?schema=v1", [2]int{1, 0}},
		{"POST", "/both?schema=v1", [2]int{0, 1}},
		{"PUT", "/both?schema=v1", [2]int{1, 1}},
	} {
		reads.Store(0)
		readsOfOther.Store(0)
		assert.Equal(t, http.StatusOK, send(t, r, test.method, test.target, asking("v2")).Status, "%s %s", test.method, test.target)
		assert.Equal(t, test.want, [2]int{int(reads.Load()), int(readsOfOther.Load())}, "%s %s", test.method, test.target)
	}
}

// TestKeysRemovedBehindTheCheck: a route with a handler for each version fails then,
// instead of an empty answer or another handler.
func TestKeysRemovedBehindTheCheck(t *testing.T) {
	r, v := newRoutes(false, inHeader, func(c *gin.Context) {
		c.Next()
		assert.ErrorContains(t, c.Errors.Last(), "versogin: middleware behind the check has removed")
	})
	v.AfterCheck(func(c *gin.Context) { c.Keys = nil }).HandleVersions("GET", "/x", versogin.Handlers{"v1": saying("one", ""), "v2": saying("two", "")})
	got := send(t, r, "GET", "/x", asking("v2"))
	assert.Equal(t, http.StatusInternalServerError, got.Status)
	assert.Empty(t, got.Body)
}

// TestForeignBesideRouterGroup has a route of Gin's own at a path of the group: it has no check, and
// Explain says so.
func TestForeignBesideRouterGroup(t *testing.T) {
	r, v := newRoutes(false, strict(verso.PathPrefix("/api/{version}")))
	g := v.RouterGroup("/api/v1")
	g.GET("/x", answerVersion)
	g.Group("/deep", func(*gin.Context) {}).GET("/x", answerVersion)
	r.GET("/api/v1/public/:id", answerVersion)
	var unchecked []string
	for _, route := range v.Explain().Routes {
		if route.Unchecked {
			unchecked = append(unchecked, route.Pattern)
		}
	}
	assert.Equal(t, []string{"/api/v1/public/:id"}, unchecked)
	assert.True(t, slices.ContainsFunc(v.Explain().Findings, func(f verso.Finding) bool {
		return f.Code == "unchecked_versioned" && strings.Contains(f.Message, `"/api/v1/public/:id" is registered`)
	}))
}
