// Package ogenapi serves generated code of ogen, whose server is an http.Handler with a
// router of its own.
package ogenapi

import (
	"context"
	"net/http"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/generated"
	v1 "github.com/goverso/verso/examples/generated/ogenapi/v1"
	v2 "github.com/goverso/verso/examples/generated/ogenapi/v2"
	"github.com/goverso/verso/examples/generated/users"
)

//go:generate go tool ogen --clean --config ogen.yaml --package v1 --target v1 ../v1.yaml
//go:generate go tool ogen --clean --config ogen.yaml --package v2 --target v2 ../v2.yaml

// InHeader registers both versions on the same paths.
func InHeader(v *versohttp.Routes) {
	v.AfterCheck(versohttp.InContext).With(users.Names).RegisterVersions(map[string]func(versohttp.Mux){
		"v1": operations(generated.V1, verso.Must(v1.NewServer(serverV1{}))),
		"v2": operations(generated.V2, verso.Must(v2.NewServer(serverV2{}))),
	})
}

// InPath registers each version under its prefix.
func InPath(v *versohttp.Routes) {
	v = v.AfterCheck(versohttp.InContext).With(users.Names)
	operations(generated.V1, verso.Must(v1.NewServer(serverV1{}, v1.WithPathPrefix("/v1"))))(v.Group("/v1"))
	operations(generated.V2, verso.Must(v2.NewServer(serverV2{}, v2.WithPathPrefix("/v2"))))(v.Group("/v2"))
}

// OneServer registers one server for all versions: v gives its operations options, and rewrites bodies.
func OneServer(v *versohttp.Routes) {
	operations(generated.V1, verso.Must(v1.NewServer(serverV1{})))(v.AfterCheck(versohttp.InContext).With(users.Names))
}

// operations registers a server for each operation of its document, so that Verso knows
// which routes the version has.
func operations(document []byte, server http.Handler) func(versohttp.Mux) {
	paths := verso.Must(openapi3.NewLoader().LoadFromData(document)).Paths
	return func(mux versohttp.Mux) {
		for path, item := range paths.Map() {
			for method := range item.Operations() {
				mux.Handle(method+" "+path, server)
			}
		}
	}
}

// serverV1 and serverV2 are what ogen leaves to write.
type serverV1 struct{}

func (serverV1) ShowUser(ctx context.Context, asked v1.ShowUserParams) (*v1.User, error) {
	version, self, err := users.Self(ctx, asked.ID)
	return &v1.User{Name: "Ada Lovelace", Version: version, Self: self}, err
}

func (serverV1) Report(context.Context) error { return nil }

type serverV2 struct{}

func (serverV2) ShowUser(ctx context.Context, asked v2.ShowUserParams) (*v2.User, error) {
	version, self, err := users.Self(ctx, asked.ID)
	return &v2.User{FirstName: "Ada", LastName: "Lovelace", Version: version, Self: self}, err
}

func (serverV2) AddRoom(context.Context, *v2.AddRoomReq) error { return nil }
