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

// Process is this program, started again to do a part of the work in a process
// of its own. It writes values to standard output, as JSON, and ends when its
// standard input does, which is at the latest when this process ends.
type Process struct {
	command *exec.Cmd
	stdin   io.Closer
	stdout  *json.Decoder
}

// Start starts this program with the given arguments.
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
	return &Process{command, stdin, json.NewDecoder(stdout)}, nil
}

// StartServer starts this program with the given arguments, which make it call
// [Serve], and returns the address, host:port, of each handler.
func StartServer(ctx context.Context, arguments ...string) (p *Process, addresses []string, err error) {
	if p, err = Start(ctx, arguments...); err != nil {
		return nil, nil, err
	}
	if err := p.Read(&addresses); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("the server did not say where it listens: %w", err), p.Stop(nil))
	}
	return p, addresses, nil
}

// Read reads the next value that the process writes.
func (p *Process) Read(value any) error {
	return p.stdout.Decode(value)
}

// Stop lets the process end, reads its last value unless last is nil, and waits
// for its end.
func (p *Process) Stop(last any) error {
	err := p.stdin.Close()
	if err == nil && last != nil {
		err = p.Read(last)
	}
	return errors.Join(err, p.command.Wait())
}

// Serve serves each handler on a loopback port that the system picks, writes
// the addresses to standard output, and returns when standard input ends.
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
