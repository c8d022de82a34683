package service

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
)

func inGin(o *Options) Server {
	r, names := gin.New(), o.names(colons)
	v, read := (*versogin.Routes)(nil), func(c *gin.Context) string { value, _ := c.Get(key); return text(value) }
	determine := byHand(o, access[*gin.Context]{
		(*gin.Context).Param, (*gin.Context).Query, (*gin.Context).GetHeader,
		func(c *gin.Context) string { return c.Request.Host },
		func(c *gin.Context) string { return names[c.FullPath()] },
	})
	switch o.Variant {
	case Store, ByHand:
		r.Use(func(c *gin.Context) {
			if determine == nil {
				c.Set(key, &constant)
				return
			}
			version, ok := o.respond(c.Writer.Header(), determine(c))
			if !ok {
				c.AbortWithStatus(http.StatusNotFound)
				return
			}
			c.Set(key, version)
		})
	case Verso, Middleware:
		v = versogin.New(r, o.API, versogin.Config{Client: client[*gin.Context](o)})
		read = func(c *gin.Context) string { return versogin.Version(c).String() }
		if o.Variant == Middleware {
			r.Use(v.Middleware())
		}
	}
	for _, route := range o.Routes {
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
			r.GET(colons(route.Pattern), handler)
			continue
		}
		group, name := v.With(o.Options...), route.Name
		if namespace, rest, ok := strings.Cut(route.Name, ":"); ok {
			group, name = group.Namespace(namespace), rest
		}
		if group = group.Name(name); o.Choose {
			group.Choose(http.MethodGet, colons(route.Pattern), versogin.Handlers{"v1": handler, "v2": handler})
			continue
		}
		group.GET(colons(route.Pattern), handler)
	}
	return Server{handler: r}
}
