package conformance

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"testing"

	verso "github.com/goverso/verso/core"
)

// callerField is the request field by which the middleware of [storedCheck] knows a caller.
const callerField = "X-Caller"

// storedCheck checks that a version decides if middleware in front of the check has stored it,
// and is an error in the log if middleware behind the check stores it. Otherwise the service
// silently answers pinned callers in the default version.
func storedCheck(tb testing.TB, mount Mount) error {
	tb.Helper()
	keep := func(s Step) int {
		if pin := s.Header(callerField); pin != "" && s.Keep != nil {
			s.Keep("pin", pin)
		}
		return 0
	}
	var wrong complaints
	for _, place := range []struct {
		name string
		app  App
		rows []storedRow
	}{
		{"in front of the check", App{Before: []Middleware{keep}}, []storedRow{
			{"", "200 v2 x", nil}, {"v1", "200 v1 x", nil}, {"v9", "400", []string{"stored_unknown"}},
			{"v9", "400", nil},
		}},
		{"behind the check", App{After: []Middleware{keep}}, []storedRow{
			{"", "200 v2 x", nil}, {"v1", "200 v2 x", []string{"stored_late"}}, {"v1", "200 v2 x", nil},
		}},
	} {
		var log errorCodes
		app := place.app
		app.API = verso.MustNew(verso.First(inHeader, verso.Stored("pin", callerField)), verso.Config{
			AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v2"), Logger: slog.New(&log),
		})
		app.Routes = []Route{answering("GET", "/x", "x").checks()}
		server := mount(tb, app)
		for _, row := range place.rows {
			asked := parseAsking("GET /x")
			if row.pin != "" {
				asked.request.Headers[callerField] = []string{row.pin}
			}
			got, err := asked.request.send(server.Address)
			if err != nil {
				wrong = append(wrong, err)
				continue
			}
			wrong.unless(got.summary() == row.want,
				"a version %q, stored by middleware %s: the response is %q instead of %q", row.pin, place.name,
				got.summary(), row.want)
			wrong.unless(soon(func() bool { return slices.Equal(log.codes(), row.logged) }),
				"a version %q, stored by middleware %s: the errors %q are logged instead of %q", row.pin, place.name,
				log.codes(), row.logged)
			log.clear()
		}
		wrong = append(wrong, server.stop())
	}
	return errors.Join(wrong...)
}

// storedRow is a request whose caller has a version.
type storedRow struct {
	pin, want string
	logged    []string // codes
}

// summary returns the status of a response and, without an error, the body.
func (r *response) summary() string {
	if r.status != 200 {
		return strconv.Itoa(r.status)
	}
	return strconv.Itoa(r.status) + " " + string(r.body)
}

// errorCodes is a log that keeps the codes of errors.
type errorCodes struct {
	slog.Handler // nil: loggers here have no attributes of their own
	mutex        sync.Mutex
	all          []string
}

func (e *errorCodes) Enabled(_ context.Context, level slog.Level) bool {
	return level >= slog.LevelError
}

func (e *errorCodes) Handle(_ context.Context, record slog.Record) error {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	record.Attrs(func(a slog.Attr) bool {
		if a.Key == "code" {
			e.all = append(e.all, a.Value.String())
		}
		return true
	})
	return nil
}

func (e *errorCodes) codes() []string {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return slices.Clone(e.all)
}

func (e *errorCodes) clear() {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.all = nil
}
