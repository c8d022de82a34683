package conformance

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"
	"time"

	"github.com/goverso/verso/conformance/internal/model"
)

// attack sends requests until there are no more choices, some of them at once. Requests sent at
// once find a server that keeps something of one for the next, and bytes left behind on a
// connection.
func (s *modelled) attack(c *model.Choices) error {
	var conn *fuzzConn
	defer func() { conn.close() }()
	for len(c.Input) > 0 {
		var batch []*model.Request
		for count := 1 + max(0, c.Below(6)-2); len(batch) < count &&
			(len(batch) == 0 || !batch[len(batch)-1].Ambiguous); {
			batch = append(batch, s.Request(c))
		}
		for atOnce := len(batch); len(batch) > 0; {
			if conn == nil {
				var err error
				if conn, err = dialFuzz(s.Address); err != nil {
					return err
				}
			}
			answered, open, err := s.exchange(conn, batch[:min(atOnce, len(batch))])
			if err != nil {
				return err
			}
			// After a server has closed the connection on a batch, its requests go one by one,
			// since it is not known which of them was to blame.
			if answered == 0 {
				atOnce = 1
			}
			if batch = batch[answered:]; !open {
				conn.close()
				conn = nil
			}
		}
	}
	return nil
}

// fuzzConn is a connection of a fuzz test. A server may close an idle connection at any time
// (RFC 9112, section 9.5), so a lost answer is a failure on a fresh one only.
type fuzzConn struct {
	net.Conn

	reader *bufio.Reader
	used   bool
}

// dialFuzz keeps the reader beside its connection, since bytes that it has buffered belong to
// the next response.
func dialFuzz(address string) (*fuzzConn, error) {
	conn, err := dial(address)
	if err != nil {
		return nil, err
	}
	return &fuzzConn{conn, bufio.NewReader(conn), false}, nil
}

// close accepts nil, since there is no connection after a failure.
func (c *fuzzConn) close() {
	if c != nil {
		_ = c.Close()
	}
}

// exchange sends requests at once, and judges the answers. It returns how many were answered,
// and whether the connection can be used again. Handlers are counted beside the answers: a
// handler may run for a rejected request, and no response would show it.
func (s *modelled) exchange(conn *fuzzConn, batch []*model.Request) (answered int, open bool, err error) {
	_ = conn.SetDeadline(time.Now().Add(2 * waitTimeout()))
	before, ran := s.runs.Load(), int64(0)
	var wire []byte
	for _, r := range batch {
		wire = append(wire, r.Raw...)
	}
	// A server that rejects early may close while the rest is still written, so an error here is
	// no failure by itself.
	_, writeErr := conn.Write(wire)
	if batch[len(batch)-1].Ambiguous {
		_ = conn.Conn.(*net.TCPConn).CloseWrite() // the server waits for no more
	}
	// Answers must come in the order of the requests (RFC 9112, section 9.3.2).
	for i, r := range batch {
		got, closes, err := conn.read(r.Method)
		if err != nil {
			var timeout net.Error
			if errors.As(err, &timeout) && timeout.Timeout() {
				return i, false, s.Describe(fmt.Errorf("%w: no answer within %v", errHangs, 2*waitTimeout()), r.Raw, nil)
			}
			if i > 0 || conn.used || len(batch) > 1 {
				return i, false, nil // the server has closed the connection
			}
			if r.Hostile && len(r.Raw) > 2000 && errors.Is(err, syscall.ECONNRESET) {
				return 1, false, nil // the server has not read all, so its answer may be lost
			}
			return i, false, s.Describe(fmt.Errorf("there is no answer: %w", errors.Join(writeErr, err)), r.Raw, nil)
		}
		conn.used = true
		h := got.header
		if err := s.Judge(r, model.Seen{Status: got.status, Handler: h.Get(seenHandler), Version: h.Get(seenVersion),
			Wrong: h.Get(seenReason), Ran: h[ranField]}); err != nil {
			return i, false, s.Describe(err, r.Raw, got)
		}
		if h.Get(seenHandler) != "" {
			ran++
		}
		if closes || r.Ambiguous {
			return i + 1, false, nil
		}
	}
	// Bytes behind the last answer are a body that no field has announced: a client would take
	// them for its next answer.
	if runs := s.runs.Load() - before; runs != ran || conn.reader.Buffered() > 0 {
		err := fmt.Errorf("%d handlers ran for %d answers, and %d bytes are behind the answers", runs, ran,
			conn.reader.Buffered())
		return len(batch), false, s.Describe(err, wire, nil)
	}
	return len(batch), true, nil
}

// read reads an answer. Interim responses are skipped (RFC 9110, section 15.2).
func (c *fuzzConn) read(method string) (got *response, closes bool, err error) {
	for {
		received, err := http.ReadResponse(c.reader, &http.Request{Method: method})
		if err != nil {
			return nil, true, err
		}
		body, err := io.ReadAll(received.Body)
		_ = received.Body.Close()
		if received.StatusCode != http.StatusContinue {
			return &response{received.StatusCode, received.Header, body}, received.Close, err
		}
	}
}
