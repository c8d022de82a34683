package client_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/goverso/verso/client"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/versotest"
)

// served is a request and its response.
type served struct {
	w http.ResponseWriter
	r *http.Request
}

// TestLifeOfAVersion listens to a service during the lifetime of v1.
func TestLifeOfAVersion(t *testing.T) {
	clock := versotest.NewClock(date(2026, 1, 1))
	api := adapter.Bind(verso.MustNew(verso.Header("Api-Version"), verso.Config{
		Clock: clock.Now,
		Catalogue: catalogue.MustNew(catalogue.Config{
			Versions: []catalogue.Entry{{
				Version: "v1", Deprecated: date(2026, 3, 2), Sunset: date(2026, 12, 1), Successor: "v2",
				Links: []catalogue.Link{{Rel: "deprecation", Href: "https://api.example.com/move"}},
				Brownouts: []catalogue.Brownout{
					{From: date(2026, 11, 3), Until: date(2026, 11, 3).Add(2 * time.Hour)},
					{From: date(2026, 11, 10), Until: date(2026, 11, 10).Add(2 * time.Hour)},
				},
			}, {Version: "v2"}},
			AfterSunset: catalogue.Gone,
			Report:      true,
		}),
	}), nil)
	seam := adapter.NewSeam(adapter.Seam[served, func()]{
		Binding:   api,
		Load:      func(served) *verso.Result { return nil },
		Store:     func(served, *verso.Result) {}, // nothing reads it
		Header:    func(c served) http.Header { return c.w.Header() },
		Next:      func(_ served, next func()) error { next(); return nil },
		NoContent: func(c served) error { c.w.WriteHeader(http.StatusNoContent); return nil },
		Reject: func(c served, _ *verso.Error, answer *verso.Answer) error {
			answer.ServeHTTP(c.w, c.r)
			return nil
		},
		Fail: func(_ served, err error) error { return err },
	})
	target, host := serve(t, func(w http.ResponseWriter, r *http.Request) {
		call := adapter.Call{Request: versotest.Request(r, nil, nil)}
		if err := seam.Check(served{w, r}, &call, func() {}); err != nil {
			t.Error(err)
		}
	})
	var heard notices
	config := v1(nil, &heard)
	config.Hosts, config.Clock = []string{host}, clock.Now
	transport := verso.Must(client.New(config))
	defer transport.CloseIdleConnections()
	for _, day := range []struct {
		now  time.Time
		want string // level, text, end of the brownout
	}{
		{date(2026, 1, 1), "WARN API version will end 0s"},
		{date(2026, 1, 2), ""},
		{date(2026, 3, 2), "WARN API version will end 0s"}, // the deprecation begins
		{date(2026, 11, 2), ""},
		{date(2026, 11, 3), "ERROR API version is switched off for a time 2h0m0s"},
		{date(2026, 11, 3).Add(time.Hour), ""},
		{date(2026, 11, 4), ""},
		{date(2026, 11, 10), "ERROR API version is switched off for a time 2h0m0s"},
		{date(2026, 12, 1), "ERROR API version has ended 0s"},
		{date(2026, 12, 2), ""},
		{date(2026, 11, 2), ""}, // the clock runs backwards
	} {
		clock.Set(day.now)
		get(t, transport, target)
		get(t, transport, target)
		var said []string
		for _, n := range heard.take() {
			said = append(said, fmt.Sprint(n.Level, " ", n, " ", n.RetryAfter))
			if len(n.Links) == 0 || n.Links[0] != (client.Link{Rel: "deprecation", Href: "https://api.example.com/move"}) {
				t.Errorf("links %v", n.Links)
			}
		}
		if got := strings.Join(said, ", "); got != day.want {
			t.Errorf("%s: %q, want %q", day.now, got, day.want)
		}
	}
}

