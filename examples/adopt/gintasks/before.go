package gintasks

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/examples/adopt/tasks"
)

// Before returns the service without versions.
func Before(service *tasks.Service) http.Handler {
	s := server{service, func(_ *gin.Context, id int) string { return tasks.URL("/api", id) }}
	r := gin.New()
	r.Use(gin.Recovery(), answerErrors)
	r.NoRoute(notFound)
	r.GET("/health", health)
	r.StaticFS("/ui", http.FS(tasks.UI()))

	api := r.Group("/api", s.authenticate)
	api.GET("/me", me)
	api.GET("/tasks", s.list)
	api.POST("/tasks", s.create)
	api.GET("/tasks/:id", s.show)
	api.PUT("/tasks/:id", s.edit)
	api.DELETE("/tasks/:id", s.remove)
	api.POST("/tasks/:id/done", s.finish)
	admin := api.Group("/admin", onlyAdmins)
	admin.GET("/export", s.export)
	admin.DELETE("/done", s.removeDone)
	return r
}
