package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"time"
)

// How long a server may take to listen, and to answer.
const (
	startTimeout  = 20 * time.Second
	answerTimeout = 10 * time.Second
)

// server is a running program that serves HTTP.
type server struct {
	address string
	cmd     *exec.Cmd
	output  bytes.Buffer // complete once exited is closed
	exited  chan struct{}
}

// startServer runs a program, whose argument is the address to listen at, on a
// loopback port, and waits until it listens.
func startServer(ctx context.Context, program string) (*server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &server{address: listener.Addr().String(), exited: make(chan struct{})}
	if err := listener.Close(); err != nil {
		return nil, err
	}
	s.cmd = exec.CommandContext(ctx, program, s.address)
	s.cmd.Stdout, s.cmd.Stderr = &s.output, &s.output
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = s.cmd.Wait()
		close(s.exited)
	}()
	for deadline := time.Now().Add(startTimeout); ; {
		conn, err := net.DialTimeout("tcp", s.address, time.Second)
		if err == nil {
			return s, conn.Close()
		}
		select {
		case <-s.exited:
			return nil, fmt.Errorf("the server exited (%s) instead of serving at the address that is its argument:\n%s",
				s.cmd.ProcessState, lastLines(s.output.String(), 20))
		case <-time.After(20 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			s.stop()
			return nil, fmt.Errorf("the server does not listen at its argument %s after %s:\n%s", s.address, startTimeout, lastLines(s.output.String(), 20))
		}
	}
}

// stop ends the program and waits until it has ended.
func (s *server) stop() {
	_ = s.cmd.Process.Kill()
	<-s.exited
}

// ask returns an error for each question that the server answers otherwise.
func (s *server) ask(ctx context.Context, questions []question) error {
	var wrong []error
	for _, q := range questions {
		q = q.at(s.address)
		got, err := get(ctx, q.url)
		switch {
		case err != nil:
			wrong = append(wrong, err)
		case strings.TrimSpace(got) != strings.TrimSpace(q.want):
			wrong = append(wrong, fmt.Errorf("GET %s answers\n\t%s\ninstead of what README.md shows\n\t%s", q.url, strings.TrimSpace(got), strings.TrimSpace(q.want)))
		}
	}
	return errors.Join(wrong...)
}

func get(ctx context.Context, url string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	return string(body), err
}