// TestOnce: a notice is reported once for each host, version and content.
func TestOnce(t *testing.T) {
	const first, second = "Fri, 01 Jan 2027 00:00:00 GMT", "Sat, 01 Jan 2028 00:00:00 GMT"
	fields := func(more ...string) []string { return append([]string{"Sunset", first}, more...) }
	tests := []struct {
		name   string
		host   string
		own    string // the version of the request
		status int
		fields []string
		news   bool
	}{
		{"the first", "api.example.com", "", 200, fields(), true},
		{"the same", "api.example.com", "", 200, fields(), false},
		{"another status", "api.example.com", "", 404, fields(), false},
		{"the host in another case", "API.example.com", "", 200, fields(), false},
		{"another host", "api.example.com:8080", "", 200, fields(), true},
		{"another version", "api.example.com", "v0", 200, fields(), true},
		{"another date", "api.example.com", "", 200, []string{"Sunset", second}, true},
		{"the first date again", "api.example.com", "", 200, fields(), false},
		{"a date more", "api.example.com", "", 200, fields("Deprecation", "@1700000000"), true},
		{"deprecated without a date", "api.example.com", "", 200, fields("Deprecation", "true"), true},
		{"a link", "api.example.com", "", 200, fields("Link", "</a>; rel=sunset"), false},
		{"a newer version", "api.example.com", "", 200, fields("Api-Supported-Versions", "v1, v2"), true},
		{"another version served", "api.example.com", "", 200, fields("Api-Version", "v2"), true},
		{"gone", "api.example.com", "", 410, fields(), true},
		{"gone again", "api.example.com", "", 410, fields(), false},
		{"a brownout", "api.example.com", "", 410, fields("Retry-After", "1800"), true},
		{"a second later", "api.example.com", "", 410, fields("Retry-After", "1799"), false},
	}
	var heard notices
	var send base
	transport := verso.Must(client.New(v1(base(func(r *http.Request) (*http.Response, error) { return send(r) }), &heard)))
	for _, test := range tests {
		send = answering(test.status, test.fields...)
		r := request(t, "http://"+test.host+"/")
		if test.own != "" {
			r.Header.Set("Api-Version", test.own)
		}
		roundTrip(t, transport, r)
		if news := len(heard.take()) == 1; news != test.news {
			t.Errorf("%s: reported %t, want %t", test.name, news, test.news)
		}
	}
}

// TestBoundedMemory: 1,024 notices are reported, and then, once, that the bound is
// reached.
func TestBoundedMemory(t *testing.T) {
	var heard notices
	var n int
	logger, text := logged()
	config := v1(base(func(r *http.Request) (*http.Response, error) {
		n++
		return answering(200, "Sunset", "@"+strconv.Itoa(1_800_000_000+n))(r)
	}), &heard)
	config.Logger = logger
	transport := verso.Must(client.New(config))
	for range 3000 {
		get(t, transport, "http://api.example.com/")
	}
	if got := len(heard.take()); got != 1024 {
		t.Errorf("%d notices", got)
	}
	if got := strings.Count(text.String(), "\n"); got != 1025 || !strings.HasSuffix(text.String(),
		"level=WARN msg=\"verso: too many different notices about API versions: new ones are not reported\" notices=1024\n") {
		t.Errorf("%d lines, the last %q", got, text.String()[max(0, text.Len()-200):])
	}
}

// TestConcurrent: of many concurrent requests, one reports what all responses say.
func TestConcurrent(t *testing.T) {
	var heard notices
	transport := verso.Must(client.New(v1(answering(200, "Sunset", "2027-01-01", "Link", "</a>; rel=sunset"), &heard)))
	var wait sync.WaitGroup
	for i := range 64 {
		wait.Go(func() {
			for j := range 20 {
				get(t, transport, fmt.Sprintf("http://api.example.com:%d/", 1+(i+j)%4))
			}
		})
	}
	wait.Wait()
	if got := len(heard.take()); got != 4 {
		t.Errorf("%d notices of 4 hosts", got)
	}
}

