package versofiber_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/middleware/adaptor"
	"github.com/gofiber/fiber/v3/middleware/cache"
	"github.com/gofiber/fiber/v3/middleware/compress"
	"github.com/gofiber/fiber/v3/middleware/etag"
	recoverer "github.com/gofiber/fiber/v3/middleware/recover"
	"github.com/gofiber/fiber/v3/middleware/timeout"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/valyala/fasthttp"

	"github.com/goverso/verso/adapters/versofiber"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
)

// lifting is a rewriter of the requests of v1.
type lifting struct {
	*conformance.Shouting
	lift func(request verso.RequestMessage)
}

func (l lifting) BeginBuffered(v verso.Version, _ string, request verso.RequestMessage) (func(int, verso.ResponseMessage) error, error) {
	if !v.Is("v1") {
		return nil, nil
	}
	l.lift(request)
	return func(int, verso.ResponseMessage) error { return nil }, nil
}

// dropping returns a rewriter that removes fields of requests.
func dropping(names ...string) lifting {
	return lifting{lift: func(request verso.RequestMessage) {
		for _, name := range names {
			request.Del(name)
		}
	}}
}

// Of a field that is removed all lines go, and the lines of others keep their order.
func TestRemovedFields(t *testing.T) {
	for _, settings := range []fiber.Config{{}, {DisableHeaderNormalizing: true}} {
		app := fiber.New(settings)
		v := versofiber.New(app, verso.MustNew(verso.Header("Api-Version"), twoVersions))
		v.Rewrite(dropping("X-Plan", "Range")).Get("/fields", func(c fiber.Ctx) error {
			var lines []string
			for name, line := range c.Request().Header.All() {
				if strings.HasPrefix(string(name), "X-") || strings.EqualFold(string(name), "Range") {
					lines = append(lines, fmt.Sprintf("%s=%s", name, line))
				}
			}
			return c.SendString(strings.Join(lines, " "))
		})
		s := start(t, app)
		const fields = "X-A: 1\r\nX-Plan: a\r\nX-B: 1\r\nX-A: 2\r\nX-Plan: b\r\nX-A: 3\r\nRange: bytes=0-1\r\nX-B: 2\r\n\r\n"
		got := map[string][]string{}
		for _, version := range []string{"v1", "v2"} {
			answer := s.raw(t, "GET /fields HTTP/1.1\r\nHost: a\r\nConnection: close\r\nApi-Version: "+version+"\r\n"+fields)
			require.Equal(t, http.StatusOK, answer.status, answer.body)
			got[version] = strings.Fields(answer.body)
		}
		assert.Len(t, got["v2"], 8)
		var a, b []string
		for _, line := range got["v1"] {
			switch line[:3] {
			case "X-A":
				a = append(a, line)
			case "X-B":
				b = append(b, line)
			default:
				t.Errorf("%s is there", line)
			}
		}
		assert.Equal(t, []string{"X-A=1", "X-A=2", "X-A=3"}, a)
		assert.Equal(t, []string{"X-B=1", "X-B=2"}, b)
	}
}

// The same beside many repeated names: all else of the header stays as well.
func TestRemovedFieldAmongMany(t *testing.T) {
	for _, settings := range []fiber.Config{{ReadBufferSize: 64 << 10}, {ReadBufferSize: 64 << 10, DisableHeaderNormalizing: true}} {
		app := fiber.New(settings)
		v := versofiber.New(app, verso.MustNew(verso.Header("Api-Version"), twoVersions))
		v.Rewrite(dropping("Range")).Post("/fields", func(c fiber.Ctx) error {
			lines := map[string][]string{}
			for name, line := range c.Request().Header.All() {
				lines[string(name)] = append(lines[string(name)], string(line))
			}
			h := &c.Request().Header
			return c.JSON(fiber.Map{
				"lines": lines, "body": string(c.Body()), "cookie": c.Cookies("a"), "close": h.ConnectionClose(),
				"line": fmt.Sprintf("%s %s %s", h.Method(), h.RequestURI(), h.Protocol()), "host": c.Host(), "type": string(h.ContentType()), "length": h.ContentLength(),
			})
		})
		s := start(t, app)
		var fields strings.Builder
		for i := range 2000 {
			fmt.Fprintf(&fields, "X-%d: %d\r\n", i%1000, i)
		}
		var got [2]struct {
			Lines      map[string][]string
			Body, Line string
			rest       string
		}
		for i, version := range []string{"v2", "v1"} {
			answer := s.raw(t, "POST /fields?a=%20b HTTP/1.1\r\nHost: a.test\r\nApi-Version: "+version+"\r\nRange: bytes=0-1\r\nCookie: a=1; b=2\r\nCookie: c=3\r\n"+fields.String()+
				"Content-Type: text/x; a=b\r\nUser-Agent: me\r\nConnection: close\r\nContent-Length: 4\r\n\r\nbody")
			require.Equal(t, http.StatusOK, answer.status, answer.body)
			require.NoError(t, json.Unmarshal([]byte(answer.body), &got[i]))
			assert.Equal(t, "body", got[i].Body)
			delete(got[i].Lines, "Api-Version")
			delete(got[i].Lines, "Range")
			_, got[i].rest, _ = strings.Cut(answer.body, `"type"`)
		}
		assert.Len(t, got[0].Lines, 1006)
		assert.Equal(t, got[0], got[1])
	}
}

