package gintasks

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/examples/adopt/tasks"
)

// Ended returns the service with v2, once v1 has ended and its code is deleted.
func Ended(service *tasks.Service, now func() time.Time) http.Handler {
	s := server{service, taskURL}
	r := gin.New()
	r.Use(gin.Recovery(), answerErrors)
	versions, calls := tasks.Versions(now)
	v := versogin.New(r, versions, versogin.Config{Client: clientOf, ErrorHandler: versogin.ReturnError})
	r.NoRoute(v.NotFound(), notFound)
	r.GET("/health", health)
	r.GET("/usage", s.authenticate, onlyAdmins, gin.WrapH(calls.Handler(v.Explain)))
	r.StaticFS("/ui", http.FS(tasks.UI()))

	api := v.EachVersion().Group("/api", s.authenticate)
	api.GET("/me", me)
	api.GET("/tasks", s.listV2)
	api.POST("/tasks", s.create)
	api.Name("task").GET("/tasks/:id", s.showV2)
	api.PUT("/tasks/:id", s.edit)
	api.DELETE("/tasks/:id", s.remove)
	api.Since("v2").GET("/search", s.listV2)
	admin := api.Group("/admin", onlyAdmins)
	admin.GET("/export", s.export)
	admin.DELETE("/done", s.removeDone)
	return r
}
