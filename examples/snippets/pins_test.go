package snippets

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

// pinned is a source that looks up the version that a client began with.
type pinned map[string]string

func (p pinned) Read(r source.Request, _ *source.ServedVersions) source.Reading {
	key, _ := r.Header("Authorization")
	version, ok := p[key]
	if !ok {
		return source.Reading{}
	}
	return source.Reading{Outcome: source.Found, Text: version}
}

func (pinned) Write(w source.Written, _ verso.Version) (source.Written, error) { return w, nil }

func (pinned) Describe() source.Description {
	return source.Description{Name: "pin of the client", Headers: []string{"Authorization"}}
}

// TestPinnedClients lets a header override the pin.
func TestPinnedClients(t *testing.T) {
	api := verso.MustNew(
		verso.First(verso.Header("Api-Version"), pinned{"Bearer shop": "2025-01-01"}),
		verso.Config{AllowedVersions: []string{"2025-01-01", "2026-01-01"}, DefaultVersion: verso.V("2026-01-01")},
	)
	e := echo.New()
	versoecho.New(e, api).GET("/users", func(c echo.Context) error { return c.String(http.StatusOK, versoecho.Version(c).String()) })
	for _, test := range []struct{ authorization, header, want, vary string }{
		{"Bearer shop", "", "2025-01-01", "Api-Version, Authorization"},
		{"Bearer shop", "2026-01-01", "2026-01-01", "Api-Version"},
		{"Bearer new", "", "2026-01-01", "Api-Version, Authorization"},
	} {
		r, w := httptest.NewRequest(http.MethodGet, "/users", nil), httptest.NewRecorder()
		r.Header.Set("Authorization", test.authorization)
		if test.header != "" {
			r.Header.Set("Api-Version", test.header)
		}
		e.ServeHTTP(w, r)
		assert.Equal(t, test.want, w.Body.String())
		assert.Equal(t, test.vary, strings.Join(w.Header()["Vary"], ", "))
	}
}
