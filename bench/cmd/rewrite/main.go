// Command rewrite measures what the rewriting of bodies costs: each row is served by
// the same Gin route with Verso's check, without and with Rewrite, by turns.
package main

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

// User is what the routes return and accept, in the newest version.
type User struct {
	ID        int64     `json:"id"`
	FirstName string    `json:"first_name"`
	LastName  string    `json:"last_name"`
	Email     string    `json:"email"`
	Status    string    `json:"status"`
	Plan      string    `json:"plan"`
	Address   *Address  `json:"address,omitempty"`
	Tags      []string  `json:"tags,omitempty"`
	Bio       string    `json:"bio,omitempty"`
	Phone     string    `json:"phone"`
	Company   string    `json:"company"`
	Locale    string    `json:"locale"`
	Zone      string    `json:"zone"`
	Score     float64   `json:"score"`
	Logins    int       `json:"logins"`
	Active    bool      `json:"active"`
	Created   time.Time `json:"created"`
	Updated   time.Time `json:"updated"`
}

// Address is a part of a User.
type Address struct {
	Street string `json:"street"`
	City   string `json:"city"`
	Zip    string `json:"zip"`
}

// Users is a list of them.
type Users struct {
	Items []User `json:"items"`
	Next  string `json:"next,omitempty"`
}

func user(id int64, bio int) User {
	day := time.Date(1815, 12, 10, 1, 2, 3, 0, time.UTC)
	return User{
		ID: id, FirstName: "Ada", LastName: "Lovelace", Email: "ada@example.com", Status: "active", Plan: "free",
		Address: &Address{"St James's Square 12", "London", "SW1Y"}, Tags: []string{"math", "poetry"},
		Bio:   strings.Repeat("b", bio),
		Phone: "+44 20 7946 0000", Company: "Analytical Engines", Locale: "en-GB", Zone: "Europe/London",
		Score: 99.5, Logins: 1234, Active: true, Created: day, Updated: day,
	}
}

func split(name string) (first, last string, err error) {
	first, last, _ = strings.Cut(name, " ")
	return first, last, nil
}

func join(first, last string) (string, error) { return first + " " + last, nil }

// history returns a history of changes of a User, the last of which are an edit of each
// kind. n is 1 or more.
func history(n int) (*migrate.History, *verso.Versioning) {
	versions := make([]string, n+1)
	for i := range versions {
		versions[i] = fmt.Sprintf("v%d", i+1)
	}
	api := verso.MustNew(verso.Header("Api-Version"),
		verso.Config{AllowedVersions: versions, Logger: slog.New(slog.DiscardHandler)})
	edits := []migrate.Edit{
		migrate.Renamed("mail", "email"),
		migrate.Split("name", "first_name", "last_name", split, join),
		migrate.Added("plan", "free"),
		migrate.Values("status", map[string]string{"on": "active", "off": "suspended"}),
		migrate.Removed("fax", ""),
	}
	var revisions []migrate.Revision
	for i := n; i > 0; i-- {
		var change *migrate.Change
		switch at := n - i; {
		case n == 1:
			change = migrate.Changed("All.", migrate.ForType(reflect.TypeFor[User](), edits...),
				migrate.For[Address](migrate.Renamed("postcode", "zip")))
		case at < len(edits):
			change = migrate.Changed("One.", migrate.For[User](edits[at]))
		case at == len(edits):
			change = migrate.Changed("One.", migrate.For[Address](migrate.Renamed("postcode", "zip")))
		default: // one name after the other
			change = migrate.Changed("One.", migrate.For[User](migrate.Renamed(fmt.Sprint("phone", i),
				fmt.Sprint("phone", i+1))))
			if at == len(edits)+1 {
				change = migrate.Changed("One.", migrate.For[User](migrate.Renamed(fmt.Sprint("phone", i), "phone")))
			}
		}
		revisions = append(revisions, migrate.Release(versions[i], change))
	}
	return verso.Must(migrate.New(api, append(revisions, migrate.Release("v1"))...)), api
}

// engine serves the routes, with or without rewriting.
func engine(h *migrate.History, api *verso.Versioning, rewrites bool) http.Handler {
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	v := versogin.New(r, api)
	one, list, stream := v, v, v
	if rewrites {
		stream = v.Rewrite(h.Route(migrate.Returns[User]()))
		one = v.Rewrite(h.Route(migrate.Accepts[User](), migrate.Returns[User]()))
		list = v.Rewrite(h.Route(migrate.Returns[Users]()))
	}
	kilobyte, page := user(1, 500), Users{Items: make([]User, 200)}
	for i := range page.Items {
		page.Items[i] = user(int64(i), 0)
	}
	one.GET("/one", func(c *gin.Context) { c.JSON(http.StatusOK, kilobyte) })
	list.GET("/list", func(c *gin.Context) { c.JSON(http.StatusOK, page) })
	one.POST("/one", func(c *gin.Context) {
		var u User
		if err := c.ShouldBindJSON(&u); err != nil {
			_ = c.AbortWithError(http.StatusBadRequest, err)
			return
		}
		c.Status(http.StatusNoContent)
	})
	line := []byte(`{"id":1,"first_name":"Ada","last_name":"Lovelace","email":"ada@example.com","bio":"` +
		strings.Repeat("b", 900) + `"}` + "\n")
	stream.GET("/stream", func(c *gin.Context) {
		c.Header("Content-Type", "application/x-ndjson")
		for range streamed / len(line) {
			_, _ = c.Writer.Write(line)
		}
	})
	return r
}

