package exchange

import (
	"errors"
	"net/http"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate/internal/message"
)

// errStream is for the developer, too.
var errStream = errors.New("a body stream cannot be rewritten: send the body whole in versions with changes")

// buffered writes a response whose body is a buffer: fasthttp has no writer between the handler
// and the client.
type buffered struct {
	verso.ResponseMessage
	body []byte
}

// Header returns nil: the message has the fields of a response.
func (b *buffered) Header() http.Header { return nil }

func (b *buffered) WriteHeader(status int) {
	if b.SetStatusCode(status); message.IsBodyless(status) {
		b.SetBody(nil)
	}
}

func (b *buffered) Write(p []byte) (int, error) {
	b.body = append(b.body, p...)
	b.SetBody(b.body)
	return len(p), nil
}

// lower rewrites a response whose body is a buffer.
func (w *response) lower(status int, buffer verso.ResponseMessage) error {
	w.fields, w.isWhole = message.Buffered{Message: buffer}, true
	switch w.WriteHeader(status); {
	case w.status == 0: // another protocol follows
		return nil
	case w.how == passed, w.how == omitted:
		if w.report != nil && !buffer.IsBodyStream() {
			w.seen = buffer.Body()
		}
	case buffer.IsBodyStream():
		return w.e.logFailure(errStream)
	default:
		_, _ = w.Write(buffer.Body())
	}
	return w.Finish()
}
