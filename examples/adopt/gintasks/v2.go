package gintasks

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/examples/adopt/tasks"
)

func (s server) listV2(c *gin.Context) {
	url := func(id int) string { return s.url(c, id) }
	c.JSON(http.StatusOK, tasks.NewListV2(s.List(), c.Query("q"), url))
}

func (s server) showV2(c *gin.Context) {
	task, err := s.Find(c.Param("id"))
	if err != nil {
		fail(c, http.StatusNotFound, err)
		return
	}
	c.JSON(http.StatusOK, tasks.NewTaskV2(task, s.url(c, task.ID)))
}
