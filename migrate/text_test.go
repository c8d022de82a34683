package migrate_test

import (
	"errors"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/migrate"
)

// again repeats a text.
type again struct {
	text string
	at   int
}

func (a *again) Read(p []byte) (int, error) {
	for i := range p {
		p[i], a.at = a.text[a.at], (a.at+1)%len(a.text)
	}
	return len(p), nil
}

// body is the request of begin, a text n times, and end.
func body(begin, text string, n int, end string) io.Reader {
	return io.MultiReader(strings.NewReader(begin), io.LimitReader(&again{text: text}, int64(n*len(text))), strings.NewReader(end))
}

// lifted returns what the handler reads of a request of v1, how much the live heap grew, and
// the error of its read.
func lifted(t *testing.T, in io.Reader) (sum uint32, size, grown int, err error) {
	t.Helper()
	live := func() int {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	before, hash := live(), crc32.NewIEEE()
	r := httptest.NewRequest(http.MethodPost, "/", in)
	r.Header.Set("Api-Version", "v1")
	r.Header.Set("Content-Type", "application/json")
	rewritten(people(t).Route(migrate.Accepts[Person]()), http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		piece := make([]byte, 32<<10)
		for err == nil {
			var n int
			n, err = r.Body.Read(piece)
			_, _ = hash.Write(piece[:n])
			if (size+n)>>23 > size>>23 {
				grown = max(grown, live()-before)
			}
			size += n
		}
	})).ServeHTTP(httptest.NewRecorder(), r)
	return hash.Sum32(), size, grown, err
}

// A string that no edit reads passes in pieces, with constant memory: the peak of the live heap
// is compared, and not the time.
func TestALongStringOfARequestIsNotHeld(t *testing.T) {
	sum, size, grown, err := lifted(t, body(`{"mail":"a","note":"`, "x", 64<<20, `","id":1}`))
	assert.Equal(t, io.EOF, err)
	want := crc32.NewIEEE()
	n, _ := io.Copy(want, body(`{"email":"a","note":"`, "x", 64<<20, `","id":1}`))
	assert.Equal(t, want.Sum32(), sum)
	assert.EqualValues(t, n, size)
	assert.Less(t, grown, 8<<20, "bytes of live heap")
}

func TestLongStringsAreCopied(t *testing.T) {
	const most = 1 << 20
	for _, text := range []string{"x", `\\`, `\n`, "é", "€", "😀", `\u00e9`, `\ud83d\ude00`, `a\u00e9😀`} {
		for shift := range len(text) { // the string is cut at each byte of the text
			begin, end := strings.Repeat("y", shift), `","boss":{"mail":"z"},"x":["`+strings.Repeat("z", most+5)+`"]}`
			sum, size, _, err := lifted(t, iotest.HalfReader(body(`{"mail":"`+begin, text, 2*most/len(text), end)))
			assert.Equal(t, io.EOF, err, text)
			want := crc32.NewIEEE()
			n, _ := io.Copy(want, body(`{"email":"`+begin, text, 2*most/len(text), strings.Replace(end, `"mail"`, `"email"`, 1)))
			assert.Equal(t, want.Sum32(), sum, "%q after %d", text, shift)
			assert.EqualValues(t, n, size)
		}
	}
}

func TestLongValuesOfARequestThatAreRefused(t *testing.T) {
	const most = 1 << 20
	for _, test := range []struct {
		name, begin, text, end string
		status                 int
		code                   string
	}{
		{"a string without an end", `{"note":"`, "x", ``, 400, migrate.InvalidBody},
		{"a control character", `{"note":"`, "x", "\n\"}", 400, migrate.InvalidBody},
		{"half a pair", `{"note":"`, "x", `\ud83d"}`, 400, migrate.InvalidBody},
		{"half an escape", `{"note":"`, "x", `\u00"}`, 400, migrate.InvalidBody},
		{"invalid UTF-8", `{"note":"`, "x", "\xff\"}", 400, migrate.InvalidBody},
		{"half a character", `{"note":"`, "x", "\xc3\"}", 400, migrate.InvalidBody},
		{"two strings", `{"note":"`, "x", `""}`, 400, migrate.InvalidBody},
		{"a name", `{"`, "x", `":1}`, 413, migrate.BodyTooLarge},
		{"a number", `{"id":`, "1", `}`, 413, migrate.BodyTooLarge},
		{"space", `{`, " ", `}`, 413, migrate.BodyTooLarge},
		{"a member that is dropped", `{"email":"`, "x", `"}`, 413, migrate.BodyTooLarge},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, _, err := lifted(t, body(test.begin, test.text, 3*most, test.end))
			var refused *migrate.Error
			ok := errors.As(err, &refused)
			if assert.True(t, ok, "%v", err) {
				assert.Equal(t, test.status, refused.Status)
				assert.Equal(t, test.code, refused.Code)
			}
		})
	}
}
