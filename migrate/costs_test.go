package migrate_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

// Costed is a body, and the parameters of a form, with an edit of each kind that costs differ in.
type Costed struct {
	Name  string            `json:"name"`  // is renamed
	Data  string            `json:"data"`  // no edit reads it
	State string            `json:"state"` // an edit reads it
	More  map[string]string `json:"more"`  // an edit reads it
	Plan  any               `json:"plan"`  // is dropped
}

type CostedForm struct {
	Name string `form:"name"`
	Tags string `form:"tags"`
	Plan string `form:"plan"`
}

func costed(tb testing.TB) *migrate.History {
	tb.Helper()
	same := func(m map[string]string) (map[string]string, error) { return m, nil }
	return verso.Must(migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x",
		migrate.For[Costed](migrate.Renamed("title", "name"), migrate.Values("state", map[string]string{"on": "active"}), migrate.Mapped("more", same, same), migrate.Added("plan")),
		migrate.For[CostedForm](migrate.Renamed("title", "name"), migrate.Values("tags", map[string]string{"on": "active"}), migrate.Added("plan")))),
		migrate.Release("v1")))
}

// sink is the writer of a client that has no memory.
type sink struct {
	header http.Header
	got    int
}

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) Write(p []byte) (int, error) { s.got += len(p); return len(p), nil }
func (s *sink) WriteHeader(int)             {}
func (s *sink) Flush()                      {}

// written gives the rewriting of a response in v1 to a handler.
func written(tb testing.TB, w http.ResponseWriter, handler func(w http.ResponseWriter)) {
	tb.Helper()
	rewriting, err := costed(tb).Route(migrate.Returns[Costed](), migrate.Open[Costed]("plan")).Begin(verso.V("v1"), w, v1Request())
	require.NoError(tb, err)
	rewriting.Header().Set("Content-Type", "application/json")
	handler(rewriting)
	require.NoError(tb, rewriting.Finish())
}

// allocated returns how much memory a function takes in all.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A long string of a response passes in pieces, whether the handler writes it so or at once, and a
// string that is dropped is not held either.
func TestALongStringIsNotHeld(t *testing.T) {
	const size = 64 << 20
	long := bytes.Repeat([]byte("x"), size)
	for _, test := range []struct {
		begin, end string
		piece      int
		passes     bool
	}{
		{`{"name":"a","data":"`, `"}`, 32 << 10, true},
		{`{"name":"a","data":"`, `"}`, size, true},
		{`{"name":"a","other":["`, `"]}`, 32 << 10, true},
		{`{"name":"a","plan":"`, `"}`, 32 << 10, false},
		{`{"name":"a","plan":{"a":["`, `"]}}`, size, false},
	} {
		t.Run(fmt.Sprint(test.begin, test.piece), func(t *testing.T) {
			s, most := &sink{header: http.Header{}}, 0
			used := allocated(func() {
				written(t, s, func(w http.ResponseWriter) {
					_, _ = io.WriteString(w, test.begin)
					for n := 0; n < size; n += test.piece {
						_, _ = w.Write(long[:test.piece])
						most = max(most, n+test.piece-s.got)
					}
					_, _ = io.WriteString(w, test.end)
				})
			})
			assert.Less(t, used, uint64(8<<20), "of memory for %d", size)
			if test.passes {
				assert.Less(t, most, 1<<20, "bytes are held")
				assert.Equal(t, size+len(test.begin+test.end)+len("title")-len("name"), s.got)
			} else {
				assert.Less(t, s.got, 100)
			}
		})
	}
}

