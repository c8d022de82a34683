package versogin

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
)

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

// hasLostWriter reports whether HandleContext has taken away the writer in which a request is rewritten.
func hasLostWriter(c *gin.Context) bool {
	w, ok := c.Request.Context().Value(rewritingKey{}).(*writer)
	return ok && !w.ended && w.context == c && isReset(c, w.store)
}

var errPassedOn = errors.New("versogin: a handler of a rewritten route has called HandleContext, " +
	"with which the other route answers in the newest form: call its function, or redirect")

// around calls next, and sends what it wrote.
func (w *writer) around(c *gin.Context, next func()) {
	outer, store := c.Writer, any(c.Keys)
	c.Writer = w
	defer func() {
		if w.ended = true; c.Writer == gin.ResponseWriter(w) || !isReset(c, store) { // else HandleContext has set it
			c.Writer = outer
		}
	}()
	next()
	if isReset(c, store) && w.size < 0 {
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

// Size counts the bytes that HandleContext has written past w.
func (w *writer) Size() int { return max(w.size, w.ResponseWriter.Size()) }

func (w *writer) Written() bool { return w.Size() >= 0 }

func (w *writer) WriteString(text string) (int, error) { return w.Write([]byte(text)) }

func (w *writer) WriteHeaderNow() {
	if w.size < 0 {
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
