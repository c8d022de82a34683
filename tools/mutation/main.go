// Command mutation tests the tests of core: it changes one thing in the code,
// such as < to <=, and runs the tests, which should fail. It prints the changes
// that no test noticed.
//
//	mutation                 mutates all of core
//	mutation core/route      a folder, without those in it
//	mutation core/query.go   a file
//
// The work tree is not touched: the go command reads the changed file from a
// temporary folder (go help build, -overlay).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Stdout, os.Args[1:])
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "mutation:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, args []string) error {
	flags := flag.NewFlagSet("mutation", flag.ContinueOnError)
	root := flags.String("root", "../..", "the `folder` of the repository")
	workers := flags.Int("parallel", 2, "how many mutants to test at a time")
	timeout := flags.Duration("timeout", 10*time.Second, "when a package's tests count as failed")
	if err := flags.Parse(args); err != nil {
		return err
	}
	targets := flags.Args()
	if len(targets) == 0 {
		targets = []string{"core", "core/mediatype", "core/route"}
	}
	files, err := filesOf(*root, targets)
	if err != nil {
		return err
	}
	var mutants []mutant
	for _, file := range files {
		found, err := mutantsOf(file)
		if err != nil {
			return err
		}
		mutants = append(mutants, found...)
	}
	lab, err := newLab(*root, *timeout)
	if err != nil {
		return err
	}
	err = test(ctx, out, lab, mutants, *workers)
	return errors.Join(err, lab.close())
}

// test tests the mutants, and prints the survivors and how many there were of
// each kind.
func test(ctx context.Context, out io.Writer, lab *lab, mutants []mutant, workers int) error {
	colony, err := grow(ctx, lab, mutants)
	if err != nil {
		return err
	}
	count := make(map[verdict]int)
	var failed error
	var mu sync.Mutex
	var group sync.WaitGroup
	next := make(chan int)
	for range workers {
		group.Go(func() {
			for i := range next {
				v, err := colony.test(ctx, i)
				mu.Lock()
				count[v]++
				failed = errors.Join(failed, err)
				if v == survived {
					_, _ = fmt.Fprintln(out, mutants[i])
				}
				mu.Unlock()
			}
		})
	}
	for i := range mutants {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	group.Wait()
	if err := errors.Join(failed, ctx.Err()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%d mutants: %d killed, %d survived, %d do not compile\n",
		len(mutants), count[killed], count[survived], count[invalid])
	return err
}
