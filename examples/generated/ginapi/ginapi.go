// Package ginapi serves generated code with Gin.
package ginapi

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/adapters/versogin"
	v1 "github.com/goverso/verso/examples/generated/ginapi/v1"
	v2 "github.com/goverso/verso/examples/generated/ginapi/v2"
	"github.com/goverso/verso/examples/generated/users"
)

//go:generate go tool oapi-codegen -generate types,spec,strict-server,gin -package v1 -o v1/api.gen.go ../v1.yaml
//go:generate go tool oapi-codegen -generate types,spec,strict-server,gin -package v2 -o v2/api.gen.go ../v2.yaml

// InHeader registers both versions on the same paths.
func InHeader(v *versogin.Routes) {
	v.AfterCheck(versogin.InContext).With(users.Names).RegisterVersions(map[string]func(gin.IRouter){
		"v1": func(r gin.IRouter) {
			r.Use(use(users.Validator(v1.GetSpec, "")))
			v1.RegisterHandlers(r, v1.NewStrictHandler(serverV1{}, nil))
		},
		"v2": func(r gin.IRouter) {
			r.Use(use(users.Validator(v2.GetSpec, "")))
			v2.RegisterHandlers(r, v2.NewStrictHandler(serverV2{}, nil))
		},
	})
}

// InPath registers each version under its prefix.
func InPath(v *versogin.Routes) {
	r1 := v.Group("/v1").AfterCheck(versogin.InContext, use(users.Validator(v1.GetSpec, "/v1"))).With(users.Names)
	v1.RegisterHandlers(r1.Router(), v1.NewStrictHandler(serverV1{}, nil))
	r2 := v.Group("/v2").AfterCheck(versogin.InContext, use(users.Validator(v2.GetSpec, "/v2"))).With(users.Names)
	v2.RegisterHandlers(r2.Router(), v2.NewStrictHandler(serverV2{}, nil))
}

// OneServer registers one server for all versions: v gives its operations options, and rewrites bodies.
func OneServer(v *versogin.Routes) {
	v1.RegisterHandlers(v.AfterCheck(versogin.InContext).With(users.Names).Router(), v1.NewStrictHandler(serverV1{}, nil))
}

// use makes middleware of net/http one of Gin.
func use(middleware func(http.Handler) http.Handler) gin.HandlerFunc {
	return func(c *gin.Context) {
		passed := false
		middleware(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			passed, c.Request = true, r
		})).ServeHTTP(c.Writer, c.Request)
		if !passed {
			c.Abort()
		}
	}
}

// serverV1 and serverV2 are what oapi-codegen leaves to write.
type serverV1 struct{}

func (serverV1) ShowUser(ctx context.Context, request v1.ShowUserRequestObject) (v1.ShowUserResponseObject, error) {
	version, self, err := users.Self(ctx, request.Id)
	return v1.ShowUser200JSONResponse{Name: "Ada Lovelace", Version: version, Self: self}, err
}

func (serverV1) Report(context.Context, v1.ReportRequestObject) (v1.ReportResponseObject, error) {
	return v1.Report204Response{}, nil
}

type serverV2 struct{}

func (serverV2) ShowUser(ctx context.Context, request v2.ShowUserRequestObject) (v2.ShowUserResponseObject, error) {
	version, self, err := users.Self(ctx, request.Id)
	return v2.ShowUser200JSONResponse{FirstName: "Ada", LastName: "Lovelace", Version: version, Self: self}, err
}

func (serverV2) AddRoom(context.Context, v2.AddRoomRequestObject) (v2.AddRoomResponseObject, error) {
	return v2.AddRoom201Response{}, nil
}
