// Command usage serves an API whose old versions still have clients, and the page
// that says which. The traffic of the last 90 days is made up: 40 clients on 200
// routes in three versions. It is played through the service, whose clock it moves.
//
//	go run ./usage                 serves on :8080
//	go run ./usage :9090           serves there
//
// With a database, several processes show the same page:
//
//	go run ./usage -db postgres://... :8080
//	go run ./usage -db postgres://... -idle :8081     plays no traffic
//	go run ./usage -db usage.db                       SQLite
//
// POST /later moves the clock of a process 31 days ahead, in which nobody calls v1.
//
// With ADMIN_PASSWORD set, a person may say that a client has moved, or may break:
//
//	curl -u ann -d version=v1 -d client=status-page -d kind=may_break -d until=2027-01-31 localhost:8080/exceptions
package main

import (
	"cmp"
	"context"
	"crypto/subtle"
	"database/sql"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gin-gonic/gin"
	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/usage"
	"github.com/goverso/verso/usage/usagesql"
)

func main() {
	dsn := flag.String("db", "", "count in this database: a URL of PostgreSQL, or a file of SQLite")
	idle := flag.Bool("idle", false, "play no traffic")
	flag.Parse()
	gin.SetMode(gin.ReleaseMode)
	if err := serve(cmp.Or(flag.Arg(0), ":8080"), *dsn, *idle); err != nil {
		log.Fatal(err)
	}
}

// serve serves until the process is told to end.
func serve(address, dsn string, idle bool) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	now := time.Now()
	clock := new(movedClock)
	if !idle {
		clock.set(firstDay(now))
	}
	versions, err := newVersions(now)
	if err != nil {
		return err
	}
	config := verso.Config{Catalogue: versions, Clock: clock.now}
	var calls counter
	if dsn == "" {
		calls = usage.NewTable(&config)
	} else {
		store, err := newStore(dsn, &config)
		if err != nil {
			return err
		}
		defer func() { // after the last request
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			if err := store.Close(ctx); err != nil {
				log.Print(err)
			}
		}()
		calls = store
	}
	service, err := newService(config, calls, os.Getenv("ADMIN_PASSWORD"))
	if err != nil {
		return err
	}
	if !idle {
		play(service, now, clock.set)
		clock.set(time.Now())
	}
	service.POST("/later", func(c *gin.Context) {
		clock.set(clock.now().AddDate(0, 0, 31))
		c.String(http.StatusOK, "it is %s\n", clock.now().Format(time.RFC1123))
	})
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Printf("http://localhost:%d/usage\n", listener.Addr().(*net.TCPAddr).Port)
	server := &http.Server{Handler: service, ReadHeaderTimeout: time.Minute}
	go func() {
		<-ctx.Done()
		_ = server.Shutdown(context.Background())
	}()
	_ = server.Serve(listener)
	return nil
}

// movedClock is a clock that can be set.
type movedClock struct{ ahead atomic.Int64 }

func (c *movedClock) now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }

func (c *movedClock) set(now time.Time) { c.ahead.Store(int64(time.Until(now))) }

// newStore returns a store in PostgreSQL or SQLite.
func newStore(dsn string, config *verso.Config) (*usagesql.Store, error) {
	driver, dialect := "pgx", usagesql.PostgreSQL
	if !strings.HasPrefix(dsn, "postgres:") {
		driver, dialect = "sqlite", usagesql.SQLite
		dsn = "file:" + strings.ReplaceAll(dsn, "#", "%23") + "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_txlock=immediate"
	}
	db, err := sql.Open(driver, dsn)
	if err != nil {
		return nil, err
	}
	return usagesql.New(config, usagesql.Config{DB: db, Dialect: dialect})
}

// counter counts in the memory of this process, or in a database.
type counter interface {
	usage.Excepter
	Handler(explain func() *verso.Explanation) *usage.Page
}

// keys are the clients, by the key that they send.
var keys = map[string]string{}

// clients are in the order of how much they send.
var clients = strings.Fields(`mobile-ios mobile-android web-shop billing-batch partner-zoo acme data-warehouse support-desk kiosk-berlin kiosk-paris
	kiosk-vienna partner-northwind partner-contoso night-audit mail-sender loyalty-app check-in-tablet room-display invoices-export sap-bridge
	crm-sync pricing-engine channel-manager partner-globex partner-initech travel-agent-one travel-agent-two chatbot voice-assistant fraud-check
	parking-gate minibar laundry spa-booking event-planner tax-report status-page load-test intern-script reporting-service.finance.emea.example.com`)

// jobs are the clients that rarely call, only v1, and how many days ago they did.
var jobs = map[string][]int{"night-audit": {79, 49, 18}, "tax-report": {82, 20}}

// resources have eight routes each.
var resources = strings.Fields(`bookings users rooms invoices payments guests hotels rates offers discounts vouchers events tables menus orders
	keys cards messages reviews reports contracts suppliers shifts tasks tickets`)

// newVersions returns the versions. v0 has ended and v1 ends in five weeks.
func newVersions(now time.Time) (*catalogue.Catalogue, error) {
	day := now.UTC().Truncate(24 * time.Hour)
	return catalogue.New(catalogue.Config{
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
}

// newService returns the service. Who knows the password of the administrators may record exceptions.
func newService(config verso.Config, calls counter, admin string) (*gin.Engine, error) {
	for i, client := range clients {
		keys[fmt.Sprint("key-", i)] = client
	}
	api, err := verso.New(verso.PathParam("version"), config)
	if err != nil {
		return nil, err
	}

	r := gin.New()
	v := versogin.New(r, api, versogin.Config{Client: func(c *gin.Context) string { return keys[c.GetHeader("Api-Key")] }})
	r.GET("/", func(c *gin.Context) { c.Redirect(http.StatusFound, "/usage") })
	page := calls.Handler(v.Explain)
	page.Contact = func(client string) (text, link string) {
		if strings.HasPrefix(client, "partner-") {
			return "partners", "mailto:partners@example.com"
		}
		return "platform", "mailto:platform@example.com"
	}
	r.Match([]string{http.MethodGet, http.MethodHead}, "/usage", gin.WrapH(page))
	if admin != "" { // else nobody may say what the gate believes
		by := func(r *http.Request) string {
			name, password, _ := r.BasicAuth()
			if subtle.ConstantTimeCompare([]byte(password), []byte(admin)) != 1 {
				return ""
			}
			return name
		}
		r.POST("/exceptions", gin.WrapH(usage.ExceptionHandler(calls, by)))
	}
	r.GET("/versions", gin.WrapH(config.Catalogue.Handler(config.Clock)))
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
			if ago, rare := jobs[clients[i]]; rare && !slices.Contains(ago, usage.Days-1-day) {
				continue
			}
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
	case jobs[clients[client]] != nil, day < moves-10+random.IntN(20):
		return "v1"
	}
	return "v2"
}

// send sends a request of a client, most of which use a few routes.
func send(service http.Handler, client int, version string, random *rand.Rand) {
	name := resources[(client+int(random.ExpFloat64()*2)%3)%len(resources)]
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
	kinds := 1 + client%len(requests)
	if client%3 == 0 {
		kinds = 2 // only reads
	}
	request := requests[int(random.ExpFloat64()*1.5)%kinds]
	r := httptest.NewRequest(request.method, request.path, nil)
	r.Header.Set("Api-Key", fmt.Sprint("key-", client))
	service.ServeHTTP(httptest.NewRecorder(), r)
}
