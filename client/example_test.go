package client_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"

	"github.com/goverso/verso/client"
	verso "github.com/goverso/verso/core"
)

// newAPI returns a client of v1 of a service.
func newAPI(host string, onNotice func(client.Notice)) (*http.Client, error) {
	transport, err := client.New(client.Config{
		Source:   verso.Header("Api-Version"),
		Version:  verso.V("v1"),
		Hosts:    []string{host},
		OnNotice: onNotice,
	})
	if err != nil {
		return nil, err
	}
	return &http.Client{Transport: transport}, nil
}

// A service announces the end of v1. The client logs it at the first response.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Deprecation", "@1772409600")
		w.Header().Set("Sunset", "Tue, 01 Dec 2026 00:00:00 GMT")
		w.Header().Set("Link", `</docs/move-to-v2>; rel="deprecation"`)
		_, _ = fmt.Fprintf(w, "the answer in %s\n", r.Header.Get("Api-Version"))
	}))
	defer server.Close()

	host := server.Listener.Addr().String()
	api, err := newAPI(host, func(n client.Notice) {
		fmt.Printf("%s: %s on %s\n", n.Asked, n, n.SunsetAt.Format("2 January 2006"))
		link, _ := url.Parse(n.Links[0].Href)
		fmt.Println(n.Links[0].Rel, link.Path)
	})
	if err != nil {
		panic(err)
	}
	defer api.CloseIdleConnections()
	for range 2 {
		response, err := api.Get(server.URL)
		if err != nil {
			panic(err)
		}
		_, _ = io.Copy(os.Stdout, response.Body)
		response.Body.Close()
	}
	// Output:
	// v1: API version will end on 1 December 2026
	// deprecation /docs/move-to-v2
	// the answer in v1
	// the answer in v1
}
