// Command webhooks serves an API whose clients have receivers of webhooks: each gets an event in
// the version of the request that created it. Two receivers listen on loopback, and the clock moves
// past the end of v1.
//
//	go run ./webhooks          in Gin
//	go run ./webhooks -echo    in Echo
package main

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	_ "modernc.org/sqlite"
)

func main() {
	inEchoToo := flag.Bool("echo", false, "serve in Echo")
	flag.Parse()
	gin.SetMode(gin.ReleaseMode)
	serve := inGin
	if *inEchoToo {
		serve = inEcho
	}
	dir, err := os.MkdirTemp("", "webhooks")
	if err != nil {
		log.Fatal(err)
	}
	if err := play(os.Stdout, serve, filepath.Join(dir, "webhooks.db")); err != nil {
		log.Print(err)
	}
	_ = os.RemoveAll(dir)
}

// openDB opens a database of SQLite.
func openDB(file string) (*sql.DB, error) {
	return sql.Open("sqlite", "file:"+strings.ReplaceAll(file, "#", "%23")+"?_pragma=busy_timeout(10000)&_txlock=immediate")
}

// secret is that of both receivers.
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// play books before and after the end of v1, and prints what two receivers get.
func play(out io.Writer, serve func(*service) http.Handler, file string) error {
	db, err := openDB(file)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	now := time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)
	logger := slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	s, err := newService(db, func() time.Time { return now }, logger)
	if err != nil {
		return err
	}
	handler := serve(s)
	for _, r := range []struct{ key, version string }{{"key-a", "v1"}, {"key-b", "v2"}} {
		receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
			body, _ := io.ReadAll(request.Body)
			_, _ = fmt.Fprintf(out, "%s gets %s in %s\n", clientOf(r.key), body, request.Header.Get("Api-Version"))
		}))
		defer receiver.Close()
		call(handler, http.MethodPost, "/receivers", r.key, r.version, `{"url":"`+receiver.URL+`","secret":"`+secret+`"}`)
	}
	book := func(id string) error {
		call(handler, http.MethodPost, "/bookings", "key-b", "v2", `{"id":"`+id+`","guest_name":"Ada"}`)
		return s.deliver(context.Background())
	}
	now = time.Date(2027, 5, 1, 12, 0, 0, 0, time.UTC)
	if err := book("b1"); err != nil {
		return err
	}
	_, _ = fmt.Fprint(out, "May v1 end? ", call(handler, http.MethodGet, "/usage?ready=v1", "", "", ""))
	now = time.Date(2027, 6, 1, 0, 0, 0, 0, time.UTC)
	if err := book("b2"); err != nil {
		return err
	}
	return book("b3")
}

// call sends a request to the service, and returns the body of its answer.
func call(handler http.Handler, method, path, key, version, body string) string {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Api-Key", key)
	r.Header.Set("Api-Version", version)
	response := httptest.NewRecorder()
	handler.ServeHTTP(response, r)
	return response.Body.String()
}
