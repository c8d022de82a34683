package versofiber_test

import (
	"testing"

	"github.com/gofiber/fiber/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/valyala/fasthttp"

	"github.com/goverso/verso/adapters/versofiber"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

var twoVersions = verso.Config{AllowedVersions: []string{"v1", "v2"}}

// schemes are the five schemes of the specification, and sources that read
// several headers.
var schemes = map[string]*verso.Versioning{
	"accept_header":   verso.Must(scheme.NewAcceptHeader("version", twoVersions)),
	"url_path":        verso.Must(scheme.NewURLPath("version", twoVersions)),
	"namespace":       verso.Must(scheme.NewNamespace(twoVersions)),
	"hostname":        verso.Must(scheme.NewHostName("", twoVersions)),
	"query_parameter": verso.Must(scheme.NewQueryParameter("version", twoVersions)),
	"two headers":     verso.MustNew(verso.First(verso.Header("Api-Version"), verso.AcceptParam("version")), twoVersions),
}

// TestDeterminationAllocatesNothing compares requests through Verso with requests
// through a handler that only keeps a pointer in Fiber's own store.
func TestDeterminationAllocatesNothing(t *testing.T) {
	kept := new(int)
	floor := allocs(t, func(c fiber.Ctx) error {
		c.Locals("kept", kept)
		return c.Next()
	}, nil)
	for name, api := range schemes {
		t.Run(name, func(t *testing.T) {
			assert.LessOrEqual(t, allocs(t, nil, api), floor)
		})
	}
}

// allocs counts the allocations of a request through a handler, or through that
// of Verso.
func allocs(t *testing.T, handler fiber.Handler, api *verso.Versioning) float64 {
	t.Helper()
	handle, ctx := newBench(handler, api)
	handle(ctx)
	require.Equal(t, fiber.StatusNoContent, ctx.Response.StatusCode())
	return testing.AllocsPerRun(1000, func() {
		ctx.ResetUserValues()
		ctx.Response.Reset()
		handle(ctx)
	})
}

func newBench(handler fiber.Handler, api *verso.Versioning) (fasthttp.RequestHandler, *fasthttp.RequestCtx) {
	app := fiber.New()
	last := func(c fiber.Ctx) error {
		c.Status(fiber.StatusNoContent)
		return nil
	}
	if api == nil {
		app.Get("/:version/users/:id", handler, last)
	} else {
		versofiber.New(app, api).Namespace("v1").Get("/:version/users/:id", last).Name("user")
	}
	ctx := new(fasthttp.RequestCtx)
	ctx.Request.SetRequestURI("/v1/users/7?version=v1")
	ctx.Request.Header.SetHost("v1.example.com")
	ctx.Request.Header.Set(fiber.HeaderAccept, "application/json; version=v1")
	return app.Handler(), ctx
}
