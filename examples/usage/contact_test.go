package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/usage"
)

var secret = []byte("from your secrets")

func pseudonym(name string) string {
	if name == "" {
		return ""
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(name))
	return hex.EncodeToString(mac.Sum(nil)[:8])
}

// TestContact: the page shows whom to write to, and no name that the service has hashed.
func TestContact(t *testing.T) {
	versions := catalogue.MustNew(catalogue.Config{Versions: []catalogue.Entry{
		{Version: "v1", Deprecated: catalogue.MustDate("2026-01-01"), Successor: "v2"}, {Version: "v2"},
	}})
	config := verso.Config{Catalogue: versions}
	calls := usage.NewTable(&config)
	api := verso.MustNew(verso.PathParam("version"), config)
	mux := http.NewServeMux()
	v := versohttp.New(mux, api, versohttp.Config{Client: func(r *http.Request) string { return pseudonym(r.Header.Get("Api-Key")) }})
	v.HandleFunc("GET /{version}/users", func(http.ResponseWriter, *http.Request) {})

	page := calls.Handler(v.Explain)
	page.Contact = func(client string) (text, link string) { // from your list of clients
		return "Payments team", "mailto:payments@example.com"
	}

	for _, key := range []string{"acme", "acme", ""} {
		r := httptest.NewRequest(http.MethodGet, "/v1/users", nil)
		r.Header.Set("Api-Key", key)
		mux.ServeHTTP(httptest.NewRecorder(), r)
	}
	for _, query := range []string{"?format=html", "?format=json", "?format=csv", "?client=" + pseudonym("acme") + "&format=html", "?clients=v1&format=html"} {
		response := httptest.NewRecorder()
		page.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/usage"+query, nil))
		assert.Equal(t, http.StatusOK, response.Code)
		assert.NotContains(t, response.Body.String(), "acme", query)
		assert.Contains(t, response.Body.String(), pseudonym("acme"), query)
		if query != "?format=json" {
			assert.Contains(t, response.Body.String(), "payments@example.com", query)
		}
	}
}
