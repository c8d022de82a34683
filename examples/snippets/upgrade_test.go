package snippets_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

// upgrade hijacks the connection and writes its 101 with the given headers, as gorilla/websocket
// does.
func upgrade(w http.ResponseWriter, header http.Header) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n")
	_ = header.Write(conn)
	_, _ = io.WriteString(conn, "\r\n")
}

// TestUpgrade: a 101 that a handler writes to a hijacked connection announces the end of the
// version if it gets the headers of the writer.
func TestUpgrade(t *testing.T) {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{Catalogue: catalogue.MustParse([]byte(`{"versions": [
		{"version": "v1", "deprecated": "2026-06-30", "sunset": "2099-12-31"}, {"version": "v2"}]}`))})
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	versogin.New(r, api).GET("/socket", func(c *gin.Context) { upgrade(c.Writer, c.Writer.Header()) })
	e := echo.New()
	versoecho.New(e, api).GET("/socket", func(c echo.Context) error {
		upgrade(c.Response(), c.Response().Header())
		return nil
	})
	mux := http.NewServeMux()
	versohttp.New(mux, api).HandleFunc("GET /socket", func(w http.ResponseWriter, _ *http.Request) { upgrade(w, w.Header()) })
	for name, service := range map[string]http.Handler{"Gin": r, "Echo": e, "net/http": mux} {
		server := httptest.NewServer(service)
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		require.NoError(t, err)
		_, err = io.WriteString(conn, "GET /socket HTTP/1.1\r\nHost: a.example\r\nApi-Version: v1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
		require.NoError(t, err)
		response, err := http.ReadResponse(bufio.NewReader(conn), nil) //nolint:bodyclose // the connection is closed
		require.NoError(t, err, name)
		assert.Equal(t, http.StatusSwitchingProtocols, response.StatusCode, name)
		assert.NotEmpty(t, response.Header.Get("Deprecation"), name)
		assert.NotEmpty(t, response.Header.Get("Sunset"), name)
		_ = conn.Close()
		server.Close()
	}
}
