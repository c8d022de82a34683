// Package caches_test asks services through nginx and Varnish, in many orders, whether
// anybody ever gets what is not of their version.
package caches_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/examples/internal/proxytest"
)

// check checks that an answer is that of the client's version or rejection.
func check(t *testing.T, c client, method string, got answer, what string) {
	t.Helper()
	what = c.name + ": " + what + ": X-Cache: " + got.header.Get("X-Cache")
	if got.header.Get("Content-Encoding") == "gzip" && len(got.body) > 0 {
		reader, err := gzip.NewReader(bytes.NewReader(got.body))
		require.NoError(t, err, what)
		got.body, err = io.ReadAll(reader)
		require.NoError(t, err, what)
	}
	text := string(got.body)
	var problem struct{ Code string }
	if got.status >= http.StatusBadRequest && json.Unmarshal(got.body, &problem) == nil {
		text = problem.Code
	}
	want, wantETag := c.want, ""
	if c.status == http.StatusOK {
		wantETag = etagOf(c.want)
	}
	if got.status == http.StatusNotModified && c.status == http.StatusOK {
		want = ""
	} else {
		require.Equal(t, c.status, got.status, what)
	}
	if method == http.MethodHead {
		want = ""
	}
	require.Equal(t, want, text, what)
	require.Equal(t, wantETag, strings.TrimPrefix(got.header.Get("Etag"), "W/"), what)
}

// encodings are what clients accept, one after the other.
var encodings = map[string][]string{
	"plain": {""},
	"gzip":  {"gzip"},
	"both":  {"gzip", ""},
}

// TestNobodyGetsAnotherVersion sends the requests of all clients, each of them once as
// the first one to a URL.
func TestNobodyGetsAnotherVersion(t *testing.T) {
	origin := startOrigin(t)
	for _, cache := range caches {
		t.Run(cache.Name, func(t *testing.T) {
			t.Parallel()
			address := proxytest.Start(t, cache, origin)
			for service := range services {
				for _, source := range sources {
					t.Run(service+"/"+source.name, func(t *testing.T) {
						for encoding, accepted := range encodings {
							for first := range source.clients {
								begin := []string{http.MethodGet, http.MethodHead}[first%2]
								s := &story{t, address, hostOf(service, source), fmt.Sprintf("%s-%d", encoding, first), accepted, 0}
								s.tell(slices.Concat(source.clients[first:], source.clients[:first]), begin)
							}
						}
					})
				}
			}
		})
	}
}

// story is what happens at one URL.
type story struct {
	*testing.T

	address, host, id string
	accepted          []string
	sent              int
}

// ask sends the request of a client and checks the response.
func (s *story) ask(c client, method, ifNoneMatch string) answer {
	s.Helper()
	more := make(map[string]string)
	if accepted := s.accepted[s.sent%len(s.accepted)]; accepted != "" {
		more["Accept-Encoding"] = accepted
	}
	if ifNoneMatch != "" {
		more["If-None-Match"] = ifNoneMatch
	}
	s.sent++
	got := send(s.T, s.address, s.host, s.id, method, c, more)
	check(s.T, c, method, got, fmt.Sprintf("request %d to %s: %s %v", s.sent, s.id, method, more))
	return got
}

// tell lets each client fill the cache, and then ask for what is new and for all of it.
func (s *story) tell(clients []client, begin string) {
	s.Helper()
	for _, c := range clients {
		s.ask(c, begin, "")
		s.ask(c, http.MethodGet, "")
		if got := s.ask(c, http.MethodGet, ""); len(s.accepted) == 1 {
			require.Equal(s, "HIT", got.header.Get("X-Cache"), "%s: nothing is cached", c.name)
		}
	}
	for _, c := range clients {
		other := etagOf("v1")
		if c.want == "v1" {
			other = etagOf("v2")
		}
		if c.status == http.StatusOK {
			require.Equal(s, http.StatusNotModified, s.ask(c, http.MethodGet, etagOf(c.want)).status, c.name)
		}
		require.Equal(s, c.status, s.ask(c, http.MethodGet, other).status, c.name)
		s.ask(c, http.MethodHead, "")
		s.ask(c, http.MethodGet, "")
	}
}

