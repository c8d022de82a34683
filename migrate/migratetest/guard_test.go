package migratetest_test

import (
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/migrate/migratetest"
)

type Guest struct {
	Name   string `json:"name"`
	Status string `json:"status"`
	Note   string `json:"note,omitempty"`
	Beds   int    `json:"beds,omitempty"`
	Paid   string `json:"paid,omitempty"`
}

func guests(old, read, constant string) *migrate.History {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}})
	return verso.Must(migrate.New(api,
		migrate.Release("v3"),
		migrate.Release("v2", migrate.Changed("x", migrate.For[Guest](
			migrate.Renamed("guest", "name"), migrate.Removed("fax", constant),
			migrate.Values("status", map[string]string{old: "active"}, migrate.NewValue("pending", read)),
			migrate.Values("paid", nil, migrate.OldValue("later", "no"))))),
		migrate.Release("v1")))
}

// cleaned is a test that has ended when run returns.
type cleaned struct {
	recorder
	cleanups []func()
}

func (c *cleaned) Cleanup(f func()) { c.cleanups = append(c.cleanups, f) }

func explained(method string, route *migrate.Route) *verso.Explanation {
	return &verso.Explanation{Routes: []verso.RouteInfo{{Method: method, Pattern: "/guests", Rewritten: route != nil, Rewriter: route}}}
}

// Each line is a careless edit, or none, and what the tests of the service say.
func TestCarelessEdits(t *testing.T) {
	const good = `{"name":"a","status":"active"}`
	type service struct {
		old, read, constant string
		route               []migrate.Body
		method              string
		status              int
		kind, body          string
	}
	returns := []migrate.Body{migrate.Returns[Guest](), migrate.Accepts[Guest]()}
	sound := service{"on", "on", "", returns, "GET", 200, "application/json", good}
	for _, test := range []struct {
		name string
		edit func(*service)
		want string // "" for nothing
	}{
		{"none", func(*service) {}, ""},
		{"an old value", func(s *service) { s.old = "enabled" }, `v2 no longer declares: ` + "`Guest`" + `: "status" has other values: "pending" is new`},
		{"what is read of a new value", func(s *service) { s.read = "off" }, `v1: a was`},
		{"a constant", func(s *service) { s.constant = "n/a" }, `v1: a was`},
		{"Returns is dropped", func(s *service) { s.route = returns[1:] }, `v1: GET /guests: it was "accepts Guest; returns Guest" and is "accepts Guest"`},
		{"Accepts is dropped", func(s *service) { s.route = returns[:1] }, `it was "accepts Guest; returns Guest" and is "returns Guest"`},
		{"all is dropped", func(s *service) { s.route = nil }, `it was "accepts Guest; returns Guest" and is "nothing"`},
		{"another type is said", func(s *service) { s.route = []migrate.Body{migrate.Returns[[]Guest](), returns[1]} }, `and is "accepts Guest; returns []Guest"`},
		{"another shape", func(s *service) { s.body = `[` + good + `]` }, `v3: GET /guests: 200: "": Guest is object, and this is [`},
		{"another struct", func(s *service) { s.body = `{"guest":` + good + `}` }, `v3: GET /guests: 200: "": Guest has always a member "name"`},
		{"a member more", func(s *service) { s.body = `{"plan":"x","name":"a","status":"active"}` }, `v3: GET /guests: 200: "": Guest has no member "plan"`},
		{"a value more", func(s *service) { s.body = `{"name":"a","status":"archived"}` }, `v1: GET /guests: 200: "/status": "archived" is not among the values ["on" "on"]: add NewValue`},
		{"a value beside a gone one", func(s *service) { s.body = `{"name":"a","status":"active","paid":"yes"}` }, ""},
		{"another kind", func(s *service) { s.body = `{"name":7,"status":"active"}` }, `"/name": string is string, and this is 7`},
		{"a fraction", func(s *service) { s.body = `{"name":"a","status":"active","beds":1.5}` }, `"/beds": int is integer, and this is 1.5`},
		{"a status", func(s *service) { s.status = 201 }, `v1: GET /guests answered 200, and now also with another status: 200 201`},
		{"CSV", func(s *service) { s.kind = "text/csv" }, `v3: GET /guests: 200: it is text/csv: add Passes("text/csv")`},
		{"an error that is not declared", func(s *service) { s.status = 422 }, `v2: GET /guests: 422: an error of type application/json, which the route does not declare: add Fails`},
		{"a route is removed", func(s *service) { s.method = "PUT" }, `v1: GET /guests is gone: its clients call it`},
	} {
		t.Run(test.name, func(t *testing.T) {
			contracts, examples := filepath.Join(t.TempDir(), "contracts.json"), filepath.Join(t.TempDir(), "examples.json")
			check := func(s service) string {
				h := guests(s.old, s.read, s.constant)
				route := h.Route(s.route...)
				tb := &cleaned{}
				migratetest.Frozen(tb, h, contracts, explained(s.method, route))
				migratetest.Examples(tb, h, examples, map[string]any{"a": Guest{Name: "a", Status: "pending"}})
				migratetest.Checked(tb, h, contracts, explained(s.method, route))
				for _, v := range h.Versions() {
					w := httptest.NewRecorder()
					r := httptest.NewRequest(s.method, "/guests", nil)
					rewriting, err := route.Begin(v, w, r)
					require.NoError(t, err)
					rewriting.Header().Set("Content-Type", s.kind)
					rewriting.WriteHeader(s.status)
					_, _ = io.WriteString(rewriting, s.body)
					_ = rewriting.Finish()
					lower, err := route.BeginBuffered(v, s.method, &buffered{header: http.Header{}})
					require.NoError(t, err)
					_ = lower(s.status, &buffered{http.Header{"Content-Type": {s.kind}}, []byte(s.body)})
				}
				for _, f := range tb.cleanups {
					f()
				}
				return tb.failed
			}
			update(t, true)
			require.Empty(t, check(sound))
			update(t, false)
			s := sound
			test.edit(&s)
			if said := check(s); test.want == "" {
				assert.Empty(t, said)
			} else {
				assert.Contains(t, said, test.want)
			}
			before, err := os.ReadFile(contracts)
			require.NoError(t, err)
			assert.True(t, json.Valid(before))
			assert.True(t, strings.Contains(string(before), `"routes"`))
		})
	}
}

