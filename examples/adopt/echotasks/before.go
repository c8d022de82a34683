package echotasks

import (
	"net/http"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"github.com/goverso/verso/examples/adopt/tasks"
)

// Before returns the service without versions.
func Before(service *tasks.Service) http.Handler {
	s := server{service, func(_ echo.Context, id int) string { return tasks.URL("/api", id) }}
	e := echo.New()
	e.Use(middleware.Recover())
	e.HTTPErrorHandler = answerError
	e.GET("/health", health)
	e.StaticFS("/ui", tasks.UI())

	api := e.Group("/api", s.authenticate)
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
	return e
}
