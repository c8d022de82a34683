package migrate_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

// FuzzRewrite sends any bytes through random histories, in both directions, whole and
// in pieces: both agree, what comes out is one JSON value, and what an older client
// may not send does not come through.
func FuzzRewrite(f *testing.F) {
	for _, seed := range []string{`{"a":"o","b":[{"c":1}]}`, `[{"A":{"p":1},"k":null}]`, `{"a":1,"A":2}`, `{"a`, "{}{}", "\"\\ud800\"", "1e400 ", " null\n"} {
		for up := range 2 {
			f.Add(uint64(len(seed)), up == 0, seed, uint8(3))
		}
	}
	f.Fuzz(func(t *testing.T, seed uint64, up bool, body string, piece uint8) {
		random := rand.New(rand.NewPCG(seed%2000, 37))
		m := newModelHistory(t, random)
		index := 1 + random.IntN(len(m.versions)-1)
		version, root := verso.V(m.versions[index]), m.types["A"]
		var whole, streamed []byte
		var err, streamErr error
		pieces := cut([]byte(body), int(piece)+1)
		if up {
			whole, err = m.history.LiftJSON(version, root, []byte(body))
			streamed, streamErr = m.history.LiftStreamed(version, root, &inPieces{pieces})
		} else {
			whole, err = m.history.LowerJSON(version, root, []byte(body))
			streamed, streamErr = m.history.LowerStreamed(version, root, pieces...)
		}
		if (err != nil) != (streamErr != nil) {
			t.Fatalf("whole: %v, streamed: %v", err, streamErr)
		}
		if err != nil {
			return
		}
		if !json.Valid(whole) || !json.Valid(streamed) {
			t.Fatalf("no JSON: %q, %q", whole, streamed)
		}
		if up && compacted(t, whole) != compacted(t, streamed) {
			t.Fatalf("whole %q, streamed %q", whole, streamed)
		}
		if !up || hasTwins(whole) {
			return
		}
		want, wantErr := m.rewrite("A", index, "POST", json.RawMessage(body))
		if wantErr != nil || !sameJSON(whole, want, true) {
			t.Fatalf("got %s, want %s: %v", whole, want, wantErr)
		}
	})
}

// hasTwins reports whether an object has two spellings of a name, which a type without
// edits may have.
func hasTwins(raw []byte) bool {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	value, err := ordered(d)
	var twins func(value any) bool
	twins = func(value any) bool {
		switch value := value.(type) {
		case []pair:
			for i, p := range value {
				if twins(p.value) || slices.ContainsFunc(value[:i], func(o pair) bool { return strings.EqualFold(o.name, p.name) }) {
					return true
				}
			}
		case []any:
			return slices.ContainsFunc(value, twins)
		}
		return false
	}
	return err != nil || twins(value)
}

func cut(raw []byte, size int) (pieces [][]byte) {
	for len(raw) > size {
		pieces, raw = append(pieces, raw[:size]), raw[size:]
	}
	return append(pieces, raw)
}

// inPieces reads one piece after the other.
type inPieces struct{ rest [][]byte }

func (p *inPieces) Read(buffer []byte) (int, error) {
	for len(p.rest) > 0 && len(p.rest[0]) == 0 {
		p.rest = p.rest[1:]
	}
	if len(p.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(buffer, p.rest[0])
	p.rest[0] = p.rest[0][n:]
	return n, nil
}

// FuzzQuery lifts queries: what comes out has each parameter that no edit knows, as it was.
func FuzzQuery(f *testing.F) {
	h := verso.Must(migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", migrate.For[sorted](
		migrate.Renamed("sort", "order_by"), migrate.Values("order_by", map[string]string{"a": "b"}), migrate.Added("limit", 7)))), migrate.Release("v1")))
	route := h.Route(migrate.Query[sorted]())
	for _, query := range []string{"sort=a&x=1", "SORT=a", "sort=%zz&&=", "order%5Fby=b&limit=8", "sort=a&sort=c;d"} {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.URL.RawQuery = query + "&unknown=%20+x"
		if _, err := route.Begin(verso.V("v1"), httptest.NewRecorder(), r); err != nil {
			return
		}
		if !strings.Contains(r.URL.RawQuery, "unknown=%20+x") {
			t.Errorf("%q became %q", query, r.URL.RawQuery)
		}
		if values, _ := url.ParseQuery(r.URL.RawQuery); values.Has("sort") {
			t.Errorf("%q became %q, with the old name", query, r.URL.RawQuery)
		}
	})
}
