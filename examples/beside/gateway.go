package beside

import (
	"context"
	"errors"
	"net/http"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	usersv1 "github.com/goverso/verso/examples/beside/users/v1"
	usersv2 "github.com/goverso/verso/examples/beside/users/v2"
)

// Gateway serves both packages by grpc-gateway, whose paths begin with the version: api
// has the source PathParam("version").
func Gateway(api *verso.Versioning) (http.Handler, error) {
	gateway := runtime.NewServeMux()
	if err := errors.Join(
		usersv1.RegisterUsersHandlerServer(context.Background(), gateway, serverV1{}),
		usersv2.RegisterUsersHandlerServer(context.Background(), gateway, serverV2{}),
	); err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	v := versohttp.New(mux, api, versohttp.Config{
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, rejected *verso.Error, answer *verso.Answer) {
			_, marshaler := runtime.MarshalerForRequest(gateway, r)
			runtime.HTTPError(r.Context(), gateway, marshaler, w, r, &runtime.HTTPStatusError{
				HTTPStatus: rejected.StatusCode(),
				Err:        status.Error(codes.Unimplemented, answer.Problem.Detail),
			})
		},
	})
	v.Handle("/{version}/", gateway)
	return mux, nil
}
