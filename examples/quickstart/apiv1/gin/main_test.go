package main

import (
	"net/http"
	"testing"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/examples/quickstart/internal/check"
)

func TestMain(m *testing.M) {
	gin.SetMode(gin.TestMode)
	m.Run()
}

func TestServer(t *testing.T) { check.APIV1(t, func() http.Handler { return newServer() }) }
