package report

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// Main is the main function of a command that measures: it parses the flags,
// prints the report, and puts it into README.md if that is asked for, between the
// lines <!-- name: begin --> and <!-- name: end -->. measure returns
// the report and the bounds. The command fails when a bound does not hold that is
// required, with -strict when any does not.
func Main(name string, measure func(ctx context.Context) (text string, bounds []*Bound, err error)) {
	page := flag.String("page", "README.md", "the page that -write changes")
	write := flag.Bool("write", false, "put the tables into the page")
	strict := flag.Bool("strict", false, "fail when a bound does not hold")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	details, bounds, err := measure(ctx)
	text := machine() + Bounds(bounds...) + details
	if err == nil {
		_, err = os.Stdout.WriteString(text)
	}
	if err == nil && *write {
		err = writePage(*page, name, text)
	}
	for _, b := range bounds {
		if (*strict || b.Required) && !b.Holds() {
			err = errors.Join(err, errors.New("a bound does not hold: "+b.what))
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(1) //nolint:gocritic // the context of signals ends with the process
	}
}

func writePage(file, name, text string) error {
	page, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	replaced, err := replace(string(page), name, text)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, []byte(replaced), 0o644)
}

func replace(page, name, text string) (string, error) {
	begin, end := "<!-- "+name+": begin -->", "<!-- "+name+": end -->"
	before, rest, found := strings.Cut(page, begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return "", fmt.Errorf("no place for the tables: add the lines %q and %q", begin, end)
	}
	return before + begin + "\n\n" + strings.TrimSpace(text) + "\n\n" + end + after, nil
}

var modelName = regexp.MustCompile(`(?m)^model name\s*: (.*)$`)

// machine names the processor where the system tells it in the way of Linux, the
// number of cores, the system, the version of Go, the processors that Go uses, and
// the day.
func machine() string {
	processor := "unknown processor"
	info, _ := os.ReadFile("/proc/cpuinfo") // elsewhere there is none
	if match := modelName.FindSubmatch(info); match != nil {
		processor = string(match[1])
	}
	return fmt.Sprintf("%s, %d cores, %s/%s, %s, GOMAXPROCS=%d; %s.\n\n", processor, runtime.NumCPU(), runtime.GOOS,
		runtime.GOARCH,
		runtime.Version(), runtime.GOMAXPROCS(0), time.Now().UTC().Format(time.DateOnly))
}

// CPUTime returns the processor time that this process has used. It is what work
// costs, also while others have the processor.
func CPUTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
