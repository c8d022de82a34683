package migrate_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

func TestProblemsPageHasTheCodes(t *testing.T) {
	page, err := os.ReadFile("../docs/problems.md")
	require.NoError(t, err)
	for code, status := range map[string]string{
		migrate.InvalidBody: "400", migrate.InvalidValue: "400", migrate.UnsupportedMediaType: "415", migrate.UnsupportedEncoding: "415", migrate.BodyTooLarge: "413",
	} {
		assert.Contains(t, string(page), "| `"+code+"` | "+status+" |")
	}
}

// TestOwnError: an error that a function of the service returns keeps its status and its code.
func TestOwnError(t *testing.T) {
	type guest struct {
		Name string `json:"name"`
	}
	own := &migrate.Error{Status: http.StatusUnprocessableEntity, Code: "too_long"}
	h := changed(t, migrate.For[guest](migrate.Mapped("name", func(string) (string, error) { return "", own }, func(s string) (string, error) { return s, nil })))
	_, err := migrate.Lift[guest](h, verso.V("v1"), []byte(`{"name":"a"}`))
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(`{"name":"a"}`))
	r.Header.Set("Content-Type", "application/json")
	_, begun := h.Route(migrate.Accepts[guest]()).Begin(verso.V("v1"), httptest.NewRecorder(), r)
	for _, err := range []error{err, begun} {
		var found *migrate.Error
		require.True(t, errors.As(err, &found), "%v", err)
		assert.Equal(t, migrate.Error{Status: 422, Code: "too_long", Pointer: "/name", Err: own}, *found)
		assert.ErrorIs(t, err, own)
		assert.Equal(t, `Unprocessable Entity: "/name"`, err.Error())
	}
}