// TestRetryingClient: a client that waits for the end of a brownout, as
// go-retryablehttp does, reports it first.
func TestRetryingClient(t *testing.T) {
	left := 2
	target, host := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Deprecation", "@1700000000")
		w.Header().Set("Sunset", "Fri, 01 Jan 2027 00:00:00 GMT")
		if left--; left >= 0 {
			w.Header().Set("Retry-After", strconv.Itoa(3600*(left+1)))
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	var happened []string
	config := v1(nil, nil)
	config.Hosts = []string{host}
	config.OnNotice = func(n client.Notice) { happened = append(happened, fmt.Sprint(n.Level, " ", n.RetryAfter)) }
	transport := verso.Must(client.New(config))
	sleep := func(d time.Duration) { happened = append(happened, "sleep "+d.String()) }
	api := &http.Client{Transport: &retrying{base: transport, sleep: sleep}}
	defer api.CloseIdleConnections()
	response, err := api.Get(target)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	want := []string{"ERROR 2h0m0s", "sleep 2h0m0s", "sleep 1h0m0s", "WARN 0s"}
	if response.StatusCode != http.StatusOK || !slices.Equal(happened, want) {
		t.Errorf("status %d, %q, want %q", response.StatusCode, happened, want)
	}
}

// retrying sends a request again after a 503 and the time in Retry-After.
type retrying struct {
	base  http.RoundTripper
	sleep func(time.Duration)
}

func (c *retrying) RoundTrip(r *http.Request) (*http.Response, error) {
	for {
		response, err := c.base.RoundTrip(r)
		if err != nil || response.StatusCode != http.StatusServiceUnavailable {
			return response, err
		}
		seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
		if err != nil {
			return response, nil //nolint:nilerr // do not send the request again
		}
		_, _ = io.Copy(io.Discard, response.Body)
		response.Body.Close()
		c.sleep(time.Duration(seconds) * time.Second)
	}
}

func (c *retrying) CloseIdleConnections() {
	c.base.(interface{ CloseIdleConnections() }).CloseIdleConnections()
}

// A callback that panics does not break the request.
func TestOnNoticePanics(t *testing.T) {
	logger, text := logged()
	config := v1(answering(200, "Sunset", "@1800000000"), nil)
	config.Logger, config.OnNotice = logger, func(client.Notice) { panic("callback") }
	transport := verso.Must(client.New(config))
	for range 3 {
		get(t, transport, "http://api.example.com/")
	}
	if got := strings.Count(text.String(), `level=ERROR msg="verso: OnNotice panicked" reason=callback`); got != 1 {
		t.Errorf("logged %d times in %s", got, text)
	}
}

// TestLargeAnswers: 10 MB of a field cost little, and hide no line within the
// bounds.
func TestLargeAnswers(t *testing.T) {
	const size = 10 << 20
	tests := []struct {
		name   string
		fields []string
		want   int // notices
	}{
		{"a date", []string{"Sunset", strings.Repeat("1", size)}, 0},
		{"commas", []string{"Deprecation", strings.Repeat(",", size)}, 0},
		{"a list", []string{"Api-Supported-Versions", "v1, " + strings.Repeat("v2,", size/3)}, 0},
		{"links", []string{"Sunset", "@1800000000", "Link", strings.Repeat("</a>; rel=sunset,", size/17)}, 1},
		{"one relation", []string{"Sunset", "@1800000000", "Link", `</a>; rel="` + strings.Repeat("sunset ", size/7) + `"`}, 1},
		{"served", []string{"Api-Version", strings.Repeat("v", size)}, 0},
		{"a date after a large line", []string{"Sunset", strings.Repeat(",", size), "Sunset", "@1800000000"}, 1},
		{"many lines", append(slices.Repeat([]string{"Sunset", "soon"}, size/100), "Deprecation", "true"), 1},
		{"retry", []string{"Sunset", "@1800000000", "Retry-After", strings.Repeat("9", size)}, 1},
		{"another field", []string{"Sunset", "@1800000000", "X-Other", strings.Repeat("x", size)}, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var heard notices
			logger, text := logged()
			config := v1(answering(503, test.fields...), &heard)
			config.Logger = logger
			transport := verso.Must(client.New(config))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			get(t, transport, "http://api.example.com/")
			runtime.ReadMemStats(&after)
			if got := len(heard.take()); got != test.want {
				t.Errorf("%d notices, want %d", got, test.want)
			}
			// A twentieth of the response: regular expressions keep machines in a
			// pool, which the garbage collector may empty.
			if allocated := after.TotalAlloc - before.TotalAlloc; allocated > size/20 {
				t.Errorf("%d bytes allocated", allocated)
			}
			if text.Len() > 4<<10 {
				t.Errorf("%d bytes logged", text.Len())
			}
		})
	}
	t.Run("over the wire", func(t *testing.T) {
		target, host := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Sunset", "@1800000000")
			w.Header().Set("Link", strings.Repeat("</a>; rel=sunset,", (9<<20)/17))
		})
		var heard notices
		config := v1(nil, &heard)
		config.Hosts = []string{host}
		transport := verso.Must(client.New(config))
		defer transport.CloseIdleConnections()
		get(t, transport, target)
		if got := heard.take(); len(got) != 1 || len(got[0].Links) != 0 {
			t.Errorf("notices %+v", got)
		}
	})
}

