package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"sync"

	"github.com/goverso/verso/bench/internal/report"
	"github.com/goverso/verso/bench/internal/service"
)

// clientOf is the variable that makes this program a client of an address.
const clientOf = "VERSO_BENCH_CLIENT"

const (
	connections = 8
	requests    = 400 // on each connection in a turn
)

// addLoopback compares the processor time that a server uses for a request over
// loopback. Its client is another process. The same requests without a network tell
// what is too little to be seen among the noise of one.
func addLoopback(c *contest) {
	t := c.table("processor time of a server", "store", "lean", "Verso", "without a network: store", "Verso")
	added := report.AtMost(1, "% of the server's time for a request that Verso adds")
	t.columns = []column{over(2, 0, nil), over(2, 1, nil), {
		func([]string) string { return "% that Verso adds" }, one(added),
		func(r *row, bound *report.Bound) string {
			return bound.Judge(100*(r.all[4].time()-r.all[3].time())/r.all[0].time(), r.where())
		},
	}}
	for _, f := range service.Frameworks {
		for _, name := range []string{"path", "header"} {
			s := service.Named(name)
			var row []*contender
			serve := func(variant service.Variant) (service.Server, *contender) {
				server := f.New(service.Options{Scheme: s, Variant: variant, Answer: service.SayVersion})
				return server, c.serve(server, s.Request("v2"), http.StatusOK)
			}
			for _, variant := range []service.Variant{service.Store, service.Lean, service.Verso} {
				server, of := serve(variant)
				var turn func()
				of.seldom, of.measure = 2, func() float64 {
					if turn == nil {
						turn = clientFor(server, s.Request("v2"))
						turn()
					}
					before := report.CPUTime()
					turn()
					return float64(report.CPUTime()-before) / (connections * requests)
				}
				row = append(row, of)
			}
			for _, variant := range []service.Variant{service.Store, service.Verso} {
				_, of := serve(variant)
				row = append(row, of)
			}
			t.add(f.Name, name, row...)
		}
	}
}

// clientFor serves, and returns what lets a client in another process send a turn of
// requests. Both end with this process.
func clientFor(server service.Server, r service.Request) (turn func()) {
	address, _, err := server.Listen()
	if err != nil {
		panic(err)
	}
	client := exec.Command(os.Args[0])
	client.Env = append(os.Environ(), clientOf+"="+address)
	client.Stderr = os.Stderr
	orders, _ := client.StdinPipe()
	done, _ := client.StdoutPipe()
	if err := client.Start(); err != nil {
		panic(err)
	}
	_, _ = fmt.Fprintln(orders, "GET "+r.Target()+" HTTP/1.1")
	answers := bufio.NewReader(done)
	return func() {
		if _, err := io.WriteString(orders, "go\n"); err != nil {
			panic(err)
		}
		if _, err := answers.ReadString('\n'); err != nil {
			panic(err)
		}
	}
}

// send is the client: for each line that it reads it sends a turn of requests to an
// address.
func send(address string) {
	orders := bufio.NewScanner(os.Stdin)
	orders.Scan()
	request := orders.Text() + "\r\nHost: example.com\r\nUser-Agent: bench\r\nAccept: */*\r\nApi-Version: v2\r\n\r\n"
	var each [connections]net.Conn
	for i := range each {
		connection, err := net.Dial("tcp", address)
		if err != nil {
			panic(err)
		}
		each[i] = connection
	}
	for orders.Scan() {
		var all sync.WaitGroup
		for _, connection := range each {
			all.Go(func() {
				answers := bufio.NewReader(connection)
				for range requests {
					if _, err := io.WriteString(connection, request); err != nil {
						panic(err)
					}
					response, err := http.ReadResponse(answers, nil)
					if err != nil {
						panic(err)
					}
					_, err = io.Copy(io.Discard, response.Body)
					if _ = response.Body.Close(); err != nil || response.StatusCode != http.StatusOK {
						panic(fmt.Sprint(response.Status, err))
					}
				}
			})
		}
		all.Wait()
		fmt.Println("done")
	}
}
