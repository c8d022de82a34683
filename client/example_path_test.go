package client_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/goverso/verso/client"
	verso "github.com/goverso/verso/core"
)

// newPathAPI returns a client of a service with the version in the path. The
// program's URLs already have it, so the client writes nothing.
func newPathAPI(host string, onNotice func(client.Notice)) (*http.Client, error) {
	transport, err := client.New(client.Config{
		InURL:    true,
		Version:  verso.V("v1"),
		Hosts:    []string{host},
		OnNotice: onNotice,
	})
	if err != nil {
		return nil, err
	}
	return &http.Client{Transport: transport}, nil
}

// The program's URLs contain the version.
func ExampleConfig_inURL() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Api-Supported-Versions", "v1, v2")
	}))
	defer server.Close()

	api, err := newPathAPI(server.Listener.Addr().String(), func(n client.Notice) { fmt.Printf("%s: %s, %s\n", n.Asked, n, n.Newer) })
	if err != nil {
		panic(err)
	}
	defer api.CloseIdleConnections()
	response, err := api.Get(server.URL + "/v1/users/7")
	if err != nil {
		panic(err)
	}
	response.Body.Close()
	// Output:
	// v1: API has newer versions, [v2]
}
