package gintasks

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/adopt/tasks"
)

// After returns the service with v2.
func After(service *tasks.Service, now func() time.Time) http.Handler {
	s := server{service, taskURL}
	r := gin.New()
	r.Use(gin.Recovery(), answerErrors)
	versions, calls := tasks.Versions(now)
	v := versogin.New(r, versions, versogin.Config{Client: clientOf, ExemptFromSunset: isUI, ErrorHandler: versogin.ReturnError})
	r.NoRoute(v.NotFound(), notFound)
	r.GET("/health", health)
	r.GET("/usage", s.authenticate, onlyAdmins, gin.WrapH(calls.Handler(v.Explain)))
	r.StaticFS("/ui", http.FS(tasks.UI()))

	api := v.EachVersion().Group("/api", s.authenticate)
	api.GET("/me", me)
	api.HandleVersions("GET", "/tasks", versogin.Handlers{"v1": s.list, "v2": s.listV2})
	api.POST("/tasks", s.create)
	api.Name("task").HandleVersions("GET", "/tasks/:id", versogin.Handlers{"v1": s.show, "v2": s.showV2})
	api.PUT("/tasks/:id", s.edit)
	api.DELETE("/tasks/:id", s.remove)
	api.RemovedIn("v2").POST("/tasks/:id/done", s.finish)
	api.Since("v2").GET("/search", s.listV2)
	admin := api.Group("/admin", onlyAdmins)
	admin.GET("/export", s.export)
	admin.DELETE("/done", s.removeDone)
	return r
}

// taskURL stays in the version of the request.
func taskURL(c *gin.Context, id int) string {
	return versogin.URL(c, verso.Target{Name: "task", Params: verso.Params{"id": id}})
}

func isUI(c *gin.Context) bool { return clientOf(c) == "ui" }
