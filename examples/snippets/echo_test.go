package snippets

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

func nothing(c echo.Context) error { return c.NoContent(http.StatusNoContent) }

// get sends a request for api.example.com to h and prints the answer.
func get(h http.Handler, target string, headers ...string) {
	r := httptest.NewRequest(http.MethodGet, target, nil)
	r.Host = "api.example.com"
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
}

func Example_echoNamespace() {
	e := echo.New()
	v := versoecho.New(e, verso.MustNew(verso.Namespace(), verso.Config{AllowedVersions: []string{"v1", "v2"}}))

	users := func(g *versoecho.Routes) {
		g.GET("/users", func(c echo.Context) error {
			self, err := versoecho.Link(c, verso.Target{Name: "user-list"})
			if err != nil {
				return err
			}
			return c.String(http.StatusOK, self)
		}).Name = "user-list"
	}
	users(v.Group("/v1").Namespace("v1"))
	users(v.Group("/v2").Namespace("v2"))

	get(e, "/v1/users")
	get(e, "/v2/users")
	// Output:
	// 200 http://api.example.com/v1/users
	// 200 http://api.example.com/v2/users
}

func Example_echoTarget() {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	e := echo.New()
	v := versoecho.New(e, api)
	v.GET("/:version/users/:id/files/*", nothing).Name = "user-file"

	v.GET("/:version/", func(c echo.Context) error {
		link, err := versoecho.Link(c, verso.Target{
			Name:   "user-file",
			Params: verso.Params{"id": 7, "*": "notes/to do.txt"},
			Query:  map[string][]string{"page": {"2"}},
		})
		if err != nil {
			return err
		}
		successor, err := versoecho.Link(c, verso.Target{
			Name:    "user-file",
			Params:  verso.Params{"id": 7, "*": "notes/to do.txt"},
			Version: verso.V("v2"),
		})
		if err != nil {
			return err
		}
		return c.String(http.StatusOK, link+"\n"+successor)
	})

	get(e, "/v1/")
	// Output:
	// 200 http://api.example.com/v1/users/7/files/notes/to%20do.txt?page=2
	// http://api.example.com/v2/users/7/files/notes/to%20do.txt
}

func Example_echoLinks() {
	api := verso.MustNew(verso.QueryParam("version"), verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		Links: verso.LinkConfig{
			OriginFunc: func(r source.Request) string {
				if host, ok := r.Header("X-Forwarded-Host"); ok {
					return "https://" + host
				}
				return ""
			},
			TrustedHosts: []string{"api.example.com", "*.example.org"},
		},
	})
	e := echo.New()
	v := versoecho.New(e, api)
	v.GET("/users", func(c echo.Context) error {
		self, err := versoecho.Link(c, verso.Target{Name: "user-list"})
		if err != nil {
			return err
		}
		return c.String(http.StatusOK, self)
	}).Name = "user-list"

	get(e, "/users?version=v1")
	get(e, "/users?version=v1", "X-Forwarded-Host: front.example.org")
	// Output:
	// 200 http://api.example.com/users?version=v1
	// 200 https://front.example.org/users?version=v1
}

func Example_echoOutsideOfARequest() {
	v := versoecho.New(echo.New(), verso.MustNew(verso.PathParam("version"), verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		Links:           verso.LinkConfig{Origin: "https://api.example.com"},
	}))
	v.GET("/:version/users/:id", nothing).Name = "user"

	link, err := v.Link(verso.Target{Name: "user", Params: verso.Params{"id": 7}, Version: verso.V("v2")})
	fmt.Println(link, err)
	// Output:
	// https://api.example.com/v2/users/7 <nil>
}

func Example_echoError() {
	e := echo.New()
	e.HTTPErrorHandler = func(err error, c echo.Context) {
		var rejected *verso.Error
		if errors.As(err, &rejected) {
			_ = c.JSON(rejected.StatusCode(), echo.Map{"error": rejected.MessageID, "text": rejected.Message})
			return
		}
		e.DefaultHTTPErrorHandler(err, c)
	}
	v := versoecho.New(e, verso.MustNew(verso.QueryParam("version"), verso.Config{AllowedVersions: []string{"v1"}}))
	v.GET("/users", nothing)

	get(e, "/users?version=v9")
	// Output:
	// 404 {"error":"invalid_query_parameter_version","text":"Invalid version in query parameter."}
}

func Example_echoErrorHandler() {
	api := verso.MustNew(verso.QueryParam("version"), verso.Config{AllowedVersions: []string{"v1"}})
	e := echo.New()
	v := versoecho.New(e, api, versoecho.Config{
		ErrorHandler: func(c echo.Context, rejected *verso.Error, answer *verso.Answer) error {
			return c.String(rejected.StatusCode(), answer.Problem.Detail)
		},
	})
	v.GET("/users", nothing)

	get(e, "/users?version=v9")
	// Output:
	// 404 Invalid version in query parameter.
}

func Example_strict() {
	strict := verso.Strict()
	strict.AllowedHosts = []string{"example.com"}
	api := verso.MustNew(verso.QueryParam("version"), verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		Strict:          strict,
	})
	e := echo.New()
	versoecho.New(e, api).GET("/users", nothing)

	get(e, "/users?version=v1&version=v2")
	// Output:
	// 400 {"type":"https://github.com/goverso/verso/blob/main/docs/problems.md#contradicting-versions","title":"Invalid API version","status":400,"detail":"Contradicting versions in request.","code":"contradicting_versions","allowed_versions":["v1","v2"]}
}
