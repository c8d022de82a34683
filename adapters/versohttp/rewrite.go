package versohttp

import (
	"net/http"

	verso "github.com/goverso/verso/core"
)

// Rewrite rewrites the bodies of older versions. Middleware that [Routes.AfterCheck]
// added before, such as compression, sees the rewritten body; middleware that it adds
// afterwards sees the handler's. The answer to a request or a response that cannot be
// rewritten is that of [verso.AnswerFor]; the error of a response goes to the log of
// the server.
func (r *Routes) Rewrite(rewriter verso.Rewriter) *Routes { return r.with(r.over.Rewrite(rewriter)) }

// RewriteErrors returns a middleware for what [Routes.Rewrite] rewrites: install it inside
// compression, and outside middleware that answers panics, so that these responses
// are rewritten too.
func (r *Routes) RewriteErrors() func(http.Handler) http.Handler { return r.over.RewriteErrors() }
