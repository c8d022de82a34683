// Package ginapi serves bookings with Gin.
package ginapi

import (
	"context"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/gin-contrib/cors"
	"github.com/gin-contrib/gzip"
	"github.com/gin-contrib/requestid"
	"github.com/gin-gonic/gin"
	"github.com/golang-jwt/jwt/v5"
	"github.com/golang-jwt/jwt/v5/request"

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
	r.NoRoute(func(c *gin.Context) { abort(c, api.Problem(http.StatusNotFound, "")) })
	r.NoMethod(func(c *gin.Context) { abort(c, api.Problem(http.StatusMethodNotAllowed, "")) })
	r.Use(
		requestid.New(),
		s.log,
		gin.CustomRecoveryWithWriter(nil, s.recovered),
		cors.New(cors.Config{
			AllowAllOrigins: true,
			AllowMethods:    []string{"GET", "POST", "PUT", "DELETE"},
			AllowHeaders:    []string{"Authorization", "Content-Type", "Api-Version"},
			ExposeHeaders:   append(s.Versions.FieldNames(), "Location"),
		}),
	)
	r.GET("/", func(c *gin.Context) { c.String(http.StatusOK, api.Index) })
	r.GET("/health", func(c *gin.Context) { c.String(http.StatusOK, "ok") })
	r.GET("/metrics", gin.WrapH(s.Metrics))
	r.GET("/usage", gin.WrapH(s.Usage))
	r.POST("/login", answer(http.StatusOK, s.login))

	v := versogin.New(r, s.Versioning, versogin.Config{Client: clientOf, ErrorHandler: reject})
	r.GET("/versions", gin.WrapH(s.Changelog(v.Explain)))
	v = v.AfterCheck(keepVersion, gzip.Gzip(gzip.DefaultCompression), v.RewriteErrors(), answerError) // gzip removes Vary from errors
	rewrite := s.Rewriters()
	for _, prefix := range []string{"/:version", ""} { // old clients have the version in the path, new ones in a header
		g := v.Group(prefix, s.auth)
		g.Rewrite(rewrite.List).Name("booking-list").GET("/bookings", answer(http.StatusOK, s.list))
		g.Rewrite(rewrite.Save).Name("booking-list").POST("/bookings", save(http.StatusCreated, s.Store.Create))
		g.Rewrite(rewrite.Show).Name("booking").GET("/bookings/:id", byID(s.Store.Get))
		g.Rewrite(rewrite.Save).Name("booking").PUT("/bookings/:id", save(http.StatusOK, s.Store.Update))
		g.Rewrite(rewrite.None).Name("booking").DELETE("/bookings/:id", s.delete)
		g.Rewrite(rewrite.Show).Name("booking-confirm").RemovedIn("v3").POST("/bookings/:id/confirm", byID(s.Store.Confirm))
		g.Rewrite(rewrite.Invoice).Name("booking-invoice").Since("v2").GET("/bookings/:id/invoice", answer(http.StatusOK, s.invoice))
	}
	documents := verso.Must(s.Documents(v.Explain))
	v.Rewrite(rewrite.None).Name("openapi").GET("/:version/openapi.json", func(c *gin.Context) {
		documents.ServeVersion(c.Writer, c.Request, versogin.Version(c).String())
	})
	return r, v.Explain()
}

// keepVersion keeps the version for the log and for errors, which also see requests
// that have none.
func keepVersion(c *gin.Context) { c.Set("version", versogin.Version(c)) }

// auth lets requests with a valid token through.
func (s server) auth(c *gin.Context) {
	var claims jwt.RegisteredClaims
	key := func(*jwt.Token) (any, error) { return s.Secret, nil }
	parser := jwt.NewParser(jwt.WithValidMethods([]string{"HS256"}))
	_, err := request.ParseFromRequest(c.Request, request.BearerExtractor{}, key, request.WithClaims(&claims), request.WithParser(parser))
	if err != nil {
		_ = c.Error(err)
		abort(c, api.Problem(http.StatusUnauthorized, ""))
		return
	}
	c.Set("client", claims.Subject)
}

