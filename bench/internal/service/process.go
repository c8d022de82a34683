package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"time"
)

// Process is a process that serves: this program, started again.
type Process struct {
	Addresses []string // host:port of each handler

	command *exec.Cmd
	stdin   io.Closer
}

// Start starts this program with the given arguments, which must make it call
// [Serve].
func Start(ctx context.Context, arguments ...string) (*Process, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	command := exec.CommandContext(ctx, program, arguments...)
	command.Stderr = os.Stderr
	stdin, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	p := &Process{command: command, stdin: stdin}
	if err := json.NewDecoder(stdout).Decode(&p.Addresses); err != nil {
		return nil, errors.Join(fmt.Errorf("the server did not say where it listens: %w", err), p.Stop())
	}
	return p, nil
}

// Stop lets the process end, and waits for it. The error says that it did not
// end well.
func (p *Process) Stop() error {
	if err := p.stdin.Close(); err != nil {
		return err
	}
	if err := p.command.Wait(); err != nil {
		return fmt.Errorf("server: %w", err)
	}
	return nil
}

// Serve serves each handler on a loopback port that the system picks, writes
// the addresses to standard output, and returns when standard input ends, which
// it does at the latest when the program ends that started this one.
func Serve(handlers ...http.Handler) error {
	failed := make(chan error, len(handlers))
	addresses := make([]string, 0, len(handlers))
	for _, handler := range handlers {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
		defer func() { _ = server.Close() }() // the process ends
		go func() { failed <- server.Serve(listener) }()
		addresses = append(addresses, listener.Addr().String())
	}
	if err := json.NewEncoder(os.Stdout).Encode(addresses); err != nil {
		return err
	}
	go func() {
		_, err := io.Copy(io.Discard, os.Stdin)
		failed <- err
	}()
	return <-failed
}
