package versogin_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
)

// inV1 is a Rewriter that marks the bodies of v1.
type inV1 struct{ verso.Rewriter }

func (inV1) Review(*verso.Versioning) []verso.Finding { return nil }

func (inV1) Begin(v verso.Version, w http.ResponseWriter, _ *http.Request) (verso.Rewriting, error) {
	if !v.Is("v1") {
		return nil, nil
	}
	return &marking{ResponseWriter: w}, nil
}

type marking struct {
	verso.Rewriting
	http.ResponseWriter
}

func (m *marking) Header() http.Header    { return m.ResponseWriter.Header() }
func (m *marking) WriteHeader(status int) { m.ResponseWriter.WriteHeader(status) }
func (m *marking) Write(text []byte) (int, error) {
	return m.ResponseWriter.Write(append([]byte("old "), text...))
}
func (m *marking) Recover(func()) {}
func (m *marking) Finish() error  { return nil }

// TestRewrittenHandleContext: a route with a check does not answer in the newest form what a
// route passes on whose response is rewritten. Gin empties its store for it.
func TestRewrittenHandleContext(t *testing.T) {
	for name, behind := range installs {
		r, v := newRoutes(behind, inHeader)
		on := func(c *gin.Context) {
			c.Request.URL.Path = c.Query("to")
			r.HandleContext(c)
			c.Abort() // before 1.11, Gin goes on in the other chain
		}
		show := func(c *gin.Context) { c.String(http.StatusOK, "shown") }
		v.Rewrite(inV1{}).GET("/on", on)
		v.GET("/bare", on)
		v.GET("/plain", show)
		v.Rewrite(inV1{}).GET("/rewritten", show)
		r.GET("/foreign", show)
		foreign := "200 shown"
		if behind { // and checked
			foreign = "500 "
		}
		for target, want := range map[string]string{
			"/on?to=/plain": "500 ", "/on?to=/rewritten": "500 ", "/on?to=/foreign": foreign,
			"/bare?to=/plain": "200 shown", "/bare?to=/rewritten": "200 old shown", "/rewritten": "200 old shown",
		} {
			got := send(t, r, http.MethodGet, target, asking("v1"))
			assert.Equal(t, want, fmt.Sprint(got.Status, " ", got.Body), "%s %s", name, target)
			got = send(t, r, http.MethodGet, target, asking("v2"))
			assert.Equal(t, "200 shown", fmt.Sprint(got.Status, " ", got.Body), "%s %s in v2", name, target)
		}
	}
}

// zipping is a writer of a compression, as the middleware of gin-contrib has one.
type zipping struct {
	gin.ResponseWriter
	z *gzip.Writer
}

func (z zipping) Write(p []byte) (int, error)          { return z.z.Write(p) }
func (z zipping) WriteString(text string) (int, error) { return z.z.Write([]byte(text)) }

// TestCompressionInside: the answer to a body compressed inside RewriteErrors is not compressed.
func TestCompressionInside(t *testing.T) {
	zipped := func(c *gin.Context) {
		z := zipping{c.Writer, gzip.NewWriter(c.Writer)}
		c.Header("Content-Encoding", "gzip")
		c.Writer = z
		defer func() {
			if z.Size() < 0 {
				z.z.Reset(io.Discard)
			}
			_ = z.z.Close()
		}()
		c.Next()
	}
	for _, outside := range []bool{false, true} {
		r, v := newRoutes(false, inHeader)
		if outside {
			r.Use(func(c *gin.Context) { c.Header("Content-Encoding", "br") })
		}
		r.Use(v.RewriteErrors())
		said := func(c *gin.Context) { c.String(http.StatusOK, "said") }
		v.AfterCheck(zipped).Rewrite(new(conformance.Shouting)).GET("/outside", said)
		v.Rewrite(new(conformance.Shouting)).AfterCheck(zipped).GET("/inside", said)
		for path, fields := range map[string]http.Header{"/outside": asking("v1"), "/inside": asking("v1"),
			"/outside?refused": {"Api-Version": {"v1"}, "X-Refuse": {"yes"}}} {
			got := send(t, r, http.MethodGet, path, fields)
			want, encoding := http.StatusInternalServerError, ""
			if fields.Get("X-Refuse") != "" {
				want = http.StatusConflict
			}
			if outside {
				encoding = "br"
			}
			assert.Equal(t, want, got.Status, path)
			assert.Equal(t, encoding, got.Header.Get("Content-Encoding"), path)
			assert.Contains(t, strings.ToLower(got.Body), `{"`, path)
		}
	}
}

// TestRewriteErrorsHandleContext: middleware inside RewriteErrors, to which a timeout has given its writer back, sees
// what the other route has written, and so does middleware between a timeout and RewriteErrors.
func TestRewriteErrorsHandleContext(t *testing.T) {
	var seen string
	see := func(w gin.ResponseWriter) { seen = fmt.Sprint(w.Status(), w.Written(), w.Size()) }
	timeout := func(c *gin.Context) { own := c.Writer; c.Writer = unwritten{own}; c.Next(); c.Writer = own }
	given := func(c *gin.Context) { own := c.Writer; c.Next(); see(own) }
	found := func(c *gin.Context) { c.Next(); see(c.Writer) }
	_, of := newRoutes(false, inHeader)
	for name, middleware := range map[string]gin.HandlersChain{
		"inside": {of.RewriteErrors(), given}, "inside, Gin alone": {given},
		"outside": {timeout, found, of.RewriteErrors()}, "outside, Gin alone": {timeout, found},
	} {
		r := gin.New()
		r.Use(middleware...)
		r.GET("/on", func(c *gin.Context) { c.Request.URL.Path = "/shown"; r.HandleContext(c) })
		r.GET("/shown", func(c *gin.Context) { c.String(http.StatusOK, "shown") })
		send(t, r, http.MethodGet, "/on", nil)
		assert.Equal(t, "200 true 5", seen, name)
	}
}

// unwritten is the writer of a timeout, which keeps what is written.
type unwritten struct{ gin.ResponseWriter }

func (unwritten) Written() bool { return false }
