package versohttp_test

import (
	"bufio"
	"io"
	"log/slog"
	"net/http"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
)

// TestHandlerDropped serves the ServeMux alone, and drops the handler around it.
func TestHandlerDropped(t *testing.T) {
	for name, drop := range map[string]func(v *versohttp.Routes, mux *http.ServeMux){
		"Middleware": func(v *versohttp.Routes, mux *http.ServeMux) { v.Middleware()(mux) },
		"NotFound":   func(v *versohttp.Routes, mux *http.ServeMux) { v.NotFound()(mux) },
		"Middleware in NotFound": func(v *versohttp.Routes, mux *http.ServeMux) {
			v.NotFound()(v.Middleware()(mux))
		},
	} {
		t.Run(name, func(t *testing.T) {
			logs, log := io.Pipe()
			mux := http.NewServeMux()
			v := versohttp.New(mux, verso.MustNew(verso.Header("Api-Version"), verso.Config{
				AllowedVersions: []string{"v1"}, Logger: slog.New(slog.NewTextHandler(log, nil)),
			}))
			mux.HandleFunc("GET /users", answerVersion)
			drop(v, mux)
			runtime.GC()
			line, err := bufio.NewReader(logs).ReadString('\n')
			assert.NoError(t, err)
			assert.Contains(t, line, "dropped_test.go:")
			assert.Contains(t, line, "code=handler_dropped")
			assert.Equal(t, http.StatusOK, send(t, mux, http.MethodGet, "/users", nil).Status)
		})
	}
}

// TestHandlerServed drops a handler after a request, and then another.
func TestHandlerServed(t *testing.T) {
	logs, log := io.Pipe()
	logger := slog.New(slog.NewTextHandler(log, nil))
	service := func() (*http.ServeMux, *versohttp.Routes) {
		mux := http.NewServeMux()
		v := versohttp.New(mux, verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1"}, Logger: logger}))
		mux.HandleFunc("GET /users", answerVersion)
		return mux, v
	}
	mux, v := service()
	other, ofOther := service()
	header := http.Header{"Api-Version": {"v9"}}
	assert.Equal(t, http.StatusBadRequest, send(t, v.Middleware()(mux), http.MethodGet, "/users", header).Status)
	runtime.GC()
	ofOther.NotFound()(other)
	runtime.GC()
	line, err := bufio.NewReader(logs).ReadString('\n')
	assert.NoError(t, err)
	assert.Contains(t, line, "the handler from NotFound")
	runtime.KeepAlive([]any{mux, other})
}
