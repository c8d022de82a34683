// Package chiapi serves generated code with chi.
package chiapi

import (
	"context"

	"github.com/go-chi/chi/v5"

	"github.com/goverso/verso/adapters/versochi"
	v1 "github.com/goverso/verso/examples/generated/chiapi/v1"
	v2 "github.com/goverso/verso/examples/generated/chiapi/v2"
	"github.com/goverso/verso/examples/generated/users"
)

//go:generate go tool oapi-codegen -generate types,spec,strict-server,chi -package v1 -o v1/api.gen.go ../v1.yaml
//go:generate go tool oapi-codegen -generate types,spec,strict-server,chi -package v2 -o v2/api.gen.go ../v2.yaml

// InHeader registers both versions on the same paths.
func InHeader(v *versochi.Routes) {
	v.AfterCheck(versochi.InContext).With(users.Names).RegisterVersions(map[string]func(chi.Router){
		"v1": func(r chi.Router) {
			r.Use(users.Validator(v1.GetSpec, ""))
			v1.HandlerFromMux(v1.NewStrictHandler(serverV1{}, nil), r)
		},
		"v2": func(r chi.Router) {
			r.Use(users.Validator(v2.GetSpec, ""))
			v2.HandlerFromMux(v2.NewStrictHandler(serverV2{}, nil), r)
		},
	})
}

// InPath registers each version under its prefix.
func InPath(v *versochi.Routes) {
	v = v.With(users.Names)
	v1.HandlerFromMux(v1.NewStrictHandler(serverV1{}, nil),
		v.Group("/v1").AfterCheck(versochi.InContext, users.Validator(v1.GetSpec, "/v1")).Router())
	v2.HandlerFromMux(v2.NewStrictHandler(serverV2{}, nil),
		v.Group("/v2").AfterCheck(versochi.InContext, users.Validator(v2.GetSpec, "/v2")).Router())
}

// OneServer registers one server for all versions: v gives its operations options, and rewrites bodies.
func OneServer(v *versochi.Routes) {
	v1.HandlerFromMux(v1.NewStrictHandler(serverV1{}, nil), v.AfterCheck(versochi.InContext).With(users.Names).Router())
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
