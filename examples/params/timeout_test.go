package params

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

type slow struct {
	Name string `json:"name"`
}

type slowFailure struct {
	Detail string `json:"detail"`
}

func slowHistory(api *verso.Versioning) *migrate.History {
	return verso.Must(migrate.New(api, migrate.Release("v2", migrate.Changed("x",
		migrate.For[slow](migrate.Renamed("title", "name")), migrate.For[slowFailure](migrate.Renamed("error", "detail")))), migrate.Release("v1")))
}

// TestTimeouts: under [http.TimeoutHandler] at any place, a response is whole and in the form of its
// version, or that of the timeout, and so is the answer to a panic. With -race nothing is shared.
func TestTimeouts(t *testing.T) {
	timeout := func(next http.Handler) http.Handler { return http.TimeoutHandler(next, 5*time.Millisecond, "timeout") }
	recovering := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			defer func() {
				if cause := recover(); cause != nil {
					if cause != "bare" {
						w.Header().Set("Content-Type", verso.ProblemType)
					}
					w.WriteHeader(http.StatusInternalServerError)
					_ = json.NewEncoder(w).Encode(slowFailure{fmt.Sprint(cause)})
				}
			}()
			next.ServeHTTP(w, r)
		})
	}
	handle := func(w http.ResponseWriter, r *http.Request) {
		var in slow
		_ = json.NewDecoder(r.Body).Decode(&in)
		wait, _ := time.ParseDuration(r.URL.Query().Get("wait"))
		time.Sleep(wait)
		switch in.Name {
		case "panic":
			panic("boom")
		case "bare": // its answer has no type
			panic("bare")
		}
		_ = r.Header.Get("If-None-Match")
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Etag", `"a"`)
		_ = json.NewEncoder(w).Encode(in)
	}
	for _, place := range []string{"around RewriteErrors", "between RewriteErrors and Rewrite", "without RewriteErrors", "inside Rewrite"} {
		t.Run(place, func(t *testing.T) {
			api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
			history := slowHistory(api)
			mux := http.NewServeMux()
			v := versohttp.New(mux, api)
			group := v.Group("")
			if strings.HasPrefix(place, "between") || strings.HasPrefix(place, "without") {
				group = v.Group("", recovering, timeout)
			}
			group = group.Rewrite(history.Route(migrate.Accepts[slow](), migrate.Returns[slow](), migrate.Fails[slowFailure](verso.ProblemType)))
			if strings.HasPrefix(place, "inside") {
				group = group.AfterCheck(timeout)
			}
			group.HandleFunc("POST /x", handle)
			handler := http.Handler(mux)
			if !strings.HasPrefix(place, "without") {
				handler = v.RewriteErrors()(recovering(mux))
			}
			if strings.HasPrefix(place, "around") {
				handler = timeout(handler)
			}
			server := httptest.NewServer(handler)
			defer server.Close()
			var wait sync.WaitGroup
			for worker := range 6 {
				wait.Go(func() {
					for i := range 60 {
						name := fmt.Sprintf("n%d-%d", worker, i)
						switch i % 10 {
						case 8:
							name = "bare"
						case 9:
							name = "panic"
						}
						r, err := http.NewRequest(http.MethodPost, server.URL+"/x?wait="+[]string{"0ms", "4ms", "5ms", "6ms"}[i%4], strings.NewReader(fmt.Sprintf(`{"title":%q}`, name)))
						if !assert.NoError(t, err) {
							return
						}
						r.Header.Set("Api-Version", "v1")
						r.Header.Set("Content-Type", "application/json")
						r.Header.Set("If-None-Match", `"a;v1"`)
						response, err := http.DefaultClient.Do(r)
						if !assert.NoError(t, err) {
							return
						}
						body, err := io.ReadAll(response.Body)
						assert.NoError(t, err)
						response.Body.Close()
						switch got := strings.TrimSpace(string(body)); response.StatusCode {
						case http.StatusOK:
							assert.Equal(t, fmt.Sprintf(`{"title":%q}`, name), got)
						case http.StatusServiceUnavailable:
							assert.Equal(t, "timeout", got)
						default:
							assert.Contains(t, []string{"panic", "bare"}, name)
							switch {
							case strings.HasPrefix(place, "without"):
							case name == "bare":
								assert.NotContains(t, got, "bare")
							default:
								assert.Equal(t, `{"error":"boom"}`, got)
							}
						}
					}
				})
			}
			wait.Wait()
		})
	}
}

// TestUpgrades: the writer of a rewritten route can be hijacked in each version.
func TestUpgrades(t *testing.T) {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	history := slowHistory(api)
	mux := http.NewServeMux()
	v := versohttp.New(mux, api)
	v.Rewrite(history.Route(migrate.Returns[slow]())).HandleFunc("GET /", func(w http.ResponseWriter, _ *http.Request) {
		connection, _, err := w.(http.Hijacker).Hijack()
		if !assert.NoError(t, err) {
			return
		}
		_, _ = io.WriteString(connection, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nhello")
		_ = connection.Close()
	})
	for _, handler := range []http.Handler{mux, v.RewriteErrors()(mux)} {
		server := httptest.NewServer(handler)
		for _, version := range []string{"v1", "v2"} {
			connection, err := net.Dial("tcp", server.Listener.Addr().String())
			require.NoError(t, err)
			_, err = fmt.Fprintf(connection, "GET / HTTP/1.1\r\nHost: a\r\nApi-Version: %s\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n", version)
			require.NoError(t, err)
			reader := bufio.NewReader(connection)
			response, err := http.ReadResponse(reader, nil) //nolint:bodyclose // the connection is
			require.NoError(t, err)
			assert.Equal(t, http.StatusSwitchingProtocols, response.StatusCode, version)
			rest, err := io.ReadAll(reader)
			require.NoError(t, err)
			assert.Equal(t, "hello", string(rest), version)
			_ = connection.Close()
		}
		server.Close()
	}
}
