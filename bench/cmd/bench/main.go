// Command bench runs the benchmarks of package bench and prints what Verso
// costs beside what it is measured against, as ratios within the run, with the
// bounds that the project sets itself. Run it in the folder of the module:
//
//	go run ./cmd/bench [-count n] [-benchtime d] [-write] [-strict] [-raw file]
package main

import (
	"bytes"
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
	flag.IntVar(&o.count, "count", 6, "how often each benchmark runs; fewer than 6 give no confidence interval")
	flag.StringVar(&o.benchtime, "benchtime", "20ms", "how long each benchmark runs each time")
	flag.StringVar(&o.page, "page", "../docs/performance.md", "the page that -write changes")
	flag.BoolVar(&o.write, "write", false, "put the tables into the page")
	flag.BoolVar(&o.strict, "strict", false, "fail when a bound does not hold")
	flag.StringVar(&o.raw, "raw", "", "a file for the output of the benchmarks, which benchstat reads")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := o.run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

type options struct {
	count         int
	benchtime     string
	page, raw     string
	write, strict bool
}

// run measures and prints. It fails when something could not run, and with
// strict when a bound does not hold.
func (o *options) run(ctx context.Context) error {
	raw, err := measure(ctx, o.count, o.benchtime)
	if err != nil {
		return err
	}
	if o.raw != "" {
		if err := os.WriteFile(o.raw, raw, 0o644); err != nil {
			return err
		}
	}
	results, err := parse(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s; %s; %d runs of %s each, on one processor.\n\n",
		report.Machine(), time.Now().UTC().Format(time.DateOnly), o.count, o.benchtime)
	missed, err := writeReport(&text, results)
	if err != nil {
		return err
	}
	if _, err := os.Stdout.WriteString(text.String()); err != nil {
		return err
	}
	if o.write {
		if err := report.WritePage(o.page, "bench", text.String()); err != nil {
			return err
		}
	}
	if missed > 0 && o.strict {
		return errors.New("a bound does not hold")
	}
	return nil
}
