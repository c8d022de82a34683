// Package nethttpapi serves generated code with net/http.
package nethttpapi

import (
	"context"

	"github.com/goverso/verso/adapters/versohttp"
	v1 "github.com/goverso/verso/examples/generated/nethttpapi/v1"
	v2 "github.com/goverso/verso/examples/generated/nethttpapi/v2"
	"github.com/goverso/verso/examples/generated/users"
)

//go:generate go tool oapi-codegen -generate types,spec,strict-server,std-http -package v1 -o v1/api.gen.go ../v1.yaml
//go:generate go tool oapi-codegen -generate types,spec,strict-server,std-http -package v2 -o v2/api.gen.go ../v2.yaml

// InHeader registers both versions on the same paths.
func InHeader(v *versohttp.Routes) {
	v.AfterCheck(versohttp.InContext).With(users.Names).RegisterVersions(map[string]func(versohttp.Mux){
		"v1": func(mux versohttp.Mux) {
			v1.HandlerWithOptions(v1.NewStrictHandler(serverV1{}, nil), v1.StdHTTPServerOptions{
				BaseRouter: mux, Middlewares: []v1.MiddlewareFunc{users.Validator(v1.GetSpec, "")},
			})
		},
		"v2": func(mux versohttp.Mux) {
			v2.HandlerWithOptions(v2.NewStrictHandler(serverV2{}, nil), v2.StdHTTPServerOptions{
				BaseRouter: mux, Middlewares: []v2.MiddlewareFunc{users.Validator(v2.GetSpec, "")},
			})
		},
	})
}

// InPath registers each version under its prefix.
func InPath(v *versohttp.Routes) {
	mux1 := v.Group("/v1").AfterCheck(versohttp.InContext, users.Validator(v1.GetSpec, "/v1")).With(users.Names)
	v1.HandlerFromMux(v1.NewStrictHandler(serverV1{}, nil), mux1)
	mux2 := v.Group("/v2").AfterCheck(versohttp.InContext, users.Validator(v2.GetSpec, "/v2")).With(users.Names)
	v2.HandlerFromMux(v2.NewStrictHandler(serverV2{}, nil), mux2)
}

// OneServer registers one server for all versions: v gives its operations options, and rewrites bodies.
func OneServer(v *versohttp.Routes) {
	v1.HandlerFromMux(v1.NewStrictHandler(serverV1{}, nil), v.AfterCheck(versohttp.InContext).With(users.Names))
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