// BenchmarkManyLines removes a field beside many lines of other ones. A request with twice the
// lines takes twice the time, since a client chooses how many there are.
func BenchmarkManyLines(b *testing.B) {
	for _, each := range []int{1 << 20, 2, 1} { // lines of a name
		for _, lines := range []int{1000, 2000, 4000} {
			b.Run(fmt.Sprintf("%d of %d a name", lines, min(each, lines)), func(b *testing.B) {
				app := fiber.New()
				v := versofiber.New(app, verso.MustNew(verso.Header("Api-Version"), twoVersions))
				v.Rewrite(dropping("Range", "If-Range")).Get("/", func(c fiber.Ctx) error { return nil })
				handler := app.Handler()
				var c fasthttp.RequestCtx
				for b.Loop() {
					c.Request.Reset()
					c.Request.Header.Set("Api-Version", "v1")
					c.Request.Header.Set("Range", "bytes=0-1")
					for i := range lines {
						c.Request.Header.Add("A"+strconv.Itoa(i/each), "")
					}
					handler(&c)
				}
			})
		}
	}
}

// With StreamRequestBody a rewritten body stays a stream, and no more than the limit is held.
func TestBodyStreams(t *testing.T) {
	const limit = 10_000
	app := fiber.New(fiber.Config{StreamRequestBody: true, BodyLimit: limit / 2})
	v := versofiber.New(app, verso.MustNew(verso.Header("Api-Version"), twoVersions), versofiber.Config{RewriteLimit: limit})
	v.Rewrite(lifting{lift: func(request verso.RequestMessage) { request.SetBody(bytes.ToUpper(request.Body())) }}).Post("/", func(c fiber.Ctx) error {
		stream := c.Request().BodyStream()
		if stream == nil {
			return c.SendString("no stream")
		}
		body, err := io.ReadAll(stream)
		if err != nil {
			return err
		}
		return c.SendString(fmt.Sprintf("%d %.3s", len(body), body))
	})
	s := start(t, app)
	for _, test := range []struct {
		version string
		size    int
		status  int
		body    string
	}{
		{"v1", 3, 200, "3 ABC"}, {"v1", limit, 200, "10000 ABC"}, {"v1", limit + 1, 413, ""}, {"v1", 500 * limit, 413, ""},
		{"v2", 3, 200, "3 abc"}, {"v2", 50 * limit, 200, "500000 abc"},
	} {
		text := ("abc" + strings.Repeat("x", test.size))[:test.size]
		r, err := http.NewRequest(http.MethodPost, s.url+"/", struct{ io.Reader }{strings.NewReader(text)}) // chunked
		require.NoError(t, err)
		r.Header.Set("Api-Version", test.version)
		response, err := s.client.Do(r)
		require.NoError(t, err, "%s %d", test.version, test.size)
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		assert.Equal(t, test.status, response.StatusCode, "%s %d", test.version, test.size)
		assert.Equal(t, test.status == 413, response.Close, "%s %d: the rest is no request", test.version, test.size)
		if test.status == 200 {
			assert.Equal(t, test.body, string(body))
		}
	}
	assert.Equal(t, 400, s.raw(t, "POST / HTTP/1.1\r\nHost: x\r\nApi-Version: v1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n").status)
}

