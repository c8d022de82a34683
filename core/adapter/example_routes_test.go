package adapter_test

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
)

// An adapter says once what only a request shows.
func ExampleBinding_Warn() {
	log := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	}))
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1"}, Logger: log})
	b := adapter.Bind(api, nil)
	for range 2 {
		b.Warn("before_router")
	}
	// Output: level=WARN msg="verso: the middleware runs before the router and does nothing: install it with Use, not with Pre" code=before_router field=Routes
}

// An adapter notes that the service called RewriteErrors, and each request to a route with
// Rewrite outside of the middleware that it returned.
func ExampleBinding_NoteRewrite() {
	log := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == "code" {
				return a
			}
			return slog.Attr{}
		},
	}))
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1"}, Logger: log})
	b := adapter.Bind(api, nil)
	b.NoteRewrite()
	b.NoteRewriteErrors()
	b.NoteRewrite()
	// Output: code=errors_not_rewritten
}

// A middleware that replaces the context of a request loses the result of the check with it.
func ExampleSeam_Pass() {
	for _, result := range []*verso.Result{new(verso.Result), nil} {
		seam := adapter.Seam[*http.Request, http.Handler]{ // and its other functions
			Fail: func(_ *http.Request, err error) error { return err }}
		fmt.Println(seam.Pass(nil, result, func(*http.Request) error { return errors.New("an error of the handler") }))
	}
	// Output:
	// an error of the handler
	// middleware behind the check has removed the version of a request: let it keep it
}

// A function that registers with a group has a route on the routes around it by mistake.
func ExampleBinding_Recorded() {
	b := adapter.Bind(verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1"}}), nil)
	fmt.Println(b.Recorded(func() {
		_, _ = b.Add(route.Route{Method: "GET", Path: "/users", Pattern: route.Colons("/users")})
	}))
	// Output: verso: Routes: GET /users is registered with the routes around a function while it runs, so the route lacks its middleware: register it with the argument of the function, or before
}

// A middleware notes what a Skipper exempts from the check: a path with a version is in the log.
func ExampleBinding_NoteSkipped() {
	log := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == "code" {
				return a
			}
			return slog.Attr{}
		},
	}))
	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1"}, Logger: log})
	b := adapter.Bind(api, nil)
	for _, path := range []string{"/files/:name", "/:version/users", "/:version/rooms"} {
		b.NoteSkipped(&route.Route{Path: path, Pattern: route.Colons(path), Foreign: true})
	}
	// Output: code=skipped_versioned
}
