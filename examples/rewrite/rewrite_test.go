// Package rewrite_test sends good and bad bodies of older versions through the
// frameworks.
package rewrite_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	gingzip "github.com/gin-contrib/gzip"
	"github.com/gin-gonic/gin"
	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/middleware/compress"
	fiberrecover "github.com/gofiber/fiber/v3/middleware/recover"
	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
	echo5 "github.com/labstack/echo/v5"
	middleware5 "github.com/labstack/echo/v5/middleware"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versoecho5"
	"github.com/goverso/verso/adapters/versofiber"
	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

type User struct {
	ID     int64  `json:"id"`
	Email  string `json:"email"`
	Status string `json:"status,omitempty"`
	Plan   string `json:"plan,omitempty"`
}

// Failure is the body of an error in v2, and OldFailure in v1.
type Failure struct {
	Status int    `json:"status"`
	Detail string `json:"detail"`
}

type OldFailure struct {
	Error string `json:"error"`
}

func api() *verso.Versioning {
	return verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v2")})
}

func historyOf(api *verso.Versioning) *migrate.History {
	return verso.Must(migrate.New(api,
		migrate.Release("v2", migrate.Changed("A mail is an e-mail.",
			migrate.For[User](
				migrate.Renamed("mail", "email"),
				migrate.Values("status", map[string]string{"on": "active"}, migrate.NewValue("pending", "on")),
				migrate.Added("plan", "free")),
			migrate.For[Failure](migrate.Reshaped(nil, func(f Failure) (OldFailure, error) { return OldFailure{f.Detail}, nil }, "application/json")))),
		migrate.Release("v1")))
}

func routeOf(api *verso.Versioning) *migrate.Route {
	return historyOf(api).Route(migrate.Accepts[User](), migrate.Returns[User](), migrate.Fails[Failure](verso.ProblemType))
}

// what says what the handler of /raw writes.
type what struct {
	Status                     int
	Type, Body, Encoding, ETag string
	Flush                      string // this first, and a flush
	Panics                     bool
	Error                      string // is returned
}

func (w what) header(set func(name, value string)) {
	for name, value := range map[string]string{"Content-Type": w.Type, "Content-Encoding": w.Encoding, "ETag": w.ETag} {
		if value != "" {
			set(name, value)
		}
	}
}

// write writes it, where the framework has a writer of net/http.
func (w what) write(to http.ResponseWriter) error {
	w.header(to.Header().Set)
	if w.Status != 0 {
		to.WriteHeader(w.Status)
	}
	if w.Flush != "" {
		_, _ = io.WriteString(to, w.Flush)
		_ = http.NewResponseController(to).Flush()
	}
	if w.Body != "" {
		_, _ = io.WriteString(to, w.Body)
	}
	if w.Panics {
		panic("a panic")
	}
	if w.Error != "" {
		return errTeapot
	}
	return nil
}

var errTeapot = errors.New("a teapot")

func failureOf(err error) Failure {
	var refused *migrate.Error
	switch {
	case errors.As(err, &refused):
		return Failure{refused.Status, refused.Error()}
	case errors.Is(err, errTeapot):
		return Failure{418, "a teapot"}
	}
	return Failure{500, "an error"}
}

func read(text string) (w what, err error) {
	err = json.Unmarshal([]byte(text), &w)
	return w, err
}

const limit = 200 << 10

// framework serves POST, PUT and PATCH /save, whose handler binds and returns a User,
// and GET /raw, whose handler writes what its query says. It has compression outside,
// then RewriteErrors, then what answers errors and panics.
type framework struct {
	name  string
	serve func(t *testing.T) (url string)
	// lacks is what the framework does not do.
	streams bool
}

func serve(handler func(t *testing.T) http.Handler) func(t *testing.T) string {
	return func(t *testing.T) string {
		t.Helper()
		server := httptest.NewUnstartedServer(handler(t))
		server.Config.ErrorLog = log.New(io.Discard, "", 0)
		server.Start()
		t.Cleanup(server.Close)
		return server.URL
	}
}

