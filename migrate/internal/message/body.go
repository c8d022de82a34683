package message

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"sync"
)

// SetBody gives a request a lifted body. net/http closes its own.
func SetBody(r *http.Request, body []byte) {
	r.Body = Memory{bytes.NewBuffer(body)}
	r.ContentLength, r.TransferEncoding = int64(len(body)), nil
	r.Header.Set("Content-Length", strconv.Itoa(len(body)))
}

// Memory is a whole body.
type Memory struct{ *bytes.Buffer }

// Close does nothing.
func (Memory) Close() error { return nil }

// Pulled lifts a body while the handler reads it, for bodies too long to be held.
type Pulled struct {
	io.Closer
	Next func(n int) (out []byte, err error) // lifts about n bytes more, or fewer
	Out  []byte
	err  error

	Refused func(error) error // what a handler reads of an error; nil: the error
}

// Read calls next until something comes out: an edit may take many bytes before one does. Its error
// stays, as io.Reader asks.
func (p *Pulled) Read(b []byte) (int, error) {
	for len(p.Out) == 0 && len(b) > 0 {
		if p.err != nil && p.Refused != nil {
			return 0, p.Refused(p.err)
		}
		if p.err != nil {
			return 0, p.err
		}
		p.Out, p.err = p.Next(len(b))
	}
	n := copy(b, p.Out)
	p.Out = p.Out[n:]
	return n, nil
}

// Buffers are the pool of [NewBuffer].
var Buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// NewBuffer returns an empty buffer. Bodies come and go with requests, so their memory is used again.
func NewBuffer() *bytes.Buffer {
	b := Buffers.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

// BodyFields describe the bytes of a body, or a part of it. Names of fields are spelled as
// [http.Header] has them. After an edit they would be wrong, and a client or a proxy that
// checks them would refuse the body.
var BodyFields = []string{"Content-Length", "Content-Digest", "Repr-Digest", "Digest", "Content-Md5", "Accept-Ranges"}