// TestRevalidatedVersions asks until the cache has asked the origin for each version
// whether what it has is still good.
func TestRevalidatedVersions(t *testing.T) {
	origin := startOrigin(t)
	for _, cache := range caches {
		t.Run(cache.Name, func(t *testing.T) {
			t.Parallel()
			address := proxytest.Start(t, cache, origin)
			revalidated := make(map[string]bool)
			ask := func(service string, source asked, c client, accepted string) {
				s := &story{t, address, hostOf(service, source), "short-" + accepted, []string{accepted}, 0}
				cached := s.ask(c, http.MethodGet, "").header.Get("X-Cache")
				// nginx keeps one response of those that differ in their Vary, as First's do.
				if c.status == http.StatusOK && source.name != "First" {
					key := s.host + " " + accepted + ": " + c.name
					revalidated[key] = revalidated[key] || cached == "REVALIDATED"
				}
			}
			begin := time.Now()
			for len(revalidated) == 0 || slices.Contains(slices.Collect(maps.Values(revalidated)), false) {
				require.Less(t, time.Since(begin), 5*time.Minute, "not revalidated: %v", revalidated)
				time.Sleep(50 * time.Millisecond)
				for service := range services {
					for _, source := range sources {
						for _, c := range source.clients {
							ask(service, source, c, "")
							if c.status == http.StatusOK { // Gin's rejections differ in Vary, since it compresses none
								ask(service, source, c, "gzip")
							}
						}
					}
				}
			}
		})
	}
}

// TestErrorsOfHandlers asks for what v1 alone has.
func TestErrorsOfHandlers(t *testing.T) {
	origin := startOrigin(t)
	for _, cache := range caches {
		t.Run(cache.Name, func(t *testing.T) {
			t.Parallel()
			address := proxytest.Start(t, cache, origin)
			for service := range services {
				t.Run(service, func(t *testing.T) {
					v1, v2 := inHeader("v1", http.StatusOK, "v1"), inHeader("v2", http.StatusNotFound, "only v1 has it")
					s := &story{t, address, hostOf(service, asked{name: "header"}), "only-v1", []string{"gzip"}, 0}
					if service == "Gin" { // gin-contrib/gzip removes Vary from errors, so that v1 gets that of v2
						v1.status, v1.want = v2.status, v2.want
					}
					for _, c := range []client{v2, v1, v2, v1} {
						s.ask(c, http.MethodGet, "")
					}
				})
			}
		})
	}
}

// TestDeletedRoutes asks for a path that no route has any more: clients of the ended version get
// 410 and the others 404, whoever has filled the cache.
func TestDeletedRoutes(t *testing.T) {
	origin := startOrigin(t)
	deleted := func(c client) client { return client{c.name, "/deleted", c.header, c.status, c.want} }
	ended := map[string]client{"header": deleted(inHeader("v0", 410, "")), "media type": deleted(inAccept("v0", 410, "")), "First": deleted(inAccept("v0", 410, ""))}
	served := map[string]client{"header": deleted(inHeader("v2", 404, "")), "media type": deleted(inAccept("v2", 404, "")), "First": deleted(inHeader("v2", 404, ""))}
	for _, cache := range caches {
		t.Run(cache.Name, func(t *testing.T) {
			t.Parallel()
			address := proxytest.Start(t, cache, origin)
			for service := range services {
				for source, gone := range ended {
					for first, order := range map[string][]client{"served": {served[source], gone, deleted(unversioned)}, "ended": {gone, deleted(unversioned), served[source]}} {
						for round := range 2 {
							for _, c := range order {
								want := c.status
								if c.name == unversioned.name {
									want = http.StatusNotFound
								}
								got := send(t, address, hostOf(service, asked{name: source}), first, http.MethodGet, c, nil)
								require.Equal(t, want, got.status, "%s, %s, %s first: %s: %s", service, source, first, c.name, got.header.Get("X-Cache"))
								if round == 1 && cache.Name == "Varnish" { // nginx may keep one of those that differ in Vary
									require.Equal(t, "HIT", got.header.Get("X-Cache"), "%s, %s: %s", service, source, c.name)
								}
							}
						}
					}
				}
			}
		})
	}
}

// TestOneVaryLine asks the services themselves. Some caches look at the last line
// only, such as nginx before 1.23.
func TestOneVaryLine(t *testing.T) {
	origin := startOrigin(t)
	for service := range services {
		for _, source := range sources {
			t.Run(service+"/"+source.name, func(t *testing.T) {
				for _, c := range source.clients {
					for _, more := range []map[string]string{
						{},
						{"Accept-Encoding": "gzip"},
						{"If-None-Match": `"v1", "v2"`},
						{"Accept-Encoding": "gzip", "If-None-Match": `"v1", "v2"`},
					} {
						got := send(t, origin, hostOf(service, source), "7", http.MethodGet, c, more)
						check(t, c, http.MethodGet, got, fmt.Sprint(more))
						if source.source != path { // Vary is that of others then
							require.Len(t, got.header.Values("Vary"), 1, "%s %v", c.name, more)
						}
					}
				}
			})
		}
	}
}
