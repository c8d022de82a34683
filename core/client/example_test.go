package client_test

import (
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/client"
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

// newPathAPI returns a client of a service that has the version in the path, which
// the program's URLs have already: nothing is written.
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

// withoutTime drops the time of a record.
func withoutTime(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}

// A service announces the end of v1. The client logs it at the first answer.
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

// What is logged in a brownout, here of an answer from memory.
func ExampleTransport_RoundTrip() {
	transport, err := client.New(client.Config{
		Base: answering(http.StatusGone, "Deprecation", "@1772409600", "Sunset", "Tue, 01 Dec 2026 00:00:00 GMT",
			"Link", `<https://api.example.com/docs/move-to-v2>; rel="deprecation"; type="text/html"`,
			"Link", `<https://api.example.com/v2/users/7>; rel="successor-version"`,
			"Api-Supported-Versions", "v2", "Api-Deprecated-Versions", "v1", "Retry-After", "1800"),
		Source:  verso.QueryParam("version"),
		Version: verso.V("v1"),
		Hosts:   []string{"api.example.com"},
		Logger:  slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: withoutTime})),
	})
	if err != nil {
		log.Fatal(err)
	}
	api := &http.Client{Transport: transport}
	response, err := api.Get("http://api.example.com/users/7?page=2")
	if err != nil {
		log.Fatal(err)
	}
	response.Body.Close()
	fmt.Println(response.Request.URL)
	// Output:
	// level=ERROR msg="verso: API version is switched off for a time" host=api.example.com version=v1 method=GET path=/users/7 status=410 deprecated=2026-03-02T00:00:00.000Z sunset=2026-12-01T00:00:00.000Z retry_after=30m0s link_deprecation=https://api.example.com/docs/move-to-v2 link_successor_version=https://api.example.com/v2/users/7
	// http://api.example.com/users/7?page=2&version=v1
}

// A source whose version is in the URL is refused.
func ExampleNew() {
	_, err := client.New(client.Config{Source: verso.PathParam("version"), Version: verso.V("v1"), Hosts: []string{"https://api.example.com/"}})
	fmt.Println(err)
	// Output:
	// verso: Hosts: "https://api.example.com/" is no host: write it without a scheme and a path, in ASCII, with a port or without, such as "api.example.com"
	// verso: Source: the path parameter "version" does not write the version into a header or the query: if it is in the path or the host, remove Source and set InURL; of several sources, give the one to use: verso.Header, AcceptParam, MediaType or QueryParam
}

// The version is in the URLs of the program.
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
