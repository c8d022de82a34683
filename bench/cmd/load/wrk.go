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

// result is what one run of wrk says.
type result struct {
	requests, perSecond float64
	p99                 float64 // nanoseconds
}

// runWrk sends a request to a server for a second, as often as it can. It fails
// when a request failed.
func runWrk(ctx context.Context, address string, r service.Request) (result, error) {
	arguments := []string{"--threads", "1", "--connections", strconv.Itoa(connections), "--duration", "1s", "--latency", "--header", "Host: " + r.Host}
	for name, value := range r.Fields {
		arguments = append(arguments, "--header", name+": "+value)
	}
	output, err := exec.CommandContext(ctx, "wrk", append(arguments, "http://"+address+r.Target())...).CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		return result{}, errors.New(`there is no wrk: install it, on Debian and Ubuntu with "apt-get install wrk"`)
	}
	if err != nil {
		return result{}, fmt.Errorf("wrk: %w\n%s", err, output)
	}
	return parseWrk(string(output))
}

var (
	figuresOfWrk = regexp.MustCompile(`(?s)\n +99% +([0-9.]+(?:us|ms|s|m)) *\n.*\n? +([0-9]+) requests in .*\nRequests/sec: +([0-9.]+)\n`)
	failureOfWrk = regexp.MustCompile(`(?m)^ +(Socket errors|Non-2xx or 3xx responses): .*$`)
)

// parseWrk reads the output of wrk --latency.
func parseWrk(output string) (r result, err error) {
	if failure := failureOfWrk.FindString(output); failure != "" {
		return r, fmt.Errorf("wrk had failures: %s", failure)
	}
	match := figuresOfWrk.FindStringSubmatch(output)
	if match == nil {
		return r, fmt.Errorf("the output of wrk lacks the requests, those in a second or the percentile:\n%s", output)
	}
	latency, err1 := time.ParseDuration(match[1])
	requests, err2 := strconv.ParseFloat(match[2], 64)
	perSecond, err3 := strconv.ParseFloat(match[3], 64)
	return result{requests, perSecond, float64(latency)}, errors.Join(err1, err2, err3)
}