var services = []framework{
	{"net/http", serve(newHTTP), true},
	{"Echo", serve(newEcho), true},
	{"Echo v5", serve(newEcho5), true},
	{"Gin", serve(newGin), true},
	{"Fiber", serveFiber, false},
}

func newHTTP(*testing.T) http.Handler {
	mux, api := http.NewServeMux(), api()
	v := versohttp.New(mux, api)
	routes := v.Rewrite(routeOf(api))
	answer := func(w http.ResponseWriter, err error) {
		failure := failureOf(err)
		w.Header().Set("Content-Type", verso.ProblemType)
		w.WriteHeader(failure.Status)
		_ = json.NewEncoder(w).Encode(failure)
	}
	save := func(w http.ResponseWriter, r *http.Request) {
		var user User
		w.Header().Set("Length", r.Header.Get("Content-Length"))
		if err := json.NewDecoder(r.Body).Decode(&user); err != nil {
			answer(w, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(user)
	}
	routes.HandleFunc("/save", save)
	routes.HandleFunc("GET /raw", func(w http.ResponseWriter, r *http.Request) {
		said, _ := read(r.URL.Query().Get("what"))
		if err := said.write(w); err != nil {
			answer(w, err)
		}
	})
	recovered := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			switch cause := recover(); cause {
			case nil:
			case http.ErrAbortHandler:
				panic(cause)
			default:
				answer(w, errors.New("a panic"))
			}
		}()
		r.Body = http.MaxBytesReader(w, r.Body, limit)
		mux.ServeHTTP(w, r)
	})
	shelled := v.RewriteErrors()(recovered)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept-Encoding") != "gzip" {
			shelled.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		out := gzip.NewWriter(w)
		defer out.Close()
		shelled.ServeHTTP(gzipped{w, out}, r)
	})
}

type gzipped struct {
	http.ResponseWriter
	out *gzip.Writer
}

func (g gzipped) Write(p []byte) (int, error) { return g.out.Write(p) }

func newEcho(*testing.T) http.Handler {
	e, api := echo.New(), api()
	e.Logger.SetOutput(io.Discard)
	e.HTTPErrorHandler = func(err error, c echo.Context) {
		if c.Response().Committed {
			return
		}
		failure := failureOf(err)
		var own *echo.HTTPError
		if errors.As(err, &own) && failure.Status == 500 {
			failure.Status = own.Code
		}
		c.Response().Header().Set("Content-Type", verso.ProblemType)
		c.Response().WriteHeader(failure.Status)
		_ = json.NewEncoder(c.Response()).Encode(failure)
	}
	v := versoecho.New(e, api)
	e.Use(middleware.Gzip(), v.RewriteErrors(), middleware.RecoverWithConfig(middleware.RecoverConfig{LogErrorFunc: func(_ echo.Context, err error, _ []byte) error { return err }}), middleware.BodyLimit(strconv.Itoa(limit)))
	routes := v.Rewrite(routeOf(api))
	routes.Match([]string{"POST", "PUT", "PATCH"}, "/save", func(c echo.Context) error {
		var user User
		c.Response().Header().Set("Length", c.Request().Header.Get("Content-Length"))
		if err := c.Bind(&user); err != nil {
			return err
		}
		return c.JSON(200, user)
	})
	routes.Match([]string{"GET", "HEAD"}, "/raw", func(c echo.Context) error {
		said, err := read(c.QueryParam("what"))
		if err != nil {
			return err
		}
		return said.write(c.Response())
	})
	return e
}