// Where a string is cut changes nothing: neither in it nor behind it.
func TestLongStringsInPieces(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	parts := []string{"x", "é", "€", "😀", `\"`, `\\`, `\n`, `é`, `😀`, `\/`, " ", "\xff", `\ud83d`}
	text := func(size int) string {
		var b strings.Builder
		for b.Len() < size {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		return b.String()
	}
	for _, piece := range []int{1, 2, 7, 1000, 4096, 5000, 40_000} {
		for _, size := range []int{100, 4090, 9000, 70_000} {
			if piece < 7 && size > 9000 {
				continue
			}
			for _, flushes := range []bool{true, false} {
				a, b, c := text(size), text(size), text(size)
				// A first part that is long enough lets the response stream without a flush.
				head := fmt.Sprintf(`{"first":%q,"name":"%s","other":[{"x":"`, strings.Repeat("y", 300<<10), a)
				tail := fmt.Sprintf(`"},1234567890,true],"plan":{"%s":["%s"]},"state":"active","data":"%s"}`, c, b, c)
				want := strings.Replace(head+b+tail, `"name"`, `"title"`, 1)
				want = strings.Replace(strings.Replace(want, fmt.Sprintf(`"plan":{"%s":["%s"]},`, c, b), "", 1), `"active"`, `"on"`, 1)
				w := httptest.NewRecorder()
				written(t, w, func(w http.ResponseWriter) {
					for i, part := range [][]byte{[]byte(head[:290<<10]), []byte(head[290<<10:] + b + tail)} {
						for each := range slices.Chunk(part, max(piece, (1-i)*50_000)) {
							_, _ = w.Write(each)
							if flushes && i == 1 {
								w.(http.Flusher).Flush()
							}
						}
					}
				})
				if got := w.Body.String(); got != want {
					at := 0
					for at < min(len(got), len(want)) && got[at] == want[at] {
						at++
					}
					t.Fatalf("pieces of %d, strings of %d, %d of %d: ..%.80q\nwant ..%.80q", piece, size, at, len(want), got[max(0, at-20):], want[max(0, at-20):])
				}
			}
		}
	}
}

// Half a character, which JSON of JavaScript may have, does not hide where the next escape ends.
func TestHalfACharacterInPieces(t *testing.T) {
	body := `{"data":"","other":["` + strings.Repeat("x", 20_000) + `\ud83d12345\ud83d1234\nx\ud83d"]}`
	w := httptest.NewRecorder()
	written(t, w, func(w http.ResponseWriter) {
		for each := range slices.Chunk([]byte(body), 7) {
			_, _ = w.Write(each)
			w.(http.Flusher).Flush()
		}
	})
	assert.Equal(t, body, w.Body.String())
}

// BenchmarkFlushedValues streams values of several kinds in pieces that are flushed: twice the
// pieces take twice the time, also of what is held until it is whole.
func BenchmarkFlushedValues(b *testing.B) {
	for _, kind := range []struct{ name, begin, piece, end string }{
		{"text", `{"data":"`, strings.Repeat(`x\"`, 80), `"}`},
		{"dropped", `{"plan":"`, strings.Repeat(`x\"`, 80), `"}`},
		{"held text", `{"state":"`, strings.Repeat("x", 240), `"}`},
		{"held object", `{"more":{"a":"`, strings.Repeat("x", 240), `"}}`},
		{"name", `{"data":"","x":{"`, strings.Repeat("x", 240), `":1}}`},
		{"number", `{"data":"","x":1`, strings.Repeat("1", 240), `}`},
		{"numbers", `{"data":"","x":[1`, strings.Repeat("1,", 120), `1]}`},
		{"spaces", `{"data":"","x":[1`, strings.Repeat(" ", 240), `]}`},
	} {
		for _, pieces := range []int{1024, 2048, 4096} {
			b.Run(fmt.Sprint(kind.name, "/", pieces), func(b *testing.B) {
				for b.Loop() {
					written(b, &sink{header: http.Header{}}, func(w http.ResponseWriter) {
						_, _ = io.WriteString(w, kind.begin)
						for range pieces {
							_, _ = io.WriteString(w, kind.piece)
							w.(http.Flusher).Flush()
						}
						_, _ = io.WriteString(w, kind.end)
					})
				}
			})
		}
	}
}

// endless is a body that does not end by itself.
type endless struct {
	begin, piece string
	at           int
}

func (e *endless) Read(p []byte) (int, error) {
	var n int
	if e.at < len(e.begin) {
		n = copy(p, e.begin[e.at:])
	} else {
		n = copy(p, e.piece[(e.at-len(e.begin))%len(e.piece):])
	}
	e.at += n
	return n, nil
}

// What is dropped of a request never reaches a limit that the handler has set, so it counts.
func TestDroppedDataCounts(t *testing.T) {
	h := costed(t)
	route := h.Route(migrate.Accepts[Costed](), migrate.Form[CostedForm](), migrate.Open[Costed]("plan"))
	const boundary = "multipart/form-data; boundary=b"
	part := func(name string, size int) string {
		return "--b\r\nContent-Disposition: form-data; name=" + name + "\r\n\r\n" + strings.Repeat("x", size) + "\r\n"
	}
	small := `{"title":"a","plan":%s,"data":"b"}`
	for _, test := range []struct {
		name, contentType string
		body              io.Reader
		begin, read       int // status 413 before the handler runs, or when it reads; 0 for none
		most              int // bytes that are read
	}{
		{"JSON, few", "application/json", strings.NewReader(fmt.Sprintf(small, `"`+strings.Repeat("x", 900_000)+`"`)), 0, 0, 2 << 20},
		{"JSON, a list", "application/json", strings.NewReader(fmt.Sprintf(small, "["+strings.Repeat("1,", 600_000)+"1]")), 0, 413, 3 << 20},
		{"JSON, endless", "application/json", &endless{begin: `{"title":"a","plan":[1`, piece: ",1"}, 0, 413, 3 << 20},
		{"JSON, an endless text", "application/json", &endless{begin: `{"title":"a","plan":"`, piece: "x"}, 0, 413, 3 << 20},
		{"JSON, endless and beside others", "application/json", &endless{begin: `[{"title":"a"},`, piece: `{"plan":"x"},`}, 0, 400, 1 << 20},
		{"JSON, endless spaces", "application/json", &endless{begin: `{"title":"a"`, piece: " "}, 0, 413, 3 << 20},
		{"JSON, endless spaces between elements", "application/json", &endless{begin: `{"title":"a","x":[1`, piece: "," + strings.Repeat(" ", 1000) + "1"}, 0, 413, 4 << 20},
		{"form, few", "application/x-www-form-urlencoded", strings.NewReader("title=a&plan=" + strings.Repeat("x", 200_000)), 0, 0, 1 << 20},
		{"form, many", "application/x-www-form-urlencoded", strings.NewReader("title=a&plan=" + strings.Repeat("x", 300_000)), 413, 0, 1 << 20},
		{"form, many pairs", "application/x-www-form-urlencoded", strings.NewReader(strings.Repeat("plan=a&", 50_000)), 413, 0, 1 << 20},
		{"parts, few", boundary, strings.NewReader(part("plan", 200_000) + part("title", 9) + "--b--"), 0, 0, 1 << 20},
		{"parts before the handler", boundary, strings.NewReader(part("plan", 300_000) + part("title", 9) + "--b--"), 413, 0, 1 << 20},
		{"many parts before the handler", boundary, strings.NewReader(strings.Repeat(part("plan", 10), 5000) + "--b--"), 413, 0, 1 << 20},
		{"parts behind a file, few", boundary, strings.NewReader(part("file", 300_000) + part("plan", 900_000) + "--b--"), 0, 0, 2 << 20},
		{"parts behind a file", boundary, strings.NewReader(part("file", 300_000) + part("plan", 1_100_000) + "--b--"), 0, 413, 2 << 20},
		{"endless parts", boundary, &endless{begin: part("file", 300_000), piece: part("plan", 100)}, 0, 413, 3 << 20},
		{"an endless part", boundary, &endless{begin: part("file", 300_000) + part("plan", 1), piece: "x"}, 0, 413, 3 << 20},
		{"an endless preamble", boundary, &endless{piece: "xx\r\n"}, 413, 0, 1 << 20},
		{"a file that no edit reads", boundary, strings.NewReader(part("file", 5_000_000) + part("title", 9) + "--b--"), 0, 0, 6 << 20},
		{"fields that an edit reads", boundary, strings.NewReader(strings.Repeat(part("tags", 100_000), 30) + "--b--"), 0, 0, 6 << 20},
	} {
		t.Run(test.name, func(t *testing.T) {
			counted := &counted{Reader: test.body}
			r := httptest.NewRequest(http.MethodPost, "/", counted)
			r.Header.Set("Content-Type", test.contentType)
			_, err := route.Begin(verso.V("v1"), httptest.NewRecorder(), r)
			assert.Equal(t, test.begin, statusOf(err), "%v", err)
			if err == nil {
				_, err = io.Copy(io.Discard, http.MaxBytesReader(nil, r.Body, 10<<20))
				assert.Equal(t, test.read, statusOf(err), "%v", err)
			}
			assert.Less(t, counted.read, test.most, "bytes are read")
		})
	}
}

type counted struct {
	io.Reader
	read int
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.read += n
	return n, err
}

// statusOf returns that of an error, 0 if there is none.
func statusOf(err error) int {
	if err == nil {
		return 0
	}
	if answer := verso.AnswerFor(err); answer != nil {
		return answer.Problem.Status
	}
	return -1
}
