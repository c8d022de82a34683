// Package ginapi serves package api with Gin.
package ginapi

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/api"
)

// New returns the service, versioned by the scheme that config names. It fails
// when the configuration is wrong.
func New(config verso.Config) (*gin.Engine, error) {
	scheme, err := verso.BuiltinSchemes().New(config)
	if err != nil {
		return nil, err
	}
	r := gin.New()
	routes := versogin.NewRoutes(r)
	r.Use(versogin.New(scheme, versogin.WithRoutes(routes), versogin.WithProduces("application/json")))

	s := service{api.New(config.AllowedVersions)}
	switch scheme := scheme.(type) {
	case *verso.URLPath:
		s.register(routes.Group("/:" + scheme.Settings().VersionParam))
	case *verso.Namespace:
		for _, version := range api.Mounted() {
			s.register(routes.Group("/" + version).Namespace(version))
		}
	}
	s.register(routes) // for requests whose path holds no version
	return r, nil
}

type service struct {
	api *api.API
}

func (s *service) register(r *versogin.Routes) {
	r.Name(api.UserList).GET("/users", s.listUsers)
	r.Name(api.UserDetail).GET("/users/:id", s.showUser)
	r.Name(api.OrderList).GET("/users/:id/orders", s.listOrders)
	r.Name(api.OrderDetail).GET("/orders/:id", s.showOrder)
}

func (s *service) listUsers(c *gin.Context) {
	page, err := s.api.Users(call(c), c.Query("page"))
	answer(c, page, err)
}

func (s *service) showUser(c *gin.Context) {
	user, err := s.api.User(call(c), c.Param("id"))
	answer(c, user, err)
}

func (s *service) listOrders(c *gin.Context) {
	page, err := s.api.Orders(call(c), c.Param("id"), c.Query("page"))
	answer(c, page, err)
}

func (s *service) showOrder(c *gin.Context) {
	order, err := s.api.Order(call(c), c.Param("id"))
	answer(c, order, err)
}

// call tells the API what it needs to know of the request.
func call(c *gin.Context) api.Call {
	return api.Call{
		Version: versogin.Version(c),
		Reverse: func(target verso.Target) (string, error) { return versogin.Reverse(c, target) },
	}
}

func answer(c *gin.Context, body any, err error) {
	if err != nil {
		_ = c.Error(err) // returns its argument, wrapped
		problem := api.ProblemOf(err)
		c.Header("Content-Type", api.ProblemType)
		c.AbortWithStatusJSON(problem.Status, problem)
		return
	}
	c.JSON(http.StatusOK, body)
}
