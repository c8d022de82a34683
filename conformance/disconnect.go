package conformance

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
)

// disconnect is a client that resets its connection in the middle of a request. A lost phone
// ends its connection so. An ordinary close would leave the server in doubt, since a client may
// close one direction only.
type disconnect struct {
	name  string // of the subtest
	send  string // what it sends first
	waits bool   // it waits until the server is about to answer
	reads bool   // it reads the first byte of the answer
}

const get11 = " HTTP/1.1\r\nHost: api.example.com\r\nAccept-Language: x-wait\r\n\r\n"

// They leave at each stage: before there is a request, in the handler, in its stream, and in
// code of Verso.
var disconnects = []disconnect{
	{"client/leaves-in-its-header", "GET /users/7?version=v1 HTTP/1.1\r\nHost: api.exa", false, false},
	{"client/leaves-in-a-stream", "GET /stream?version=v1" + get11, true, true},
	{"client/leaves-before-its-answer", "GET /wait?version=v1" + get11, true, false},
	{"client/leaves-in-a-rejection", "GET /users/7?version=v9" + get11, true, false},
}

// disconnected is shared by the server and the client of a disconnect. The channels have room
// for one, so that a handler never waits for a check after its timeout.
type disconnected struct {
	verso.Translator
	answering chan struct{}
	gone      chan struct{} // closed when the client has disconnected
	ended     chan error    // how the request of the client ended
}

// check also sends sound requests afterwards: a worker that never comes back from a lost client
// is one worker less.
func (d disconnect) check(tb testing.TB, mount Mount) error {
	tb.Helper()
	s := &disconnected{faultyTranslator{}, make(chan struct{}, 1), make(chan struct{}), make(chan error, 1)}
	app := faultyApp(s)
	app.Routes = append(app.Routes,
		newRoute("", "wait", "/wait", s.wait),
		newRoute("", "stream", "/stream", func(Call) Response { return Response{Stream: s.stream} }),
	)
	server := start(tb, mount, app)
	err := d.leave(server.Address, s.answering)
	close(s.gone)
	// A request without an end never came to a handler.
	if err == nil && d.waits {
		err = s.end()
	}
	if err == nil {
		err = server.checkSound()
	}
	return errors.Join(err, server.close())
}

// end returns how the request of the client ended.
func (s *disconnected) end() error {
	select {
	case ended := <-s.ended:
		return ended
	case <-time.After(2 * waitTimeout()):
		return fmt.Errorf("%w: the request of a disconnected client does not end within %v", errHangs, 2*waitTimeout())
	}
}

// leave runs the client.
func (d disconnect) leave(address string, answering <-chan struct{}) error {
	conn, err := net.DialTimeout("tcp", address, waitTimeout())
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(waitTimeout()))
	if _, err := io.WriteString(conn, d.send); err != nil {
		return err
	}
	if d.waits && !within(answering) {
		return fmt.Errorf("%w: the handler does not receive the request within %v", errHangs, waitTimeout())
	}
	if d.reads {
		// One byte shows that the stream has begun, whatever the framework has written before.
		if _, err := conn.Read(make([]byte, 1)); err != nil {
			return fmt.Errorf("%w: the client does not receive the beginning of a stream: %w", errBuffers, err)
		}
	}
	return conn.(*net.TCPConn).SetLinger(0) // so that closing resets the connection
}

var errBuffers = errors.New("the response is buffered, or cannot be cancelled")

// within reports whether a channel is closed in time.
func within(happened <-chan struct{}) bool {
	select {
	case <-happened:
		return true
	case <-time.After(waitTimeout()):
		return false
	}
}

// wait answers when the client has disconnected. Work for an absent client is wasted, and
// adapters that replace a context often lose its end.
func (s *disconnected) wait(call Call) Response {
	s.answering <- struct{}{}
	if within(call.Context.Done()) {
		s.ended <- nil
	} else {
		s.ended <- errors.New("the context of the handler is not done after the client has disconnected")
	}
	return answerWithLink(call)
}

// maxStream is how much is streamed to a disconnected client. It is larger than what the kernel
// and a framework may buffer together.
const maxStream = 4 << 20

// stream streams to a client that disconnects after the first bytes.
func (s *disconnected) stream(w io.Writer, flush func() error) error {
	s.answering <- struct{}{}
	chunk := make([]byte, 64<<10)
	for range maxStream / len(chunk) {
		_, err := w.Write(chunk)
		if err == nil {
			err = flush()
		}
		// A framework without a flush may still stream.
		if err != nil && !errors.Is(err, http.ErrNotSupported) {
			s.ended <- nil
			return err
		}
		within(s.gone)
	}
	s.ended <- fmt.Errorf("%w: it accepted %d MiB after the client had disconnected", errBuffers, maxStream>>20)
	return nil
}

// Messages waits, for the language x-wait, until the client has disconnected. It is called in
// the middle of a rejection, which has no handler to wait in.
func (s *disconnected) Messages(acceptLanguage string) (string, map[verso.MessageID]string) {
	if acceptLanguage == "x-wait" {
		s.answering <- struct{}{}
		within(s.gone)
		defer func() { s.ended <- nil }()
	}
	return s.Translator.Messages(acceptLanguage)
}
