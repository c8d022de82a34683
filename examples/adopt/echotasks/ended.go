package echotasks

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/examples/adopt/tasks"
)

// Ended returns the service with v2, once v1 has ended and its code is deleted.
func Ended(service *tasks.Service, now func() time.Time) http.Handler {
	s := server{service, taskURL}
	e := echo.New()
	e.Use(middleware.Recover())
	e.HTTPErrorHandler = answerError
	versions, calls := tasks.Versions(now)
	v := versoecho.New(e, versions, versoecho.Config{Client: clientOf})
	e.HTTPErrorHandler = v.NotFound()
	e.GET("/health", health)
	e.GET("/usage", echo.WrapHandler(calls.Handler(v.Explain)), s.authenticate, onlyAdmins)
	e.StaticFS("/ui", tasks.UI())

	api := v.EachVersion().Group("/api", s.authenticate)
	api.GET("/me", me)
	api.GET("/tasks", s.listV2)
	api.POST("/tasks", s.create)
	api.GET("/tasks/:id", s.showV2).Name = "task"
	api.PUT("/tasks/:id", s.edit)
	api.DELETE("/tasks/:id", s.remove)
	api.Since("v2").GET("/search", s.listV2)
	admin := api.Group("/admin", onlyAdmins)
	admin.GET("/export", s.export)
	admin.DELETE("/done", s.removeDone)
	return e
}
