package versoecho5_test

import (
	"net/http"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho5"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

func saying(text string) echo.HandlerFunc {
	return func(c *echo.Context) error { return c.String(http.StatusOK, text+" "+versoecho5.Version(c).String()) }
}

func TestRegistrationMistakes(t *testing.T) {
	api := verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	e, free := echo.New(), echo.NewWithConfig(echo.Config{Router: echo.NewRouter(echo.RouterConfig{AllowOverwritingRoute: true})})
	e.GET("before", saying("before"))
	v, vf := versoecho5.New(e, api), versoecho5.New(free, api)
	v.GET("/twice", saying("twice"))
	vf.GET("/twice", saying("twice"))
	vf.Any("/any", saying("any"))
	v.Name("user").GET("/users/:id", saying("user"))
	for name, test := range map[string]struct {
		register func()
		want     string
	}{
		"no handler":              {func() { v.GET("/h", nil) }, "route GET /h: the handler is nil"},
		"RouteNotFound":           {func() { v.Add(echo.RouteNotFound, "/*", saying("i")) }, "register it with Echo"},
		"twice":                   {func() { v.Since("v2").GET("/twice", saying("2")) }, "register it once with Choose"},
		"twice by Choose":         {func() { v.Choose("GET", "twice", versoecho5.Handlers{"v1": saying("2")}) }, "register it once with Choose"},
		"twice by Echo":           {func() { e.GET("/twice", saying("2")) }, "register it once with Choose"},
		"twice, Echo first":       {func() { v.GET("/before", saying("2")) }, "register it once with Choose"},
		"twice, with overwriting": {func() { vf.GET("/twice", saying("2")) }, "register it once with Choose"},
		"replaced by Echo":        {func() { free.GET("/twice", saying("2")) }, "register it once with Choose"},
		"any method replaced":     {func() { free.Any("/any", saying("2")) }, "register it once with Choose"},
		"name of another path":    {func() { v.Name("user").GET("/accounts/:id", saying("account")) }, "rename one of them"},
		"empty namespace":         {func() { v.Namespace("") }, `Namespace needs a name, such as "v1"`},
		"no group":                {func() { v.In(nil) }, "the group is nil"},
		"no Echo":                 {func() { versoecho5.New(nil, api) }, "there is no Echo"},
		"no versioning":           {func() { versoecho5.New(e, nil) }, "no versioning"},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				err, _ := recover().(error)
				require.ErrorContains(t, err, "versoecho5: ")
				assert.ErrorContains(t, err, test.want)
			}()
			test.register()
		})
	}
}
