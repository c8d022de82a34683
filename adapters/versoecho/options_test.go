package versoecho_test

import (
	"net/http"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

func saying(text string) echo.HandlerFunc {
	return func(c echo.Context) error { return c.String(http.StatusOK, text+" "+versoecho.Version(c).String()) }
}

func TestRegistrationMistakes(t *testing.T) {
	api := verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	e, other := echo.New(), echo.New()
	e.GET("/before", saying("before"))
	v := versoecho.New(e, api)
	v.GET("/twice", saying("twice"))
	v.Host("a.example").GET("/twice", saying("another"))
	for name, test := range map[string]struct {
		register func()
		want     string
	}{
		"no handler":            {func() { v.GET("/h", nil) }, "route GET /h: the handler is nil"},
		"RouteNotFound":         {func() { v.Add(echo.RouteNotFound, "/*", saying("i")) }, "register it with Echo"},
		"twice":                 {func() { v.Since("v2").GET("/twice", saying("2")) }, "route GET /twice is registered twice"},
		"twice by Choose":       {func() { v.Choose("GET", "/twice", versoecho.Handlers{"v1": saying("2")}) }, "register it once with Choose"},
		"twice by Echo":         {func() { e.GET("/twice", saying("2")) }, "register it once with Choose"},
		"twice, Echo first":     {func() { v.GET("/before", saying("2")) }, "register it once with Choose"},
		"a host twice":          {func() { v.Host("a.example") }, "keep the group that Host returned"},
		"group of another Echo": {func() { v.In(other.Group("/o")).GET("/o", saying("o")) }, "is in a group of another Echo instance"},
		"empty namespace":       {func() { v.Namespace("") }, `Namespace needs a name, such as "v1"`},
		"no group":              {func() { v.In(nil) }, "the group is nil"},
		"no Echo":               {func() { versoecho.New(nil, api) }, "there is no Echo"},
		"no versioning":         {func() { versoecho.New(other, nil) }, "no versioning"},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				err, _ := recover().(error)
				require.ErrorContains(t, err, "versoecho: ")
				assert.ErrorContains(t, err, test.want)
			}()
			test.register()
		})
	}
}
