// Package ginapi serves bookings with Gin.
package ginapi

import (
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/gin-contrib/cors"
	"github.com/gin-contrib/gzip"
	"github.com/gin-contrib/requestid"
	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/bookings/api"
	"github.com/goverso/verso/examples/bookings/store"
)

type server struct{ *api.Service }

// New returns the server in Gin, and what it does with which request.
func New(service *api.Service) (http.Handler, *verso.Explanation) {
	s := server{service}
	r := gin.New()
	r.HandleMethodNotAllowed = true
	r.NoRoute(func(c *gin.Context) { fail(c, api.Problem(http.StatusNotFound, "")) })
	r.NoMethod(func(c *gin.Context) { fail(c, api.Problem(http.StatusMethodNotAllowed, "")) })
	v := versogin.New(r, s.Versioning, versogin.WithClient(clientOf), versogin.WithErrorHandler(reject))
	r.Use(
		requestid.New(),
		s.identify,
		s.log,
		gin.CustomRecoveryWithWriter(nil, s.recovered),
		cors.New(cors.Config{
			AllowAllOrigins: true,
			AllowMethods:    []string{"GET", "POST", "PUT", "DELETE"},
			AllowHeaders:    []string{"Authorization", "Content-Type", "Api-Version"},
			ExposeHeaders:   append(s.Versions.FieldNames(), "Location"),
		}),
		v.Middleware(),
		gzip.Gzip(gzip.DefaultCompression), // after Verso, since it removes Vary from errors
	)

	v.Neutral().GET("/health", func(c *gin.Context) { c.String(http.StatusOK, "ok") })
	v.Neutral().GET("/metrics", gin.WrapH(s.Metrics))
	v.Neutral().GET("/usage", requireClient, gin.WrapH(s.Usage))
	v.Neutral().GET("/versions", gin.WrapH(s.Versions.Handler(s.Clock)))
	v.Neutral().POST("/login", handle(s.login))
	v.Name("openapi").GET("/:version/openapi.json", handle(func(c *gin.Context) error {
		document, err := api.OpenAPI(v.Explain(), versogin.Version(c))
		if err != nil {
			return err
		}
		c.JSON(http.StatusOK, document)
		return nil
	}))

	for _, prefix := range []string{"/:version", ""} { // old clients have the version in the path, new ones in a header
		g := v.Group(prefix, requireClient)
		g.Name("booking-list").GET("/bookings", handle(s.list))
		g.Name("booking-list").POST("/bookings", handle(s.create))
		g.Name("booking").GET("/bookings/:id", handle(s.get))
		g.Name("booking").PUT("/bookings/:id", handle(s.update))
		g.Name("booking").DELETE("/bookings/:id", handle(s.delete))
		g.Name("booking-confirm").RemovedIn("v3").POST("/bookings/:id/confirm", handle(s.confirm))
		g.Name("booking-invoice").Choose(http.MethodGet, "/bookings/:id/invoice",
			versogin.From("v2", handle(s.invoiceV2)), versogin.From("v3", handle(s.invoiceV3)))
	}
	return r, v.Explain()
}

// identify keeps which client calls, for the log and for requireClient. It comes
// before Verso, so that it is known who calls a version that has ended.
func (s server) identify(c *gin.Context) { c.Set("client", s.Tokens.Client(c.Request)) }

func clientOf(c *gin.Context) string { return c.GetString("client") }

// requireClient comes after Verso, so that it answers as the version does.
func requireClient(c *gin.Context) {
	if clientOf(c) == "" {
		fail(c, api.ProblemOf(api.ErrUnauthorized))
	}
}

func (s server) log(c *gin.Context) {
	start := time.Now()
	c.Next()
	s.Log.Info("request", "method", c.Request.Method, "path", c.Request.URL.Path, "status", c.Writer.Status(), "latency", time.Since(start),
		"version", versogin.Version(c), "client", clientOf(c), "err", c.Errors.String())
}

