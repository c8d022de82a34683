// Package echotasks serves tasks with Echo: before there were versions, with a v2
// through Verso, and with the same v2 by hand.
package echotasks

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/examples/adopt/tasks"
)

type server struct {
	*tasks.Service
	url func(c echo.Context, id int) string // of a task
}

// answerError is the service's HTTPErrorHandler.
func answerError(err error, c echo.Context) {
	status, message := http.StatusInternalServerError, "internal error"
	if he, ok := errors.AsType[*echo.HTTPError](err); ok {
		status, message = he.Code, fmt.Sprint(he.Message)
	}
	if !c.Response().Committed {
		_ = c.JSON(status, echo.Map{"error": message})
	}
}

func fail(status int, err error) error { return echo.NewHTTPError(status, err.Error()) }

func health(c echo.Context) error { return c.String(http.StatusOK, "ok") }

func (s server) authenticate(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		client := s.ClientOf(c.Request().Header.Get("Api-Key"))
		if client == "" {
			return fail(http.StatusUnauthorized, tasks.ErrNoKey)
		}
		c.Set("client", client)
		return next(c)
	}
}

func clientOf(c echo.Context) string {
	client, _ := c.Get("client").(string)
	return client
}

func onlyAdmins(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if clientOf(c) != "admin" {
			return fail(http.StatusForbidden, tasks.ErrNoAdmin)
		}
		return next(c)
	}
}

func (s server) list(c echo.Context) error { return c.JSON(http.StatusOK, s.List()) }

func (s server) show(c echo.Context) error {
	task, err := s.Find(c.Param("id"))
	if err != nil {
		return fail(http.StatusNotFound, err)
	}
	return c.JSON(http.StatusOK, task)
}

func (s server) create(c echo.Context) error {
	var task tasks.Task
	if err := c.Bind(&task); err != nil {
		return err
	}
	task.Owner = clientOf(c)
	c.Response().Header().Set("Location", s.url(c, s.Create(task)))
	return c.NoContent(http.StatusCreated)
}

func (s server) edit(c echo.Context) error {
	var body tasks.Task
	if err := c.Bind(&body); err != nil {
		return err
	}
	return s.change(c, func(task *tasks.Task) { task.Title, task.Done = body.Title, body.Done })
}

func (s server) finish(c echo.Context) error {
	return s.change(c, func(task *tasks.Task) { task.Done = true })
}

func (s server) change(c echo.Context, change func(*tasks.Task)) error {
	if err := s.Update(c.Param("id"), change); err != nil {
		return fail(http.StatusNotFound, err)
	}
	return c.NoContent(http.StatusNoContent)
}

func (s server) remove(c echo.Context) error {
	task, err := s.Find(c.Param("id"))
	if err != nil {
		return fail(http.StatusNotFound, err)
	}
	s.Remove(func(other tasks.Task) bool { return other == task })
	return c.NoContent(http.StatusNoContent)
}

func me(c echo.Context) error { return c.JSON(http.StatusOK, echo.Map{"name": clientOf(c)}) }

func (s server) export(c echo.Context) error {
	c.Response().Header().Set(echo.HeaderContentType, "text/csv")
	return s.Export(c.Response())
}

func (s server) removeDone(c echo.Context) error {
	s.Remove(func(task tasks.Task) bool { return task.Done })
	return c.NoContent(http.StatusNoContent)
}
