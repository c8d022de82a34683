package versofiber

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gofiber/fiber/v3"
	"github.com/valyala/fasthttp"
)

// requestMessage is a request for a rewriter.
type requestMessage struct {
	*fasthttp.RequestHeader
	*fasthttp.Request
	c      fiber.Ctx
	limit  int    // of a body stream; 0: the app's
	failed *error // of reading a body stream
}

// responseMessage is a response for a rewriter.
type responseMessage struct {
	*fasthttp.ResponseHeader
	*fasthttp.Response
}

// PeekAll returns the lines of a field.
func (m requestMessage) PeekAll(name string) [][]byte { return linesOf(m.c, name) }

// line is a line of a header.
type line struct{ name, value string }

// maxMoved is how many repeated names Del removes one by one. Each takes time for all lines.
const maxMoved = 16

// Del removes a field. fasthttp puts the last line in its place, which would change the order of
// the lines of another field, so these are added again. A client chooses how many there are: the
// time is linear in the lines.
func (m requestMessage) Del(name string) {
	count, found := map[string]int{}, false
	for sent := range m.All() {
		count[string(sent)]++
		found = found || strings.EqualFold(string(sent), name)
	}
	if !found {
		return
	}
	var lines []line // to add again
	moved := map[string]bool{}
	for sent, value := range m.All() {
		switch {
		case strings.EqualFold(string(sent), name):
			moved[string(sent)] = true
		case count[string(sent)] > 1:
			moved[string(sent)] = true
			lines = append(lines, line{string(sent), string(value)})
		}
	}
	if len(moved) > maxMoved {
		m.removeAtOnce(name)
		return
	}
	for sent := range moved {
		m.RequestHeader.Del(sent)
	}
	for _, l := range lines {
		m.Add(l.name, l.value)
	}
}

// removeAtOnce removes a field by making the header anew, which [fasthttp.RequestHeader.RawHeaders]
// does not survive.
func (m requestMessage) removeAtOnce(name string) {
	h := m.RequestHeader
	var old fasthttp.RequestHeader
	h.CopyTo(&old)
	h.Reset()
	if m.c.App().Server().DisableHeaderNamesNormalizing {
		h.DisableNormalizing()
	}
	h.SetMethodBytes(old.Method())
	h.SetRequestURIBytes(old.RequestURI())
	h.SetProtocolBytes(old.Protocol())
	for sent, value := range old.All() {
		if !strings.EqualFold(string(sent), name) {
			h.AddBytesKV(sent, value)
		}
	}
	// -1 is the length of a chunked body.
	if length := old.ContentLength(); length == -1 && !strings.EqualFold(fiber.HeaderTransferEncoding, name) {
		h.SetContentLength(length)
	}
}

// Body returns the body. With StreamRequestBody it is a stream of any length, of which no more
// is held than the limit; it stays a stream for the handler. A form of a known length is none:
// fasthttp has read its files already.
func (m requestMessage) Body() []byte {
	config := m.c.App().Config()
	limit := cmp.Or(m.limit, config.BodyLimit)
	if !m.IsBodyStream() {
		if config.StreamRequestBody && m.ContentLength() > limit {
			*m.failed = fiber.ErrRequestEntityTooLarge
			return nil
		}
		return m.Request.Body()
	}
	body, err := io.ReadAll(io.LimitReader(m.BodyStream(), int64(limit)+1))
	switch {
	case err != nil: // as without a stream
		*m.failed = fmt.Errorf("%w: %w", err, fiber.ErrBadRequest)
	case len(body) > limit:
		*m.failed = fiber.ErrRequestEntityTooLarge
	default:
		m.setStream(body)
		return body
	}
	return nil
}

// What is read of a refused body: a client that sends it whole gets the response only if
// the connection is not reset meanwhile.
const (
	maxUnread     = 16 << 20
	maxUnreadTime = 500 * time.Millisecond
)

// abandon gives up a body of which a part is not read: it is not the next request.
func abandon(c fiber.Ctx) {
	if stream := c.Request().BodyStream(); stream != nil {
		c.RequestCtx().SetConnectionClose()
		_ = c.RequestCtx().Conn().SetReadDeadline(time.Now().Add(maxUnreadTime))
		_, _ = io.CopyN(io.Discard, stream, maxUnread)
	}
}

func (m requestMessage) setStream(body []byte) {
	m.SetBodyStream(bytes.NewReader(body), len(body))
}

// SetBody sets the body, and its length for those that read the header. A body that could not be
// read stays, to be given up.
func (m requestMessage) SetBody(body []byte) {
	if *m.failed != nil {
		return
	}
	if m.IsBodyStream() {
		m.setStream(body)
		return
	}
	m.Request.SetBody(body)
	m.SetContentLength(len(body))
	if strings.HasPrefix(string(m.ContentType()), fiber.MIMEApplicationForm) { // fasthttp keeps what was read
		m.Request.PostArgs().ParseBytes(body)
	}
}

// QueryString returns the query of the URL.
func (m requestMessage) QueryString() []byte { return m.Request.URI().QueryString() }

// SetQueryString sets the query of the URL, which c.Query and Bind read, and of the request line, which
// handlers of net/http get by Fiber's adaptor.
func (m requestMessage) SetQueryString(query string) {
	m.Request.URI().SetQueryString(query)
	target, fragment, _ := bytes.Cut(m.RequestHeader.RequestURI(), []byte("#"))
	path, _, _ := bytes.Cut(target, []byte("?"))
	target = append(bytes.Clone(path), '?')
	if target = append(target, query...); len(fragment) > 0 {
		target = append(append(target, '#'), fragment...)
	}
	m.RequestHeader.SetRequestURIBytes(target)
}

// SetStatusCode sets the status.
func (m responseMessage) SetStatusCode(status int) { m.Response.SetStatusCode(status) }
