package echotasks

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/examples/adopt/tasks"
)

func (s server) listV2(c echo.Context) error {
	url := func(id int) string { return s.url(c, id) }
	return c.JSON(http.StatusOK, tasks.NewListV2(s.List(), c.QueryParam("q"), url))
}

func (s server) showV2(c echo.Context) error {
	task, err := s.Find(c.Param("id"))
	if err != nil {
		return fail(http.StatusNotFound, err)
	}
	return c.JSON(http.StatusOK, tasks.NewTaskV2(task, s.url(c, task.ID)))
}
