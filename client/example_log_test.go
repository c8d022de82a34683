package client_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/goverso/verso/client"
	verso "github.com/goverso/verso/core"
)

// The log record of a brownout.
func ExampleTransport_RoundTrip() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Deprecation", "@1772409600")
		w.Header().Set("Sunset", "Tue, 01 Dec 2026 00:00:00 GMT")
		w.Header().Add("Link", `<https://api.example.com/docs/move-to-v2>; rel="deprecation"; type="text/html"`)
		w.Header().Add("Link", `<https://api.example.com/v2/users/7>; rel="successor-version"`)
		w.Header().Set("Api-Supported-Versions", "v2")
		w.Header().Set("Api-Deprecated-Versions", "v1")
		w.Header().Set("Retry-After", "1800")
		w.WriteHeader(http.StatusGone)
	}))
	defer server.Close()

	withoutTime := func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}
	transport, err := client.New(client.Config{
		Base:    server.Client().Transport, // connects to the server for api.example.com
		Source:  verso.QueryParam("version"),
		Version: verso.V("v1"),
		Hosts:   []string{"api.example.com"},
		Logger:  slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: withoutTime})),
	})
	if err != nil {
		panic(err)
	}
	api := &http.Client{Transport: transport}
	response, err := api.Get("http://api.example.com/users/7?page=2")
	if err != nil {
		panic(err)
	}
	response.Body.Close()
	fmt.Println(response.Request.URL)
	// Output:
	// level=ERROR msg="verso: API version is switched off for a time" host=api.example.com version=v1 method=GET path=/users/7 status=410 deprecated=2026-03-02T00:00:00.000Z sunset=2026-12-01T00:00:00.000Z retry_after=30m0s link_deprecation=https://api.example.com/docs/move-to-v2 link_successor_version=https://api.example.com/v2/users/7
	// http://api.example.com/users/7?page=2&version=v1
}

// New refuses a source that has the version in the URL.
func ExampleNew() {
	_, err := client.New(client.Config{Source: verso.PathParam("version"), Version: verso.V("v1"), Hosts: []string{"https://api.example.com/"}})
	fmt.Println(err)
	// Output:
	// verso: Hosts: "https://api.example.com/" is not a host: write it in ASCII, without a scheme, a path and a dot at its end, and optionally with a port, such as "api.example.com"
	// verso: Source: the path parameter "version" does not write the version into a header or the query: if it is in the path or the host, remove Source and set InURL; for a combined source, give the part to use: verso.Header, AcceptParam, MediaType or QueryParam
}
