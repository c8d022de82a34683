package mistakes

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

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
)

// mistake is a row of the page.
type mistake struct {
	name string // of the row

	// What makes the mistake; nil where it cannot be made.
	echo, gin func(s *scene)
}

// scene collects what somebody sees who makes a mistake: panics, errors, log
// lines, and what a client gets.
type scene struct {
	*testing.T
	seen strings.Builder
}

func (s *scene) see(what any) { fmt.Fprintln(&s.seen, what) }

// get sends a request and keeps the answer: "404 Not Found".
func (s *scene) get(handler http.Handler, target string) {
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
	s.see(fmt.Sprintf("%d %s Vary: %q", w.Code, w.Body, w.Header().Values("Vary")))
}

// Enabled, Handle, WithAttrs and WithGroup make a scene a [slog.Handler].
func (s *scene) Enabled(context.Context, slog.Level) bool { return true }

func (s *scene) Handle(_ context.Context, line slog.Record) error {
	s.see(line.Level.String() + " " + line.Message)
	line.Attrs(func(attr slog.Attr) bool {
		s.see(attr.String())
		return true
	})
	return nil
}

func (s *scene) WithAttrs([]slog.Attr) slog.Handler { return s }
func (s *scene) WithGroup(string) slog.Handler      { return s }

// seen returns what somebody sees who makes the mistake.
func seen(t *testing.T, mistake func(s *scene)) string {
	t.Helper()
	s := &scene{T: t}
	before := slog.Default()
	slog.SetDefault(slog.New(s))
	defer slog.SetDefault(before)
	func() {
		defer func() {
			if text := recover(); text != nil {
				s.see(fmt.Sprint("panic: ", text))
			}
		}()
		mistake(s)
	}()
	return s.seen.String()
}

// configured returns a mistake in a configuration, and the service with it in
// Echo and in Gin, if there can be one.
func configured(name string, configure func(s *scene) (*verso.Versioning, error)) mistake {
	return mistake{
		name: name,
		echo: func(s *scene) {
			api, err := configure(s)
			if err != nil {
				s.see(err)
				return
			}
			e := echo.New()
			e.Use(versoecho.Middleware(api))
			e.GET("/:version/users", answerInEcho)
			s.get(e, "/v1/users")
			s.see(api.Explain())
		},
		gin: func(s *scene) {
			api, err := configure(s)
			if err != nil {
				s.see(err)
				return
			}
			r := gin.New()
			v := versogin.New(r, api)
			r.Use(v.Middleware())
			v.GET("/:version/users", answerInGin)
			s.get(r, "/v1/users")
			s.see(v.Explain())
		},
	}
}

func answerInEcho(c echo.Context) error {
	return c.String(http.StatusOK, fmt.Sprintf("served as %q", versoecho.Version(c)))
}

func answerInGin(c *gin.Context) {
	c.String(http.StatusOK, "served as %q", versogin.Version(c))
}

// row is a row of the page.
type row struct {
	name, see, do string
	silent        bool // nothing is logged
}

// readPage returns the rows of the page's tables.
func readPage(t *testing.T) (rows []row) {
	t.Helper()
	page, err := os.ReadFile("../../docs/mistakes.md")
	require.NoError(t, err)
	silent := false
	for line := range strings.Lines(string(page)) {
		silent = silent || strings.HasPrefix(line, "## Without a message")
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "| "), " | ")
		if strings.HasPrefix(line, "| ") && cells[0] != "Mistake" {
			require.Len(t, cells, 3, line)
			rows = append(rows, row{cells[0], cells[1], cells[2], silent})
		}
	}
	require.NotEmpty(t, rows)
	return rows
}

var quoted = regexp.MustCompile("`([^`]+)`")

// ofOther is what a cell says of the other framework, up to a semicolon.
var ofOther = map[string]*regexp.Regexp{
	"Echo": regexp.MustCompile("in Gin [^;]*"),
	"Gin":  regexp.MustCompile("in Echo [^;]*"),
}

// wanted returns the texts in a cell, which are between backticks, that one sees
// in a framework.
func wanted(cell, framework string) (texts []string) {
	for _, match := range quoted.FindAllStringSubmatch(ofOther[framework].ReplaceAllString(cell, ""), -1) {
		texts = append(texts, match[1])
	}
	return texts
}

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
		for framework, mistake := range map[string]func(*scene){"Echo": m.echo, "Gin": m.gin} {
			t.Run(row.name+"/"+framework, func(t *testing.T) {
				texts := wanted(row.see, framework)
				if mistake == nil {
					require.Contains(t, row.name, "(", "say in the name which framework the mistake is of")
					return
				}
				require.NotEmpty(t, texts, "the page does not say what one sees")
				got := seen(t, mistake)
				for _, text := range texts {
					assert.Contains(t, got, text)
				}
				if row.silent {
					assert.NotContains(t, got, "WARN", "there is a message now: move the row to the other tables")
				}
			})
		}
	}
	for name := range tests {
		t.Errorf("there is a test of %q, and no such row on the page: add one", name)
	}
}
