package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/versotest"
)

// inbox is a receiver.
type inbox struct {
	*httptest.Server
	got  []*http.Request
	body []string
	down bool
}

func newInbox(t *testing.T) *inbox {
	t.Helper()
	in := new(inbox)
	in.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		in.got, in.body = append(in.got, r), append(in.body, string(body))
		if in.down {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(in.Close)
	return in
}

// fixture is a service in a framework, with the receivers of acme in v1 and of globex in v2.
type fixture struct {
	*testing.T
	*service
	handler      http.Handler
	clock        *versotest.Clock
	db           *sql.DB
	log          strings.Builder
	acme, globex *inbox
}

// inEach runs a test in each framework.
func inEach(t *testing.T, test func(f *fixture)) {
	t.Helper()
	gin.SetMode(gin.ReleaseMode)
	for name, serve := range map[string]func(*service) http.Handler{"Gin": inGin, "Echo": inEcho} {
		t.Run(name, func(t *testing.T) {
			db, err := openDB(filepath.Join(t.TempDir(), "webhooks.db"))
			require.NoError(t, err)
			t.Cleanup(func() { assert.NoError(t, db.Close()) })
			f := &fixture{T: t, clock: versotest.NewClock(time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)), db: db, acme: newInbox(t), globex: newInbox(t)}
			f.service, err = newService(db, f.clock.Now, slog.New(slog.NewTextHandler(&f.log, nil)))
			require.NoError(t, err)
			f.handler = serve(f.service)
			assert.Empty(t, f.send("/receivers", "key-a", "v1", Receiver{f.acme.URL, secret}))
			assert.Empty(t, f.send("/receivers", "key-b", "v2", Receiver{f.globex.URL, secret}))
			f.clock.Set(time.Date(2027, 5, 1, 12, 0, 0, 0, time.UTC))
			test(f)
		})
	}
}

func (f *fixture) send(path, key, version string, body any) string {
	raw, _ := json.Marshal(body)
	return call(f.handler, http.MethodPost, path, key, version, string(raw))
}

// book makes a booking, and delivers.
func (f *fixture) book(t *testing.T, id string) error {
	t.Helper()
	assert.JSONEq(t, `{"id":"`+id+`","guest_name":"Ada"}`, f.send("/bookings", "key-b", "v2", Booking{id, "Ada"}))
	return f.deliver(context.Background())
}

// Each receiver gets its form, signed.
func TestReceivers(t *testing.T) {
	inEach(t, func(f *fixture) {
		t := f.T
		require.NoError(t, f.book(t, "b1"))
		require.NoError(t, f.deliver(context.Background()), "nothing is sent twice")
		for version, in := range map[string]*inbox{"v1": f.acme, "v2": f.globex} {
			require.Len(t, in.got, 1)
			name := map[string]string{"v1": "guest", "v2": "guest_name"}[version]
			assert.Equal(t, `{"type":"booking.created","timestamp":"2027-05-01T12:00:00Z","data":{"id":"b1","`+name+`":"Ada"}}`, in.body[0])
			header := in.got[0].Header
			assert.Equal(t, []string{version, "application/json"}, []string{header.Get("Api-Version"), header.Get("Content-Type")})
			attempt, err := strconv.ParseInt(header.Get("webhook-timestamp"), 10, 64)
			require.NoError(t, err)
			want, err := signature(secret, header.Get("webhook-id"), attempt, []byte(in.body[0]))
			require.NoError(t, err)
			assert.Equal(t, want, header.Get("webhook-signature"))
		}
	})
}

// The example of the specification of Standard Webhooks.
func TestSignature(t *testing.T) {
	got, err := signature("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, []byte(`{"test": 2432232314}`))
	require.NoError(t, err)
	assert.Equal(t, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", got)
	_, err = signature("whsec_?", "", 0, nil)
	assert.Error(t, err)
}

// The page names the receiver before the end of v1. From then on, nothing is sent to it, which is
// said once.
func TestEnd(t *testing.T) {
	inEach(t, func(f *fixture) {
		t := f.T
		gate := func() string { return call(f.handler, http.MethodGet, "/usage?ready=v1", "", "", "") }
		require.NoError(t, f.book(t, "b1"))
		assert.Contains(t, gate(), `"1 client has it pinned: acme (webhook `+f.acme.URL+` since 1 Mar 2027)"`)
		assert.Contains(t, call(f.handler, http.MethodGet, "/usage?format=html", "", "", ""), "1 of 1 client has it pinned.")

		f.clock.Set(time.Date(2027, 6, 1, 0, 0, 0, 0, time.UTC))
		require.NoError(t, f.book(t, "b2"))
		require.NoError(t, f.book(t, "b3"))
		assert.Len(t, f.acme.got, 1)
		assert.Len(t, f.globex.got, 3)
		assert.Equal(t, 1, strings.Count(f.log.String(), "the version of a receiver has ended"))
		assert.Contains(t, f.log.String(), "client=acme version=v1 sunset=2027-06-01T00:00:00Z successor=v2")
		assert.NotContains(t, gate(), "pinned: acme")
	})
}

// A message that was made before the end is sent after it, with the same bytes.
func TestRetry(t *testing.T) {
	inEach(t, func(f *fixture) {
		t := f.T
		f.acme.down = true
		require.ErrorContains(t, f.book(t, "b1"), "503")
		f.clock.Set(time.Date(2027, 6, 2, 0, 0, 0, 0, time.UTC))
		f.acme.down = false
		require.NoError(t, f.deliver(context.Background()))
		require.Len(t, f.acme.got, 2)
		assert.Equal(t, f.acme.body[0], f.acme.body[1])
		assert.Equal(t, "v1", f.acme.got[1].Header.Get("Api-Version"))
	})
}

// Receivers that were created before versions were stored get the version that they always got. A
// version that this process does not know is an error, and no event is dropped.
func TestOldReceivers(t *testing.T) {
	inEach(t, func(f *fixture) {
		t := f.T
		for _, version := range []string{"", "v3"} {
			_, err := f.db.Exec("UPDATE receivers SET version = ? WHERE client = 'acme'", version)
			require.NoError(t, err)
			err = f.addBooking(context.Background(), Booking{"b1", "Ada"})
			assert.ErrorIs(t, err, verso.ErrUnknownVersion)
		}
		_, err := f.db.Exec("UPDATE receivers SET version = 'v1' WHERE client = 'acme'")
		require.NoError(t, err)
		require.NoError(t, f.book(t, "b1"), "it is tried again")
		assert.Len(t, f.acme.got, 1)
		assert.Len(t, f.globex.got, 1)
		assert.ErrorContains(t, f.addReceiver(context.Background(), "acme", verso.V("v9"), Receiver{}), "no webhook of v9 is sent")
	})
}

func TestPlay(t *testing.T) {
	gin.SetMode(gin.ReleaseMode)
	var inGinText, inEchoText strings.Builder
	require.NoError(t, play(&inGinText, inGin, filepath.Join(t.TempDir(), "webhooks.db")))
	require.NoError(t, play(&inEchoText, inEcho, filepath.Join(t.TempDir(), "#webhooks.db")))
	assert.Equal(t, 6, strings.Count(inGinText.String(), "\n"), inGinText.String())
	assert.Equal(t, strings.Count(inGinText.String(), "gets"), strings.Count(inEchoText.String(), "gets"))
}
