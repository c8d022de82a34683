package versogin

import (
	"net/http"
	"reflect"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/gin-gonic/gin"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
)

// bound is what all groups of an engine share.
type bound struct {
	Config
	router   *router
	seam     *adapter.Seam[*gin.Context, gin.HandlerFunc]
	rewrites atomic.Bool // there are routes that rewrite
}

// next calls what comes after a check. For nil that is what Gin calls by itself, unless
// there is something to do when it has returned.
func (b *bound) next(c *gin.Context, next gin.HandlerFunc) error {
	if b.seam.Observes() {
		defer b.noteReset(c, c.Keys)
	}
	if next != nil {
		next(c)
	} else if b.seam.Follows() {
		c.Next()
	}
	return nil
}

// noteReset notes that [gin.Engine.HandleContext] has replaced the store that c had.
func (b *bound) noteReset(c *gin.Context, store any) {
	if isReset(c, store) {
		b.seam.NoteReset(c)
	}
}

// reject answers a rejected request.
func (b *bound) reject(c *gin.Context, rejected *verso.Error, answer *verso.Answer) error {
	c.Abort()
	c.Status(rejected.Status) // without effect once a middleware has begun to answer
	var err error
	if b.ErrorHandler != nil {
		answer.SetFields(c.Writer.Header())
		err = b.ErrorHandler(c, rejected, answer)
		b.seam.NoteAnswer(c.Writer.Status())
	}
	switch {
	case err != nil:
		_ = c.Error(err) // returns its argument, wrapped
	case !c.Writer.Written() && c.Writer.Status() == rejected.Status:
		answer.ServeHTTP(c.Writer, c.Request)
		c.Writer.WriteHeaderNow() // also for HEAD, or a central error handler would answer again
	case b.ErrorHandler == nil: // another response has begun
		_ = c.Error(rejected)
	}
	return nil
}

// fail answers a request whose version could not be determined, without telling the
// client why.
func fail(c *gin.Context, err error) error {
	c.Abort()
	c.Status(http.StatusInternalServerError)
	_ = c.Error(err)
	return nil
}

// check is the check of a route.
type check struct {
	*bound
	at   func(*gin.Context) *route.Route
	pick func(*verso.Result) gin.HandlerFunc // nil: there is one handler
}

func (k *check) serve(c *gin.Context) {
	if k.isPassedOn(c) {
		_ = fail(c, errPassedOn)
		return
	}
	if c.Writer.Written() {
		k.seam.Warn("answered_early")
	}
	var call adapter.Call
	call.Request.SetHTTP(c.Request, c, k.at(c))
	if k.pick == nil {
		_ = k.seam.Check(c, &call, nil)
	} else {
		_ = k.seam.HandleVersions(c, &call, k.pick)
	}
}

// isPassedOn reports whether HandleContext has brought a request here from a route whose
// response is being rewritten: Gin has then taken the writer away. Go inlines what a service
// without Rewrite needs of it.
func (b *bound) isPassedOn(c *gin.Context) bool { return b.rewrites.Load() && hasLostWriter(c) }

// checkName is what Gin calls a check among the handlers of a route.
var checkName = runtime.FuncForPC(reflect.ValueOf(new(check).serve).Pointer()).Name()

// hasCheck reports whether a handler that Gin has matched is a check, by the name of its
// function: Gin has no other list of them.
func hasCheck(c *gin.Context) bool { return slices.Contains(c.HandlerNames(), checkName) }
