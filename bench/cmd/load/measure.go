package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/goverso/verso/bench/internal/report"
	"github.com/goverso/verso/bench/internal/service"
)

// measurement is what was measured of a scheme in a framework: the service
// alone and with a store, and alone and with Verso.
type measurement struct {
	where        string
	store, verso comparison
}

// comparison is what was measured without something and with it.
type comparison struct {
	perSecond, p99 report.Pairs
	cpuTime        report.Pairs // of the server, nanoseconds a request
}

func (c *comparison) add(without, with *figures) {
	c.perSecond.Add(without.perSecond, with.perSecond)
	c.p99.Add(without.p99, with.p99)
	c.cpuTime.Add(without.cpuTime, with.cpuTime)
}

// measureAll measures all schemes in all frameworks.
func (o *options) measureAll(ctx context.Context) ([]*measurement, error) {
	var all []*measurement
	for _, f := range service.Frameworks {
		measured, err := o.measureFramework(ctx, f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		all = append(all, measured...)
	}
	return all, nil
}

func (o *options) measureFramework(ctx context.Context, f *service.Framework) (measured []*measurement, err error) {
	server, addresses, err := service.StartServer(ctx, "serve", f.Name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.Stop(nil)) }()
	control := addresses[len(addresses)-1]
	for i, s := range service.Schemes {
		m := &measurement{where: f.Name + "/" + s.Name}
		fmt.Fprintln(os.Stderr, m.where)
		if err := o.measure(ctx, m, s.Request(servedVersion), addresses[services*i:services*(i+1)], control); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		measured = append(measured, m)
	}
	return measured, nil
}

// measure sends the same request to the services at the addresses, in turns of a
// slice each. Who is first changes from turn to turn.
func (o *options) measure(ctx context.Context, m *measurement, r service.Request, addresses []string, control string) error {
	for _, address := range addresses {
		if err := check(ctx, address, r); err != nil {
			return err
		}
		if _, err := runWrk(ctx, address, r, time.Second); err != nil { // warms up
			return err
		}
	}
	for turn := range int(o.duration / o.slice) {
		got := make([]figures, len(addresses))
		for i := range addresses {
			next := (turn + i) % len(addresses)
			var err error
			if got[next], err = o.measureSlice(ctx, r, addresses[next], control); err != nil {
				return err
			}
		}
		bare, stored, versioned := &got[0], &got[1], &got[2]
		m.store.add(bare, stored)
		m.verso.add(bare, versioned)
	}
	return nil
}

// measureSlice puts load on a service for a slice.
func (o *options) measureSlice(ctx context.Context, r service.Request, address, control string) (figures, error) {
	before, err := readCPUTime(ctx, control)
	if err != nil {
		return figures{}, err
	}
	f, err := runWrk(ctx, address, r, o.slice)
	if err != nil {
		return figures{}, err
	}
	after, err := readCPUTime(ctx, control)
	f.cpuTime = float64(after-before) / f.requests
	return f, err
}

// check makes sure that a service answers with the version.
func check(ctx context.Context, address string, r service.Request) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+r.Target(), nil)
	if err != nil {
		return err
	}
	request.Host = r.Host
	if r.Accept != "" {
		request.Header.Set("Accept", r.Accept)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	const want = `{"version":"` + servedVersion + `"}`
	if got := strings.TrimSpace(string(body)); response.StatusCode != http.StatusOK || got != want {
		return fmt.Errorf("the service answers %d %s, not %s", response.StatusCode, got, want)
	}
	return nil
}