// Fields of a response that failed are not those of its answer, and later responses have Fiber's own type.
func TestTheAnswerToAFailure(t *testing.T) {
	app := fiber.New()
	v := versofiber.New(app, verso.MustNew(verso.Header("Api-Version"), twoVersions))
	v.Rewrite(new(conformance.Shouting)).Get("/fails", func(c fiber.Ctx) error {
		c.Set(fiber.HeaderETag, `"7"`)
		c.Set(fiber.HeaderContentEncoding, "gzip")
		return c.SendString("cannot")
	})
	lose := func(c fiber.Ctx) error { c.RequestCtx().ResetUserValues(); return c.Next() }
	v.AfterCheck(lose).Rewrite(new(conformance.Shouting)).Get("/lost", func(c fiber.Ctx) error { return c.SendString("the newest form") })
	var length string
	v.Rewrite(lifting{lift: func(request verso.RequestMessage) { request.SetBody([]byte("xxxx")) }}).Post("/length", func(c fiber.Ctx) error {
		length = string(c.Request().Header.Peek(fiber.HeaderContentLength))
		c.Response().SetBodyString("x") // without a type
		return nil
	})
	s := start(t, app)
	got := s.get(t, "/fails", "Api-Version", "v1")
	assert.Equal(t, http.StatusInternalServerError, got.status)
	assert.NotContains(t, got.header, "Etag")
	assert.NotContains(t, got.header, "Content-Encoding")

	assert.Equal(t, http.StatusInternalServerError, s.get(t, "/lost", "Api-Version", "v1").status)
	answer := s.raw(t, "POST /length HTTP/1.1\r\nHost: a\r\nConnection: close\r\nApi-Version: v1\r\nContent-Length: 1\r\n\r\nx")
	assert.Equal(t, http.StatusOK, answer.status)
	assert.Equal(t, "4", length, "of the body that the handler reads")
	assert.Equal(t, "text/plain; charset=utf-8", answer.header.Get("Content-Type"))
}

// The query of the newest form is also that of handlers of net/http and of c.OriginalURL; middleware
// outside sees what the client has sent.
func TestTheQueryOfNetHTTP(t *testing.T) {
	app := fiber.New()
	var outside string
	app.Use(func(c fiber.Ctx) error {
		err := c.Next()
		outside = c.OriginalURL()
		return err
	})
	v := versofiber.New(app, verso.MustNew(verso.Header("Api-Version"), twoVersions))
	rewritten := v.Rewrite(lifting{lift: func(request verso.RequestMessage) { request.SetQueryString("order_by=a%20b") }})
	rewritten.Get("/own", func(c fiber.Ctx) error { return c.SendString(c.Query("order_by") + "|" + c.Query("plan")) })
	rewritten.Get("/adaptor", adaptor.HTTPHandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.FormValue("order_by")+"|"+r.FormValue("plan"))
	}))
	rewritten.Get("/convert", func(c fiber.Ctx) error {
		r, err := adaptor.ConvertRequest(c, true)
		if err != nil {
			return err
		}
		return c.SendString(r.FormValue("order_by") + "|" + r.URL.Query().Get("plan"))
	})
	rewritten.Get("/original", func(c fiber.Ctx) error { return c.SendString(c.OriginalURL()) })
	s := start(t, app)
	for target, want := range map[string][2]string{
		"/own?sort=a&plan=admin":      {"a b|", "v1"},
		"/adaptor?sort=a&plan=admin":  {"a b|", "v1"},
		"/adaptor":                    {"a b|", "v1"},
		"/convert?sort=a&plan=admin":  {"a b|", "v1"},
		"/original?sort=a&plan=admin": {"/original?order_by=a%20b", "v1"},
		"/adaptor?plan=pro":           {"|pro", "v2"},
	} {
		got := s.get(t, target, "Api-Version", want[1])
		assert.Equal(t, want[0], got.body, target)
		assert.Equal(t, target, outside)
	}
	answer := s.raw(t, "GET /original?plan=x#part HTTP/1.1\r\nHost: a\r\nConnection: close\r\nApi-Version: v1\r\n\r\n")
	assert.Equal(t, "/original?order_by=a%20b#part", answer.body)
}

