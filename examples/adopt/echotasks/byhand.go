package echotasks

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"github.com/goverso/verso/examples/adopt/byhand"
	"github.com/goverso/verso/examples/adopt/tasks"
)

// ByHand returns the service with the same v2, without Verso.
func ByHand(service *tasks.Service, now func() time.Time) http.Handler {
	s := server{service, taskURLByHand}
	e := echo.New()
	e.Use(middleware.Recover())
	versions := byhand.New(now)
	e.HTTPErrorHandler = unmatchedByHand(versions)
	e.GET("/health", health)
	e.GET("/usage", echo.WrapHandler(versions), s.authenticate, onlyAdmins)
	e.StaticFS("/ui", tasks.UI())

	for _, form := range byhand.Forms {
		check, pick := checkByHand(versions, form), byhand.Pick[echo.HandlerFunc](form)
		group := e.Group(form.Prefix, s.authenticate)
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
	return e
}

// checkByHand announces the end of a version, ends it, and counts.
func checkByHand(versions *byhand.Versions, form byhand.Form) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) (err error) {
			route := strings.TrimPrefix(c.Path(), form.Prefix)
			if route == "" || strings.HasSuffix(route, "/*") { // no route has the path
				return next(c)
			}
			c.Set("prefix", form.Prefix)
			form.Announce(c.Response().Header(), c.Request().URL.Path, route)
			ended := versions.Ended(form.Version, clientOf(c))
			if ended {
				err = fail(http.StatusGone, byhand.Ended)
			} else {
				err = next(c)
			}
			versions.Count(form.Version, clientOf(c), c.Request().Method, route, ended)
			return err
		}
	}
}

// unmatchedByHand answers requests for deleted routes of a version that has ended.
func unmatchedByHand(versions *byhand.Versions) echo.HTTPErrorHandler {
	return func(err error, c echo.Context) {
		if errors.Is(err, echo.ErrNotFound) && versions.EndedPath(c.Request().URL.Path) {
			byhand.Forms[0].Announce(c.Response().Header(), "", "")
			err = fail(http.StatusGone, byhand.Ended)
		}
		answerError(err, c)
	}
}

func notInVersion(echo.Context) error { return fail(http.StatusNotFound, byhand.NotInVersion) }

// taskURLByHand stays in the version of the request.
func taskURLByHand(c echo.Context, id int) string {
	prefix, _ := c.Get("prefix").(string)
	return tasks.URL(prefix, id)
}
