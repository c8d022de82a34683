// Command load puts load on a server with wrk, over loopback: on Echo v4 and on
// Gin, alone, with a store and with Verso in each of the five schemes. It prints the
// requests in a second, the 99th percentile of the latency, the processor time of
// a request, and the ratios. Run it in the folder of the module:
//
//	go run ./cmd/load [-duration d] [-slice d] [-write] [-strict]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/goverso/verso/bench/internal/report"
)

func main() {
	var o options
	flag.DurationVar(&o.duration, "duration", 15*time.Second, "how long each service is under load, all its slices together")
	flag.DurationVar(&o.slice, "slice", time.Second, "how long a service is under load before it is the other's turn, in whole seconds")
	flag.StringVar(&o.page, "page", "../docs/performance.md", "the page that -write changes")
	flag.BoolVar(&o.write, "write", false, "put the tables into the page")
	flag.BoolVar(&o.strict, "strict", false, "fail when a bound does not hold")
	flag.Parse()

	var err error
	if flag.Arg(0) == "serve" { // started by run
		err = serve(flag.Arg(1))
	} else {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		err = o.run(ctx)
		stop()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

type options struct {
	duration, slice time.Duration
	page            string
	write, strict   bool
}

// run measures and prints. It fails when something could not run, and with
// strict when a bound does not hold.
func (o *options) run(ctx context.Context) error {
	if o.slice < time.Second || o.slice%time.Second != 0 || o.duration < o.slice {
		return fmt.Errorf("a slice has whole seconds, and the duration is at least a slice: %s and %s do not do", o.slice, o.duration)
	}
	if err := findWrk(); err != nil {
		return err
	}
	measured, err := o.measureAll(ctx)
	if err != nil {
		return err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s; %s; %s for each service in slices of %s, %d connections, wrk on the same machine.\n\n",
		report.Machine(), time.Now().UTC().Format(time.DateOnly), o.duration, o.slice, connections)
	missed := writeReport(&text, measured)
	if _, err := os.Stdout.WriteString(text.String()); err != nil {
		return err
	}
	if o.write {
		if err := report.WritePage(o.page, "load", text.String()); err != nil {
			return err
		}
	}
	if missed > 0 && o.strict {
		return errors.New("a bound does not hold")
	}
	return nil
}
