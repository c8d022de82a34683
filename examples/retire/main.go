// Command retire plays the nine months in which a service retires v1. It starts
// the service with a clock that it sets, and prints what a client of v1 gets on
// each of the days.
//
//	go run ./retire                               plays the days
//	go run ./retire :8080                         serves, on today's date
//	go run ./retire :8080 2026-11-03T14:30:00Z    serves, as from that time on
package main

import (
	_ "embed"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

//go:embed catalogue.json
var lives []byte

func main() {
	if len(os.Args) > 1 {
		clock := time.Now
		if len(os.Args) > 2 {
			from, err := time.Parse(time.RFC3339, os.Args[2])
			if err != nil {
				log.Fatal(err)
			}
			started := time.Now()
			clock = func() time.Time { return from.Add(time.Since(started)) }
		}
		service, err := newService(clock)
		if err != nil {
			log.Fatal(err)
		}
		listener, err := net.Listen("tcp", os.Args[1])
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("http://localhost:%d/v1/users/7\n", listener.Addr().(*net.TCPAddr).Port)
		log.Fatal(http.Serve(listener, service))
	}
	if err := play(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// newService returns a service with a plan for its versions.
func newService(clock func() time.Time) (http.Handler, error) {
	versions, err := catalogue.Parse(lives)
	if err != nil {
		return nil, err
	}
	api, err := verso.New(verso.PathParam("version"), verso.Config{
		Catalogue: versions,
		Clock:     clock,
		Links:     verso.LinkConfig{Origin: "https://api.example.com"},
	})
	if err != nil {
		return nil, err
	}
	e := echo.New()
	v := versoecho.New(e, api, versoecho.Config{ErrorHandler: versoecho.WriteProblem})
	v.GET("/:version/users/:id", func(c echo.Context) error {
		return c.String(http.StatusOK, "user "+versoecho.Param(c, "id")+" in "+versoecho.Version(c).String())
	})
	return e, nil
}

// days are what happens in the nine months.
var days = []struct {
	what string
	time string
}{
	{"Nothing has happened yet", "2026-01-15T09:00:00Z"},
	{"v1 is deprecated", "2026-03-02T00:00:00Z"},
	{"The first brownout", "2026-11-03T14:30:00Z"},
	{"The last day", "2026-11-30T23:59:59Z"},
	{"v1 is gone", "2026-12-01T00:00:00Z"},
}

// play prints what a client of v1 gets on each of the days.
func play(out io.Writer) error {
	var now time.Time
	service, err := newService(func() time.Time { return now })
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(out, "\nThe nine months in which v1 ends: what GET /v1/users/7 gets\n\n")
	for _, day := range days {
		if now, err = time.Parse(time.RFC3339, day.time); err != nil {
			return err
		}
		_, _ = fmt.Fprintf(out, "%s UTC: %s\n\n", now.Format(time.DateTime), day.what)
		recorder := httptest.NewRecorder()
		service.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "/v1/users/7", nil))
		_, _ = fmt.Fprintf(out, "    %d %s\n", recorder.Code, http.StatusText(recorder.Code))
		for _, name := range []string{
			"Deprecation", "Sunset", "Link", "Api-Supported-Versions", "Api-Deprecated-Versions", "Retry-After", "Cache-Control", "Content-Type",
		} {
			for _, line := range recorder.Header()[name] {
				_, _ = fmt.Fprintf(out, "    %s: %s\n", name, line)
			}
		}
		_, _ = fmt.Fprintf(out, "\n    %s\n\n", recorder.Body)
	}
	return nil
}
