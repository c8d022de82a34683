package troubleshooting

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
)

// mistake is a row of the page.
type mistake struct {
	name string // of the row

	// What makes the mistake; nil where it cannot be made.
	echo, gin func(s *scene)
}

// scene collects what somebody sees who makes a mistake: log lines, and what a
// client gets.
type scene struct{ seen strings.Builder }

func (s *scene) see(what any) { fmt.Fprintln(&s.seen, what) }

func (s *scene) seeVersion(version verso.Version) { s.see(fmt.Sprintf("version %q", version)) }

// get sends a request and keeps the answer: "404 Not Found".
func (s *scene) get(handler http.Handler, target string, headers ...string) {
	r := httptest.NewRequest(http.MethodGet, target, nil)
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		r.Header.Set(name, value)
	}
	s.serve(handler, r)
}

func (s *scene) serve(handler http.Handler, r *http.Request) {
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	vary := "no Vary"
	if names := w.Header().Values("Vary"); len(names) > 0 {
		vary = "Vary: " + strings.Join(names, ", ")
	}
	s.see(fmt.Sprintf("%d %s %s", w.Code, w.Body, vary))
}

// Enabled, Handle, WithAttrs and WithGroup make a scene a [slog.Handler].
func (s *scene) Enabled(context.Context, slog.Level) bool { return true }

func (s *scene) Handle(_ context.Context, line slog.Record) error {
	s.see(line.Level.String() + " " + line.Message)
	return nil
}

func (s *scene) WithAttrs([]slog.Attr) slog.Handler { return s }
func (s *scene) WithGroup(string) slog.Handler      { return s }

// seen returns what somebody sees who makes the mistake.
func seen(mistake func(s *scene)) string {
	s := new(scene)
	before := slog.Default()
	slog.SetDefault(slog.New(s))
	defer slog.SetDefault(before)
	mistake(s)
	return s.seen.String()
}

// runInEcho and runInGin are handlers that do not ask for the version.
func runInEcho(c echo.Context) error { return c.String(http.StatusOK, "the handler ran") }
func runInGin(c *gin.Context)        { c.String(http.StatusOK, "the handler ran") }

// row is a row of the page.
type row struct{ name, see string }

// readPage returns the rows of the page's table of mistakes.
func readPage(t *testing.T) (rows []row) {
	t.Helper()
	page, err := os.ReadFile("../../docs/troubleshooting.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(page), "\n| What you see | Mistake | What to do |\n|---|---|---|\n")
	require.True(t, found)
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "| ") {
			break
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "| "), " | ")
		require.Len(t, cells, 3, line)
		rows = append(rows, row{cells[1], cells[0]})
	}
	require.NotEmpty(t, rows)
	return rows
}

var quoted = regexp.MustCompile("`([^`]+)`")

// TestMistakes makes each mistake of the page in Echo and in Gin.
func TestMistakes(t *testing.T) {
	gin.SetMode(gin.TestMode)
	tests := make(map[string]mistake)
	for _, m := range mistakes {
		require.NotContains(t, tests, m.name)
		tests[m.name] = m
	}
	for _, row := range readPage(t) {
		m, ok := tests[row.name]
		if !assert.True(t, ok, "the page has %q, and no test: add one to mistakes", row.name) {
			continue
		}
		delete(tests, row.name)
		texts := quoted.FindAllStringSubmatch(row.see, -1)
		require.NotEmpty(t, texts, "the page does not say what one sees")
		for framework, mistake := range map[string]func(*scene){"Echo": m.echo, "Gin": m.gin} {
			if mistake == nil {
				require.Contains(t, row.name, "(", "say in the name which framework the mistake is of")
				continue
			}
			t.Run(row.name+"/"+framework, func(t *testing.T) {
				got := seen(mistake)
				logged := strings.Contains(row.see, "logged") // in the first test that asks
				for _, text := range texts {
					assert.True(t, logged && text[1] == "not_checked" || strings.Contains(got, text[1]), "%s: there is no %s", got, text[1])
				}
				assert.True(t, logged || !strings.Contains(got, "WARN"), "there is a message now, remove the row: %s", got)
			})
		}
	}
	for name := range tests {
		t.Errorf("there is a test of %q, and no such row on the page: add one", name)
	}
}