// TestHostileTexts: a service cannot forge a log line or make it arbitrarily long.
func TestHostileTexts(t *testing.T) {
	long := strings.Repeat("v", 4000)
	logger, text := logged()
	config := v1(answering(200,
		"Sunset", "@1800000000", "Api-Version", "v2\x1b[31m\n\xe9\" level=ERROR", "Api-Supported-Versions", "v1, \x00\u202e, "+long+strings.Repeat(", a", 99),
		"Link", `</`+long+`>; rel=sunset, <javascript:alert(1)>; rel=deprecation, </`+"\u202e"+`?a=\>; rel=latest-version, <//a b/>; rel=successor-version`), nil)
	config.Logger = logger
	transport := verso.Must(client.New(config))
	get(t, transport, "http://me:secret@api.example.com/a%0Ab/\u202e?key=secret")
	got := text.String()
	if strings.Count(got, "\n") != 1 || len(got) > 2000 {
		t.Errorf("%d bytes: %s", len(got), got)
	}
	for _, evil := range []string{"secret", "javascript", "\x1b", "\x00", "\u202e", " level=ERROR\n", "a b"} {
		if strings.Contains(got, evil) {
			t.Errorf("%q is in %s", evil, got)
		}
	}
	for i := range len(got) - 1 {
		if got[i] < ' ' || got[i] >= 0x7f {
			t.Fatalf("byte %q in %s", got[i], got)
		}
	}
}

// TestLogged checks the log record of a notice.
func TestLogged(t *testing.T) {
	logger, text := logged()
	config := v1(answering(410, "Deprecation", "@1751241600", "Sunset", "Fri, 01 Jan 2027 00:00:00 GMT", "Retry-After", "1800",
		"Api-Supported-Versions", "v1, v2", "Api-Version", "v2", "Link", `</move>; rel="deprecation", </v2/users/7>; rel="successor-version"`), nil)
	config.Logger = logger
	get(t, verso.Must(client.New(config)), "http://api.example.com/users/7?a=b")
	const want = `level=ERROR msg="verso: API version is switched off for a time" host=api.example.com version=v1 method=GET path=/users/7 status=410 ` +
		`deprecated=2025-06-30T00:00:00.000Z sunset=2027-01-01T00:00:00.000Z served=v2 newer=v2 retry_after=30m0s ` +
		`link_deprecation=http://api.example.com/move link_successor_version=http://api.example.com/v2/users/7` + "\n"
	if got := text.String(); got != want {
		t.Errorf("logged\n%swant\n%s", got, want)
	}
}

func TestNoticeString(t *testing.T) {
	day := date(2027, 1, 1)
	for _, test := range []struct {
		notice client.Notice
		want   string
	}{
		{client.Notice{Level: slog.LevelError, RetryAfter: 1}, "API version is switched off for a time"},
		{client.Notice{Level: slog.LevelError}, "API version has ended"},
		{client.Notice{Level: slog.LevelWarn, Served: "v2"}, "API answered in another version"},
		{client.Notice{Level: slog.LevelWarn, SunsetAt: &day}, "API version will end"},
		{client.Notice{Level: slog.LevelWarn, Deprecated: true}, "API version is deprecated"},
		{client.Notice{Level: slog.LevelInfo, Deprecated: true}, "API version will be deprecated"},
		{client.Notice{Level: slog.LevelInfo, Newer: []string{"v2"}}, "API has newer versions"},
	} {
		if got := test.notice.String(); got != test.want {
			t.Errorf("%+v: %s, want %s", test.notice, got, test.want)
		}
	}
}

