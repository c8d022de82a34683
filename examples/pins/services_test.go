package pins

import (
	"context"
	"io"
	"log/slog"
	"net/http"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/internal/frameworks"
)

// service has the authentication in front of what Verso checks or, if it is late, behind the middleware.
func service(isLate bool) frameworks.App {
	show := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, frameworks.Of(r).Version.String())
	}
	return frameworks.App{
		Middleware: true, PinLate: isLate, Pins: known, NotFound: true,
		Routes: []frameworks.Route{
			{Method: http.MethodGet, Path: "/users", Handle: show}, {Method: http.MethodOptions, Path: "/users", Handle: show},
			{Method: http.MethodGet, Path: "/health", Options: []verso.RouteOption{verso.Neutral()}, Handle: show},
			{Method: http.MethodGet, Path: "/other", Foreign: true, Handle: show},
		},
	}
}

// journal notes the errors that are logged.
type journal struct {
	slog.Handler
	errors []string
}

func (j *journal) Enabled(context.Context, slog.Level) bool { return true }

func (j *journal) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "code" && r.Level == slog.LevelError {
			j.errors = append(j.errors, a.Value.String())
		}
		return true
	})
	return nil
}
