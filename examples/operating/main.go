// Command operating serves an API by a plan, a catalogue in YAML. SIGHUP reloads the
// plan, and what was counted is kept over a restart.
//
//	go run ./operating operating/testdata/plan.yaml          serves on :8080
//	go run ./operating -nginx operating/testdata/plan.yaml   prints the plan for nginx
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/goverso/verso/usage"
)

func main() {
	forNginx := flag.Bool("nginx", false, "print the plan for nginx")
	flag.Parse()
	if err := start(flag.Arg(0), *forNginx); err != nil {
		log.Fatal(err)
	}
}

func start(plan string, forNginx bool) error {
	if forNginx {
		versions, err := readPlan(plan)
		if err == nil {
			fmt.Print(nginx(versions, time.Now()))
		}
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	hup := make(chan os.Signal, 1)
	signal.Notify(hup, syscall.SIGHUP)
	listener, err := net.Listen("tcp", "localhost:8080")
	if err != nil {
		return err
	}
	return run(ctx, listener, plan, "usage.jsonl", hup)
}

// run serves until ctx is done. Each hup reloads the plan.
func run(ctx context.Context, listener net.Listener, plan, counts string, hup <-chan os.Signal) error {
	s := new(service)
	if err := s.reload(plan); err != nil {
		return err
	}
	if err := restore(s.current.Load().calls, counts); err != nil {
		log.Print(err) // and count from 0
	}
	server := &http.Server{Handler: s}
	stopped := make(chan error, 1)
	go func() {
		for {
			select {
			case <-hup:
				if err := s.reload(plan); err != nil {
					log.Printf("%s is not loaded, and the last plan goes on: %v", plan, err)
				}
			case <-ctx.Done():
				stopped <- stop(server, s, counts)
				return
			}
		}
	}()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-stopped
}

// stop lets the requests that are under way end, and then saves what was counted.
func stop(server *http.Server, s *service, counts string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	err := server.Shutdown(ctx)
	return errors.Join(err, save(s.current.Load().calls, counts))
}

// save writes what was counted, a line for each combination, and leaves no half of it.
func save(calls *usage.Table, path string) error {
	var lines bytes.Buffer
	for _, count := range calls.Take() {
		if err := json.NewEncoder(&lines).Encode(count); err != nil {
			return err
		}
	}
	if err := os.WriteFile(path+".new", lines.Bytes(), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// restore reads what was counted before the restart.
func restore(calls *usage.Table, path string) error {
	lines, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // the first start
	}
	var counts []usage.Count
	for decoder := json.NewDecoder(bytes.NewReader(lines)); err == nil && decoder.More(); {
		counts = append(counts, usage.Count{})
		err = decoder.Decode(&counts[len(counts)-1])
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	calls.Add(counts)
	return nil
}