// A response without the fields costs nothing, and a reported one little.
func TestAllocations(t *testing.T) {
	for _, test := range []struct {
		name   string
		fields []string
		atMost float64
	}{
		{"nothing", []string{"Content-Type", "application/json", "Link", "</a>; rel=next", "Retry-After", "3"}, 0},
		{"the version asked for", []string{"Api-Version", "v1"}, 0},
		{"said before", []string{"Sunset", "Fri, 01 Jan 2027 00:00:00 GMT", "Deprecation", "@1700000000", "Link", "</a>; rel=sunset"}, 5},
	} {
		answer, err := answering(200, test.fields...)(nil) //nolint:bodyclose // closed below
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		header := answer.Header
		transport := verso.Must(client.New(v1(base(func(*http.Request) (*http.Response, error) { return answer, nil }), nil)))
		r := request(t, "http://api.example.com/")
		r.Header.Set("Api-Version", "v1") // the request has a version, so nothing is written
		got := testing.AllocsPerRun(100, func() {
			response, err := transport.RoundTrip(r)
			if err != nil || len(response.Header) != len(header) {
				t.Fatal(err)
			}
			response.Body.Close()
		})
		if got > test.atMost {
			t.Errorf("%s: %v allocations, want at most %v", test.name, got, test.atMost)
		}
	}
}

// A deprecation is reported from the second in which it begins, even when the clock
// runs backwards.
func TestDeprecationBegins(t *testing.T) {
	clock := versotest.NewClock(date(2027, 1, 1).Add(-time.Second))
	var heard notices
	config := v1(answering(200, "Deprecation", "@1798761600"), &heard)
	config.Clock = clock.Now
	transport := verso.Must(client.New(config))
	for i, want := range []string{"INFO", "", "WARN", "", "", ""} {
		switch i {
		case 2, 5:
			clock.Advance(time.Second)
		case 4:
			clock.Advance(-time.Second)
		}
		get(t, transport, "http://api.example.com/")
		got := ""
		for _, n := range heard.take() {
			got = n.Level.String()
		}
		if got != want {
			t.Errorf("answer %d: %q, want %q", i, got, want)
		}
	}
	config.Clock = func() time.Time { return date(2027, 1, 1).Add(-time.Duration(heardSoFar(&heard)) * time.Second) }
	transport = verso.Must(client.New(config))
	get(t, transport, "http://api.example.com/")
	get(t, transport, "http://api.example.com/")
	if got := heard.take(); len(got) != 2 || got[0].Level != slog.LevelWarn || got[1].Level != slog.LevelInfo {
		t.Errorf("after the clock ran backwards: %+v", got)
	}
}

func heardSoFar(n *notices) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.all)
}

// TestAnyServed asks a service that answers a release in the version before it.
func TestAnyServed(t *testing.T) {
	for _, test := range []struct {
		name   string
		any    bool
		fields []string
		want   []slog.Level
	}{
		{"another version", false, []string{"Api-Version", "0.17.0"}, []slog.Level{slog.LevelWarn}},
		{"another version, as intended", true, []string{"Api-Version", "0.17.0"}, nil},
		{"a deprecation is still one", true, []string{"Api-Version", "0.17.0", "Deprecation", "@1688169599"}, []slog.Level{slog.LevelWarn}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var heard notices
			config := v1(answering(200, test.fields...), &heard)
			config.Version, config.AnyServed = verso.V("0.17.3"), test.any
			get(t, verso.Must(client.New(config)), "http://api.example.com/users")
			var got []slog.Level
			for _, n := range heard.take() {
				got = append(got, n.Level)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("notices of %v, want %v", got, test.want)
			}
		})
	}
}
