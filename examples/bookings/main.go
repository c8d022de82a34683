// Command bookings is a service to copy: it serves bookings in three versions,
// with Echo or with Gin. README.md shows it.
//
//	go run ./bookings                              serves with Echo on localhost:8080
//	go run ./bookings -gin                         serves with Gin
//	go run ./bookings -explain                     prints what it does with which request
//	go run ./bookings -now 2027-01-31T00:00:00Z    serves as from that time on
//
// The packages api and store are what both frameworks share; echoapi and ginapi
// have the same routes, handlers and middleware. Copy one of the two.
//
// The same service as a team wrote it by hand for Echo has 309 lines of code: 41
// that read versions and build links, 268 that are the service. Here they are 211,
// 180 without the configuration of Verso and the body of an error, as counted by
//
//	make count
//
// Of the 211, 13 do what the service by hand does not: /, /usage and /versions (6),
// links with an origin, strict requests and 406 (3), tokens that expire (1), and
// WWW-Authenticate (3). Neither count has bookings and errors as each version has
// them, the store and the OpenAPI documents. Here three things are not counted that
// are in the 309: the counters for Prometheus (there 10 lines), the paths of links
// (BookingTarget and PageTarget, here 10), and how the service is put together (the
// rest of api/service.go).
package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/examples/bookings/api"
	"github.com/goverso/verso/examples/bookings/echoapi"
	"github.com/goverso/verso/examples/bookings/ginapi"
	"github.com/goverso/verso/examples/bookings/store"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		slog.Error("bookings", "err", err)
		os.Exit(1)
	}
}

// maxBody is how many bytes of a body are read.
const maxBody = 64 << 10

// shutdownTimeout is how long requests have to end when the service does.
const shutdownTimeout = 10 * time.Second

// run serves until ctx is done, and then until the requests that have begun are
// answered.
func run(ctx context.Context, args []string, out io.Writer) (err error) {
	flags := flag.NewFlagSet("bookings", flag.ContinueOnError)
	address := flags.String("address", "localhost:8080", "`address` to listen on")
	origin := flags.String("origin", "", "what links begin with, a `URL`; by default that of the address")
	file := flags.String("db", "", "`file` of the SQLite database; by default one in a temporary folder that is removed at the end")
	withGin := flags.Bool("gin", false, "serve with Gin, not with Echo")
	explain := flags.Bool("explain", false, "print what the service does with which request, and end")
	now := flags.String("now", "", "serve as from this `time` on, as in RFC 3339")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if *explain {
		*address = "localhost:0" // beside a service that runs
	}
	clock, err := clockFrom(*now)
	if err != nil {
		return err
	}
	if *file == "" {
		folder, err := os.MkdirTemp("", "bookings")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
		*file = filepath.Join(folder, "bookings.db")
	}
	bookings, err := store.Open(ctx, *file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bookings.Close()) }()

	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", *address)
	if err != nil {
		return err
	}
	url := "http://" + listeningOn(*address, listener)
	password := cmp.Or(os.Getenv("BOOKINGS_PASSWORD"), rand.Text())
	service, err := api.New(api.Config{
		Store:    bookings,
		Log:      slog.New(slog.NewTextHandler(os.Stderr, nil)),
		Secret:   []byte(cmp.Or(os.Getenv("BOOKINGS_SECRET"), rand.Text())),
		Password: password,
		Clock:    clock,
		Origin:   cmp.Or(*origin, url),
	})
	if err != nil {
		return err
	}
	handler, explanation := echoapi.New(service)
	if *withGin {
		gin.SetMode(gin.ReleaseMode)
		handler, explanation = ginapi.New(service)
	}
	if *explain {
		_, err := fmt.Fprint(out, explanation)
		return err
	}
	server := &http.Server{
		Handler:           http.MaxBytesHandler(handler, maxBody),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      30 * time.Second,
	}
	_, _ = fmt.Fprintf(out, welcome, url, *file, password)
	return serve(ctx, server, listener)
}

// serve serves until ctx is done, and ends gracefully.
func serve(ctx context.Context, server *http.Server, listener net.Listener) error {
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	return server.Shutdown(ctx)
}

// listeningOn returns the address with the port that the system chose for 0.
func listeningOn(address string, listener net.Listener) string {
	host, port, err := net.SplitHostPort(address)
	if tcp, ok := listener.Addr().(*net.TCPAddr); ok && err == nil {
		port = strconv.Itoa(tcp.Port)
	}
	return net.JoinHostPort(cmp.Or(host, "localhost"), port)
}

// clockFrom returns a clock that starts at a time, the real one for "".
func clockFrom(text string) (func() time.Time, error) {
	if text == "" {
		return time.Now, nil
	}
	from, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return nil, err
	}
	started := time.Now()
	return func() time.Time { return from.Add(time.Since(started)) }, nil
}

const welcome = `bookings listens on %[1]s and keeps its data in %[2]s. Try:

  TOKEN=$(curl -s -d client=shop %[1]s/login | sed 's/.*:"//; s/".*//')
  curl -i -H "Authorization: Bearer $TOKEN" -d '{"guest":"Ada Lovelace","room":"12","nights":2}' %[1]s/v1/bookings
  curl -i -H "Authorization: Bearer $TOKEN" %[1]s/v2/bookings/1
  curl -i -H "Authorization: Bearer $TOKEN" -H "Api-Version: v3" %[1]s/bookings
  curl %[1]s/metrics

Who calls which version is at %[1]s/usage: the user is team, the password %[3]s.
examples/bookings/README.md goes on from here. FLAGS=-gin after make bookings serves with Gin. Interrupt to end.
`
