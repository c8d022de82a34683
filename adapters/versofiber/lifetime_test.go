package versofiber_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/middleware/compress"
	"github.com/gofiber/fiber/v3/middleware/cors"
	"github.com/gofiber/fiber/v3/middleware/etag"
	"github.com/gofiber/fiber/v3/middleware/logger"
	recoverer "github.com/gofiber/fiber/v3/middleware/recover"
	"github.com/gofiber/fiber/v3/middleware/requestid"
	"github.com/gofiber/fiber/v3/middleware/timeout"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/valyala/fasthttp"

	"github.com/goverso/verso/adapters/versofiber"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// kept is what an application keeps of a request, and what it must be later.
type kept struct {
	version, asked, link *string
	want                 string
}

// TestTextsOutliveRequests keeps versions, errors and links of many requests,
// whose memory fasthttp uses again, and looks at them afterwards.
func TestTextsOutliveRequests(t *testing.T) {
	for _, immutable := range []bool{false, true} {
		for name, api := range map[string]*verso.Versioning{
			"accept": verso.Must(scheme.NewAcceptHeader("version", anyVersion)),
			"path":   verso.Must(scheme.NewURLPath("version", anyVersion)),
			"query":  verso.Must(scheme.NewQueryParameter("version", anyVersion)),
			"host":   verso.Must(scheme.NewHostName("", anyVersion)),
			"header": verso.MustNew(verso.Header("Api-Version"), anyVersion),

			"accept, rejected": verso.Must(scheme.NewAcceptHeader("version", twoVersions)),
			"path, rejected":   verso.Must(scheme.NewURLPath("version", twoVersions)),
			"query, rejected":  verso.Must(scheme.NewQueryParameter("version", twoVersions)),
			"host, rejected":   verso.Must(scheme.NewHostName("", twoVersions)),
			"header, rejected": verso.MustNew(verso.Header("Api-Version"), twoVersions),
		} {
			t.Run(fmt.Sprint(name, "/", immutable), func(t *testing.T) {
				var mu sync.Mutex
				var all []kept
				app := fiber.New(fiber.Config{Immutable: immutable})
				v := versofiber.New(app, api, versofiber.Config{ErrorHandler: func(c fiber.Ctx, err *verso.Error, _ *verso.Answer) error {
					mu.Lock()
					defer mu.Unlock()
					all = append(all, kept{asked: &err.Requested, want: strings.Clone(c.Get("X-Want"))})
					return nil
				}})
				v.Get("/:version/users", func(c fiber.Ctx) error {
					link, err := versofiber.Link(c, verso.Target{Name: "users", Params: verso.Params{"version": versofiber.Version(c)}})
					if err != nil {
						return err
					}
					version := versofiber.Version(c).String()
					mu.Lock()
					defer mu.Unlock()
					all = append(all, kept{version: &version, link: &link, want: strings.Clone(c.Get("X-Want"))})
					return nil
				}).Name("users")
				handle := app.Handler()
				var group sync.WaitGroup
				for worker := range 4 {
					group.Go(func() {
						ctx := new(fasthttp.RequestCtx) // of all requests of a connection
						for i := range 200 {
							version := fmt.Sprintf("v%c%d", 'a'+worker, i)
							ctx.Request.Reset()
							ctx.Response.Reset()
							ctx.ResetUserValues()
							ctx.Request.SetRequestURI("/" + version + "/users?version=" + version)
							ctx.Request.Header.SetHost(version + ".example.com")
							ctx.Request.Header.Set("Accept", "application/json; version="+version)
							ctx.Request.Header.Set("Api-Version", version)
							ctx.Request.Header.Set("X-Want", version)
							handle(ctx)
						}
					})
				}
				group.Wait()
				require.Len(t, all, 800)
				for _, k := range all {
					if k.asked != nil {
						assert.Equal(t, k.want, *k.asked)
						continue
					}
					assert.Equal(t, k.want, *k.version)
					assert.Contains(t, *k.link, "http://"+k.want+".example.com/")
				}
			})
		}
	}
}

// TestMiddlewareOfOthers runs Verso among Fiber's own middleware.
func TestMiddlewareOfOthers(t *testing.T) {
	app := fiber.New()
	var lines strings.Builder
	var mu sync.Mutex
	app.Use(
		requestid.New(),
		logger.New(logger.Config{Stream: &lines, Format: "${status} ${error}\n"}),
		recoverer.New(),
		cors.New(cors.Config{AllowOrigins: []string{"https://app.example"}}),
		compress.New(),
		etag.New(),
		func(c fiber.Ctx) error {
			mu.Lock()
			defer mu.Unlock()
			return c.Next()
		},
	)
	v := versofiber.New(app, verso.Must(scheme.NewAcceptHeader("version", twoVersions)))
	v.Get("/users/:id", func(c fiber.Ctx) error {
		return c.SendString(versofiber.Param(c, "id") + " in " + versofiber.Version(c).String())
	})
	v.Get("/panic", func(fiber.Ctx) error { panic("secret") })
	v.Get("/slow", timeout.New(func(c fiber.Ctx) error {
		return c.SendString(versofiber.Version(c).String())
	}, timeout.Config{Timeout: time.Minute}))
	v.Options("/users/:id", answerVersion)
	s := start(t, app)

	got := s.get(t, "/users/7", "Accept", "application/json; version=v2", "Origin", "https://app.example")
	assert.Equal(t, "7 in v2", got.body)
	assert.Equal(t, "https://app.example", got.header.Get("Access-Control-Allow-Origin"))
	vary := strings.Join(got.header.Values("Vary"), ", ")
	assert.Contains(t, vary, "Origin")
	assert.Equal(t, 1, strings.Count(vary+",", "Accept,"), vary)
	tag := got.header.Get("Etag")
	require.NotEmpty(t, tag)
	assert.Equal(t, 304, s.get(t, "/users/7", "Accept", "application/json; version=v2", "If-None-Match", tag).status)

	rejected := s.get(t, "/users/7", "Accept", "application/json; version=v9", "Origin", "https://app.example")
	assert.Equal(t, 406, rejected.status)
	assert.Equal(t, "application/problem+json", rejected.header.Get("Content-Type"))
	assert.Contains(t, strings.Join(rejected.header.Values("Vary"), ", "), "Origin")

	preflight := s.do(t, "OPTIONS", "/users/7", "Origin", "https://app.example", "Access-Control-Request-Method", "GET")
	assert.Equal(t, 204, preflight.status)
	assert.Equal(t, 500, s.get(t, "/panic", "Accept", "application/json; version=v2").status)
	assert.Equal(t, "v1", s.get(t, "/slow", "Accept", "application/json; version=v1").body)
}
