// Command usage serves an API whose old versions still have clients, and the page
// that says which. The traffic of the last ten weeks is made up: it is played
// through the service, whose clock it moves.
//
//	go run ./usage            serves on :8080
//	go run ./usage :9090      serves there
package main

import (
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/usage"
)

func main() {
	address := ":8080"
	if len(os.Args) > 1 {
		address = os.Args[1]
	}
	gin.SetMode(gin.ReleaseMode)
	var behind time.Duration
	clock := func() time.Time { return time.Now().Add(-behind) }
	service, err := newService(clock(), clock)
	if err != nil {
		log.Fatal(err)
	}
	play(service, clock(), func(now time.Time) { behind = time.Since(now) })
	fmt.Printf("http://localhost%s/usage\n", address)
	log.Fatal(http.ListenAndServe(address, service))
}

// keys are the clients, by the key that they send.
var keys = map[string]string{"k1": "acme", "k2": "billing-batch", "k3": "mobile-ios", "k4": "mobile-android", "k5": "partner-zoo"}

// newService returns the service. v0 has ended and v1 ends in five weeks.
func newService(now time.Time, clock func() time.Time) (http.Handler, error) {
	day := now.UTC().Truncate(24 * time.Hour)
	versions, err := catalogue.New(catalogue.Config{
		AfterSunset: catalogue.Gone,
		Versions: []catalogue.Entry{
			{Version: "v0", Deprecated: day.AddDate(0, -9, 0), Sunset: day.AddDate(0, 0, -20), Successor: "v2"},
			{Version: "v1", Deprecated: day.AddDate(0, -2, 0), Sunset: day.AddDate(0, 0, 35), Successor: "v2"},
			{Version: "v2", Released: day.AddDate(0, -3, 0)},
		},
	})
	if err != nil {
		return nil, err
	}
	calls := usage.NewTable(versions, clock)
	api, err := verso.NewURLPath(verso.Config{Catalogue: versions, Clock: clock, Observe: calls.Observe})
	if err != nil {
		return nil, err
	}

	r := gin.New()
	v := versogin.New(r, api, versogin.WithClient(func(c *gin.Context) string { return keys[c.GetHeader("Api-Key")] }))
	r.Use(v.Middleware())
	v.Neutral().GET("/usage", gin.WrapH(calls.Handler()))
	v.Neutral().GET("/versions", gin.WrapH(versions.Handler(clock)))
	v.GET("/:version/users/:id", func(c *gin.Context) { c.String(http.StatusOK, versogin.Version(c).String()) })
	v.GET("/:version/bookings", func(c *gin.Context) { c.String(http.StatusOK, versogin.Version(c).String()) })
	return r, nil
}

// play sends the traffic of the ten weeks before a time, to which set moves the
// clock.
func play(service http.Handler, now time.Time, set func(now time.Time)) {
	random := rand.New(rand.NewPCG(1, 2))
	for day := range 71 {
		set(now.AddDate(0, 0, day-70))
		for _, client := range []struct {
			key, path string
			requests  int // of a day
		}{
			{"k1", "/v1/users/7", 40 - day/2},
			{"k2", "/v1/bookings", 25},
			{"k2", "/v0/users/7", 3},
			{"k3", "/v2/users/7", 10 + day*2},
			{"k4", "/v2/bookings", 30 + day},
			{"k5", "/v1/bookings", max(0, day-50)},
			{"", "/v2/users/7", 5},
			{"", "/v9/users/7", 1},
		} {
			for range client.requests * (70 + random.IntN(60)) / 100 {
				r := httptest.NewRequest(http.MethodGet, client.path, nil)
				r.Header.Set("Api-Key", client.key)
				service.ServeHTTP(httptest.NewRecorder(), r)
			}
		}
	}
}
