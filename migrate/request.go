package migrate

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	verso "github.com/goverso/verso/core"
)

// maxBuffered is how much of a body is held before it is rewritten as a stream, in
// bytes.
const maxBuffered = 1 << 18

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func newBuffer() *bytes.Buffer {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

// header are the fields of a message of net/http, by their names in its spelling.
type header struct{ http.Header }

func (h header) Peek(name string) []byte { return []byte(strings.Join(h.Values(name), ", ")) }

// Begin implements [verso.Rewriter]: a refused body is an [*Error]. A body of more than
// 256 KB is lifted while it is read, and the error is then one of its Read.
func (r *Route) Begin(v verso.Version, w http.ResponseWriter, request *http.Request) (verso.Rewriting, error) {
	e := r.versions[v]
	if e == nil {
		return nil, nil
	}
	e.tagRequest(header{request.Header})
	return newResponse(e, w, request.Method == http.MethodHead), e.lift(request)
}

func (e *edition) lift(r *http.Request) error {
	plan := e.lifting(r.Method)
	if plan == nil || r.Body == nil || r.Body == http.NoBody || r.ContentLength == 0 {
		return nil
	}
	buffer := newBuffer()
	n, err := io.CopyN(buffer, r.Body, maxBuffered+1)
	switch {
	case err != nil && err != io.EOF: //nolint:errorlint // CopyN returns it as it is
		return refusal(err)
	case n == 0:
		return nil
	}
	if err := e.checkType(r.Header.Get("Content-Type")); err != nil {
		return err
	}
	if err == nil { // there is more
		r.Body = &lifted{rewriter: newRewriter(plan, io.MultiReader(buffer, r.Body), false, false), Closer: r.Body}
		r.ContentLength = -1
		r.Header.Del("Content-Length")
		return nil
	}
	defer buffers.Put(buffer)
	body, err := plan.lift(buffer)
	if err == nil {
		r.Body = io.NopCloser(bytes.NewReader(body)) // net/http closes its own
		r.ContentLength = int64(len(body))
		r.Header.Set("Content-Length", strconv.Itoa(len(body)))
	}
	return err
}

func (e *edition) checkType(contentType string) error {
	if e.anyType || isJSON(contentType) {
		return nil
	}
	return &Error{Status: http.StatusUnsupportedMediaType, Code: UnsupportedMediaType}
}

// lift rewrites the whole body of a request.
func (n *node) lift(in *bytes.Buffer) ([]byte, error) {
	r := newRewriter(n, in, true, false)
	defer r.free()
	if err := r.run(0); err != nil {
		return nil, refusal(err)
	}
	return bytes.Clone(r.out), nil
}

// lifted is a body that is lifted while it is read.
type lifted struct {
	io.Closer
	rewriter *rewriter
	at       int
	err      error
}

func (l *lifted) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for l.at == len(l.rewriter.out) {
		if l.err != nil {
			return 0, l.err
		}
		l.rewriter.out, l.at = l.rewriter.out[:0], 0
		switch err := l.rewriter.run(len(p)); {
		case err == nil:
			l.err = io.EOF
		case !errors.Is(err, errFull):
			l.err = refusal(err)
		}
	}
	n := copy(p, l.rewriter.out[l.at:])
	l.at += n
	return n, nil
}

// BeginBuffered implements [verso.Rewriter]: a refused body is an [*Error].
func (r *Route) BeginBuffered(v verso.Version, method string, request verso.Message) (func(int, verso.Message) error, error) {
	e := r.versions[v]
	if e == nil {
		return nil, nil
	}
	e.tagRequest(request)
	return e.lower, e.liftBuffered(method, request)
}

func (e *edition) liftBuffered(method string, request verso.Message) error {
	plan, body := e.lifting(method), request.Body()
	if plan == nil || len(body) == 0 {
		return nil
	}
	if err := e.checkType(string(request.Peek("Content-Type"))); err != nil {
		return err
	}
	body, err := plan.lift(bytes.NewBuffer(body))
	if err == nil {
		request.SetBody(body)
	}
	return err
}
