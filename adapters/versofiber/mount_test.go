package versofiber_test

import (
	"net/http"
	"testing"

	"github.com/gofiber/fiber/v3"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versofiber"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

// mounted answers with the version, a text, and a path parameter.
func mounted(text, param string) fiber.Handler {
	return func(c fiber.Ctx) error {
		_, err := c.WriteString(versofiber.Version(c).String() + " " + text + " " + c.Params(param))
		return err
	}
}

// around writes a text before and after what comes next.
func around(text string) fiber.Handler {
	return func(c fiber.Ctx) error {
		_, _ = c.WriteString(text + "(")
		err := c.Next()
		_, _ = c.WriteString(")")
		return err
	}
}

// TestMount registers with what only Fiber's routers have.
func TestMount(t *testing.T) {
	app := fiber.New()
	v := versofiber.New(app, verso.MustNew(verso.Header("Api-Version"), twoVersions))
	v.Group("/api/:area").AfterCheck(around("after")).RegisterVersions(map[string]func(fiber.Router){
		"v1": func(r fiber.Router) {
			r.Use(around("a"), around("b"))
			r.Get("/users/:id", mounted("one", "id")).Name("user")
			r.Group("/rooms", around("c")).All("/:id", mounted("one", "id"))
			r.Get("", mounted("root", "area"))
		},
		"v2": func(r fiber.Router) {
			r.Route("/rooms", func(r fiber.Router) {
				r.Group("/:id").Put("", func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte("net/http")) })
			})
		},
	})
	s := start(t, app)
	for _, test := range []struct{ method, target, version, want string }{
		{"PUT", "/rooms/7", "v1", "after(a(b(c(v1 one 7))))"},
		{"PUT", "/rooms/7", "v2", "net/http"},
		{"GET", "/rooms/7", "v2", "method_not_in_version"},
		{"GET", "", "v1", "after(a(b(v1 root x)))"},
	} {
		assert.Contains(t, s.do(t, test.method, "/api/x"+test.target, "Api-Version", test.version).body, test.want, "%v", test)
	}
	link, err := v.Link(verso.Target{Name: "user", Params: verso.Params{"area": "x", "id": 7}, Version: verso.V("v1")})
	assert.NoError(t, err)
	assert.Equal(t, "/api/x/users/7", link)
}

// TestMountedPrefix mounts an app whose routes are under the prefix of each version.
func TestMountedPrefix(t *testing.T) {
	ended := verso.Config{Catalogue: catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
		{Version: "v1", Sunset: catalogue.MustDate("2020-01-01")}, {Version: "v2"}}}), Links: verso.LinkConfig{Relative: true}}
	for template, register := range map[string]func(*versofiber.Routes){
		"/{version}": func(v *versofiber.Routes) {
			v.EachVersion().Get("/users", func(c fiber.Ctx) error {
				return c.SendString(versofiber.Version(c).String() + " " + versofiber.URL(c, verso.Target{Name: "users"}))
			}).Name("users")
		},
		"/api/{version}": func(v *versofiber.Routes) { v.Get("/v1/users", answerVersion); v.Get("/v2/users", answerVersion) },
	} {
		inner, app := fiber.New(), fiber.New()
		register(versofiber.New(inner, verso.MustNew(verso.PathPrefix(template), ended)))
		app.Use("/api", inner)
		s := start(t, app)
		assert.Contains(t, s.do(t, "GET", "/api/v1/users").body, "version_gone", template)
		assert.Contains(t, []string{"v2", "v2 /api/v2/users"}, s.do(t, "GET", "/api/v2/users").body, template)
	}
}

func TestMountRefuses(t *testing.T) {
	app := fiber.New()
	v := versofiber.New(app, verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	get := func(r fiber.Router) { r.Get("/users/:id", answerVersion) }
	for want, register := range map[string]func(fiber.Router){
		`version "v1" registers GET /out with the framework itself`: func(fiber.Router) { app.Get("/out", answerVersion) },
		`route GET /users/:id is registered twice`:                  func(r fiber.Router) { get(r); get(r) },
		`Use: Fiber installs it by path`:                            func(r fiber.Router) { r.Use("/users", answerVersion) },
	} {
		assert.ErrorContains(t, panicked(func() { v.RegisterVersions(map[string]func(fiber.Router){"v1": register}) }), want)
	}
	assert.ErrorContains(t, panicked(func() {
		v.RegisterVersions(map[string]func(fiber.Router){"v1": get, "v2": func(r fiber.Router) { r.Get("/users/:name", answerVersion) }})
	}), "/users/:id and /users/:name are one path, and the framework cannot give each version its own names: give the parameters the same names")
}

// TestMountStrict: with StrictRouting, the middleware of "/a/" is not in front of "/a".
func TestMountStrict(t *testing.T) {
	register := func(r fiber.Router) {
		r.Route("/a/", func(r fiber.Router) { r.Use(around("guard")); r.Get("/b", mounted("b", "")) })
		r.Get("/a", mounted("a", ""))
		r.Get("/a/:x?", mounted("x", "x"))
	}
	app := fiber.New(fiber.Config{StrictRouting: true})
	v := versofiber.New(app, verso.MustNew(verso.Header("Api-Version"), twoVersions))
	v.Group("/api").RegisterVersions(map[string]func(fiber.Router){"v1": register})
	s := start(t, app)
	for target, want := range map[string]string{"/a": "v1 a ", "/a/": "guard(v1 x )", "/a/b": "guard(v1 b )", "/a/7": "guard(v1 x 7)"} {
		assert.Equal(t, want, s.do(t, "GET", "/api"+target, "Api-Version", "v1").body, target)
	}
}

// TestLateRoutes: what a function registers after it has returned is refused.
func TestLateRoutes(t *testing.T) {
	var kept fiber.Router
	v := versofiber.New(fiber.New(), verso.MustNew(verso.Header("Api-Version"), twoVersions))
	v.RegisterVersions(map[string]func(fiber.Router){"v1": func(r fiber.Router) { kept = r; r.Get("/users", answerVersion) }})
	next := func(c fiber.Ctx) error { return c.Next() }
	for what, late := range map[string]func(){
		"route /rooms":  func() { kept.Get("/rooms", answerVersion) },
		"route /a/rest": func() { kept.Group("/a").Get("/rest", answerVersion) },
		"Use":           func() { kept.Use(next) },
		"Group /a":      func() { kept.Group("/a", next) },
	} {
		assert.PanicsWithError(t, "versofiber: RegisterVersions: "+what+": the function has returned: register it while it runs", late)
	}
}
