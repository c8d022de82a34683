package versoecho_test

import (
	"log/slog"
	"net/http"
	"os"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// Findings about the configurations of the tests are of no interest.
func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	os.Exit(m.Run())
}

// twoVersions is the configuration of most tests.
var twoVersions = verso.Config{AllowedVersions: []string{"v1", "v2"}}

// check returns the middleware of new routes of e.
func check(e *echo.Echo, api *verso.Versioning, config ...versoecho.Config) echo.MiddlewareFunc {
	return versoecho.New(e, api, config...).Middleware()
}

var send = conformance.Send

// answerVersion is a handler that answers with the version.
func answerVersion(c echo.Context) error {
	return c.String(http.StatusOK, versoecho.Version(c).String())
}

func TestCentralErrorHandler(t *testing.T) {
	e := echo.New()
	e.HTTPErrorHandler = func(err error, c echo.Context) {
		var rejected *verso.Error
		if !assert.ErrorAs(t, err, &rejected) {
			return
		}
		assert.ErrorIs(t, err, verso.ErrNotFound)
		var he *echo.HTTPError
		if assert.ErrorAs(t, err, &he) {
			assert.IsType(t, (*verso.Problem)(nil), he.Message)
		}
		_ = c.JSON(rejected.StatusCode(), echo.Map{"error": echo.Map{"code": rejected.MessageID, "text": rejected.Message}})
	}
	e.Use(versoecho.New(e, verso.Must(scheme.NewQueryParameter("version", twoVersions))).Middleware())
	e.GET("/", answerVersion)
	got := send(t, e, http.MethodGet, "/?version=v9", nil)
	assert.Equal(t, http.StatusNotFound, got.Status)
	assert.JSONEq(t, `{"error": {"code": "invalid_query_parameter_version", "text": "Invalid version in query parameter."}}`, got.Body)
}

func TestOnAddRouteHandlerIsKept(t *testing.T) {
	e := echo.New()
	var added []string
	e.OnAddRouteHandler = func(_ string, route echo.Route, _ echo.HandlerFunc, _ []echo.MiddlewareFunc) {
		added = append(added, route.Path)
	}
	e.Use(versoecho.New(e, verso.Must(scheme.NewQueryParameter("version", verso.Config{}))).Middleware())
	e.GET("/first", answerVersion)
	send(t, e, http.MethodGet, "/first", nil)
	e.GET("/second", answerVersion)
	assert.Equal(t, []string{"/first", "/second"}, added)
}

func TestHosts(t *testing.T) {
	e := echo.New()
	v := versoecho.New(e, verso.Must(scheme.NewNamespace(verso.Config{DefaultVersion: verso.V("v0")})))
	v.GET("/users", answerVersion).Name = "users"
	v.Host("one.example").GET("/users", answerVersion).Name = "v1:users"
	v.Namespace("v2").Host("two.example").GET("/users", answerVersion).Name = "users"
	for host, want := range map[string]string{"": "v0", "one.example": "v1", "two.example": "v2", "other.example": "v0"} {
		assert.Equal(t, want, send(t, e, http.MethodGet, "/users", http.Header{"Host": {host}}).Body, host)
	}
}
