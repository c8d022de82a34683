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

// departure is a client that goes away in the middle of a request, and resets
// its connection.
type departure struct {
	send  string // what it sends before
	await event  // what it awaits before
	reads bool   // it reads the first byte of the answer before
}

// event is something that happens on the server.
type event int

const (
	nothing event = iota
	answering
	refusing
)

var departures = map[string]departure{
	"client/leaves-in-its-header":     {send: "GET /users/7?version=v1 HTTP/1.1\r\nHost: api.exa"},
	"client/leaves-in-a-stream":       {send: "GET /stream?version=v1 HTTP/1.1\r\nHost: api.example.com\r\n\r\n", await: answering, reads: true},
	"client/leaves-before-its-answer": {send: "GET /wait?version=v1 HTTP/1.1\r\nHost: api.example.com\r\n\r\n", await: answering},
	"client/leaves-in-a-refusal":      {send: "GET /users/7?version=v9 HTTP/1.1\r\nHost: api.example.com\r\nAccept-Language: x-wait\r\n\r\n", await: refusing},
}

func (d departure) check(tb testing.TB, mount Mount) error {
	tb.Helper()
	happened := map[event]chan struct{}{answering: make(chan struct{}, 1), refusing: make(chan struct{}, 1)}
	gone, ended := make(chan struct{}), make(chan struct{}, 1)

	app := faultyApp()
	app.Translator = waitingTranslator{app.Translator, happened[refusing], gone}
	app.Routes = append(app.Routes,
		Route{Method: http.MethodGet, Name: "wait", Pattern: "/wait", Handle: func(w http.ResponseWriter, r *http.Request, call Call) {
			happened[answering] <- struct{}{}
			<-r.Context().Done()
			answerWithLink(w, r, call)
		}},
		Route{Method: http.MethodGet, Name: "stream", Pattern: "/stream", Handle: func(w http.ResponseWriter, r *http.Request, _ Call) {
			happened[answering] <- struct{}{}
			for r.Context().Err() == nil {
				if _, err := w.Write(make([]byte, 4<<10)); err != nil {
					return
				}
				if err := http.NewResponseController(w).Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
					return
				}
			}
		}},
	)
	mounted := mount(tb, app)
	server, err := serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			select {
			case ended <- struct{}{}:
			default: // only the first request is awaited
			}
		}()
		mounted.ServeHTTP(w, r)
	}))
	if err != nil {
		return err
	}
	err = d.leave(server.address, happened[d.await])
	close(gone)
	if err == nil && d.await != nothing {
		err = within("the request of a client that went away ends", ended)
	}
	if err == nil {
		err = checkSound(func(target, language string) (*response, error) {
			return server.get(tb.Context(), "http://api.example.com"+target, map[string]string{"Accept-Language": language})
		})
	}
	return errors.Join(err, server.close())
}

// leave is what the client does.
func (d departure) leave(address string, happened <-chan struct{}) error {
	conn, err := net.DialTimeout("tcp", address, exchangeTimeout)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(exchangeTimeout))
	if _, err := io.WriteString(conn, d.send); err != nil {
		return err
	}
	if d.await != nothing {
		if err := within("the request arrives", happened); err != nil {
			return err
		}
	}
	if d.reads {
		if _, err := conn.Read(make([]byte, 1)); err != nil {
			return fmt.Errorf("reading the answer: %w", err)
		}
	}
	return conn.(*net.TCPConn).SetLinger(0) // so that closing resets the connection
}

// within waits for something to happen.
func within(what string, happened <-chan struct{}) error {
	select {
	case <-happened:
		return nil
	case <-time.After(patience):
		return fmt.Errorf("%w: not within %v: %s", errHangs, patience, what)
	}
}

// waitingTranslator waits, for the language x-wait, until the client is gone.
type waitingTranslator struct {
	verso.Translator
	refusing chan<- struct{}
	gone     <-chan struct{}
}

func (t waitingTranslator) Messages(acceptLanguage []string) (string, map[verso.MessageID]string) {
	if len(acceptLanguage) == 1 && acceptLanguage[0] == "x-wait" {
		t.refusing <- struct{}{}
		<-t.gone
	}
	return t.Translator.Messages(acceptLanguage)
}
