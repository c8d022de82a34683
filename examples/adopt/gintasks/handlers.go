// Package gintasks serves tasks with Gin: before there were versions, with a v2
// through Verso, and with the same v2 by hand.
package gintasks

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/examples/adopt/tasks"
)

type server struct {
	*tasks.Service
	url func(c *gin.Context, id int) string // of a task
}

// answerErrors is the error middleware of Gin's documentation, which keeps the status.
func answerErrors(c *gin.Context) {
	c.Next()
	if err := c.Errors.Last(); err != nil {
		c.JSON(-1, gin.H{"error": err.Error()})
	}
}

func fail(c *gin.Context, status int, err error) {
	c.Abort()
	c.Status(status)
	_ = c.Error(err) // for answerErrors
}

func notFound(c *gin.Context) { fail(c, http.StatusNotFound, tasks.ErrNotFound) }

func health(c *gin.Context) { c.String(http.StatusOK, "ok") }

func (s server) authenticate(c *gin.Context) {
	client := s.ClientOf(c.GetHeader("Api-Key"))
	if client == "" {
		fail(c, http.StatusUnauthorized, tasks.ErrNoKey)
		return
	}
	c.Set("client", client)
}

func clientOf(c *gin.Context) string { return c.GetString("client") }

func onlyAdmins(c *gin.Context) {
	if clientOf(c) != "admin" {
		fail(c, http.StatusForbidden, tasks.ErrNoAdmin)
	}
}

func (s server) list(c *gin.Context) { c.JSON(http.StatusOK, s.List()) }

func (s server) show(c *gin.Context) {
	task, err := s.Find(c.Param("id"))
	if err != nil {
		fail(c, http.StatusNotFound, err)
		return
	}
	c.JSON(http.StatusOK, task)
}

func (s server) create(c *gin.Context) {
	var task tasks.Task
	if err := c.ShouldBindJSON(&task); err != nil {
		fail(c, http.StatusBadRequest, err)
		return
	}
	task.Owner = clientOf(c)
	c.Header("Location", s.url(c, s.Create(task)))
	c.Status(http.StatusCreated)
}

func (s server) edit(c *gin.Context) {
	var body tasks.Task
	if err := c.ShouldBindJSON(&body); err != nil {
		fail(c, http.StatusBadRequest, err)
		return
	}
	s.change(c, func(task *tasks.Task) { task.Title, task.Done = body.Title, body.Done })
}

func (s server) finish(c *gin.Context) {
	s.change(c, func(task *tasks.Task) { task.Done = true })
}

func (s server) change(c *gin.Context, change func(*tasks.Task)) {
	if err := s.Update(c.Param("id"), change); err != nil {
		fail(c, http.StatusNotFound, err)
		return
	}
	c.Status(http.StatusNoContent)
}

func (s server) remove(c *gin.Context) {
	task, err := s.Find(c.Param("id"))
	if err != nil {
		fail(c, http.StatusNotFound, err)
		return
	}
	s.Remove(func(other tasks.Task) bool { return other == task })
	c.Status(http.StatusNoContent)
}

func me(c *gin.Context) { c.JSON(http.StatusOK, gin.H{"name": clientOf(c)}) }

func (s server) export(c *gin.Context) {
	c.Header("Content-Type", "text/csv")
	if err := s.Export(c.Writer); err != nil {
		_ = c.Error(err)
	}
}

func (s server) removeDone(c *gin.Context) {
	s.Remove(func(task tasks.Task) bool { return task.Done })
	c.Status(http.StatusNoContent)
}
