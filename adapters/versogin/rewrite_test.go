package versogin_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"

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
