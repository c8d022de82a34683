package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"time"

	"github.com/goverso/verso/bench/internal/service"
)

// connections is how many connections wrk keeps busy, with one thread: enough
// that the server never waits for it, on the core that the server leaves it.
const connections = 16

// figures are what one run of wrk says.
type figures struct {
	requests  float64
	perSecond float64 // requests
	p99       float64 // nanoseconds
	cpuTime   float64 // of the server, nanoseconds a request; wrk does not know it
}

// findWrk fails when there is no wrk, and says how to get it.
func findWrk() error {
	if _, err := exec.LookPath("wrk"); err != nil {
		return errors.New("there is no wrk: install it, on Debian and Ubuntu with \"apt-get install wrk\"")
	}
	return nil
}

// runWrk sends a request to a server, as often as it can, for a time of whole
// seconds. It fails when a request failed.
func runWrk(ctx context.Context, address string, r service.Request, time time.Duration) (figures, error) {
	arguments := []string{
		"--threads", "1", "--connections", strconv.Itoa(connections), "--duration", fmt.Sprintf("%.0fs", time.Seconds()),
		"--latency", "--header", "Host: " + r.Host,
	}
	if r.Accept != "" {
		arguments = append(arguments, "--header", "Accept: "+r.Accept)
	}
	output, err := exec.CommandContext(ctx, "wrk", append(arguments, "http://"+address+r.Target())...).CombinedOutput()
	if err != nil {
		return figures{}, fmt.Errorf("wrk: %w\n%s", err, output)
	}
	return parseWrk(string(output))
}

var (
	requestsLine  = regexp.MustCompile(`(?m)^ +([0-9]+) requests in `)
	perSecondLine = regexp.MustCompile(`(?m)^Requests/sec: +([0-9.]+)$`)
	p99Line       = regexp.MustCompile(`(?m)^ +99% +([0-9.]+)(us|ms|s|m) *$`)
	failureLine   = regexp.MustCompile(`(?m)^ +(Socket errors|Non-2xx or 3xx responses): .*$`)
)

// parseWrk reads the output of wrk --latency.
func parseWrk(output string) (figures, error) {
	if failure := failureLine.FindString(output); failure != "" {
		return figures{}, fmt.Errorf("wrk had failures: %s", failure)
	}
	requests := requestsLine.FindStringSubmatch(output)
	perSecond, p99 := perSecondLine.FindStringSubmatch(output), p99Line.FindStringSubmatch(output)
	if requests == nil || perSecond == nil || p99 == nil {
		return figures{}, fmt.Errorf("the output of wrk lacks the requests, those in a second or the percentile:\n%s", output)
	}
	count, err := strconv.ParseFloat(requests[1], 64)
	if err != nil {
		return figures{}, fmt.Errorf("wrk: %w", err)
	}
	rate, err := strconv.ParseFloat(perSecond[1], 64)
	if err != nil {
		return figures{}, fmt.Errorf("wrk: %w", err)
	}
	latency, err := time.ParseDuration(p99[1] + p99[2])
	if err != nil {
		return figures{}, fmt.Errorf("wrk: %w", err)
	}
	return figures{requests: count, perSecond: rate, p99: float64(latency.Nanoseconds())}, nil
}
