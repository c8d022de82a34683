package twins

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"net/http"
	"net/url"

	verso "github.com/goverso/verso/core"
)

// Rewritten is a flag of programs whose routes have the rewriter [Same], and RewriteErrors inside the middleware of the
// whole.
const Rewritten = "rewritten"

// MayRewrite reports whether the response to a request, which the bare program answers so, may be rewritten.
func (p *Program) MayRewrite(r Request, bare Outcome) bool {
	return p.Has(Rewritten) && (cmp.Or(bare.place, r.Version) == First || p.Has("default"))
}

// Same is a [verso.Rewriter] that holds the responses of [First], and sends them as they are.
type Same struct{}

// Review implements [verso.Rewriter].
func (Same) Review(*verso.Versioning) []verso.Finding { return nil }

// IsDefault implements [verso.DefaultRewriter].
func (Same) IsDefault() bool { return true }

// LowerQuery implements [verso.Rewriter].
func (Same) LowerQuery(_ verso.Version, query url.Values) url.Values { return query }

// Begin implements [verso.Rewriter].
func (Same) Begin(v verso.Version, w http.ResponseWriter, _ *http.Request) (verso.Rewriting, error) {
	if !v.Is(First) {
		return nil, nil
	}
	return &held{ResponseWriter: w}, nil
}

// BeginBuffered implements [verso.Rewriter].
func (Same) BeginBuffered(v verso.Version, _ string,
	r verso.RequestMessage) (func(int, verso.ResponseMessage) error, error) {
	if !v.Is(First) {
		return nil, nil
	}
	r.SetQueryString("raised") // for the handler alone
	return func(_ int, response verso.ResponseMessage) error {
		if !response.IsBodyStream() { // of a file
			response.SetBody(bytes.Clone(response.Body()))
		}
		return nil
	}, nil
}

// held is a response until its handler has returned.
type held struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (h *held) Unwrap() http.ResponseWriter { return h.ResponseWriter }

// Flush holds the response: what flushes sees no error.
func (h *held) Flush() {}

func (h *held) WriteHeader(status int) {
	if h.status == 0 {
		h.status = status
	}
}

func (h *held) Write(body []byte) (int, error) {
	h.WriteHeader(http.StatusOK)
	return h.body.Write(body)
}

// Finish implements [verso.Rewriting].
func (h *held) Finish() error {
	if h.status != 0 {
		h.ResponseWriter.WriteHeader(h.status)
	}
	h.status = 0
	_, err := h.body.WriteTo(h.ResponseWriter)
	return err
}

// Recover implements [verso.Rewriting].
func (h *held) Recover(restart func()) {
	if cause := recover(); cause != nil {
		h.status = 0
		h.body.Reset()
		restart()
		panic(cause)
	}
}

// Gzip is a middleware that compresses responses with a body, for clients that take it.
func Gzip(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept-Encoding") != "gzip" {
			next.ServeHTTP(w, r)
			return
		}
		h := held{ResponseWriter: w}
		defer func() { _ = h.Finish() }()
		next.ServeHTTP(&h, r)
		if h.body.Len() > 0 && h.Header().Get("Content-Encoding") == "" {
			var packed bytes.Buffer
			to := gzip.NewWriter(&packed)
			_, _ = h.body.WriteTo(to)
			_ = to.Close()
			h.body = packed
			h.Header().Set("Content-Encoding", "gzip")
			h.Header().Del("Content-Length")
		}
	})
}
