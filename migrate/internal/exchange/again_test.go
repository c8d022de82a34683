package exchange_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/migrate/internal/exchange"
)

// flushed is a body with a text that no edit reads, one that an edit reads, and an object.
type flushed struct {
	Name  string            `json:"name"`
	Data  string            `json:"data"`
	State string            `json:"state"`
	More  map[string]string `json:"more"`
}

// begin begins a response in v1.
func begin(t *testing.T, w http.ResponseWriter, contentType string, body migrate.Body) verso.Rewriting {
	t.Helper()
	same := func(m map[string]string) (map[string]string, error) { return m, nil }
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	h := verso.Must(migrate.New(api, migrate.Release("v2", migrate.Changed("x", migrate.For[flushed](migrate.Renamed("title", "name"),
		migrate.Values("state", map[string]string{"on": "active"}), migrate.Mapped("more", same, same)))), migrate.Release("v1")))
	rewriting, err := h.Route(body).Begin(verso.V("v1"), w, httptest.NewRequest(http.MethodGet, "/", nil))
	require.NoError(t, err)
	rewriting.Header().Set("Content-Type", contentType)
	return rewriting
}

// A string is not read again with each piece: that would be 19 GB.
func TestALongStringIsLinear(t *testing.T) {
	for name, flushes := range map[string]bool{"writes": false, "flushes": true} {
		rewriting := begin(t, httptest.NewRecorder(), "application/json", migrate.Returns[flushed]())
		const pieces, size = 6144, 1024
		again := 0
		_, _ = io.WriteString(rewriting, `{"name":"`)
		for range pieces {
			_, _ = io.WriteString(rewriting, strings.Repeat("x", size))
			if flushes {
				rewriting.(http.Flusher).Flush()
			}
			again += exchange.ReadAgain(rewriting)
		}
		_, _ = io.WriteString(rewriting, `"}`)
		require.NoError(t, rewriting.Finish())
		assert.Less(t, again, 2*pieces*size, name)
	}
}

// What an edit waits for is not read again with each flush.
func TestAHeldValueIsReadOnce(t *testing.T) {
	for first, end := range map[string]string{`{"state":"`: `"}`, `{"more":{"a":"`: `"}}`} {
		again, piece := 0, strings.Repeat(`x\"`, 340)
		w := begin(t, httptest.NewRecorder(), "application/json", migrate.Returns[flushed]())
		_, _ = io.WriteString(w, first)
		for range 900 {
			_, _ = io.WriteString(w, piece)
			w.(http.Flusher).Flush()
			again += exchange.ReadAgain(w)
		}
		_, _ = io.WriteString(w, end)
		require.NoError(t, w.Finish())
		assert.Less(t, again, 3*900*len(piece), first)
	}
}

// Heartbeats of a stream are not read again after each flush, however many.
func TestHeartbeatsAreReadOnce(t *testing.T) {
	one, list := migrate.Returns[flushed](), migrate.Returns[[]flushed]()
	for _, test := range []struct {
		name, contentType string
		body              migrate.Body
		begin, beat, end  string
		want              string
	}{
		{"lines", "application/jsonl", one, `{"name":"a"}`, "\n", `{"name":"b"}`, `{"title":"a"}` + "\n" + `{"title":"b"}`},
		{"spaces", "application/jsonl", one, `{"name":"a"}` + "\n", "  \t", `{"name":"b"}`, `{"title":"a"}` + "\n" + `{"title":"b"}`},
		{"records", "application/json-seq", one, "\x1e" + `{"name":"a"}`, "\n\x1e", `{"name":"b"}`, "\x1e" + `{"title":"a"}` + "\n\x1e" + `{"title":"b"}`},
		{"before the first value", "application/jsonl", one, "\n", "\n", `{"name":"b"}`, `{"title":"b"}`},
		{"in a list", "application/json", list, `[{"name":"a"}`, " ", `]`, `[{"title":"a"}]`},
		{"behind a comma", "application/json", list, `[{"name":"a"},`, "\n", `{"name":"b"}]`, `[{"title":"a"},{"title":"b"}]`},
		{"in an object", "application/json", one, `{"name":"a"`, "\n", `}`, `{"title":"a"}`},
		{"behind a name", "application/json", one, `{"name":`, "\n", `"b"}`, `{"title":"b"}`},
		{"spaces behind the only value", "application/json", one, `{"name":"a"}`, " ", "\n", `{"title":"a"}` + "\n"},
		{"behind the only value", "application/json", one, `{"name":"a"}`, "\n", "", `{"title":"a"}` + "\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w, again := httptest.NewRecorder(), 0
			rewriting := begin(t, w, test.contentType, test.body)
			write := func(text string) {
				_, _ = io.WriteString(rewriting, text)
				rewriting.(http.Flusher).Flush()
			}
			const beats = 2000
			write(test.begin)
			for range beats {
				write(test.beat)
				again += exchange.ReadAgain(rewriting)
			}
			write(test.end)
			require.NoError(t, rewriting.Finish())
			assert.Less(t, again, 10*beats, "bytes")
			assert.Equal(t, test.want, w.Body.String())
		})
	}
}
