// Command serve serves the service with v2.
//
//	go run ./adopt/serve                              with Gin, on localhost:8080
//	go run ./adopt/serve -echo                        with Echo
//	go run ./adopt/serve -now 2027-12-01T00:00:00Z    as from that time on
package main

import (
	"flag"
	"log"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/examples/adopt/echotasks"
	"github.com/goverso/verso/examples/adopt/gintasks"
	"github.com/goverso/verso/examples/adopt/tasks"
)

func main() {
	withEcho := flag.Bool("echo", false, "serve with Echo, not with Gin")
	now := flag.String("now", time.Now().Format(time.RFC3339), "serve as from this `time` on")
	flag.Parse()
	from, err := time.Parse(time.RFC3339, *now)
	if err != nil {
		log.Fatal(err)
	}
	gin.SetMode(gin.ReleaseMode)
	log.Fatal(http.ListenAndServe("localhost:8080", newServer(*withEcho, from)))
}

// newServer returns the service, whose clock begins at a time.
func newServer(withEcho bool, from time.Time) http.Handler {
	started := time.Now()
	clock := func() time.Time { return from.Add(time.Since(started)) }
	if withEcho {
		return echotasks.After(tasks.New(), clock)
	}
	return gintasks.After(tasks.New(), clock)
}