func newEcho5(*testing.T) http.Handler {
	e, api := echo5.New(), api()
	e.HTTPErrorHandler = func(c *echo5.Context, err error) {
		if response, _ := echo5.UnwrapResponse(c.Response()); response.Committed {
			return
		}
		failure := failureOf(err)
		var own echo5.HTTPStatusCoder
		if errors.As(err, &own) && failure.Status == 500 {
			failure.Status = own.StatusCode()
		}
		c.Response().Header().Set("Content-Type", verso.ProblemType)
		c.Response().WriteHeader(failure.Status)
		_ = json.NewEncoder(c.Response()).Encode(failure)
	}
	v := versoecho5.New(e, api)
	e.Use(middleware5.Gzip(), v.RewriteErrors(), middleware5.Recover(), middleware5.BodyLimit(limit))
	routes := v.Rewrite(routeOf(api))
	for _, method := range []string{"POST", "PUT", "PATCH"} {
		routes.Add(method, "/save", func(c *echo5.Context) error {
			var user User
			c.Response().Header().Set("Length", c.Request().Header.Get("Content-Length"))
			if err := c.Bind(&user); err != nil {
				return err
			}
			return c.JSON(200, user)
		})
	}
	for _, method := range []string{"GET", "HEAD"} {
		routes.Add(method, "/raw", func(c *echo5.Context) error {
			said, err := read(c.QueryParam("what"))
			if err != nil {
				return err
			}
			return said.write(c.Response())
		})
	}
	return e
}

func newGin(*testing.T) http.Handler {
	gin.SetMode(gin.ReleaseMode)
	r, api := gin.New(), api()
	v := versogin.New(r, api)
	answer := func(c *gin.Context, err error) {
		failure := failureOf(err)
		c.Header("Content-Type", verso.ProblemType)
		c.JSON(failure.Status, failure)
	}
	r.Use(gingzip.Gzip(gingzip.DefaultCompression), v.RewriteErrors(), gin.CustomRecoveryWithWriter(io.Discard, func(c *gin.Context, _ any) {
		answer(c, errors.New("a panic"))
	}), func(c *gin.Context) {
		c.Next()
		if len(c.Errors) > 0 && !c.Writer.Written() {
			answer(c, c.Errors.Last())
		}
	}, func(c *gin.Context) {
		c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, limit)
	})
	routes := v.Rewrite(routeOf(api))
	routes.Match([]string{"POST", "PUT", "PATCH"}, "/save", func(c *gin.Context) {
		var user User
		c.Header("Length", c.GetHeader("Content-Length"))
		if err := c.ShouldBindJSON(&user); err != nil {
			_ = c.Error(err)
			return
		}
		c.JSON(200, user)
	})
	routes.Match([]string{"GET", "HEAD"}, "/raw", func(c *gin.Context) {
		said, err := read(c.Query("what"))
		if err != nil {
			_ = c.Error(err)
			return
		}
		if err := said.write(c.Writer); err != nil {
			_ = c.Error(err)
		}
	})
	return r
}

