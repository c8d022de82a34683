package refusal

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/locales"
)

// discard is a response that costs nothing.
type discard struct{ header http.Header }

func (w *discard) Header() http.Header         { return w.header }
func (w *discard) Write(b []byte) (int, error) { return len(b), nil }
func (w *discard) WriteHeader(int)             {}

// BenchmarkRefusal refuses a version, in English and translated, beside the
// framework's own 404.
func BenchmarkRefusal(b *testing.B) {
	gin.SetMode(gin.TestMode)
	translator, err := locales.New()
	if err != nil {
		b.Fatal(err)
	}
	scheme := verso.Must(verso.NewQueryParameter(verso.Settings{AllowedVersions: []string{"v1", "v2"}}))
	for _, framework := range []struct {
		name  string
		serve func(verso.Translator) http.Handler
	}{
		{"echo", func(translator verso.Translator) http.Handler {
			e := echo.New()
			e.Use(versoecho.MiddlewareWithConfig(versoecho.Config{Scheme: scheme, Translator: translator}))
			e.GET("/users", func(echo.Context) error { return nil })
			return e
		}},
		{"gin", func(translator verso.Translator) http.Handler {
			r := gin.New()
			r.Use(versogin.New(scheme, versogin.WithTranslator(translator)))
			r.GET("/users", func(*gin.Context) {})
			return r
		}},
	} {
		for _, benchmark := range []struct {
			name       string
			target     string
			translator verso.Translator
			language   string
		}{
			{"own404", "/nowhere", nil, ""},
			{"english", "/users?version=v9", nil, browser},
			{"translated", "/users?version=v9", translator, browser},
			{"translated64KiB", "/users?version=v9", translator, strings.Repeat("xx-unknown,", 64<<10/11)},
		} {
			b.Run(framework.name+"/"+benchmark.name, func(b *testing.B) {
				handler := framework.serve(benchmark.translator)
				r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, benchmark.target, nil)
				r.Header.Set("Accept-Language", benchmark.language)
				w := &discard{make(http.Header)}
				b.ReportAllocs()
				for b.Loop() {
					clear(w.header)
					handler.ServeHTTP(w, r)
				}
			})
		}
	}
}

const browser = "de-CH,de;q=0.9,en;q=0.8"
