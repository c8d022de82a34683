// Package echoapi serves bookings with Echo.
package echoapi

import (
	"errors"
	"net/http"
	"strconv"

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
	v := versoecho.NewWithConfig(s.Versioning, versoecho.Config{Client: clientOf, ErrorHandler: reject})
	e := echo.New()
	e.HideBanner = true
	e.HTTPErrorHandler = answerError
	e.Use(
		middleware.RequestID(),
		s.identify,
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
		v.Middleware(),
	)

	v.Route(e.GET("/health", health), verso.Neutral())
	v.Route(e.GET("/metrics", echo.WrapHandler(s.Metrics)), verso.Neutral())
	v.Route(e.GET("/usage", echo.WrapHandler(s.Usage), requireClient), verso.Neutral())
	v.Route(e.GET("/versions", echo.WrapHandler(s.Versions.Handler(s.Clock))), verso.Neutral())
	v.Route(e.POST("/login", s.login), verso.Neutral())
	e.GET("/:version/openapi.json", func(c echo.Context) error {
		document, err := api.OpenAPI(v.Explain(e), versoecho.Version(c))
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, document)
	}).Name = "openapi"

	for _, prefix := range []string{"/:version", ""} { // old clients have the version in the path, new ones in a header
		g := e.Group(prefix, requireClient)
		g.GET("/bookings", s.list).Name = "booking-list"
		g.POST("/bookings", s.create).Name = "booking-list"
		g.GET("/bookings/:id", s.get).Name = "booking"
		g.PUT("/bookings/:id", s.update).Name = "booking"
		g.DELETE("/bookings/:id", s.delete).Name = "booking"
		v.Route(g.POST("/bookings/:id/confirm", s.confirm), verso.RemovedIn("v3")).Name = "booking-confirm"
		v.Choose(g.GET, "/bookings/:id/invoice",
			versoecho.From("v2", s.invoiceV2), versoecho.From("v3", s.invoiceV3)).Name = "booking-invoice"
	}
	return e, v.Explain(e)
}

// identify keeps which client calls, for the log and for requireClient. It comes
// before Verso, so that it is known who calls a version that has ended.
func (s server) identify(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Set("client", s.Tokens.Client(c.Request()))
		return next(c)
	}
}

func clientOf(c echo.Context) string {
	client, _ := c.Get("client").(string)
	return client
}

// requireClient comes after Verso, so that it answers as the version does.
func requireClient(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if clientOf(c) == "" {
			return api.ErrUnauthorized
		}
		return next(c)
	}
}

func (s server) log(c echo.Context, v middleware.RequestLoggerValues) error {
	s.Log.Info("request", "method", v.Method, "path", v.URIPath, "status", v.Status, "latency", v.Latency,
		"version", versoecho.Version(c), "client", clientOf(c), "err", v.Error)
	return nil
}

func reject(c echo.Context, rejected *verso.Error, answer *verso.Answer) error {
	api.WriteProblem(c.Response(), verso.V(rejected.Asked), answer.Problem)
	return rejected // for the log
}

func answerError(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	problem := api.ProblemOf(err)
	if he, ok := errors.AsType[*echo.HTTPError](err); ok { // Echo's own: no such route
		problem = api.Problem(he.Code, "")
	}
	api.WriteProblem(c.Response(), versoecho.Version(c), problem)
}

func health(c echo.Context) error { return c.String(http.StatusOK, "ok") }

func (s server) login(c echo.Context) error {
	token, err := s.Tokens.Issue(c.FormValue("client"))
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, echo.Map{"token": token})
}

func (s server) list(c echo.Context) error {
	link := func(target verso.Target) (string, error) { return versoecho.Link(c, target) }
	page, err := s.Page(c.Request().Context(), versoecho.Version(c), c.QueryParam("page"), link)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, page)
}

func (s server) get(c echo.Context) error {
	b, err := s.booking(c)
	if err != nil {
		return err
	}
	return show(c, http.StatusOK, b)
}

func (s server) create(c echo.Context) error {
	b, err := api.Decode(versoecho.Version(c), c.Request().Body)
	if err != nil {
		return err
	}
	if b, err = s.Store.Create(c.Request().Context(), b); err != nil {
		return err
	}
	return show(c, http.StatusCreated, b)
}

func (s server) update(c echo.Context) error {
	b, err := api.Decode(versoecho.Version(c), c.Request().Body)
	if err != nil {
		return err
	}
	b.ID = idOf(c)
	if err := s.Store.Update(c.Request().Context(), b); err != nil {
		return err
	}
	return show(c, http.StatusOK, b)
}

func (s server) delete(c echo.Context) error {
	if err := s.Store.Delete(c.Request().Context(), idOf(c)); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

func (s server) confirm(c echo.Context) error {
	if err := s.Store.Confirm(c.Request().Context(), idOf(c)); err != nil {
		return err
	}
	return s.get(c)
}

func (s server) invoiceV2(c echo.Context) error {
	b, err := s.booking(c)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, api.NewInvoiceV2(b))
}

func (s server) invoiceV3(c echo.Context) error {
	b, err := s.booking(c)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, api.NewInvoiceV3(b))
}

// booking returns the booking that the path names.
func (s server) booking(c echo.Context) (store.Booking, error) {
	return s.Store.Get(c.Request().Context(), idOf(c))
}

// idOf returns the ID that the path names, 0 for one that no booking has.
func idOf(c echo.Context) int64 {
	id, _ := strconv.ParseInt(c.Param("id"), 10, 64)
	return id
}

// show answers with a booking, as the version has it.
func show(c echo.Context, status int, b store.Booking) error {
	self, err := versoecho.Link(c, api.BookingTarget(b.ID))
	if err != nil {
		return err
	}
	if status == http.StatusCreated {
		c.Response().Header().Set("Location", self)
	}
	return c.JSON(status, api.Encode(versoecho.Version(c), b, self))
}
