package main

import (
	"net"
	"net/http"
	"time"
)

// server is an HTTP server on a loopback port that the system chose.
type server struct {
	addr string
	http *http.Server
	done chan struct{}
}

func start(handler http.Handler) (*server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &server{
		addr: listener.Addr().String(),
		http: &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second},
		done: make(chan struct{}),
	}
	go func() {
		defer close(s.done)
		_ = s.http.Serve(listener) // ends with stop; should it end before, the client says so
	}()
	return s, nil
}

func (s *server) stop() {
	_ = s.http.Close() // the listener and connections are gone either way
	<-s.done
}
