package bench

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/adapters/versogin"
)

var inGin = &framework{
	name: "gin",
	bare: func(s *schemeCase) http.Handler {
		return ginService(s, func(*gin.Context) {})
	},
	nop: func(s *schemeCase) http.Handler {
		return ginService(s, func(*gin.Context) {}, func(*gin.Context) {})
	},
	store: func(s *schemeCase) http.Handler {
		read := func(c *gin.Context) {
			value, _ := c.Get("constant")
			keptPointer, _ = value.(*int)
		}
		return ginService(s, read, func(c *gin.Context) { c.Set("constant", constant) })
	},
	verso: func(s *schemeCase) http.Handler {
		r := gin.New()
		routes := versogin.NewRoutes(r)
		r.Use(versogin.New(s.scheme, versogin.WithRoutes(routes)))
		if namespace, _, ok := strings.Cut(s.route, ":"); ok {
			routes = routes.Namespace(namespace)
		}
		routes.Name("user").GET(s.colons(), func(c *gin.Context) { keptVersion = versogin.Version(c) })
		return r
	},
	byHand: func(s *schemeCase) http.Handler {
		determine := ginByHand(s)
		return ginService(s, func(c *gin.Context) { keptText = c.GetString("version") }, func(c *gin.Context) {
			version := determine(c)
			if version == "" {
				version = defaultByHand
			}
			if !servedByHand[version] {
				c.AbortWithStatus(http.StatusNotFound)
				return
			}
			c.Set("version", version)
		})
	},
}

func ginService(s *schemeCase, handler gin.HandlerFunc, middleware ...gin.HandlerFunc) http.Handler {
	r := gin.New()
	r.Use(middleware...)
	r.GET(s.colons(), handler)
	return r
}

// ginByHand returns what determines the version of a request by hand.
func ginByHand(s *schemeCase) func(*gin.Context) string {
	switch s.name {
	case "accept_header":
		return func(c *gin.Context) string { return acceptedByHand(c.GetHeader("Accept")) }
	case "url_path":
		return func(c *gin.Context) string { return c.Param("version") }
	case "namespace":
		names := map[string]string{s.colons(): s.route} // Gin has no names
		return func(c *gin.Context) string { return namespaceByHand(names[c.FullPath()]) }
	case "hostname":
		return func(c *gin.Context) string { return hostByHand(c.Request.Host) }
	default:
		return func(c *gin.Context) string { return c.Query("version") }
	}
}