// TestCompressionInside: the answer to a body compressed inside RewriteErrors is not compressed.
func TestCompressionInside(t *testing.T) {
	app := fiber.New()
	v := versofiber.New(app, verso.MustNew(verso.Header("Api-Version"), twoVersions))
	app.Use(v.RewriteErrors())
	said := func(c fiber.Ctx) error { return c.SendString(strings.Repeat("said", 1000)) }
	v.AfterCheck(compress.New()).Rewrite(new(conformance.Shouting)).Get("/outside", said)
	v.Rewrite(new(conformance.Shouting)).AfterCheck(compress.New()).Get("/inside", said)
	for _, path := range []string{"/outside", "/inside"} {
		r := httptest.NewRequest(http.MethodGet, path, http.NoBody)
		r.Header = http.Header{"Api-Version": {"v1"}, "Accept-Encoding": {"gzip"}}
		w, err := app.Test(r)
		require.NoError(t, err)
		text, err := io.ReadAll(w.Body)
		require.NoError(t, err)
		require.NoError(t, w.Body.Close())
		assert.Equal(t, http.StatusInternalServerError, w.StatusCode, path)
		assert.Empty(t, w.Header.Get("Content-Encoding"), path)
		assert.Equal(t, "INTERNAL SERVER ERROR", strings.ToUpper(string(text)), path)
	}
}

// After a panic the fields of the handler describe no body that is sent, and after the end of a middleware
// inside, the answer is whole.
func TestMiddlewareInside(t *testing.T) {
	for name, inside := range map[string]fiber.Handler{
		"recover alone": fiber.Ctx.Next,
		"etag":          etag.New(),
		"cache":         cache.New(),
		"compress":      compress.New(),
		"timeout":       timeout.New(fiber.Ctx.Next, timeout.Config{Timeout: time.Hour}),
	} {
		for path, want := range map[string]int{"/panics": 500, "/cannot": 500, "/fails": 409} {
			t.Run(name+path, func(t *testing.T) {
				app := fiber.New()
				v := versofiber.New(app, verso.MustNew(verso.Header("Api-Version"), twoVersions))
				app.Use(v.RewriteErrors(), recoverer.New(), inside)
				rewritten := v.Rewrite(new(conformance.Shouting))
				end := map[string]func() error{"/panics": func() error { panic("boom") }, "/cannot": func() error { return nil },
					"/fails": func() error { return fiber.ErrConflict }}[path]
				rewritten.Get(path, func(c fiber.Ctx) error {
					if path != "/fails" { // an error leaves the fields of the handler
						c.Set("Content-Length", "6")
						c.Set("Content-Encoding", "identity")
						c.Set("Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT")
					}
					_ = c.SendString("cannot")
					return end()
				})
				got := conformance.Send(t, adaptor.FiberApp(app), http.MethodGet, path,
					http.Header{"Api-Version": {"v1"}, "Accept-Encoding": {"gzip"}})
				assert.Equal(t, want, got.Status)
				assert.NotEmpty(t, got.Body)
				assert.Equal(t, strconv.Itoa(len(got.Body)), got.Header.Get("Content-Length"))
				assert.Empty(t, got.Header.Get("Last-Modified")+got.Header.Get("Etag")+got.Header.Get("Content-Encoding"))
			})
		}
	}
}

// A request that cannot be rewritten is an error of the app, whose default handler writes the text alone. Where an
// ErrorHandler of Verso writes nothing, the problem is written.
func TestRefusedRequest(t *testing.T) {
	quiet := func(fiber.Ctx, *verso.Error, *verso.Answer) error { return nil }
	for contentType, config := range map[string]versofiber.Config{
		"text/plain; charset=utf-8": {}, verso.ProblemType: {ErrorHandler: quiet},
	} {
		app := fiber.New()
		v := versofiber.New(app, verso.MustNew(verso.Header("Api-Version"), twoVersions), config)
		v.Rewrite(new(conformance.Shouting)).Get("/", func(c fiber.Ctx) error { return c.SendString("handled") })
		got := start(t, app).get(t, "/", "Api-Version", "v1", "X-Refuse", "yes")
		assert.Equal(t, contentType, got.header.Get("Content-Type"))
		assert.NotContains(t, got.body, "handled")
	}
}
