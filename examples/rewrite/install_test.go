package rewrite_test

import (
	"errors"
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

// large is a service that has many routes, of which few changed.
type large struct {
	centralErrors, save, list, oldReport, report gin.HandlerFunc

	registerOthers func(gin.IRoutes)
}

func (s *large) install(r *gin.Engine, api *verso.Versioning, history *migrate.History) {
	v := versogin.New(r, api, versogin.Config{ErrorHandler: ownErrors})
	r.Use(gingzip.Gzip(gingzip.DefaultCompression), v.RewriteErrors(), gin.Recovery(), s.centralErrors)

	all := v.Rewrite(history.Route()) // the default: a route is the same in all versions
	s.registerOthers(all)             // 100 routes, func(gin.IRoutes)
	bodies := func(declared ...migrate.Body) *migrate.Route {
		return history.Route(append(declared, migrate.Fails[Failure](verso.ProblemType))...)
	}
	all.Rewrite(bodies(migrate.Accepts[User](), migrate.Returns[User]())).PUT("/users/:id", s.save)
	all.Rewrite(bodies(migrate.Returns[[]User]())).GET("/users", s.list)                       // a list
	all.HandleVersions("GET", "/report", versogin.Handlers{"v1": s.oldReport, "v2": s.report}) // is not rewritten
}

func ownErrors(c *gin.Context, rejected *verso.Error, answer *verso.Answer) error {
	var body *migrate.Error
	if errors.As(rejected, &body) { // migrate cannot read the request
		c.JSON(body.Status, gin.H{"error": body.Code, "at": body.Pointer})
		return nil
	}
	c.JSON(rejected.StatusCode(), gin.H{"error": rejected.MessageID, "text": answer.Problem.Detail})
	return nil
}

// TestInstall installs a large service as docs/migrate.md shows, and asks it as a client of v1.
func TestInstall(t *testing.T) {
	gin.SetMode(gin.ReleaseMode)
	send := func(body string) gin.HandlerFunc {
		return func(c *gin.Context) { c.Data(http.StatusOK, "application/json", []byte(body)) }
	}
	s := &large{
		centralErrors: func(c *gin.Context) { c.Next() },
		save: func(c *gin.Context) {
			var user User
			if assert.NoError(t, c.ShouldBindJSON(&user)) {
				c.JSON(http.StatusOK, user)
			}
		},
		list: send(`[{"id":1,"email":"a"}]`), oldReport: send(`{"old":1}`), report: send(`{"email":"a"}`),
		registerOthers: func(r gin.IRoutes) { r.GET("/status", send(`{"up":true}`)) },
	}
	r, api := gin.New(), api()
	s.install(r, api, historyOf(api))
	for _, test := range []struct {
		version, method, path, body string
		status                      int
		want                        string
	}{
		{"v1", "PUT", "/users/1", `{"mail":"a"}`, http.StatusOK, `{"id":0,"mail":"a"}`},
		{"v1", "GET", "/users", "", http.StatusOK, `[{"id":1,"mail":"a"}]`},
		{"v1", "GET", "/report", "", http.StatusOK, `{"old":1}`},
		{"v2", "GET", "/report", "", http.StatusOK, `{"email":"a"}`},
		{"v1", "GET", "/status", "", http.StatusOK, `{"up":true}`},
		{"v1", "PUT", "/users/1", `{"mail":`, http.StatusBadRequest, `{"at":"","error":"invalid_body"}`},
		{"v9", "GET", "/users", "", http.StatusBadRequest, `{"error":"invalid_header_version","text":"Invalid version in header."}`},
	} {
		w, request := httptest.NewRecorder(), httptest.NewRequest(test.method, test.path, strings.NewReader(test.body))
		request.Header.Set("Api-Version", test.version)
		request.Header.Set("Content-Type", "application/json")
		r.ServeHTTP(w, request)
		assert.Equal(t, test.status, w.Code, test.path)
		assert.Equal(t, test.want, w.Body.String(), test.path)
	}
}
