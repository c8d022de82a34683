package mistakes

import (
	"encoding/json"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

var twoVersions = []string{"v1", "v2"}

func newPath() *verso.Versioning {
	return verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: twoVersions}))
}

func newPathWithDefault() *verso.Versioning {
	return verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: twoVersions, DefaultVersion: verso.V("v1")}))
}

func newNamespace() *verso.Versioning {
	return verso.Must(verso.NewNamespace(verso.Config{AllowedVersions: twoVersions}))
}

// fromJSON returns a configuration that is read from JSON.
func fromJSON(text string) func(*scene) (*verso.Versioning, error) {
	return func(*scene) (*verso.Versioning, error) {
		var file verso.FileConfig
		if err := json.Unmarshal([]byte(text), &file); err != nil {
			return nil, err
		}
		return file.New(verso.Config{})
	}
}

// fromEnv returns a configuration that is read from the environment.
func fromEnv(variable, value string) func(*scene) (*verso.Versioning, error) {
	return func(s *scene) (*verso.Versioning, error) {
		s.Setenv("SHOP_VERSIONING_SCHEME", "URLPathVersioning")
		s.Setenv("SHOP_"+variable, value)
		file, err := verso.FileConfigFromEnv("SHOP_")
		if err != nil {
			return nil, err
		}
		return file.New(verso.Config{})
	}
}

// fromCode returns a configuration of a scheme.
func fromCode(scheme func(verso.Config) (*verso.Versioning, error), config verso.Config) func(*scene) (*verso.Versioning, error) {
	return func(*scene) (*verso.Versioning, error) { return scheme(config) }
}

// routed returns a mistake in the route of a service, beside others.
func routed(name string, api func() *verso.Versioning, target, path string, others ...string) mistake {
	return mistake{
		name: name,
		echo: func(s *scene) {
			e := echo.New()
			e.Use(versoecho.Middleware(api()))
			for _, path := range append(others, path) {
				e.GET(path, answerInEcho)
			}
			s.get(e, target)
		},
		gin: func(s *scene) {
			r := gin.New()
			v := versogin.New(r, api())
			r.Use(v.Middleware())
			for _, path := range append(others, path) {
				v.GET(path, answerInGin)
			}
			s.get(r, target)
		},
	}
}

// linked returns a mistake in a link to the route "user".
func linked(name string, target verso.Target) mistake {
	return mistake{
		name: name,
		echo: func(s *scene) {
			e := echo.New()
			e.Use(versoecho.Middleware(newPath()))
			e.GET("/:version/users/:id", func(c echo.Context) error {
				_, err := versoecho.Link(c, target)
				s.see(err)
				return err
			}).Name = "user"
			s.get(e, "/v1/users/7")
		},
		gin: func(s *scene) {
			r := gin.New()
			v := versogin.New(r, newPath())
			r.Use(v.Middleware())
			v.Name("user").GET("/:version/users/:id", linkInGin(s, target))
			s.get(r, "/v1/users/7")
		},
	}
}

func linkInGin(s *scene, target verso.Target) gin.HandlerFunc {
	return func(c *gin.Context) {
		_, err := versogin.Link(c, target)
		s.see(err)
		c.Status(http.StatusInternalServerError)
	}
}

func linkInEcho(s *scene, target verso.Target) echo.HandlerFunc {
	return func(c echo.Context) error {
		_, err := versoecho.Link(c, target)
		s.see(err)
		return err
	}
}

var users = verso.Target{Name: "user-list"}

