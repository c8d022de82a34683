package params

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versofiber"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

type streamed struct {
	Name string `json:"name"`
}

// streams is an app whose bodies are streams, with a route that v1 has in another form. Its
// handler reads the stream, as far as it takes one.
func streams(t *testing.T, config versofiber.Config) (address string) {
	t.Helper()
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	history := verso.Must(migrate.New(api,
		migrate.Release("v2", migrate.Changed("renamed", migrate.For[streamed](migrate.Renamed("title", "name")))), migrate.Release("v1")))
	app := fiber.New(fiber.Config{StreamRequestBody: true, BodyLimit: 100_000})
	v := versofiber.New(app, api, config)
	read := func(c fiber.Ctx) error {
		stream := c.Request().BodyStream()
		if stream == nil {
			return c.SendString("no stream")
		}
		body, err := io.ReadAll(io.LimitReader(stream, 3_000_000))
		if err != nil {
			return err
		}
		return c.SendString(fmt.Sprintf("%d %.12s", len(body), body))
	}
	v.Rewrite(history.Route(migrate.Accepts[streamed]())).Post("/accepts", read)
	v.Rewrite(history.Route(migrate.Returns[streamed](), migrate.Passes("text/plain"))).Post("/returns", read)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go func() { _ = app.Listener(listener, fiber.ListenConfig{DisableStartupMessage: true}) }()
	t.Cleanup(func() { _ = app.ShutdownWithTimeout(time.Second) })
	return listener.Addr().String()
}

// What is held of a stream is bounded, the client gets the answer although it sends on, and a body
// that the version has in the same form stays a stream of any length.
func TestStreamsOfOlderVersions(t *testing.T) {
	s, larger := streams(t, versofiber.Config{}), streams(t, versofiber.Config{RewriteLimit: 400_000})
	doc := func(size int) string { return `{"title":"` + strings.Repeat("x", size-12) + `"}` }
	const isJSON, isText = "application/json", "text/csv"
	for _, test := range []struct {
		address, path, version, contentType string
		size, status                        int
		want                                string
	}{
		{s, "/accepts", "v2", isJSON, 2_000_000, 200, `2000000 {"title":"xx`},
		{s, "/accepts", "v1", isJSON, 20, 200, `19 {"name":"xxx`},
		{s, "/accepts", "v1", isJSON, 100_000, 200, `99999 {"name":"xxx`},
		{s, "/accepts", "v1", isJSON, 100_001, 413, ""},
		{s, "/accepts", "v1", isJSON, 40_000_000, 413, ""},
		{larger, "/accepts", "v1", isJSON, 400_000, 200, `399999 {"name":"xxx`},
		{larger, "/accepts", "v1", isJSON, 400_001, 413, ""},
		{s, "/returns", "v1", isJSON, 2_000_000, 200, `2000000 {"title":"xx`},
		{s, "/accepts", "v1", isText, 20, 415, ""},
		{s, "/accepts", "v1", isText, 2_000_000, 415, ""},
		{s, "/accepts", "v2", isText, 2_000_000, 200, `2000000 {"title":"xx`},
	} {
		for _, framing := range []string{"chunked", "length"} {
			text := doc(test.size)
			head := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: a\r\nApi-Version: %s\r\nContent-Type: %s\r\n", test.path, test.version, test.contentType)
			if framing == "chunked" {
				text = fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(text), text)
				head += "Transfer-Encoding: chunked\r\n\r\n"
			} else {
				head += fmt.Sprintf("Content-Length: %d\r\n\r\n", len(text))
			}
			status, body := sendAll(t, test.address, head+text)
			assert.Equal(t, test.status, status, "%s %+v", framing, test)
			if test.status == http.StatusOK {
				assert.Equal(t, test.want, body, "%s %+v", framing, test)
			}
		}
	}
}

// A media type that is refused is refused before the body has come, but for the 8 KB that fasthttp
// reads first.
func TestStreamIsRefusedUnread(t *testing.T) {
	s := streams(t, versofiber.Config{})
	for _, framing := range []string{"Content-Length: 1000000\r\n\r\n" + strings.Repeat("x", 8<<10), "Transfer-Encoding: chunked\r\n\r\n"} {
		connection, err := net.Dial("tcp", s)
		require.NoError(t, err)
		_, err = fmt.Fprintf(connection, "POST /accepts HTTP/1.1\r\nHost: a\r\nApi-Version: v1\r\nContent-Type: text/csv\r\n%s", framing)
		require.NoError(t, err)
		response, err := http.ReadResponse(bufio.NewReader(connection), nil)
		require.NoError(t, err)
		_ = response.Body.Close()
		assert.Equal(t, http.StatusUnsupportedMediaType, response.StatusCode)
		require.NoError(t, connection.Close())
	}
	// An empty body has no type.
	status, _ := sendAll(t, s, "POST /accepts HTTP/1.1\r\nHost: a\r\nApi-Version: v1\r\nContent-Type: text/csv\r\nContent-Length: 0\r\n\r\n")
	assert.Equal(t, http.StatusOK, status)
}

// sendAll sends a request, all of it or until the connection is closed, and reads its response then.
func sendAll(t *testing.T, address, text string) (status int, body string) {
	t.Helper()
	connection, err := net.Dial("tcp", address)
	require.NoError(t, err)
	defer connection.Close()
	_, _ = io.WriteString(connection, text)
	response, err := http.ReadResponse(bufio.NewReader(connection), nil) //nolint:bodyclose // the connection is
	require.NoError(t, err)
	read, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(read)
}