func serveFiber(t *testing.T) string {
	t.Helper()
	app, api := fiber.New(fiber.Config{BodyLimit: limit, ErrorHandler: func(c fiber.Ctx, err error) error {
		failure := failureOf(err)
		if own, ok := errors.AsType[*fiber.Error](err); ok {
			failure = Failure{own.Code, own.Message}
		}
		if failure.Status == 500 {
			failure.Detail = "an error"
		}
		body, _ := json.Marshal(failure)
		c.Set("Content-Type", verso.ProblemType)
		return c.Status(failure.Status).Send(append(body, '\n'))
	}}), api()
	v := versofiber.New(app, api)
	app.Use(compress.New(), v.RewriteErrors(), fiberrecover.New())
	routes := v.Rewrite(routeOf(api))
	routes.Add([]string{"POST", "PUT", "PATCH"}, "/save", func(c fiber.Ctx) error {
		var user User
		c.Set("Length", c.Get("Content-Length"))
		if err := c.Bind().Body(&user); err != nil {
			return err
		}
		return c.JSON(user)
	})
	routes.Get("/raw", func(c fiber.Ctx) error {
		said, err := read(c.Query("what"))
		if err != nil {
			return err
		}
		c.Response().Header.SetContentType("")
		said.header(func(name, value string) { c.Set(name, value) })
		if said.Status != 0 {
			c.Status(said.Status)
		}
		if said.Flush != "" {
			return c.SendStream(strings.NewReader(said.Flush))
		}
		if err := c.SendString(said.Body); err != nil {
			return err
		}
		said.header(func(name, value string) { c.Set(name, value) })
		if said.Panics {
			panic("a panic")
		}
		if said.Error != "" {
			return errTeapot
		}
		return nil
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go func() { _ = app.Listener(listener, fiber.ListenConfig{DisableStartupMessage: true}) }()
	t.Cleanup(func() { _ = app.ShutdownWithTimeout(time.Second) })
	return "http://" + listener.Addr().String()
}

type response struct {
	*http.Response
	body string
	err  error
}

func send(t *testing.T, method, url, version, body string, header map[string]string) response {
	t.Helper()
	var in io.Reader = strings.NewReader(body)
	if len(body) > limit {
		in = io.MultiReader(in) // of unknown length: it is not refused by its header
	}
	r, err := http.NewRequest(method, url, in)
	require.NoError(t, err)
	r.Header.Set("Api-Version", version)
	r.Header.Set("Accept-Encoding", "identity")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for name, value := range header {
		r.Header.Set(name, value)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	got, err := client.Do(r)
	require.NoError(t, err)
	defer got.Body.Close()
	in = got.Body
	if got.Header.Get("Content-Encoding") == "gzip" {
		in, err = gzip.NewReader(got.Body)
		require.NoError(t, err)
	}
	data, err := io.ReadAll(in)
	return response{got, string(data), err}
}

func (w what) url(base string) string {
	query, _ := json.Marshal(w)
	return base + "/raw?what=" + strings.NewReplacer("%", "%25", "&", "%26", "+", "%2B", "#", "%23", ";", "%3B", " ", "%20").Replace(string(query))
}

// compressed is a request that no middleware has decompressed.
const compressed = "compressed"

func TestRequests(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = io.WriteString(z, `{"mail":"a"}`)
	require.NoError(t, z.Close())
	for _, framework := range services {
		t.Run(framework.name, func(t *testing.T) {
			url := framework.serve(t) + "/save"
			for _, test := range []struct {
				name, method, version, body, contentType string
				status                                   int
				want                                     string
			}{
				{"POST", "POST", "v1", `{"id":9007199254740993,"mail":"a","PLAN":"admin"}`, "", 200, `{"id":9007199254740993,"mail":"a"}` + "\n"},
				{"POST of a newest client", "POST", "v2", `{"id":1,"email":"a","plan":"x"}`, "", 200, `{"id":1,"email":"a","plan":"x"}` + "\n"},
				{"PUT", "PUT", "v1", `{"mail":"a"}`, "", 200, `{"id":0,"mail":"a"}` + "\n"},
				{"invalid JSON", "POST", "v1", `{"mail":`, "", 400, `{"error":"the body is not one valid JSON value, or not a valid form"}`},
				{"two values", "POST", "v1", `{}{}`, "", 400, `{"error":"the body is not one valid JSON value, or not a valid form"}`},
				{"doubled members", "POST", "v1", `{"mail":"a","Mail":"b"}`, "", 400, `{"error":"the body is not one valid JSON value, or not a valid form"}`},
				{"a lone surrogate", "POST", "v1", `{"mail":"\udc00"}`, "", 400, `{"error":"the body is not one valid JSON value, or not a valid form"}`},
				{"a newer value", "PATCH", "v1", `{"status":"pending"}`, "", 400, `{"error":"the body has a value that this version does not have: \"/status\""}`},
				{"a value that an edit cannot read", "PATCH", "v1", `{"status":[1]}`, "", 400, `{"error":"the body has a value that this version does not have: \"/status\""}`},
				{"a list for an object", "POST", "v1", `[{"mail":"a"}]`, "", 400, `{"error":"the body has a value that this version does not have"}`},
				{"a text for an object", "PATCH", "v1", `"mail"`, "", 400, `{"error":"the body has a value that this version does not have"}`},
				{"null", "POST", "v1", `null`, "", 200, `{"id":0,"mail":""}`},
				{compressed, "POST", "v1", packed.String(), "", 415, `{"error":"the body is compressed, which this version does not take: send it without Content-Encoding"}`},
				{"a form", "POST", "v1", `mail=a`, "application/x-www-form-urlencoded", 415, `{"error":"the body has a type that this version does not take: send application/json, or a form where the route takes one"}`},
				{"a limit outside", "POST", "v1", `{"mail":"` + strings.Repeat("x", limit) + `"}`, "", 413, ""},
			} {
				t.Run(test.name, func(t *testing.T) {
					if framework.name == "Fiber" && test.status == 413 {
						checkLimit(t, strings.TrimPrefix(url, "http://"))
						return
					}
					header := map[string]string{}
					if test.contentType != "" {
						header["Content-Type"] = test.contentType
					}
					if test.name == compressed {
						header["Content-Encoding"] = "gzip"
					}
					got := send(t, test.method, url, test.version, test.body, header)
					require.NoError(t, got.err)
					assert.Equal(t, test.status, got.StatusCode, got.body)
					if test.want != "" {
						assert.Equal(t, strings.TrimSpace(test.want), strings.TrimSpace(got.body))
					}
					if test.name == "PUT" {
						assert.Equal(t, strconv.Itoa(len(`{"email":"a"}`)), got.Header.Get("Length"), "the Content-Length that the handler reads")
					}
					if test.version == "v1" {
						assert.True(t, strings.HasPrefix(got.Header.Get("Content-Type"), "application/json"), got.Header.Get("Content-Type"))
					}
				})
			}
		})
	}
}

// checkLimit sends the header of a request that is too large: fasthttp answers it before
// there is a body or a route.
func checkLimit(t *testing.T, address string) {
	t.Helper()
	host, _, _ := strings.Cut(address, "/")
	connection, err := net.Dial("tcp", host)
	require.NoError(t, err)
	defer connection.Close()
	_, err = fmt.Fprintf(connection, "POST /save HTTP/1.1\r\nHost: %s\r\nApi-Version: v1\r\nContent-Length: %d\r\n\r\n", host, limit+1)
	require.NoError(t, err)
	got, err := http.ReadResponse(bufio.NewReader(connection), nil)
	require.NoError(t, err)
	defer got.Body.Close()
	assert.Equal(t, http.StatusRequestEntityTooLarge, got.StatusCode)
}

func TestResponses(t *testing.T) {
	const newest, older = `{"id":1, "email":"a"}` + "\n", `{"id":1,"mail":"a"}` + "\n"
	const panicked = `{"error":"an error"}`
	for _, framework := range services {
		t.Run(framework.name, func(t *testing.T) {
			failed := `{"error":"an error"}`
			if framework.name == "Gin" || framework.name == "net/http" { // which have no error handler to ask
				failed = `{"error":"Internal Server Error"}`
			}
			base := framework.serve(t)
			for _, test := range []struct {
				name   string
				what   what
				status int
				want   string
			}{
				{"JSON", what{Type: "application/json", Body: newest}, 200, older},
				{"JSON without a type", what{Body: newest}, 200, older},
				{"a status", what{Status: 201, Type: "application/json", Body: newest}, 201, older},
				{"text", what{Type: "text/csv", Body: newest}, 500, failed},
				{"an error", what{Error: "yes"}, 418, `{"error":"a teapot"}`},
				{"no JSON", what{Type: "application/json", Body: "<p>"}, 500, failed},
				{"an edit fails", what{Type: "application/json", Body: `{"email":"secret","status":1}`, ETag: `"7"`}, 500, failed},
				{"encoded inside", what{Type: "application/json", Body: "\x1f", Encoding: "br"}, 500, failed},
				{"a panic after a write", what{Type: "application/json", Body: newest, Panics: true}, 500, panicked},
				{"a panic", what{Panics: true}, 500, panicked},
				{"a status alone", what{Status: 204}, 204, ""},
				{"not modified", what{Status: 304, ETag: `"7"`}, 304, ""},
			} {
				t.Run(test.name, func(t *testing.T) {
					got := send(t, "GET", test.what.url(base), "v1", "", nil)
					require.NoError(t, got.err)
					assert.Equal(t, test.status, got.StatusCode)
					assert.Equal(t, strings.TrimSuffix(test.want, "\n"), strings.TrimSuffix(got.body, "\n"))
					if strings.HasSuffix(test.want, "\n") {
						assert.True(t, strings.HasSuffix(got.body, "\n"), "the newline stays")
					}
					if test.status == 304 {
						assert.Equal(t, `"7;v1"`, got.Header.Get("ETag"))
					} else {
						assert.Empty(t, got.Header.Get("ETag"))
					}
					if test.status == 500 {
						assert.Empty(t, got.Header.Get("Content-Encoding"))
					}
				})
			}
			t.Run("compressed outside", func(t *testing.T) {
				long := `{"email":"` + strings.Repeat("x", 3000) + `"}`
				got := send(t, "GET", what{Type: "application/json", Body: long}.url(base), "v1", "", map[string]string{"Accept-Encoding": "gzip"})
				require.NoError(t, got.err)
				assert.Equal(t, "gzip", got.Header.Get("Content-Encoding"))
				assert.True(t, strings.Replace(long, "email", "mail", 1) == got.body, "%.40s", got.body)
			})
			t.Run("an entity tag", func(t *testing.T) {
				tagged := what{Type: "application/json", Body: newest, ETag: `W/"7"`}
				assert.Equal(t, `W/"7;v1"`, send(t, "GET", tagged.url(base), "v1", "", nil).Header.Get("ETag"))
				assert.Equal(t, `W/"7"`, send(t, "GET", tagged.url(base), "v2", "", nil).Header.Get("ETag"))
				head := send(t, "HEAD", tagged.url(base), "v1", "", nil)
				assert.Equal(t, `W/"7;v1"`, head.Header.Get("ETag"))
				assert.Empty(t, head.body)
			})
			t.Run("a failure after the first byte", func(t *testing.T) {
				got := send(t, "GET", what{Type: "application/json", Flush: `{"email":"a",`, Body: "?"}.url(base), "v1", "", nil)
				if !framework.streams { // streams are refused
					assert.Equal(t, 500, got.StatusCode)
					assert.Equal(t, failed, strings.TrimSpace(got.body))
					return
				}
				assert.Equal(t, 200, got.StatusCode)
				require.ErrorIs(t, got.err, io.ErrUnexpectedEOF)
				assert.NotContains(t, got.body, "email")
			})
			t.Run("a stream of events", func(t *testing.T) {
				events := what{Type: "text/event-stream", Flush: "data: " + newest + "\n", Body: ": ping\n"}
				got := send(t, "GET", events.url(base), "v1", "", nil)
				if !framework.streams {
					assert.Equal(t, 500, got.StatusCode)
					assert.Equal(t, failed, strings.TrimSpace(got.body))
					assert.Equal(t, events.Flush, send(t, "GET", events.url(base), "v2", "", nil).body)
					return
				}
				require.NoError(t, got.err)
				assert.Equal(t, "data: "+older+"\n: ping\n", got.body)
			})
			t.Run("a stream", func(t *testing.T) {
				if !framework.streams {
					return
				}
				got := send(t, "GET", what{Type: "application/x-ndjson", Flush: newest, Body: newest}.url(base), "v1", "", nil)
				require.NoError(t, got.err)
				assert.Equal(t, older+older, got.body)
			})
		})
	}
}
