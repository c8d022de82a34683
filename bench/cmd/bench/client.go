package main

import (
	"io"
	"log/slog"
	"net/http"
	"strings"

	"github.com/goverso/verso/bench/internal/service"
	"github.com/goverso/verso/client"
	verso "github.com/goverso/verso/core"
)

// addClient compares requests over loopback through client with the same
// through its base transport. They end with the program.
func addClient(c *contest) {
	t := c.table("a request that a client sends", "base transport", "client")
	t.columns = []column{over(1, 0, nil), beyond(1, nil), allocations(1, 0, nil)}
	s, base := service.Named("header"), http.DefaultTransport.(*http.Transport).Clone()
	for _, answer := range []struct {
		where  string
		config verso.Config
	}{{"an answer without fields", service.Config}, {"an answer with six fields", withCatalogue(dated)}} {
		inHTTP := service.Frameworks[3]
		server := inHTTP.New(service.Options{Scheme: s, Variant: service.Verso, API: s.API(answer.config),
			Answer: service.SayVersion})
		address, _, err := server.Listen()
		if err != nil {
			panic(err)
		}
		asking := verso.Must(client.New(client.Config{
			Base: base, Source: verso.Header("Api-Version"), Version: verso.V("v2"), Hosts: []string{address},
			Logger: slog.New(slog.DiscardHandler),
		}))
		send := func(transport http.RoundTripper, version string) *contender {
			r := s.Request(version)
			request := r.HTTP(address)
			added := c.add(func() {
				response, err := transport.RoundTrip(request)
				if err != nil {
					panic(err)
				}
				body, _ := io.ReadAll(response.Body)
				if _ = response.Body.Close(); !strings.Contains(string(body), "v2") {
					panic("the service answers " + string(body))
				}
			})
			added.dear = true
			return added
		}
		t.add(answer.where, "", send(base, "v2"), send(asking, ""))
	}
}
