// Command retire plays the nine months in which a service retires v1. It starts
// the service, in Echo and in Gin, with a clock that it sets, and prints what a client
// of v1 gets on each of the days.
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
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

//go:embed catalogue.json
var plan []byte

func main() {
	gin.SetMode(gin.ReleaseMode)
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
		api, err := newAPI(clock)
		if err != nil {
			log.Fatal(err)
		}
		listener, err := net.Listen("tcp", os.Args[1])
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("http://localhost:%d/v1/users/7\n", listener.Addr().(*net.TCPAddr).Port)
		log.Fatal(http.Serve(listener, inEcho(api)))
	}
	if err := play(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// newAPI returns the versions, with a plan for them.
func newAPI(clock func() time.Time) (*verso.Versioning, error) {
	versions, err := catalogue.Parse(plan)
	if err != nil {
		return nil, err
	}
	api, err := verso.New(verso.PathParam("version"), verso.Config{
		Catalogue: versions,
		Clock:     clock,
		Links:     verso.LinkConfig{Origin: "https://api.example.com"},
	})
	return api, err
}

func inEcho(api *verso.Versioning) http.Handler {
	e := echo.New()
	v := versoecho.New(e, api, versoecho.Config{ErrorHandler: versoecho.WriteProblem})
	v.GET("/:version/users/:id", func(c echo.Context) error {
		return c.String(http.StatusOK, "user "+versoecho.Param(c, "id")+" in "+versoecho.Version(c).String())
	})
	return e
}

func inGin(api *verso.Versioning) http.Handler {
	r := gin.New()
	v := versogin.New(r, api)
	v.GET("/:version/users/:id", func(c *gin.Context) {
		c.String(http.StatusOK, "user "+versogin.Param(c, "id")+" in "+versogin.Version(c).String())
	})
	return r
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

// play prints what a client of v1 gets on each of the days: once, if both frameworks
// answer the same.
func play(out io.Writer) error {
	var now time.Time
	api, err := newAPI(func() time.Time { return now })
	if err != nil {
		return err
	}
	e, r := inEcho(api), inGin(api)
	_, _ = fmt.Fprintf(out, "\nThe nine months in which v1 ends: what GET /v1/users/7 gets, in Echo and in Gin\n\n")
	for _, day := range days {
		if now, err = time.Parse(time.RFC3339, day.time); err != nil {
			return err
		}
		_, _ = fmt.Fprintf(out, "%s UTC: %s\n\n", now.Format(time.DateTime), day.what)
		inEcho, inGin := answer(e), answer(r)
		_, _ = io.WriteString(out, inEcho)
		if !strings.EqualFold(inEcho, inGin) { // charset=UTF-8, charset=utf-8
			_, _ = io.WriteString(out, inGin)
		}
	}
	return nil
}

// answer returns what a service answers to a client of v1.
func answer(service http.Handler) string {
	recorder := httptest.NewRecorder()
	service.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "/v1/users/7", nil))
	var out strings.Builder
	_, _ = fmt.Fprintf(&out, "    %d %s\n", recorder.Code, http.StatusText(recorder.Code))
	for _, name := range []string{
		"Deprecation", "Sunset", "Link", "Api-Supported-Versions", "Api-Deprecated-Versions", "Retry-After", "Cache-Control", "Content-Type",
	} {
		for _, line := range recorder.Header()[name] {
			_, _ = fmt.Fprintf(&out, "    %s: %s\n", name, line)
		}
	}
	_, _ = fmt.Fprintf(&out, "\n    %s\n\n", recorder.Body)
	return out.String()
}
