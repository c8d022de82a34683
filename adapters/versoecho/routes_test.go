package versoecho_test

import (
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// TestNames tells names that were given from those that Echo makes of handlers.
func TestNames(t *testing.T) {
	e := echo.New()
	e.GET("/before", answerVersion)
	e.GET("/before/named", answerVersion).Name = "users/list"
	e.GET("/before/spaced", answerVersion).Name = "1.0:users"
	later := e.GET("/before/later", answerVersion)
	v := versoecho.New(e, verso.Must(scheme.NewQueryParameter("version", twoVersions)))
	later.Name = "main.later"
	e.GET("/echo", answerVersion)
	e.GET("/echo/named", answerVersion).Name = "main.echo"
	v.GET("/own", answerVersion)
	v.GET("/own/named", answerVersion).Name = "github.com/own.users"
	v.Namespace("v1").GET("/own/spaced", answerVersion).Name = "main.users"
	e.OnAddRouteHandler = nil
	e.GET("/unhooked", answerVersion)
	e.GET("/unhooked/named", answerVersion).Name = "users.list"

	names := make(map[string]string)
	for _, info := range v.Explain().Routes {
		names[info.Pattern] = info.Name
	}
	assert.Equal(t, map[string]string{
		"/before": "", "/before/named": "users/list", "/before/spaced": "1.0:users", "/before/later": "main.later",
		"/echo": "", "/echo/named": "main.echo",
		"/own": "", "/own/named": "github.com/own.users", "/own/spaced": "v1:main.users",
		"/unhooked": "", "/unhooked/named": "users.list",
	}, names)
}
