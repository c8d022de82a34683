package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/bench/internal/service"
)

func TestClient(t *testing.T) {
	for _, test := range []struct {
		name    string
		handler http.HandlerFunc
		want    answer
		status  int
		err     string // "" for none
	}{
		{"right", body(`{"version":"v2"}`), served("v2"), 200, ""},
		{"another version", body(`{"version":"v1"}`), served("v2"), 200, "version:v1"},
		{"no version", body(`{}`), served("v2"), 200, "version:{}"},
		{"another status", http.NotFound, served("v2"), 404, "status:404"},
		{"a refusal where one is due", http.NotFound, answer{status: 404}, 404, ""},
		{"a refusal in no language", http.NotFound, answer{status: 404, language: "de"}, 404, "language:de"},
		{"any answer will do", http.NotFound, answer{}, 404, ""},
		{"none", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, answer{}, 0, "EOF"},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := httptest.NewServer(test.handler)
			defer server.Close()
			c := &client{address: server.Listener.Addr().String()}
			defer c.close()
			for range 2 { // over the same connection, or a new one if there is none any more
				status, err := c.do(&exchange{want: test.want, Request: service.Schemes[0].Request("v2")})
				assert.Equal(t, test.status, status)
				if test.err == "" {
					assert.NoError(t, err)
				} else {
					assert.ErrorContains(t, err, test.err)
				}
			}
		})
	}
}

func body(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }
}
