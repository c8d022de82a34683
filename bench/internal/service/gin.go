package service

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
)

// InGin are the services in Gin.
var InGin = &Framework{
	Name: "gin",
	Bare: func(s *Scheme, version string) http.Handler {
		r := newGin()
		registerInGin(r, s, func(c *gin.Context) {
			c.JSON(http.StatusOK, user{version})
		})
		return r
	},
	Stored: func(s *Scheme, version string) http.Handler {
		r := newGin()
		r.Use(func(c *gin.Context) { c.Set("version", &version) })
		registerInGin(r, s, func(c *gin.Context) {
			value, _ := c.Get("version")
			stored, _ := value.(*string)
			c.JSON(http.StatusOK, user{*stored})
		})
		return r
	},
	Versioned: func(s *Scheme, translator verso.Translator) http.Handler {
		r := newGin()
		root := versogin.NewRoutes(r)
		r.Use(versogin.New(s.scheme, versogin.WithRoutes(root), versogin.WithTranslator(translator)))
		for _, route := range s.routes {
			routes, name := root, route.name
			if namespace, rest, ok := strings.Cut(route.name, ":"); ok {
				routes, name = root.Namespace(namespace), rest
			}
			routes.Name(name).GET(route.pattern, func(c *gin.Context) {
				c.JSON(http.StatusOK, user{versogin.Version(c).String()})
			})
		}
		return r
	},
}

func registerInGin(r *gin.Engine, s *Scheme, handler gin.HandlerFunc) {
	for _, route := range s.routes {
		r.GET(route.pattern, handler)
	}
}

// newGin returns an engine that says nothing about its routes.
func newGin() *gin.Engine {
	gin.SetMode(gin.ReleaseMode)
	return gin.New()
}
