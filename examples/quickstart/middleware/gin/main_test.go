package main

import (
	"net/http"
	"testing"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/examples/quickstart/internal/check"
)

func init() { gin.SetMode(gin.TestMode) }

func TestServer(t *testing.T) { check.Middleware(t, func() http.Handler { return newServer() }) }
