package troubleshooting

import (
	"net/http"
	"net/http/httptest"

	"github.com/gin-contrib/gzip"
	"github.com/gin-gonic/gin"
	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
)

func newPath() *verso.Versioning {
	return verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}, Links: verso.LinkConfig{Relative: true}})
}

func newHeader() *verso.Versioning {
	return verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
}

// mistakes are the rows of the page.
var mistakes = []mistake{
	{
		"A route registered with the framework",
		func(s *scene) {
			e := echo.New()
			v := versoecho.New(e, newHeader())
			e.GET("/users", runInEcho)
			s.get(e, "/users", "Api-Version: v9")
			s.see(v.Explain())
		},
		func(s *scene) {
			r := gin.New()
			v := versogin.New(r, newHeader())
			r.GET("/users", runInGin)
			s.get(r, "/users", "Api-Version: v9")
			s.see(v.Explain())
		},
	},
	{
		"`Middleware` installed after some routes of a group or of the engine, or after a group was made (Gin)",
		func(s *scene) {
			e := echo.New()
			g := e.Group("/:version")
			g.GET("/users", runInEcho)
			g.Use(versoecho.New(e, newPath()).Middleware())
			g.GET("/rooms", runInEcho)
			s.get(e, "/v9/users")
		},
		func(s *scene) {
			r := gin.New()
			r.GET("/:version/users", runInGin)
			r.Use(versogin.New(r, newPath()).Middleware())
			r.GET("/:version/rooms", runInGin)
			s.get(r, "/v9/users")
		},
	},
	{
		"A middleware that reads the version before the check",
		func(s *scene) {
			e := echo.New()
			e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
				return func(c echo.Context) error {
					s.seeVersion(versoecho.Version(c))
					return next(c)
				}
			})
			versoecho.New(e, newPath()).GET("/:version/users", runInEcho)
			s.get(e, "/v1/users")
		},
		func(s *scene) {
			r := gin.New()
			r.Use(func(c *gin.Context) { s.seeVersion(versogin.Version(c)) })
			versogin.New(r, newPath()).GET("/:version/users", runInGin)
			s.get(r, "/v1/users")
		},
	},
	{
		"A middleware that responds before the check, and a cache in front of the service",
		func(s *scene) {
			e := echo.New()
			e.Use(func(echo.HandlerFunc) echo.HandlerFunc {
				return func(echo.Context) error { return echo.ErrUnauthorized }
			})
			versoecho.New(e, newHeader()).GET("/users", runInEcho)
			s.get(e, "/users")
		},
		func(s *scene) {
			r := gin.New()
			r.Use(func(c *gin.Context) { c.AbortWithStatus(http.StatusUnauthorized) })
			versogin.New(r, newHeader()).GET("/users", runInGin)
			s.get(r, "/users")
		},
	},
	{
		"`Vary` set in a handler",
		func(s *scene) {
			e := echo.New()
			versoecho.New(e, newHeader()).GET("/users", func(c echo.Context) error {
				c.Response().Header().Set("Vary", "Origin")
				return runInEcho(c)
			})
			s.get(e, "/users", "Api-Version: v1")
		},
		func(s *scene) {
			r := gin.New()
			versogin.New(r, newHeader()).GET("/users", func(c *gin.Context) {
				c.Header("Vary", "Origin")
				runInGin(c)
			})
			s.get(r, "/users", "Api-Version: v1")
		},
	},
	{
		"gin-contrib/gzip before the check (Gin)",
		nil,
		func(s *scene) {
			r := gin.New()
			r.Use(gzip.Gzip(gzip.DefaultCompression))
			versogin.New(r, newHeader()).GET("/users", runInGin)
			s.get(r, "/users", "Api-Version: v9", "Accept-Encoding: gzip")
		},
	},
	{
		"An error middleware that sets its own status (Gin)",
		nil,
		func(s *scene) {
			r := gin.New()
			r.Use(func(c *gin.Context) {
				c.Next()
				if err := c.Errors.Last(); err != nil {
					c.JSON(http.StatusInternalServerError, gin.H{"error": err.Error()})
				}
			})
			versogin.New(r, newPath(), versogin.Config{ErrorHandler: versogin.ReturnError}).GET("/:version/users", runInGin)
			s.get(r, "/v9/users")
		},
	},
	{
		"The context in a goroutine that outlives the handler (Echo)",
		func(s *scene) {
			e := echo.New()
			later := make(chan echo.Context, 2)
			versoecho.New(e, newPath()).GET("/:version/users", func(c echo.Context) error {
				later <- c
				return runInEcho(c)
			})
			s.get(e, "/v1/users")
			c := <-later
			c.Reset(httptest.NewRequest(http.MethodGet, "/v2/users", nil), httptest.NewRecorder()) // as Echo does for the next request
			s.seeVersion(versoecho.Version(c))
		},
		nil,
	},
	{
		"`c.Param` in a link (Echo)",
		func(s *scene) {
			e := echo.New()
			v := versoecho.New(e, newPath())
			v.GET("/:version/users/:id", func(c echo.Context) error {
				self, err := versoecho.Link(c, verso.Target{Name: "user", Params: verso.Params{"id": c.Param("id")}})
				s.see(self)
				return err
			}).Name = "user"
			s.get(e, "/v1/users/a%3Ab")
		},
		nil,
	},
}