// streamed is the size of the stream, in bytes.
const streamed = 35 << 20

// sink is a client that reads everything.
type sink struct {
	header http.Header
	bytes  int
	peak   *uint64 // of the live heap, unless it is nil
	status int
}

func (s *sink) Header() http.Header    { return s.header }
func (s *sink) WriteHeader(status int) { s.status = status }
func (s *sink) Write(p []byte) (int, error) {
	if s.peak != nil && (s.bytes+len(p))>>22 > s.bytes>>22 { // every 4 MB
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		*s.peak = max(*s.peak, m.HeapAlloc)
	}
	s.bytes += len(p)
	return len(p), nil
}

type row struct {
	name, method, path, version, body string
	handlers                          [2]http.Handler // without and with
}

func (r *row) request() *http.Request {
	request, err := http.NewRequest(r.method, r.path, nil)
	if err != nil {
		panic(err)
	}
	request.Header.Set("Api-Version", r.version)
	return request
}

// run serves n requests, and returns what one took.
func (r *row) run(handler http.Handler, n int) time.Duration {
	request, w := r.request(), &sink{header: http.Header{}}
	start := time.Now()
	for range n {
		clear(w.header)
		if r.body != "" {
			request.Body = io.NopCloser(strings.NewReader(r.body))
			request.ContentLength = int64(len(r.body))
			request.Header["Content-Type"] = []string{"application/json"}
		}
		handler.ServeHTTP(w, request)
	}
	took := time.Since(start) / time.Duration(n)
	if w.status >= http.StatusBadRequest || w.status == 0 {
		panic(fmt.Sprint(r.name, ": status ", w.status))
	}
	return took
}

func (r *row) allocs(handler http.Handler) uint64 {
	const n = 200
	r.run(handler, n)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r.run(handler, n)
	runtime.ReadMemStats(&after)
	return (after.Mallocs - before.Mallocs) / n
}

func main() {
	h1, api1 := history(1)
	h100, api100 := history(100)
	few := [2]http.Handler{engine(h1, api1, false), engine(h1, api1, true)}
	many := [2]http.Handler{engine(h100, api100, false), engine(h100, api100, true)}
	// The client's own body, and the newest one for the route without Rewrite.
	older := `{"id":1,"name":"Ada Lovelace","mail":"ada@example.com","status":"on","address":{"street":"x","city":"y","postcode":"z"},"tags":["a"],"phone":"1","score":1.5,"bio":"` + strings.Repeat("b", 800) + `"}`
	rows := []row{
		{"GET 1 KB, newest", "GET", "/one", "v2", "", few},
		{"GET 1 KB", "GET", "/one", "v1", "", few},
		{"GET 100 KB, 200 in a list", "GET", "/list", "v1", "", few},
		{"GET 1 KB, 100 changes", "GET", "/one", "v1", "", many},
		{"GET 100 KB, 100 changes", "GET", "/list", "v1", "", many},
		{"POST 1 KB", "POST", "/one", "v1", older, few},
		{"POST 1 KB, 100 changes", "POST", "/one", "v1", strings.Replace(older, `"phone"`, `"phone2"`, 1), many},
	}
	const rounds = 15
	took := make([][2][]time.Duration, len(rows))
	for range rounds {
		for i := range rows {
			n := 4000
			if rows[i].path == "/list" {
				n = 60
			}
			for j, handler := range rows[i].handlers {
				took[i][j] = append(took[i][j], rows[i].run(handler, n))
			}
		}
	}
	out := tabwriter.NewWriter(os.Stdout, 2, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(out, "\twithout\twith\ttimes\tmedian\tallocations\tmore\t")
	for i, r := range rows {
		least := [2]time.Duration{slices.Min(took[i][0]), slices.Min(took[i][1])}
		slices.Sort(took[i][0])
		slices.Sort(took[i][1])
		without, with := r.allocs(r.handlers[0]), r.allocs(r.handlers[1])
		_, _ = fmt.Fprintf(out, "%s\t%v\t%v\t%.2f\t%.2f\t%d\t%d\t\n", r.name, least[0], least[1],
			float64(least[1])/float64(least[0]),
			float64(took[i][1][rounds/2])/float64(took[i][0][rounds/2]), without, int64(with)-int64(without))
	}
	_ = out.Flush()
	fmt.Printf("a stream of %d MB: %s\n", streamed>>20, liveHeap(few[1]))
}

// liveHeap returns by how much the live heap grows while a stream is rewritten.
func liveHeap(handler http.Handler) string {
	var before runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	peak := before.HeapAlloc
	request, err := http.NewRequest(http.MethodGet, "/stream", nil)
	if err != nil {
		panic(err)
	}
	request.Header.Set("Api-Version", "v1")
	w := &sink{header: http.Header{}, peak: &peak}
	handler.ServeHTTP(w, request)
	return fmt.Sprintf("%d KB of live heap, %d MB written",
		(cmp.Compare(peak, before.HeapAlloc)*int(peak-before.HeapAlloc))>>10, w.bytes>>20)
}
