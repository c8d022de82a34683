// Package echoapi serves bookings with Echo.
package echoapi

import (
	"context"
	"errors"
	"net/http"

	"github.com/golang-jwt/jwt/v5"
	echojwt "github.com/labstack/echo-jwt/v4"
	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/bookings/api"
	"github.com/goverso/verso/examples/bookings/store"
)

type server struct{ *api.Service }

// New returns the server in Echo, and what it does with which request.
func New(service *api.Service) (http.Handler, *verso.Explanation) {
	s := server{service}
	e := echo.New()
	e.HTTPErrorHandler = answerError
	e.Use(
		middleware.RequestID(),
		middleware.RequestLoggerWithConfig(middleware.RequestLoggerConfig{
			LogStatus: true, LogMethod: true, LogURIPath: true, LogLatency: true, LogError: true, HandleError: true,
			LogValuesFunc: s.log,
		}),
		middleware.Recover(),
		middleware.CORSWithConfig(middleware.CORSConfig{
			AllowHeaders:  []string{"Authorization", "Content-Type", "Api-Version"},
			ExposeHeaders: append(s.Versions.FieldNames(), "Location"),
		}),
		middleware.Gzip(),
	)
	v := versoecho.New(e, s.Versioning, versoecho.Config{Client: clientOf, ErrorHandler: reject}).AfterCheck(keepVersion)
	e.Use(v.RewriteErrors())
	e.GET("/", func(c echo.Context) error { return c.String(http.StatusOK, api.Index) })
	e.GET("/health", func(c echo.Context) error { return c.String(http.StatusOK, "ok") })
	e.GET("/metrics", echo.WrapHandler(s.Metrics))
	e.GET("/usage", echo.WrapHandler(s.Usage))
	e.GET("/versions", echo.WrapHandler(s.Changelog(v.Explain)))
	e.POST("/login", answer(http.StatusOK, s.login))

	rewrite := s.Rewriters()
	for _, prefix := range []string{"/:version", ""} { // old clients have the version in the path, new ones in a header
		g := v.Group(prefix, echojwt.JWT(s.Secret))
		g.Rewrite(rewrite.List).GET("/bookings", answer(http.StatusOK, s.list)).Name = "booking-list"
		g.Rewrite(rewrite.Save).POST("/bookings", save(http.StatusCreated, s.Store.Create)).Name = "booking-list"
		g.Rewrite(rewrite.Show).GET("/bookings/:id", byID(s.Store.Get)).Name = "booking"
		g.Rewrite(rewrite.Save).PUT("/bookings/:id", save(http.StatusOK, s.Store.Update)).Name = "booking"
		g.Rewrite(rewrite.None).DELETE("/bookings/:id", s.delete).Name = "booking"
		g.Rewrite(rewrite.Show).RemovedIn("v3").POST("/bookings/:id/confirm", byID(s.Store.Confirm)).Name = "booking-confirm"
		g.Rewrite(rewrite.Invoice).Since("v2").GET("/bookings/:id/invoice", answer(http.StatusOK, s.invoice)).Name = "booking-invoice"
	}
	documents := verso.Must(s.Documents(v.Explain))
	v.Rewrite(rewrite.None).GET("/:version/openapi.json", func(c echo.Context) error {
		documents.ServeVersion(c.Response(), c.Request(), versoecho.Version(c).String())
		return nil
	}).Name = "openapi"
	return e, v.Explain()
}

// keepVersion keeps the version for the log and for errors, which also see requests
// that have none.
func keepVersion(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Set("version", versoecho.Version(c))
		return next(c)
	}
}

// clientOf returns the client of a request that has a valid token.
func clientOf(c echo.Context) (client string) {
	if token, ok := c.Get("user").(*jwt.Token); ok {
		client, _ = token.Claims.GetSubject()
	}
	return client
}

func (s server) log(c echo.Context, v middleware.RequestLoggerValues) error {
	s.Log.Info("request", "method", v.Method, "path", v.URIPath, "status", v.Status, "latency", v.Latency,
		"version", c.Get("version"), "client", clientOf(c), "err", v.Error)
	return nil
}

func reject(c echo.Context, rejected *verso.Error, answer *verso.Answer) error {
	api.WriteProblem(c.Response(), verso.V(rejected.Requested), api.ProblemOfRejection(rejected, answer))
	return rejected // for the log
}

func answerError(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	problem := api.ProblemOf(err)
	var he *echo.HTTPError
	if errors.As(err, &he) && problem.Status == http.StatusInternalServerError { // Echo's own: no such route, no token
		problem = api.Problem(he.Code, "")
	}
	version, _ := c.Get("version").(verso.Version) // none before the check
	api.WriteProblem(c.Response(), version, problem)
}

// answer makes a handler of a function that returns the body.
func answer(status int, find func(echo.Context) (any, error)) echo.HandlerFunc {
	return func(c echo.Context) error {
		body, err := find(c)
		if err != nil {
			return err
		}
		return c.JSON(status, body)
	}
}

// show makes a handler of a function that returns a booking.
func show(status int, find func(echo.Context) (store.Booking, error)) echo.HandlerFunc {
	return answer(status, func(c echo.Context) (any, error) {
		b, err := find(c)
		if err != nil {
			return nil, err
		}
		self, err := versoecho.Link(c, api.BookingTarget(b.ID))
		if err == nil && status == http.StatusCreated {
			c.Response().Header().Set("Location", self)
		}
		return api.Encode(b, self), err
	})
}

// byID makes a handler of what the store does with the booking that the path names.
func byID(do func(context.Context, int64) (store.Booking, error)) echo.HandlerFunc {
	return show(http.StatusOK, func(c echo.Context) (store.Booking, error) {
		return do(c.Request().Context(), idOf(c))
	})
}

// save makes a handler of what the store does with the booking in the body, which
// gets the ID that the path names.
func save(status int, do func(context.Context, store.Booking) (store.Booking, error)) echo.HandlerFunc {
	return show(status, func(c echo.Context) (store.Booking, error) {
		b, err := api.Decode(c.Request().Body)
		if err != nil {
			return b, err
		}
		b.ID = idOf(c)
		return do(c.Request().Context(), b)
	})
}

func (s server) login(c echo.Context) (any, error) {
	token, err := s.Token(c.FormValue("client"))
	return echo.Map{"token": token}, err
}

func (s server) list(c echo.Context) (any, error) {
	link := func(target verso.Target) (string, error) { return versoecho.Link(c, target) }
	return s.Page(c.Request().Context(), c.QueryParam("page"), link)
}

func (s server) delete(c echo.Context) error {
	if err := s.Store.Delete(c.Request().Context(), idOf(c)); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

func (s server) invoice(c echo.Context) (any, error) {
	b, err := s.Store.Get(c.Request().Context(), idOf(c))
	return api.NewInvoice(b), err
}

// idOf returns the ID that the path names, 0 for one that no booking has.
func idOf(c echo.Context) int64 {
	id, _ := echo.PathParam[int64](c, "id")
	return id
}
