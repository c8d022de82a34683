package versochi_test

import (
	"bufio"
	"io"
	"log/slog"
	"net/http"
	"runtime"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versochi"
	verso "github.com/goverso/verso/core"
)

// TestHandlerDropped serves the router alone, and drops the handler around it.
func TestHandlerDropped(t *testing.T) {
	logs, log := io.Pipe()
	r := chi.NewRouter()
	v := versochi.New(r, verso.MustNew(verso.Header("Api-Version"), verso.Config{
		AllowedVersions: []string{"v1"}, Logger: slog.New(slog.NewTextHandler(log, nil)),
	}))
	r.Get("/users", func(http.ResponseWriter, *http.Request) {})
	v.Middleware()(r)
	runtime.GC()
	line, err := bufio.NewReader(logs).ReadString('\n')
	assert.NoError(t, err)
	assert.Contains(t, line, "dropped_test.go:")
	assert.Contains(t, line, "code=handler_dropped")
	runtime.KeepAlive(r)
}