type buffered struct {
	header http.Header
	body   []byte
}

func (m *buffered) PeekAll(name string) (lines [][]byte) {
	for _, line := range m.header[name] {
		lines = append(lines, []byte(line))
	}
	return lines
}

func (m *buffered) Add(name, value string) { m.header.Add(name, value) }
func (m *buffered) IsBodyStream() bool     { return false }
func (m *buffered) Set(name, value string) { m.header.Set(name, value) }
func (m *buffered) Del(name string)        { m.header.Del(name) }
func (m *buffered) Body() []byte           { return m.body }
func (m *buffered) SetBody(body []byte)    { m.body = body }
func (m *buffered) QueryString() []byte    { return nil }
func (m *buffered) SetQueryString(string)  {}
func (m *buffered) SetStatusCode(int)      {}

func update(t *testing.T, is bool) {
	t.Helper()
	require.NoError(t, flag.Set("update", strconv.FormatBool(is)))
}

// To drop a declaration of a route changes what its older clients send or get.
func TestDeclarationsAreFrozen(t *testing.T) {
	type Search struct {
		Sort string `query:"sort"`
	}
	type Tenant struct {
		Tenant string `header:"X-Tenant"`
	}
	type Upload struct {
		Name string `form:"name"`
	}
	change := migrate.Behaves("x")
	h := verso.Must(migrate.New(verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}),
		migrate.Release("v2", change), migrate.Release("v1")))
	all := []migrate.Body{migrate.Query[Search](), migrate.Headers[Tenant](), migrate.Form[Upload](), change.Status(200, 201), change.ResponseHeader("X-Total", "X-Count"), migrate.Replaces()}
	file := filepath.Join(t.TempDir(), "contracts.json")
	update(t, true)
	migratetest.Frozen(t, h, file, explained("GET", h.Route(all...)))
	update(t, false)

	tb := &cleaned{}
	update(t, true)
	route := h.Route(all...)
	migratetest.Checked(tb, h, file, explained("GET", route))
	lower, err := route.BeginBuffered(verso.V("v1"), "GET", &buffered{header: http.Header{}})
	require.NoError(t, err)
	require.NoError(t, lower(201, &buffered{header: http.Header{}}))
	for _, f := range tb.cleanups {
		f()
	}
	update(t, false)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Contains(t, string(text), `"v1": "200"`, "what the client gets")

	const was = `v1: GET /guests: it was "form Upload; header Tenant; query Search; replaces; status 201 was 200; the header \"X-Count\" was \"X-Total\"" and is `
	for i, is := range []string{
		`"form Upload; header Tenant; replaces; status 201 was 200; the header \"X-Count\" was \"X-Total\""`,
		`"form Upload; query Search; replaces; status 201 was 200; the header \"X-Count\" was \"X-Total\""`,
		`"header Tenant; query Search; replaces; status 201 was 200; the header \"X-Count\" was \"X-Total\""`,
		`"form Upload; header Tenant; query Search; replaces; the header \"X-Count\" was \"X-Total\""`,
		`"form Upload; header Tenant; query Search; replaces; status 201 was 200"`,
		`"form Upload; header Tenant; query Search; status 201 was 200; the header \"X-Count\" was \"X-Total\""`,
	} {
		tb := &cleaned{}
		migratetest.Frozen(tb, h, file, explained("GET", h.Route(slices.Delete(slices.Clone(all), i, i+1)...)))
		assert.Contains(t, tb.failed, was+is)
	}
}
