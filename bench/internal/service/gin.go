package service

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
)

func inGin(o *Options) Server {
	r := gin.New()
	v, read := (*versogin.Routes)(nil), func(c *gin.Context) string { value, _ := c.Get(key); return text(value) }
	if o.Variant == Verso || o.Variant == Middleware {
		v = versogin.New(r, o.API, versogin.Config{Client: client[*gin.Context](o)})
		read = func(c *gin.Context) string { return versogin.Version(c).String() }
		if o.Variant == Middleware {
			r.Use(v.Middleware())
		}
	}
	for _, route := range o.Routes {
		var inFront []gin.HandlerFunc
		hand := newByHand(o, route, lean, usual)
		switch o.Variant {
		case Store:
			inFront = append(inFront, func(c *gin.Context) { c.Set(key, &constant) })
		case Floor, Lean, Usual:
			inFront = append(inFront, func(c *gin.Context) {
				version := hand.group
				if hand.inPath {
					version = c.Param("version")
				}
				if version == "" && hand.read != nil {
					version = hand.read(c.Request)
				}
				if version == "" {
					version = "v1"
				}
				if hand.vary != nil || hand.fields != nil {
					hand.respond(c.Writer.Header())
				}
				if hand.variant == Floor {
					if constant := floor(version); constant != nil {
						c.Set(key, constant)
						return
					}
				} else if hand.isServed(version) {
					c.Set(key, version)
					return
				}
				c.AbortWithStatus(http.StatusNotFound)
			})
		}
		handler := func(c *gin.Context) {
			if o.Inside != nil {
				o.Inside(func(t verso.Target) (string, error) { return versogin.Link(c, t) })
			}
			if o.Answer != nil {
				c.JSON(o.Answer(read(c)))
				return
			}
			kept = read(c)
		}
		if o.Variant != Verso {
			r.GET(colons(route.Pattern), append(inFront, handler)...)
			continue
		}
		group, name := v.With(o.Options...), route.Name
		if namespace, rest, ok := strings.Cut(route.Name, ":"); ok {
			group, name = group.Namespace(namespace), rest
		}
		if group = group.Name(name); o.HandleVersions {
			group.HandleVersions(http.MethodGet, colons(route.Pattern), versogin.Handlers{"v1": handler, "v2": handler})
			continue
		}
		group.GET(colons(route.Pattern), handler)
	}
	return Server{handler: r}
}
