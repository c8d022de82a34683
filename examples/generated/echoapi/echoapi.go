// Package echoapi serves generated code with Echo v4.
package echoapi

import (
	"context"

	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/adapters/versoecho"
	v1 "github.com/goverso/verso/examples/generated/echoapi/v1"
	v2 "github.com/goverso/verso/examples/generated/echoapi/v2"
	"github.com/goverso/verso/examples/generated/users"
)

//go:generate go tool oapi-codegen -generate types,spec,strict-server,echo -package v1 -o v1/api.gen.go ../v1.yaml
//go:generate go tool oapi-codegen -generate types,spec,strict-server,echo -package v2 -o v2/api.gen.go ../v2.yaml

// InHeader registers both versions on the same paths.
func InHeader(v *versoecho.Routes) {
	v.AfterCheck(versoecho.InContext).With(users.Names).RegisterVersions(map[string]func(*echo.Group){
		"v1": func(g *echo.Group) {
			g.Use(echo.WrapMiddleware(users.Validator(v1.GetSpec, "")))
			v1.RegisterHandlers(g, v1.NewStrictHandler(serverV1{}, nil))
		},
		"v2": func(g *echo.Group) {
			g.Use(echo.WrapMiddleware(users.Validator(v2.GetSpec, "")))
			v2.RegisterHandlers(g, v2.NewStrictHandler(serverV2{}, nil))
		},
	})
}

// InPath registers each version under its prefix.
func InPath(v *versoecho.Routes) {
	g1 := v.Group("/v1").AfterCheck(versoecho.InContext, echo.WrapMiddleware(users.Validator(v1.GetSpec, "/v1"))).With(users.Names)
	v1.RegisterHandlers(g1, v1.NewStrictHandler(serverV1{}, nil))
	g2 := v.Group("/v2").AfterCheck(versoecho.InContext, echo.WrapMiddleware(users.Validator(v2.GetSpec, "/v2"))).With(users.Names)
	v2.RegisterHandlers(g2, v2.NewStrictHandler(serverV2{}, nil))
}

// OneServer registers one server for all versions: v gives its operations options, and rewrites bodies.
func OneServer(v *versoecho.Routes) {
	v1.RegisterHandlers(v.AfterCheck(versoecho.InContext).With(users.Names), v1.NewStrictHandler(serverV1{}, nil))
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
