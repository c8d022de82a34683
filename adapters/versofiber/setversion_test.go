package versofiber_test

import (
	"io"
	"net/http/httptest"
	"testing"

	"github.com/gofiber/fiber/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/valyala/fasthttp"

	"github.com/goverso/verso/adapters/versofiber"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/versotest"
)

// setVersionTests are the schemes, with the route of each and the link in v2.
var setVersionTests = []struct {
	name, namespace, path, link string
	source                      verso.Source
}{
	{"path", "", "/:version/users/:id", "http://v1.example.com/v2/users/7", verso.PathParam("version")},
	{"namespace", "v2", "/second/users/:id", "http://v1.example.com/second/users/7", verso.Namespace()},
	{"host", "", "/users/:id", "http://v1.example.com/users/7", verso.HostLabel("")},
	{"query", "", "/users/:id", "http://v1.example.com/users/7?version=v2", verso.QueryParam("version")},
	{"Accept", "", "/users/:id", "http://v1.example.com/users/7", verso.AcceptParam("version")},
	{"header", "", "/users/:id", "http://v1.example.com/users/7", verso.Header("Api-Version")},
	{"media type", "", "/users/:id", "http://v1.example.com/users/7", verso.MediaType("application/vnd.acme.{version}+json")},
	{"header or path", "", "/:version/users/:id", "http://v1.example.com/v2/users/7", verso.First(verso.Header("Api-Version"), verso.PathParam("version"))},
}

// TestSetVersion calls a handler in a version: by a request that asks for it, and
// without the middleware.
func TestSetVersion(t *testing.T) {
	user := verso.Target{Name: "user", Params: verso.Params{"id": 7}}
	show := func(c fiber.Ctx) error {
		link, err := versofiber.Link(c, user)
		if err != nil {
			return err
		}
		return c.SendString(versofiber.Version(c).String() + " " + link)
	}
	for _, test := range setVersionTests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			api := verso.Must(verso.New(test.source, verso.Config{
				AllowedVersions: []string{"v1", "v2"},
				Links:           verso.Links{Origin: "http://v1.example.com"},
			}))
			app := fiber.New()
			v := versofiber.New(app, api)
			v.Get(test.path, show).Name(route.Join(test.namespace, "user"))

			r := versotest.AskRoute(t, api, "v2", httptest.NewRequest(fiber.MethodGet, "/", nil), v.Link, user)
			response, err := app.Test(r)
			require.NoError(t, err)
			body, err := io.ReadAll(response.Body)
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
			assert.Equal(t, "v2 "+test.link, string(body), "asked")

			c := app.AcquireCtx(&fasthttp.RequestCtx{})
			require.NoError(t, v.SetVersion(c, verso.V("v2")))
			require.NoError(t, show(c))
			assert.Equal(t, "v2 "+test.link, string(c.Response().Body()), "without the handler")

			c = app.AcquireCtx(&fasthttp.RequestCtx{})
			require.ErrorIs(t, v.SetVersion(c, verso.V("v9")), verso.ErrUnknownVersion)
			assert.True(t, versofiber.Version(c).IsNone())
		})
	}
}