// mistakes are the rows of the page.
var mistakes = []mistake{
	// The configuration.
	{
		"No versioning",
		func(*scene) { versoecho.Middleware(nil) },
		func(*scene) { versogin.Middleware(nil) },
	},
	configured("No source", func(*scene) (*verso.Versioning, error) { return verso.New(nil, verso.Config{}) }),
	configured("A version twice", fromCode(verso.NewURLPath, verso.Config{AllowedVersions: []string{"v1", "v1"}})),
	configured("No list of versions", fromCode(verso.NewURLPath, verso.Config{})),
	configured("No list of versions, but strict", fromCode(verso.NewURLPath, verso.Config{Strict: verso.Strict()})),
	configured("A default that is not listed", fromCode(verso.NewURLPath, verso.Config{AllowedVersions: twoVersions, DefaultVersion: verso.V("v7")})),
	configured("A colon or braces in the parameter's name", fromCode(verso.NewURLPath, verso.Config{AllowedVersions: twoVersions, VersionParam: ":version"})),
	configured("A slash in a version", fromCode(verso.NewURLPath, verso.Config{AllowedVersions: []string{"v1/beta"}})),
	configured("A host pattern without a group", fromCode(verso.NewHostName, verso.Config{AllowedVersions: twoVersions, HostPattern: `v[0-9]\.example\.com`})),
	configured("A host pattern in another scheme", fromCode(verso.NewURLPath, verso.Config{AllowedVersions: twoVersions, HostPattern: `(v[0-9])\.example\.com`})),
	configured("An origin with a slash at its end", fromCode(verso.NewURLPath, verso.Config{AllowedVersions: twoVersions, Links: verso.Links{Origin: "https://api.example.com/"}})),
	configured("An origin that is not trusted", fromCode(verso.NewURLPath, verso.Config{
		AllowedVersions: twoVersions,
		Links:           verso.Links{Origin: "https://api.example.com", TrustedHosts: []string{"example.org"}},
	})),
	configured("A source twice", func(*scene) (*verso.Versioning, error) {
		return verso.New(verso.First(verso.Header("Api-Version"), verso.Header("api-version")), verso.Config{AllowedVersions: twoVersions})
	}),
	{
		"A `Client` callback, and no `Observe`",
		func(*scene) {
			versoecho.NewWithConfig(newPath(), versoecho.Config{Client: func(echo.Context) string { return "acme" }})
		},
		func(*scene) {
			versogin.New(gin.New(), newPath(), versogin.WithClient(func(*gin.Context) string { return "acme" }))
		},
	},

	// Files and the environment.
	configured("A misspelt key", fromJSON(`{"scheme": "URLPathVersioning", "alowed_versions": ["v1"]}`)), //nolint:misspell // the mistake
	configured("A key twice", fromJSON(`{"scheme": "URLPathVersioning", "allowed_versions": ["v1"], "allowed_versions": ["v2"]}`)),
	configured("An empty list", fromJSON(`{"scheme": "URLPathVersioning", "allowed_versions": []}`)),
	configured("An unknown scheme", fromJSON(`{"scheme": "PathVersioning"}`)),
	configured("An empty variable", fromEnv("ALLOWED_VERSIONS", "")),
	configured("A trailing comma in a catalogue", func(*scene) (*verso.Versioning, error) {
		lives, err := catalogue.Parse([]byte("{\"versions\": [\n\t{\"version\": \"v1\"},\n\t{\"version\": \"v2\"},\n]}"))
		if err != nil {
			return nil, err
		}
		return verso.NewURLPath(verso.Config{Catalogue: lives})
	}),
	configured("A stray comma", fromEnv("ALLOWED_VERSIONS", "v1,v2,")),

	// Routes and the middleware.
	routed("Another path parameter, without a default", newPath, "/v1/users", "/:ver/users"),
	routed("Another path parameter, with a default", newPathWithDefault, "/v2/users", "/:ver/users"),
	routed("A route without the path parameter", newPathWithDefault, "/health", "/health", "/:version/users"),
	{
		"Namespaces, and no route in one",
		func(s *scene) {
			e := echo.New()
			e.Use(versoecho.Middleware(newNamespace()))
			e.GET("/v1/users", answerInEcho)
			s.get(e, "/v1/users")
		},
		func(*scene) { versogin.Middleware(newNamespace()) },
	},
	{
		"The middleware before the router (Echo)",
		func(s *scene) {
			e := echo.New()
			e.Pre(versoecho.Middleware(newPath()))
			e.GET("/:version/users", answerInEcho)
			s.get(e, "/v9/users")
		},
		nil, // the middleware of an engine runs when the route is known
	},
	{
		"The middleware after the routes (Gin)",
		nil, // Echo runs what Use installs for all routes
		func(s *scene) {
			r := gin.New()
			v := versogin.New(r, newPath())
			v.GET("/:version/users", answerInGin)
			r.Use(v.Middleware())
			s.get(r, "/v9/users")
		},
	},
	{
		"An option with an unknown version",
		func(*scene) {
			v := versoecho.New(newPath())
			v.Route(echo.New().GET("/:version/users", answerInEcho), verso.Since("v3"))
		},
		func(*scene) { versogin.New(gin.New(), newPath()).Since("v3").GET("/:version/users", answerInGin) },
	},
	{
		"A handler for each version, and no middleware",
		func(s *scene) {
			e := echo.New()
			e.HTTPErrorHandler = func(err error, _ echo.Context) { s.see(err) }
			versoecho.New(newPath()).Choose(e.GET, "/:version/users", versoecho.From("v1", answerInEcho))
			s.get(e, "/v1/users")
		},
		func(s *scene) {
			r := gin.New()
			r.Use(func(c *gin.Context) {
				c.Next()
				s.see(c.Errors)
			})
			versogin.New(r, newPath()).Choose(http.MethodGet, "/:version/users", versogin.From("v1", answerInGin))
			s.get(r, "/v1/users")
		},
	},

	// Links.
	{
		"A link without the middleware",
		func(s *scene) {
			e := echo.New()
			e.GET("/:version/users", linkInEcho(s, users)).Name = "user-list"
			s.get(e, "/v1/users")
		},
		func(s *scene) {
			r := gin.New()
			versogin.New(r, newPath()).Name("user-list").GET("/:version/users", linkInGin(s, users))
			s.get(r, "/v1/users")
		},
	},
	{
		"A link, and no route with a name",
		func(s *scene) {
			e := echo.New()
			e.Use(versoecho.Middleware(newPath()))
			e.GET("/:version/users", linkInEcho(s, users))
			s.get(e, "/v1/users")
		},
		func(s *scene) {
			r := gin.New()
			r.Use(versogin.Middleware(newPath()))
			r.GET("/:version/users", linkInGin(s, users))
			s.get(r, "/v1/users")
		},
	},
	{
		"A name that is not chained",
		func(s *scene) {
			e := echo.New()
			e.Use(versoecho.Middleware(newPath()))
			registered := *e.GET("/:version/users", linkInEcho(s, users)) // a copy
			registered.Name = "user-list"
			s.get(e, "/v1/users")
		},
		func(s *scene) {
			r := gin.New()
			v := versogin.New(r, newPath())
			r.Use(v.Middleware())
			v.Name("user-list")
			v.GET("/:version/users", linkInGin(s, users))
			s.get(r, "/v1/users")
		},
	},
	{
		"Two registries (Gin)",
		nil, // names are Echo's own
		func(s *scene) {
			r := gin.New()
			r.Use(versogin.New(r, newPath()).Middleware())
			versogin.New(r, newPath()).Name("user-list").GET("/:version/users", linkInGin(s, users))
			s.get(r, "/v1/users")
		},
	},
	linked("A missing parameter", verso.Target{Name: "user"}),
	linked("A parameter too many", verso.Target{Name: "user", Params: verso.Params{"id": 7, "page": 2}}),
	linked("Parameters by position, and the version in the path", verso.Target{Name: "user", Args: []any{7}}),
	linked("A link to an unknown version", verso.Target{Name: "user", Params: verso.Params{"id": 7}, Version: verso.V("v9")}),
	linked("Links from any Host", verso.Target{Name: "user", Params: verso.Params{"id": 7}}),

	// Those that only Explain or a response shows.
	{
		"A host of another shape",
		func(s *scene) {
			e := echo.New()
			e.Use(versoecho.Middleware(verso.Must(verso.NewHostName(verso.Config{AllowedVersions: twoVersions}))))
			e.GET("/users", answerInEcho)
			s.get(e, "/users")
		},
		func(s *scene) {
			r := gin.New()
			r.Use(versogin.Middleware(verso.Must(verso.NewHostName(verso.Config{AllowedVersions: twoVersions}))))
			r.GET("/users", answerInGin)
			s.get(r, "/users")
		},
	},
	{
		"`Vary` set in a handler",
		func(s *scene) {
			e := echo.New()
			e.Use(versoecho.Middleware(verso.Must(verso.NewAcceptHeader(acceptsAny))))
			e.GET("/users", func(c echo.Context) error {
				c.Response().Header().Set("Vary", "Origin")
				return c.NoContent(http.StatusNoContent)
			})
			s.get(e, "/users")
		},
		func(s *scene) {
			r := gin.New()
			r.Use(versogin.Middleware(verso.Must(verso.NewAcceptHeader(acceptsAny))))
			r.GET("/users", func(c *gin.Context) {
				c.Header("Vary", "Origin")
				c.Status(http.StatusNoContent)
			})
			s.get(r, "/users")
		},
	},
	{
		"A registry whose middleware is not installed",
		func(s *scene) {
			e := echo.New()
			versoecho.New(newPath()).Route(e.GET("/:version/users", answerInEcho), verso.Since("v2"))
			s.get(e, "/v9/users")
		},
		func(s *scene) {
			r := gin.New()
			versogin.New(r, newPath()).Since("v2").GET("/:version/users", answerInGin)
			s.get(r, "/v9/users")
		},
	},
	{
		"A group's middleware after its routes",
		func(s *scene) {
			e := echo.New()
			g := e.Group("/:version")
			g.GET("/users", answerInEcho)
			g.Use(versoecho.Middleware(newPath()))
			s.get(e, "/v9/users")
		},
		func(s *scene) {
			r := gin.New()
			g := r.Group("/:version")
			g.GET("/users", answerInGin)
			g.Use(versogin.Middleware(newPath()))
			s.get(r, "/v9/users")
		},
	},
	{
		"`Middleware` after the engine's routes (Gin)",
		nil, // Echo runs what Use installs for all routes
		func(s *scene) {
			r := gin.New()
			r.GET("/:version/users", answerInGin)
			r.Use(versogin.Middleware(newPath()))
			s.get(r, "/v9/users")
		},
	},
	{
		"`Middleware`, and another path parameter (Gin)",
		nil, // Echo knows its routes
		func(s *scene) {
			r := gin.New()
			r.Use(versogin.Middleware(newPathWithDefault()))
			r.GET("/:ver/users", answerInGin)
			s.get(r, "/v9/users")
		},
	},
	{
		"Namespaces, and routes of the engine's own (Gin)",
		nil, // Echo knows its routes
		func(s *scene) {
			r := gin.New()
			v := versogin.New(r, newNamespace())
			r.Use(v.Middleware())
			r.GET("/v1/users", answerInGin)
			s.get(r, "/v1/users")
		},
	},
	{
		"A neutral route of another registry (Gin)",
		nil, // see "A route without the path parameter"
		func(s *scene) {
			r := gin.New()
			r.Use(versogin.New(r, newPath()).Middleware())
			versogin.New(r, newPath()).Neutral().GET("/health", answerInGin)
			s.get(r, "/health")
		},
	},
}

var acceptsAny = verso.Config{AllowedVersions: twoVersions, DefaultVersion: verso.V("v1")}
