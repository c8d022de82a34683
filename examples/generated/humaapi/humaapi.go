// Package humaapi serves operations of Huma, which make the documents of both versions,
// with Gin, Echo and net/http.
package humaapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humaecho"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/gin-gonic/gin"
	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/adapters/versohttp"
	"github.com/goverso/verso/examples/generated/users"
)

// GinInHeader registers both versions on the same paths of Gin.
func GinInHeader(e *gin.Engine, v *versogin.Routes) {
	v.AfterCheck(versogin.InContext).With(users.Names).RegisterVersions(map[string]func(gin.IRouter){
		"v1": func(r gin.IRouter) { registerV1(humagin.NewWithGroup(e, r.Group(""), config("v1", ""))) },
		"v2": func(r gin.IRouter) { registerV2(humagin.NewWithGroup(e, r.Group(""), config("v2", ""))) },
	})
}

// GinInPath registers each version under its prefix.
func GinInPath(e *gin.Engine, v *versogin.Routes) {
	v = v.AfterCheck(versogin.InContext).With(users.Names)
	registerV1(humagin.NewWithGroup(e, v.RouterGroup("/v1"), config("v1", "/v1")))
	registerV2(humagin.NewWithGroup(e, v.RouterGroup("/v2"), config("v2", "/v2")))
}

// EchoInHeader registers both versions on the same paths of Echo.
func EchoInHeader(e *echo.Echo, v *versoecho.Routes) {
	v.AfterCheck(versoecho.InContext).With(users.Names).RegisterVersions(map[string]func(*echo.Group){
		"v1": func(g *echo.Group) { registerV1(humaecho.NewWithGroup(e, g, config("v1", ""))) },
		"v2": func(g *echo.Group) { registerV2(humaecho.NewWithGroup(e, g, config("v2", ""))) },
	})
}

// EchoInPath registers each version under its prefix. Huma takes a group of Echo's own,
// which RegisterVersions has.
func EchoInPath(e *echo.Echo, v *versoecho.Routes) {
	v.EachVersion().AfterCheck(versoecho.InContext).With(users.Names).RegisterVersions(map[string]func(*echo.Group){
		"v1": func(g *echo.Group) { registerV1(humaecho.NewWithGroup(e, g, config("v1", "/v1"))) },
		"v2": func(g *echo.Group) { registerV2(humaecho.NewWithGroup(e, g, config("v2", "/v2"))) },
	})
}

// GinOneServer registers the operations of v1 for all versions. Huma takes a group of Gin's own, which
// Register has.
func GinOneServer(e *gin.Engine, v *versogin.Routes) {
	v.AfterCheck(versogin.InContext).With(users.Names).Register(func(g *gin.RouterGroup) {
		registerV1(humagin.NewWithGroup(e, g, config("v1", "")))
	})
}

// EchoOneServer does the same with Echo.
func EchoOneServer(e *echo.Echo, v *versoecho.Routes) {
	v.AfterCheck(versoecho.InContext).With(users.Names).Register(func(g *echo.Group) {
		registerV1(humaecho.NewWithGroup(e, g, config("v1", "")))
	})
}

// HTTPInHeader registers both versions on the same paths of a ServeMux.
func HTTPInHeader(v *versohttp.Routes) {
	v.AfterCheck(versohttp.InContext).With(users.Names).RegisterVersions(map[string]func(versohttp.Mux){
		"v1": func(mux versohttp.Mux) { registerV1(humago.New(mux, config("v1", ""))) },
		"v2": func(mux versohttp.Mux) { registerV2(humago.New(mux, config("v2", ""))) },
	})
}

// HTTPInPath registers each version under its prefix.
func HTTPInPath(v *versohttp.Routes) {
	v = v.AfterCheck(versohttp.InContext).With(users.Names)
	registerV1(humago.New(v.Group("/v1"), config("v1", "/v1")))
	registerV2(humago.New(v.Group("/v2"), config("v2", "/v2")))
}

// config is that of Huma. A page of documents asks for no version, so it has no place
// behind a header.
func config(version, server string) huma.Config {
	c := huma.DefaultConfig("Users", version)
	c.DocsPath = ""
	if server != "" {
		c.Servers = []*huma.Server{{URL: server}}
	}
	return c
}

func registerV1(api huma.API) {
	type user struct {
		Body struct {
			Name    string `json:"name"`
			Version string `json:"version"`
			Self    string `json:"self"`
		}
	}
	huma.Get(api, "/users/{id}", func(ctx context.Context, asked *struct {
		ID int `path:"id" minimum:"1"`
	}) (*user, error) {
		answer := new(user)
		answer.Body.Name = "Ada Lovelace"
		var err error
		answer.Body.Version, answer.Body.Self, err = users.Self(ctx, asked.ID)
		return answer, err
	})
	huma.Get(api, "/report", func(context.Context, *struct{}) (*struct{}, error) { return nil, nil })
}

func registerV2(api huma.API) {
	type user struct {
		Body struct {
			FirstName string `json:"first_name"`
			LastName  string `json:"last_name"`
			Version   string `json:"version"`
			Self      string `json:"self"`
		}
	}
	huma.Get(api, "/users/{id}", func(ctx context.Context, asked *struct {
		ID int `path:"id" minimum:"100"`
	}) (*user, error) {
		answer := new(user)
		answer.Body.FirstName, answer.Body.LastName = "Ada", "Lovelace"
		var err error
		answer.Body.Version, answer.Body.Self, err = users.Self(ctx, asked.ID)
		return answer, err
	})
	huma.Post(api, "/rooms", func(_ context.Context, _ *struct {
		Body struct {
			Beds int `json:"beds" minimum:"1"`
		}
	}) (*struct{}, error) {
		return nil, nil
	}, func(o *huma.Operation) { o.DefaultStatus = http.StatusCreated })
}