func (s server) recovered(c *gin.Context, cause any) {
	s.Log.Error("panic", "cause", cause, "stack", string(debug.Stack()))
	fail(c, api.Problem(http.StatusInternalServerError, ""))
}

func reject(c *gin.Context, rejected *verso.Error, answer *verso.Answer) error {
	api.WriteProblem(c.Writer, verso.V(rejected.Asked), answer.Problem)
	return nil
}

// handle makes a handler of Gin of one that returns an error.
func handle(handler func(*gin.Context) error) gin.HandlerFunc {
	return func(c *gin.Context) {
		if err := handler(c); err != nil {
			_ = c.Error(err) // for the log
			fail(c, api.ProblemOf(err))
		}
	}
}

func fail(c *gin.Context, problem verso.Problem) {
	c.Abort()
	if !c.Writer.Written() {
		api.WriteProblem(c.Writer, versogin.Version(c), problem)
	}
}

func (s server) login(c *gin.Context) error {
	token, err := s.Tokens.Issue(c.PostForm("client"))
	if err != nil {
		return err
	}
	c.JSON(http.StatusOK, gin.H{"token": token})
	return nil
}

func (s server) list(c *gin.Context) error {
	link := func(target verso.Target) (string, error) { return versogin.Link(c, target) }
	page, err := s.Page(c.Request.Context(), versogin.Version(c), c.Query("page"), link)
	if err != nil {
		return err
	}
	c.JSON(http.StatusOK, page)
	return nil
}

func (s server) get(c *gin.Context) error {
	b, err := s.booking(c)
	if err != nil {
		return err
	}
	return show(c, http.StatusOK, b)
}

func (s server) create(c *gin.Context) error {
	b, err := api.Decode(versogin.Version(c), c.Request.Body)
	if err != nil {
		return err
	}
	if b, err = s.Store.Create(c.Request.Context(), b); err != nil {
		return err
	}
	return show(c, http.StatusCreated, b)
}

func (s server) update(c *gin.Context) error {
	b, err := api.Decode(versogin.Version(c), c.Request.Body)
	if err != nil {
		return err
	}
	b.ID = idOf(c)
	if err := s.Store.Update(c.Request.Context(), b); err != nil {
		return err
	}
	return show(c, http.StatusOK, b)
}

func (s server) delete(c *gin.Context) error {
	if err := s.Store.Delete(c.Request.Context(), idOf(c)); err != nil {
		return err
	}
	c.Status(http.StatusNoContent)
	return nil
}

func (s server) confirm(c *gin.Context) error {
	if err := s.Store.Confirm(c.Request.Context(), idOf(c)); err != nil {
		return err
	}
	return s.get(c)
}

func (s server) invoiceV2(c *gin.Context) error {
	b, err := s.booking(c)
	if err != nil {
		return err
	}
	c.JSON(http.StatusOK, api.NewInvoiceV2(b))
	return nil
}

func (s server) invoiceV3(c *gin.Context) error {
	b, err := s.booking(c)
	if err != nil {
		return err
	}
	c.JSON(http.StatusOK, api.NewInvoiceV3(b))
	return nil
}

// booking returns the booking that the path names.
func (s server) booking(c *gin.Context) (store.Booking, error) {
	return s.Store.Get(c.Request.Context(), idOf(c))
}

// idOf returns the ID that the path names, 0 for one that no booking has.
func idOf(c *gin.Context) int64 {
	id, _ := strconv.ParseInt(c.Param("id"), 10, 64)
	return id
}

// show answers with a booking, as the version has it.
func show(c *gin.Context, status int, b store.Booking) error {
	self, err := versogin.Link(c, api.BookingTarget(b.ID))
	if err != nil {
		return err
	}
	if status == http.StatusCreated {
		c.Header("Location", self)
	}
	c.JSON(status, api.Encode(versogin.Version(c), b, self))
	return nil
}
