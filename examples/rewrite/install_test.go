package rewrite_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	gingzip "github.com/gin-contrib/gzip"
	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

func install(r *gin.Engine, api *verso.Versioning, history *migrate.History, save, centralErrors gin.HandlerFunc) {
	v := versogin.New(r, api)
	r.Use(gingzip.Gzip(gingzip.DefaultCompression), v.RewriteErrors(), gin.Recovery(), centralErrors)
	users := v.Rewrite(history.Route(migrate.Accepts[User](), migrate.Returns[User](), migrate.Fails[Failure](verso.ProblemType)))
	users.PUT("/users/:id", save)
}

func TestInstall(t *testing.T) {
	gin.SetMode(gin.ReleaseMode)
	r, api := gin.New(), api()
	install(r, api, historyOf(api), func(c *gin.Context) {
		var user User
		assert.NoError(t, c.ShouldBindJSON(&user))
		c.JSON(http.StatusOK, user)
	}, func(c *gin.Context) { c.Next() })
	w, request := httptest.NewRecorder(), httptest.NewRequest(http.MethodPut, "/users/1", strings.NewReader(`{"mail":"a"}`))
	request.Header.Set("Api-Version", "v1")
	request.Header.Set("Content-Type", "application/json")
	r.ServeHTTP(w, request)
	assert.Equal(t, `{"id":0,"mail":"a"}`, w.Body.String())
}