// clientOf returns the client of a request that auth has let through.
func clientOf(c *gin.Context) string { return c.GetString("client") }

func (s server) log(c *gin.Context) {
	start := time.Now()
	c.Next()
	s.Log.Info("request", "method", c.Request.Method, "path", c.Request.URL.Path, "status", c.Writer.Status(), "latency", time.Since(start),
		"version", c.Value("version"), "client", clientOf(c), "err", c.Errors.String())
}

func (s server) recovered(c *gin.Context, cause any) {
	s.Log.Error("panic", "cause", cause, "stack", string(debug.Stack()))
	abort(c, api.Problem(http.StatusInternalServerError, ""))
}

func reject(c *gin.Context, rejected *verso.Error, answer *verso.Answer) error {
	api.WriteProblem(c.Writer, verso.V(rejected.Requested), api.ProblemOfRejection(rejected, answer))
	return rejected // for the log
}

// answer makes a handler of a function that returns the body.
func answer(status int, find func(*gin.Context) (any, error)) gin.HandlerFunc {
	return func(c *gin.Context) {
		body, err := find(c)
		if err != nil {
			fail(c, err)
			return
		}
		c.JSON(status, body)
	}
}

// show makes a handler of a function that returns a booking.
func show(status int, find func(*gin.Context) (store.Booking, error)) gin.HandlerFunc {
	return answer(status, func(c *gin.Context) (any, error) {
		b, err := find(c)
		if err != nil {
			return nil, err
		}
		self, err := versogin.Link(c, api.BookingTarget(b.ID))
		if err == nil && status == http.StatusCreated {
			c.Header("Location", self)
		}
		return api.Encode(b, self), err
	})
}

// answerError answers a request whose body is none of its version.
func answerError(c *gin.Context) {
	c.Next()
	if err := c.Errors.Last(); err != nil {
		abort(c, api.ProblemOf(err))
	}
}

// fail answers with an error, and keeps it for the log.
func fail(c *gin.Context, err error) {
	_ = c.Error(err)
	abort(c, api.ProblemOf(err))
}

func abort(c *gin.Context, problem verso.Problem) {
	c.Abort()
	if !c.Writer.Written() {
		version, _ := c.Value("version").(verso.Version) // none before the check
		api.WriteProblem(c.Writer, version, problem)
	}
}

// byID makes a handler of what the store does with the booking that the path names.
func byID(do func(context.Context, int64) (store.Booking, error)) gin.HandlerFunc {
	return show(http.StatusOK, func(c *gin.Context) (store.Booking, error) {
		return do(c.Request.Context(), idOf(c))
	})
}

// save makes a handler of what the store does with the booking in the body, which
// gets the ID that the path names.
func save(status int, do func(context.Context, store.Booking) (store.Booking, error)) gin.HandlerFunc {
	return show(status, func(c *gin.Context) (store.Booking, error) {
		b, err := api.Decode(c.Request.Body)
		if err != nil {
			return b, err
		}
		b.ID = idOf(c)
		return do(c.Request.Context(), b)
	})
}

func (s server) login(c *gin.Context) (any, error) {
	token, err := s.Token(c.PostForm("client"))
	return gin.H{"token": token}, err
}

func (s server) list(c *gin.Context) (any, error) {
	link := func(target verso.Target) (string, error) { return versogin.Link(c, target) }
	return s.Page(c.Request.Context(), c.Query("page"), link)
}

func (s server) delete(c *gin.Context) {
	if err := s.Store.Delete(c.Request.Context(), idOf(c)); err != nil {
		fail(c, err)
		return
	}
	c.Status(http.StatusNoContent)
}

func (s server) invoice(c *gin.Context) (any, error) {
	b, err := s.Store.Get(c.Request.Context(), idOf(c))
	return api.NewInvoice(b), err
}

// idOf returns the ID that the path names, 0 for one that no booking has.
func idOf(c *gin.Context) int64 {
	id, _ := strconv.ParseInt(c.Param("id"), 10, 64)
	return id
}
