package versogin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"sync"

	"github.com/gin-gonic/gin"
	"github.com/gin-gonic/gin/binding"

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

// writer is the writer of a response that may be rewritten. The one outside keeps the
// status.
type writer struct {
	gin.ResponseWriter
	body      http.ResponseWriter // rewriting, when there is one
	rewriting verso.Rewriting     // nil: the body stays
	outside   adapter.BodyFields  // of middleware outside
	size      int                 // -1 while the header is delayed
	refused   error               // the request is, unless it is nil
	ended     bool                // HandleContext has left it in the context
	context   *gin.Context        // in which it rewrites, nil while it does not
	store     any                 // of the context then
	marked    marked              // the context of the request, for no allocation of its own
}

// writerKey is where RewriteErrors keeps its writer in the context of Gin.
const writerKey = "github.com/goverso/verso/adapters/versogin.writer"

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
			if w.outside.Abandon(rewriting.Header()) {
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

// rewritingKey is the key of a writer that rewrites in the context of the request, which
// [gin.Engine.HandleContext] keeps.
type rewritingKey struct{}

// marked is the context of a request with its writer.
type marked struct {
	context.Context
	w *writer
}

func (m *marked) Value(key any) any {
	if key == (rewritingKey{}) {
		return m.w
	}
	return m.Context.Value(key)
}

// inContext returns a context with w. A writer of RewriteErrors may be in several.
func (w *writer) inContext(ctx context.Context) context.Context {
	if w.marked.Context != nil {
		return context.WithValue(ctx, rewritingKey{}, w)
	}
	w.marked = marked{ctx, w}
	return &w.marked
}

// isPassedOn reports whether HandleContext has brought a request here from a route whose
// response is being rewritten: Gin has then taken the writer away. Go inlines what a service
// without Rewrite needs of it.
func (b *bound) isPassedOn(c *gin.Context) bool { return b.rewrites.Load() && hasLostWriter(c) }

// hasLostWriter reports it for a service with Rewrite.
func hasLostWriter(c *gin.Context) bool {
	w, ok := c.Request.Context().Value(rewritingKey{}).(*writer)
	return ok && !w.ended && w.context == c && isReset(c, w.store)
}

var errPassedOn = errors.New("versogin: a handler of a rewritten route has called HandleContext, " +
	"with which the other route answers in the newest form: call its function, or redirect")

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

// around calls next, and sends what it wrote.
func (w *writer) around(c *gin.Context, next func()) {
	outer, store := c.Writer, any(c.Keys)
	c.Writer = w
	defer func() { c.Writer, w.ended = outer, true }()
	next()
	if isReset(c, store) && !w.Written() {
		return // another route has answered
	}
	if w.refused != nil && !w.Written() {
		w.outside.Restore(w.Header())
		verso.AnswerFor(w.refused).ServeHTTP(w, c.Request)
	}
	switch {
	case w.body == http.ResponseWriter(adapter.Discard{}):
		w.fail(c, fmt.Errorf("versogin: %w", adapter.ErrEncoded))
	case w.rewriting != nil:
		w.rewriting.WriteHeader(w.Status()) // Gin delays it
		if err := w.rewriting.Finish(); err != nil {
			w.fail(c, err)
		}
	}
	if w.Written() {
		w.ResponseWriter.WriteHeaderNow()
	}
}

// fail sends an answer with status 500.
func (w *writer) fail(c *gin.Context, err error) {
	_ = c.Error(err)
	w.outside.Restore(w.rewriting.Header())
	verso.AnswerFor(err).ServeHTTP(w.rewriting, c.Request)
	_ = w.rewriting.Finish() // of a problem that cannot be rewritten, as the error above reports
}

// Unwrap is for [http.ResponseController].
func (w *writer) Unwrap() http.ResponseWriter { return w.body }

func (w *writer) Size() int                            { return w.size }
func (w *writer) Written() bool                        { return w.size >= 0 }
func (w *writer) WriteString(text string) (int, error) { return w.Write([]byte(text)) }

func (w *writer) WriteHeaderNow() {
	if !w.Written() {
		w.size = 0
		w.body.WriteHeader(w.Status())
	}
}

func (w *writer) Write(data []byte) (int, error) {
	w.WriteHeaderNow()
	n, err := w.body.Write(data)
	w.size += n
	return n, err
}

// Flush implements [http.Flusher].
func (w *writer) Flush() {
	w.WriteHeaderNow()
	_ = http.NewResponseController(w.body).Flush() // it has none to report to
}

// splits reports whether Gin reads collection_format, as it does from v1.11.
var splits = sync.OnceValue(func() bool {
	var read struct {
		List []string `form:"list" collection_format:"csv"`
	}
	err := binding.MapFormWithTag(&read, map[string][]string{"list": {"a,b"}}, "form")
	return err == nil && len(read.List) == 2
})

// separator returns what separates the values of a list in one parameter.
func separator(field reflect.StructField) string {
	if !splits() {
		return ""
	}
	return map[string]string{"csv": ",", "ssv": " ", "tsv": "\t", "pipes": "|"}[field.Tag.Get("collection_format")]
}
