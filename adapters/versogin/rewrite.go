package versogin

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"github.com/gin-gonic/gin"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
)

// Rewrite rewrites the bodies of older versions. Middleware that [Routes.AfterCheck]
// added before, such as compression, sees the rewritten body; middleware that it adds
// afterwards sees the handler's. The error of a request or a response that cannot be
// rewritten is in c.Errors. Unless a middleware inside [Routes.RewriteErrors] answers
// that of a request, the answer is that of [verso.AnswerFor].
//
// A handler must not call [gin.Engine.HandleContext], since Gin then takes its response from
// the rewriting. While an older version is served, a route with a check answers such a
// request with status 500; a route without one answers it as it is.
func (r *Routes) Rewrite(rewriter verso.Rewriter) *Routes {
	rewriter = r.seam.Bound(rewriter)
	r.rewrites.Store(true)
	return r.with(r.of.Rewrite(rewriter, func(c *gin.Context) { r.rewrite(c, rewriter) }))
}

// RewriteErrors returns a middleware for what [Routes.Rewrite] rewrites: install it inside
// compression, and outside middleware that answers c.Errors and panics, so that
// these responses are rewritten too.
func (r *Routes) RewriteErrors() gin.HandlerFunc {
	r.seam.NoteRewriteErrors()
	return func(c *gin.Context) {
		w := &writer{ResponseWriter: c.Writer, body: c.Writer, outside: adapter.BodyFieldsOf(c.Writer.Header()),
			size: -1}
		c.Set(writerKey, w)
		w.around(c, c.Next)
	}
}

// rewrite is the middleware of a route whose bodies are rewritten.
func (b *bound) rewrite(c *gin.Context, rewriter verso.Rewriter) {
	outer := c.Writer
	value, _ := c.Get(writerKey)
	w, hasOuter := value.(*writer)
	if hasOuter = hasOuter && !w.ended; hasOuter {
		outer = w.ResponseWriter
	}
	defer b.warnPassedOn(c, c.Keys)
	query, form, result := c.Request.URL.RawQuery, c.Request.PostForm, resultOf(c)
	fields := adapter.BodyFieldsOf(outer.Header())
	rewriting, err := rewriter.Begin(result.Version(), outer, c.Request)
	if rewriting == nil {
		_ = b.seam.Pass(c, result, func(c *gin.Context) error { c.Next(); return nil })
		return
	}
	if err == nil && c.Request.URL.RawQuery != query {
		old, _ := url.ParseQuery(query) // as Gin does
		err = cached("c.Query", c.GetQueryArray, old, c.Request.URL.Query())
	}
	if err == nil && len(form) > 0 && c.Request.PostForm == nil {
		_ = c.Request.ParseForm() // which Verso has encoded
		err = cached("c.PostForm", c.GetPostFormArray, form, c.Request.PostForm)
	}
	if !hasOuter {
		b.seam.NoteRewrite()
		w = &writer{ResponseWriter: outer, outside: fields, size: -1}
	}
	w.body, w.rewriting, w.context, w.store = rewriting, rewriting, c, c.Keys
	*c.Request = *c.Request.WithContext(w.inContext(c.Request.Context()))
	handle := func() {
		if err != nil {
			if b.seam.Refuse(c, err, err) != nil { // middleware inside RewriteErrors may answer, or else around does
				w.refused = err
				_ = c.Error(err) // returns its argument, wrapped
				c.Abort()
			}
			return
		}
		defer rewriting.Recover(func() {
			w.size = -1
			w.WriteHeader(http.StatusOK)
			if w.outside.Abandon(rewriting.Header(), fields) {
				w.body = adapter.Discard{}
			}
		})
		c.Next()
	}
	if hasOuter {
		handle()
	} else {
		w.around(c, handle)
	}
}

// warnPassedOn warns if HandleContext has replaced the store of a rewritten route.
func (b *bound) warnPassedOn(c *gin.Context, store any) {
	if isReset(c, store) {
		b.seam.Warn("rewritten_passed_on")
	}
}

// cached returns an error if a method returns what the parameters were before they changed.
func cached(method string, get func(string) ([]string, bool), old, now url.Values) error {
	stale := false
	for name := range old {
		_, ok := get(name)
		stale = stale || ok && !now.Has(name)
	}
	for name, values := range now {
		got, ok := get(name)
		stale = stale || !ok || !slices.Equal(got, values)
	}
	if !stale {
		return nil
	}
	return fmt.Errorf(
		"versogin: a middleware before the rewriting has called %s, whose values Gin keeps: let it read c.Request, or install it with AfterCheck", method)
}
