package main

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/usage/usagesql"
)

func Example() {
	dir := verso.Must(os.MkdirTemp("", ""))
	defer func() { _ = os.RemoveAll(dir) }()
	db := verso.Must(sql.Open("sqlite", "file:"+filepath.Join(dir, "usage.db")+"?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_txlock=immediate"))
	defer db.Close()
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	versions := verso.Must(catalogue.List("v1", "v2"))
	keys := map[string]string{"secret": "acme"}
	onlyAdmins := func(*gin.Context) {}

	config := verso.Config{Catalogue: versions}
	calls := verso.Must(usagesql.New(&config, usagesql.Config{DB: db, Dialect: usagesql.SQLite}))
	api := verso.MustNew(verso.PathParam("version"), config)
	v := versogin.New(r, api, versogin.Config{Client: func(c *gin.Context) string { return keys[c.GetHeader("Api-Key")] }})
	r.GET("/usage", onlyAdmins, gin.WrapH(calls.Handler(v.Explain))) // and calls.Close(ctx) after the last request

	v.GET("/:version/users", func(c *gin.Context) { c.Status(http.StatusOK) })
	request := httptest.NewRequest(http.MethodGet, "/v1/users", nil)
	request.Header.Set("Api-Key", "secret")
	r.ServeHTTP(httptest.NewRecorder(), request)
	response := httptest.NewRecorder()
	r.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/usage?ready=v1", nil))
	fmt.Println(response.Code)
	fmt.Println(calls.Close(context.Background()))
	// Output:
	// 409
	// <nil>
}
