package gintasks

import (
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/examples/adopt/byhand"
	"github.com/goverso/verso/examples/adopt/tasks"
)

// ByHand returns the service with the same v2, without Verso.
func ByHand(service *tasks.Service, now func() time.Time) http.Handler {
	s := server{service, taskURLByHand}
	r := gin.New()
	r.Use(gin.Recovery(), answerErrors)
	versions := byhand.New(now)
	r.NoRoute(unmatchedByHand(versions), notFound)
	r.GET("/health", health)
	r.GET("/usage", s.authenticate, onlyAdmins, gin.WrapH(versions))
	r.StaticFS("/ui", http.FS(tasks.UI()))

	for _, form := range byhand.Forms {
		check, pick := checkByHand(versions, form), byhand.Pick[gin.HandlerFunc](form)
		group := r.Group(form.Prefix, s.authenticate)
		api := group.Group("", check)
		api.GET("/me", me)
		api.GET("/tasks", pick(s.list, s.listV2))
		api.POST("/tasks", s.create)
		api.GET("/tasks/:id", pick(s.show, s.showV2))
		api.PUT("/tasks/:id", s.edit)
		api.DELETE("/tasks/:id", s.remove)
		api.POST("/tasks/:id/done", pick(s.finish, notInVersion))
		if form.Version != "v1" {
			api.GET("/search", s.listV2)
		}
		admin := group.Group("/admin", onlyAdmins, check)
		admin.GET("/export", s.export)
		admin.DELETE("/done", s.removeDone)
	}
	return r
}

// checkByHand announces the end of a version, ends it, and counts.
func checkByHand(versions *byhand.Versions, form byhand.Form) gin.HandlerFunc {
	return func(c *gin.Context) {
		c.Set("prefix", form.Prefix)
		route := strings.TrimPrefix(c.FullPath(), form.Prefix)
		form.Announce(c.Writer.Header(), c.Request.URL.Path, route)
		ended := versions.Ended(form.Version, clientOf(c))
		if ended {
			fail(c, http.StatusGone, byhand.Ended)
		} else {
			c.Next()
		}
		versions.Count(form.Version, clientOf(c), c.Request.Method, route, ended)
	}
}

// unmatchedByHand answers requests for deleted routes of a version that has ended.
func unmatchedByHand(versions *byhand.Versions) gin.HandlerFunc {
	return func(c *gin.Context) {
		if versions.EndedPath(c.Request.URL.Path) {
			byhand.Forms[0].Announce(c.Writer.Header(), "", "")
			fail(c, http.StatusGone, byhand.Ended)
		}
	}
}

func notInVersion(c *gin.Context) { fail(c, http.StatusNotFound, byhand.NotInVersion) }

// taskURLByHand stays in the version of the request.
func taskURLByHand(c *gin.Context, id int) string { return tasks.URL(c.GetString("prefix"), id) }
