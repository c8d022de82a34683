package unmatched

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"github.com/gofiber/fiber/v3"
	"github.com/labstack/echo/v4"
	echo5 "github.com/labstack/echo/v5"

	"github.com/goverso/verso/adapters/versochi"
	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versoecho5"
	"github.com/goverso/verso/adapters/versofiber"
	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/internal/frameworks"
)

func shadows() map[string]func(*verso.Versioning) (doer, *verso.Explanation) {
	return map[string]func(*verso.Versioning) (doer, *verso.Explanation){
		"gin": func(api *verso.Versioning) (doer, *verso.Explanation) {
			r := gin.New()
			v := versogin.New(r, api)
			show := func(c *gin.Context) { c.String(200, "show "+c.Param("id")+versogin.Param(c, "id")) }
			asID := func(c *gin.Context) {
				c.Params = append(c.Params, gin.Param{Key: "id", Value: "search"})
				show(c)
			}
			v.GET("/:version/users/:id", show)
			v.HandleVersions("GET", "/:version/users/search", versogin.Handlers{"v1": asID, "v2": func(c *gin.Context) { c.String(200, "search") }})
			return over(r), v.Explain()
		},
		"echo4": func(api *verso.Versioning) (doer, *verso.Explanation) {
			e := echo.New()
			v := versoecho.New(e, api)
			show := func(c echo.Context) error { return c.String(200, "show "+c.Param("id")+versoecho.Param(c, "id")) }
			asID := func(c echo.Context) error {
				names, values := slices.Clone(c.ParamNames()), slices.Clone(c.ParamValues())
				c.SetParamNames(append(names, "id")...)
				c.SetParamValues(append(values, "search")...)
				return show(c)
			}
			v.GET("/:version/users/:id", show)
			v.HandleVersions("GET", "/:version/users/search", versoecho.Handlers{"v1": asID, "v2": func(c echo.Context) error { return c.String(200, "search") }})
			return over(e), v.Explain()
		},
		"echo5": func(api *verso.Versioning) (doer, *verso.Explanation) {
			e := echo5.New()
			v := versoecho5.New(e, api)
			show := func(c *echo5.Context) error { return c.String(200, "show "+c.Param("id")+versoecho5.Param(c, "id")) }
			asID := func(c *echo5.Context) error {
				c.SetPathValues(append(slices.Clone(c.PathValues()), echo5.PathValue{Name: "id", Value: "search"}))
				return show(c)
			}
			v.GET("/:version/users/:id", show)
			v.HandleVersions("GET", "/:version/users/search", versoecho5.Handlers{"v1": asID, "v2": func(c *echo5.Context) error { return c.String(200, "search") }})
			return over(e), v.Explain()
		},
		"http": func(api *verso.Versioning) (doer, *verso.Explanation) {
			mux := http.NewServeMux()
			v := versohttp.New(mux, api)
			show := func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.WriteString(w, "show "+r.PathValue("id")+r.PathValue("id"))
			}
			asID := func(w http.ResponseWriter, r *http.Request) { r.SetPathValue("id", "search"); show(w, r) }
			v.HandleFunc("GET /{version}/users/{id}", show)
			v.HandleVersions("GET /{version}/users/search", versohttp.Handlers{"v1": asID, "v2": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "search") }})
			return over(mux), v.Explain()
		},
		"chi": func(api *verso.Versioning) (doer, *verso.Explanation) {
			r := chi.NewRouter()
			v := versochi.New(r, api)
			show := func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.WriteString(w, "show "+chi.URLParam(r, "id")+versochi.Param(r, "id"))
			}
			asID := func(w http.ResponseWriter, r *http.Request) {
				chi.RouteContext(r.Context()).URLParams.Add("id", "search")
				show(w, r)
			}
			v.Get("/{version}/users/{id}", show)
			v.HandleVersions("GET", "/{version}/users/search", versochi.Handlers{"v1": asID, "v2": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "search") }})
			return over(r), v.Explain()
		},
		"fiber": func(api *verso.Versioning) (doer, *verso.Explanation) {
			app := fiber.New()
			v := versofiber.New(app, api)
			next := func(c fiber.Ctx) error { return c.Next() } // to the next route that has the path
			v.HandleVersions("GET", "/:version/users/search", versofiber.Handlers{"v1": next, "v2": func(c fiber.Ctx) error { return c.SendString("search") }})
			v.Get("/:version/users/:id", func(c fiber.Ctx) error { return c.SendString("show " + c.Params("id") + versofiber.Param(c, "id")) })
			return over(frameworks.OverFiber(app)), v.Explain()
		},
	}
}

// TestRecipe: the page shows the code that TestShadow runs.
func TestRecipe(t *testing.T) {
	page, err := os.ReadFile("../../docs/routes.md")
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile("neighbour_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "`HandleVersions(…, Handlers{")
	_, table, _ = strings.Cut(table, "\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := strings.Split(table, "\n")
	if len(rows) != len(frameworks.All) {
		t.Fatalf("%d rows", len(rows))
	}
	code := strings.ReplaceAll(string(own), "echo5.", "echo.")
	for _, row := range rows {
		snippet := strings.Split(row, "`")[1]
		for statement := range strings.SplitSeq(snippet, "; ") {
			if !strings.Contains(code, statement) {
				t.Errorf("%s is not tested", statement)
			}
		}
	}
}

func TestShadow(t *testing.T) {
	for name, serve := range shadows() {
		var seen []string
		api := verso.MustNew(verso.PathParam("version"), quiet(verso.Config{AllowedVersions: []string{"v1", "v2"}, Acknowledged: []string{"client_not_set"}, Observe: func(_ context.Context, o verso.Observation) { seen = append(seen, o.Version.String()+" "+o.Route) }}))
		do, explained := serve(api)
		for range 3 { // contexts are used again
			for target, want := range map[string]string{"/v1/users/search": "show searchsearch", "/v2/users/search": "search", "/v1/users/7": "show 77", "/v2/users/7": "show 77"} {
				seen = nil
				if status, body, _ := do(httptest.NewRequest(http.MethodGet, target, nil)); status != 200 || body != want || len(seen) != 1 {
					t.Errorf("%s: %s: %d %s, observed %q", name, target, status, body, seen)
				}
			}
		}
		if slices.Contains(codes(explained), "neighbour_shadowed") {
			t.Errorf("%s: %q", name, codes(explained))
		}
	}
}
