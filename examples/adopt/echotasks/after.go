package echotasks

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/adopt/tasks"
)

// After returns the service with v2.
func After(service *tasks.Service, now func() time.Time) http.Handler {
	s := server{service, taskURL}
	e := echo.New()
	e.Use(middleware.Recover())
	e.HTTPErrorHandler = answerError
	versions, calls := tasks.Versions(now)
	v := versoecho.New(e, versions, versoecho.Config{Client: clientOf, ExemptFromSunset: isUI})
	e.HTTPErrorHandler = v.NotFound()
	e.GET("/health", health)
	e.GET("/usage", echo.WrapHandler(calls.Handler(v.Explain)), s.authenticate, onlyAdmins)
	e.StaticFS("/ui", tasks.UI())

	api := v.EachVersion().Group("/api", s.authenticate)
	api.GET("/me", me)
	api.HandleVersions("GET", "/tasks", versoecho.Handlers{"v1": s.list, "v2": s.listV2})
	api.POST("/tasks", s.create)
	api.HandleVersions("GET", "/tasks/:id", versoecho.Handlers{"v1": s.show, "v2": s.showV2}).Name = "task"
	api.PUT("/tasks/:id", s.edit)
	api.DELETE("/tasks/:id", s.remove)
	api.RemovedIn("v2").POST("/tasks/:id/done", s.finish)
	api.Since("v2").GET("/search", s.listV2)
	admin := api.Group("/admin", onlyAdmins)
	admin.GET("/export", s.export)
	admin.DELETE("/done", s.removeDone)
	return e
}

// taskURL stays in the version of the request.
func taskURL(c echo.Context, id int) string {
	return versoecho.URL(c, verso.Target{Name: "task", Params: verso.Params{"id": id}})
}

func isUI(c echo.Context) bool { return clientOf(c) == "ui" }
