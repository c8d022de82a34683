package beside

import (
	"errors"
	"net/http"

	"connectrpc.com/connect"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/beside/users/v1/usersv1connect"
	"github.com/goverso/verso/examples/beside/users/v2/usersv2connect"
)

// Connect serves both packages to clients of Connect, gRPC and gRPC-Web: api has the
// source PathPrefix("/users.{version}.Users").
func Connect(api *verso.Versioning) http.Handler {
	writer := connect.NewErrorWriter()
	mux := http.NewServeMux()
	v := versohttp.New(mux, api, versohttp.Config{
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, _ *verso.Error, answer *verso.Answer) {
			if writer.IsSupported(r) { // otherwise Verso answers
				_ = writer.Write(w, r, connect.NewError(connect.CodeUnimplemented, errors.New(answer.Problem.Detail)))
			}
		},
	})
	v.Handle(usersv1connect.NewUsersHandler(serverV1{}))
	v.Handle(usersv2connect.NewUsersHandler(serverV2{}))
	return v.NotFound()(mux)
}
