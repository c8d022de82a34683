// Command usage serves an API whose old versions still have clients, and the page
// that says which. The traffic of the last 90 days is made up: 40 clients on 200
// routes in three versions. It is played through the service, whose clock it moves.
//
//	go run ./usage            serves on :8080
//	go run ./usage :9090      serves there
package main

import (
	"fmt"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
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
	now := time.Now()
	behind := time.Since(firstDay(now))
	clock := func() time.Time { return time.Now().Add(-behind) }
	service, err := newService(now, clock)
	if err != nil {
		log.Fatal(err)
	}
	play(service, now, func(now time.Time) { behind = time.Since(now) })
	listener, err := net.Listen("tcp", address)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("http://localhost:%d/usage\n", listener.Addr().(*net.TCPAddr).Port)
	log.Fatal(http.Serve(listener, service))
}

// keys are the clients, by the key that they send.
var keys = map[string]string{}

// clients are in the order of how much they send.
var clients = strings.Fields(`mobile-ios mobile-android web-shop billing-batch partner-zoo acme data-warehouse support-desk kiosk-berlin kiosk-paris
	kiosk-vienna partner-northwind partner-contoso night-audit mail-sender loyalty-app check-in-tablet room-display invoices-export sap-bridge
	crm-sync pricing-engine channel-manager partner-globex partner-initech travel-agent-one travel-agent-two chatbot voice-assistant fraud-check
	parking-gate minibar laundry spa-booking event-planner tax-report status-page load-test intern-script reporting-service.finance.emea.example.com`)

// resources have eight routes each.
var resources = strings.Fields(`bookings users rooms invoices payments guests hotels rates offers discounts vouchers events tables menus orders
	keys cards messages reviews reports contracts suppliers shifts tasks tickets`)

// newService returns the service. v0 has ended and v1 ends in five weeks.
func newService(now time.Time, clock func() time.Time) (http.Handler, error) {
	day := now.UTC().Truncate(24 * time.Hour)
	versions, err := catalogue.New(catalogue.Config{
		AfterSunset: catalogue.Gone,
		Versions: []catalogue.Entry{
			{Version: "v0", Deprecated: day.AddDate(0, -9, 0), Sunset: day.AddDate(0, 0, -20), Successor: "v2"},
			{
				Version: "v1", Deprecated: day.AddDate(0, -2, 0), Sunset: day.AddDate(0, 0, 35), Successor: "v2",
				Brownouts: catalogue.EveryWeek(day.AddDate(0, 0, -5), 24*time.Hour, 4),
			},
			{Version: "v2", Released: day.AddDate(0, -3, 0)},
		},
	})
	if err != nil {
		return nil, err
	}
	for i, client := range clients {
		keys[fmt.Sprint("key-", i)] = client
	}
	calls := usage.NewTable(versions, clock)
	api, err := verso.NewURLPath(verso.Config{Catalogue: versions, Clock: clock, Observe: calls.Observe})
	if err != nil {
		return nil, err
	}

	r := gin.New()
	v := versogin.New(r, api, versogin.Config{Client: func(c *gin.Context) string { return keys[c.GetHeader("Api-Key")] }})
	r.GET("/", func(c *gin.Context) { c.Redirect(http.StatusFound, "/usage") })
	r.GET("/usage", gin.WrapH(calls.Handler(v.Explain)))
	r.GET("/versions", gin.WrapH(versions.Handler(clock)))
	answer := func(c *gin.Context) { c.String(http.StatusOK, versogin.Version(c).String()) }
	for _, name := range resources {
		all := "/:version/" + name
		one := all + "/:id"
		v.GET(all, answer)
		v.POST(all, answer)
		v.GET(one, answer)
		v.PUT(one, answer)
		v.DELETE(one, answer)
		v.GET(one+"/history", answer)
		v.POST(one+"/cancel", answer)
		v.GET(one+"/attachments/:attachment", answer)
	}
	return r, nil
}

// firstDay is the first of the days before a time that are played.
func firstDay(now time.Time) time.Time { return now.AddDate(0, 0, 1-usage.Days) }

// play sends the traffic of the 90 days before a time, to which set moves the
// clock.
func play(service http.Handler, now time.Time, set func(now time.Time)) {
	random := rand.New(rand.NewPCG(1, 2))
	sofar := now.Sub(now.Truncate(24*time.Hour)).Hours() / 24
	for day := range usage.Days {
		set(firstDay(now).AddDate(0, 0, day))
		for i := range clients {
			requests := 2000 / (i + 12) * (70 + random.IntN(60)) / 100
			if on := firstDay(now).AddDate(0, 0, day).Weekday(); on == time.Saturday || on == time.Sunday {
				requests /= 2
			}
			if day == usage.Days-1 {
				requests = int(float64(requests) * sofar)
			}
			for range requests {
				send(service, i, versionOf(i, day, random), random)
			}
		}
	}
}

// versionOf returns the version that a client calls on a day: it moves to v2 on a
// day of its own, and some have not yet.
func versionOf(client, day int, random *rand.Rand) string {
	switch moves := 20 + client*37%89; {
	case client%13 == 4 && random.IntN(12) == 0:
		return "v0"
	case client == 37 && random.IntN(8) == 0:
		return "v9"
	case day < moves-10+random.IntN(20):
		return "v1"
	}
	return "v2"
}

// send sends a request of a client, most of which use a few routes.
func send(service http.Handler, client int, version string, random *rand.Rand) {
	name := resources[(client+int(random.ExpFloat64()*2))%len(resources)]
	all := "/" + version + "/" + name
	one := all + "/7"
	requests := [...]struct{ method, path string }{
		{http.MethodGet, one},
		{http.MethodGet, all},
		{http.MethodPost, all},
		{http.MethodPut, one},
		{http.MethodGet, one + "/history"},
		{http.MethodGet, one + "/attachments/9"},
		{http.MethodPost, one + "/cancel"},
		{http.MethodDelete, one},
	}
	kinds := len(requests)
	if client%3 == 0 {
		kinds = 2 // only reads
	}
	request := requests[int(random.ExpFloat64()*1.5)%kinds]
	r := httptest.NewRequest(request.method, request.path, nil)
	r.Header.Set("Api-Key", fmt.Sprint("key-", client))
	service.ServeHTTP(httptest.NewRecorder(), r)
}
