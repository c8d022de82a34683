// Package beside serves the versions of two protobuf packages, users.v1 and users.v2, to
// clients of a gateway and of Connect.
package beside

import (
	"context"

	usersv1 "github.com/goverso/verso/examples/beside/users/v1"
	usersv2 "github.com/goverso/verso/examples/beside/users/v2"
)

//go:generate protoc --go_out=. --go_opt=paths=source_relative --go-grpc_out=. --go-grpc_opt=paths=source_relative --grpc-gateway_out=. --grpc-gateway_opt=paths=source_relative,grpc_api_configuration=users/gateway.yaml --connect-go_out=. --connect-go_opt=paths=source_relative,simple users/v1/users.proto users/v2/users.proto

type serverV1 struct {
	usersv1.UnimplementedUsersServer
}

func (serverV1) GetUser(_ context.Context, asked *usersv1.GetUserRequest) (*usersv1.User, error) {
	return &usersv1.User{Id: asked.GetId(), Name: "Ada Lovelace"}, nil
}

type serverV2 struct {
	usersv2.UnimplementedUsersServer
}

func (serverV2) GetUser(_ context.Context, asked *usersv2.GetUserRequest) (*usersv2.User, error) {
	return &usersv2.User{Id: asked.GetId(), FirstName: "Ada", LastName: "Lovelace"}, nil
}
