package main

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/migrate"
)

func inGin(s *service) http.Handler {
	r := gin.New()
	v := versogin.New(r, s.api, versogin.Config{Client: func(c *gin.Context) string { return clientOf(c.GetHeader("Api-Key")) }})
	r.Use(v.RewriteErrors())
	r.GET("/usage", gin.WrapH(s.page(v.Explain)))
	v.Rewrite(s.history.Route()).POST("/receivers", func(c *gin.Context) {
		var receiver Receiver
		err := c.ShouldBindJSON(&receiver)
		if err == nil {
			err = s.addReceiver(c, clientOf(c.GetHeader("Api-Key")), versogin.Version(c), receiver)
		}
		if err != nil {
			c.JSON(http.StatusBadRequest, Failure{err.Error()})
			return
		}
		c.Status(http.StatusCreated)
	})
	v.Rewrite(s.history.Route(migrate.Accepts[Booking](), migrate.Returns[Booking](), migrate.Fails[Failure]("application/json"))).POST("/bookings", func(c *gin.Context) {
		var booking Booking
		if err := c.ShouldBindJSON(&booking); err != nil {
			c.JSON(http.StatusBadRequest, Failure{err.Error()})
			return
		}
		if err := s.addBooking(c, booking); err != nil {
			_ = c.Error(err)
			c.JSON(http.StatusInternalServerError, Failure{"Some receivers were not told."})
			return
		}
		c.JSON(http.StatusCreated, booking)
	})
	return r
}

func inEcho(s *service) http.Handler {
	e := echo.New()
	client := func(c echo.Context) string { return clientOf(c.Request().Header.Get("Api-Key")) }
	v := versoecho.New(e, s.api, versoecho.Config{Client: client})
	e.Use(v.RewriteErrors())
	e.GET("/usage", echo.WrapHandler(s.page(v.Explain)))
	v.Rewrite(s.history.Route()).POST("/receivers", func(c echo.Context) error {
		var receiver Receiver
		if err := c.Bind(&receiver); err != nil {
			return err
		}
		if err := s.addReceiver(c.Request().Context(), client(c), versoecho.Version(c), receiver); err != nil {
			return echo.NewHTTPError(http.StatusBadRequest, err.Error())
		}
		return c.NoContent(http.StatusCreated)
	})
	v.Rewrite(s.history.Route(migrate.Accepts[Booking](), migrate.Returns[Booking](), migrate.Fails[Failure]("application/json"))).POST("/bookings", func(c echo.Context) error {
		var booking Booking
		if err := c.Bind(&booking); err != nil {
			return err
		}
		if err := s.addBooking(c.Request().Context(), booking); err != nil {
			return err
		}
		return c.JSON(http.StatusCreated, booking)
	})
	return e
}
