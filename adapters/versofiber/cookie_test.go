package versofiber_test

import (
	"net/http"
	"testing"

	"github.com/gofiber/fiber/v3"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versofiber"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

type cookieSource struct{}

func (cookieSource) Read(r source.Request, _ *source.ServedVersions) source.Reading {
	field, _ := r.Header("Cookie")
	sent := http.Request{Header: http.Header{"Cookie": {field}}}
	if c, err := sent.Cookie("version"); err == nil {
		return source.Reading{Outcome: source.Found, Text: c.Value}
	}
	return source.Reading{}
}

func (cookieSource) Write(w source.Written, _ verso.Version) (source.Written, error) { return w, nil }

func (cookieSource) Describe() source.Description {
	return source.Description{Name: "cookie", Headers: []string{"Cookie"}}
}

// Two lines of Cookie are one field, joined by "; " (RFC 9113, section 8.2.3).
func TestCookieLines(t *testing.T) {
	config := twoVersions
	config.DefaultVersion = verso.V("v1")
	app := fiber.New()
	versofiber.New(app, verso.MustNew(cookieSource{}, config)).Get("/users", answerVersion)
	got := start(t, app).raw(t, "GET /users HTTP/1.1\r\nHost: a\r\nCookie: a=b\r\nCookie: version=v2\r\nConnection: close\r\n\r\n")
	assert.Equal(t, "v2", got.body)
}
