package versogin

import (
	"bufio"
	"errors"
	"net"
	"net/http"
	"net/url"
	"reflect"
	"unsafe"

	"github.com/gin-gonic/gin"

	verso "github.com/goverso/verso/core"
)

// forwarded is the writer below Gin's own while a route rewrites. [gin.Engine.HandleContext]
// gives the context Gin's own writer and an empty store: the response of another route then comes
// here, and the rewriter of the first one rewrites it, unless the other route rewrites too. The
// response is complete when HandleContext has returned.
type forwarded struct {
	http.ResponseWriter
	c        *gin.Context // nil: it has not begun
	rewriter verso.Rewriter
	version  verso.Version
	below    *http.ResponseWriter // where Gin keeps it
	replaced http.ResponseWriter  // there

	route     running
	other     running         // that rewrites
	rewriting verso.Rewriting // nil: nothing is to be rewritten for the route
}

// running is what a context runs. HandleContext replaces all of it, and gives back what it has
// found but for the store.
type running struct {
	store unsafe.Pointer
	chain uintptr
	index int // in the chain
}

func runningIn(c *gin.Context) running {
	fields := reflect.ValueOf(c).Elem()
	return running{storeOf(c), fields.Field(contextHandlers).Pointer(), int(fields.Field(contextIndex).Int())}
}

// These are the places of unexported fields of a context, for which Gin has no method, or -1.
var contextWriter, contextHandlers, contextIndex = place("writermem"), place("handlers"), place("index")

func place(name string) int {
	if field, ok := reflect.TypeFor[gin.Context]().FieldByName(name); ok {
		return field.Index[0]
	}
	return -1
}

// writerBelow returns the first field of Gin's own writer, which keeps the writer of net/http there.
func writerBelow(c *gin.Context) *http.ResponseWriter {
	return (*http.ResponseWriter)(reflect.ValueOf(c).Elem().Field(contextWriter).Field(0).Addr().UnsafePointer())
}

// begin installs f.
func (f *forwarded) begin(c *gin.Context, rewriter verso.Rewriter, version verso.Version) {
	below := writerBelow(c) //nolint:bodyclose // a writer has none
	*f = forwarded{ResponseWriter: *below, c: c, rewriter: rewriter, version: version,
		below: below, replaced: *below, route: runningIn(c)}
	if above, ok := f.replaced.(*forwarded); ok {
		f.ResponseWriter = above.ResponseWriter
	}
	*below = f
}

// takeOver notes that a route rewrites its response to a request from HandleContext.
func takeOver(c *gin.Context) {
	if above, ok := (*writerBelow(c)).(*forwarded); ok { //nolint:bodyclose // a writer has none
		above.other = runningIn(c)
	}
}

// isReset reports whether HandleContext has been called.
func (f *forwarded) isReset() bool { return f.c != nil && storeOf(f.c) != f.route.store }

// errComplete is the error of Write.
var errComplete = errors.New("versogin: another route has answered the request, " +
	"to which HandleContext has passed it on")

// body returns where a response goes, nil if it is complete.
func (f *forwarded) body() http.ResponseWriter {
	now := runningIn(f.c)
	isBack := now.chain == f.route.chain && now.index > f.route.index
	switch {
	case !f.isReset():
		return f.ResponseWriter
	// The other may be the route itself, which then has called all of its handlers.
	case now.store == f.other.store && now.chain == f.other.chain && (!isBack || now.index >= len(f.c.HandlerNames())):
		return f.ResponseWriter
	case isBack:
		return nil
	case f.rewriting == nil:
		// The request is lifted already.
		bare := &http.Request{Method: f.c.Request.Method, URL: new(url.URL), Header: make(http.Header)}
		if f.rewriting, _ = f.rewriter.Begin(f.version, f.ResponseWriter, bare); f.rewriting == nil {
			return f.ResponseWriter
		}
	}
	return f.rewriting
}

// end removes f if it has begun, and sends the response.
func (f *forwarded) end() {
	if f.c == nil {
		return
	}
	*f.below = f.replaced
	if f.rewriting != nil {
		finish(f.c, f.rewriting)
		f.rewriting = nil
	}
}

func (f *forwarded) Unwrap() http.ResponseWriter { return f.ResponseWriter }

func (f *forwarded) WriteHeader(status int) {
	if w := f.body(); w != nil {
		w.WriteHeader(status)
	}
}

func (f *forwarded) Write(data []byte) (int, error) {
	if w := f.body(); w != nil {
		return w.Write(data)
	}
	return 0, errComplete
}

// Flush, Hijack, CloseNotify and Push are what Gin's writer asks for.
func (f *forwarded) Flush() {
	if w := f.body(); w != nil {
		_ = http.NewResponseController(w).Flush() // it has none to report to
	}
}

func (f *forwarded) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return http.NewResponseController(f.ResponseWriter).Hijack()
}

func (f *forwarded) CloseNotify() <-chan bool {
	return f.ResponseWriter.(interface{ CloseNotify() <-chan bool }).CloseNotify()
}

func (f *forwarded) Push(target string, options *http.PushOptions) error {
	if pusher, ok := f.ResponseWriter.(http.Pusher); ok {
		return pusher.Push(target, options)
	}
	return http.ErrNotSupported
}
