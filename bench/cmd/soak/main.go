// Command soak keeps servers of Echo v4 and of Gin busy with requests of all
// kinds, hostile ones among them, over loopback. It fails when an answer is
// wrong, when a server's memory grows, or when hostile requests slow the good
// ones down too much. Run it in the folder of the module:
//
//	go run ./cmd/soak [-duration d] [-tolerate-latency] [-write]
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
	"github.com/goverso/verso/bench/internal/service"
)

func main() {
	var o options
	flag.DurationVar(&o.duration, "duration", 30*time.Second, "how long a server is under load of each kind: with hostile requests, without them, and without Verso")
	flag.BoolVar(&o.tolerateLatency, "tolerate-latency", false, "do not fail for the latency, which a busy machine disturbs")
	flag.StringVar(&o.page, "page", "../docs/reliability.md", "the page that -write changes")
	flag.BoolVar(&o.write, "write", false, "put the tables into the page")
	flag.Parse()

	var err error
	switch flag.Arg(0) { // the first two are started by run
	case "serve":
		err = serve(flag.Arg(1))
	case "background":
		err = background(flag.Args()[1:])
	default:
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		err = o.run(ctx)
		stop()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

type options struct {
	duration        time.Duration
	page            string
	tolerateLatency bool
	write           bool
}

// run soaks all frameworks and prints what it saw. It fails when something
// could not run or a bound does not hold.
func (o *options) run(ctx context.Context) error {
	if o.duration < minDuration {
		return fmt.Errorf("the duration is %s, and must be at least %s", o.duration, minDuration)
	}
	var all []*soaked
	for _, f := range service.Frameworks {
		s, err := o.soak(ctx, f)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		all = append(all, s)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s; %s; %s for each kind of traffic, in turns of %s; %d clients, and %d measured requests in a second.\n\n",
		report.Machine(), time.Now().UTC().Format(time.DateOnly), o.duration, (o.duration / rounds).Round(time.Millisecond), workers, probeRate)
	v := writeReport(&text, all)
	if _, err := os.Stdout.WriteString(text.String()); err != nil {
		return err
	}
	if o.write {
		if err := report.WritePage(o.page, "soak", text.String()); err != nil {
			return err
		}
	}
	for _, s := range all {
		if s.versioned.First != "" {
			return fmt.Errorf("%s: the first of %d wrong answers: %s", s.framework, s.versioned.wrong(), s.versioned.First)
		}
		if s.bare.First != "" {
			return fmt.Errorf("%s without Verso: the first of %d missing answers: %s", s.framework, s.bare.wrong(), s.bare.First)
		}
	}
	if !v.correct() || !v.fast() && !o.tolerateLatency {
		return errors.New("a bound does not hold")
	}
	return nil
}
