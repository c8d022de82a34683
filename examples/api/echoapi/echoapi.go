// Package echoapi serves package api with Echo.
package echoapi

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/api"
)

// New returns the service, versioned by the scheme that config names. It fails
// when the configuration is wrong.
func New(config verso.Config) (*echo.Echo, error) {
	scheme, err := verso.BuiltinSchemes().New(config)
	if err != nil {
		return nil, err
	}
	versioned, err := versoecho.Config{Scheme: scheme, Produces: []string{"application/json"}}.ToMiddleware()
	if err != nil {
		return nil, err
	}
	e := echo.New()
	e.Use(versioned)

	s := service{api.New(config.AllowedVersions)}
	switch scheme := scheme.(type) {
	case *verso.URLPath:
		s.register(e.Group("/:" + scheme.Settings().VersionParam))
	case *verso.Namespace:
		for _, version := range api.Mounted() {
			versoecho.Namespace(e, version, func() { s.register(e.Group("/" + version)) })
		}
	}
	s.register(e.Group("")) // for requests whose path holds no version
	return e, nil
}

type service struct {
	api *api.API
}

func (s *service) register(g *echo.Group) {
	g.GET("/users", s.listUsers).Name = api.UserList
	g.GET("/users/:id", s.showUser).Name = api.UserDetail
	g.GET("/users/:id/orders", s.listOrders).Name = api.OrderList
	g.GET("/orders/:id", s.showOrder).Name = api.OrderDetail
}

func (s *service) listUsers(c echo.Context) error {
	page, err := s.api.Users(call(c), c.QueryParam("page"))
	return answer(c, page, err)
}

func (s *service) showUser(c echo.Context) error {
	user, err := s.api.User(call(c), c.Param("id"))
	return answer(c, user, err)
}

func (s *service) listOrders(c echo.Context) error {
	page, err := s.api.Orders(call(c), c.Param("id"), c.QueryParam("page"))
	return answer(c, page, err)
}

func (s *service) showOrder(c echo.Context) error {
	order, err := s.api.Order(call(c), c.Param("id"))
	return answer(c, order, err)
}

// call tells the API what it needs to know of the request.
func call(c echo.Context) api.Call {
	return api.Call{
		Version: versoecho.Version(c),
		Reverse: func(target verso.Target) (string, error) { return versoecho.Reverse(c, target) },
	}
}

func answer(c echo.Context, body any, err error) error {
	if err != nil {
		problem := api.ProblemOf(err)
		c.Response().Header().Set(echo.HeaderContentType, api.ProblemType)
		return &echo.HTTPError{Code: problem.Status, Message: problem, Internal: err}
	}
	return c.JSON(http.StatusOK, body)
}
