package service

import (
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestServices makes sure that what is compared answers alike, and varies alike.
func TestServices(t *testing.T) {
	for _, f := range Frameworks {
		for _, s := range append([]*Scheme{ByPathOrHeader}, Schemes...) {
			for _, variant := range []Variant{Store, Floor, Lean, Usual, Verso} {
				if s == ByPathOrHeader && variant != Verso {
					continue // nobody compares that
				}
				t.Run(f.Name+"/"+s.Name+"/"+string(variant), func(t *testing.T) {
					server := f.New(Options{Scheme: s, Variant: variant, Answer: SayVersion, Fields: [][2]string{{"X-Field", "set"}}})
					for _, asked := range []string{"v2", "v3", "", NotServed} {
						status, body, header := get(t, server, s.Request(asked))
						switch {
						case asked == NotServed && s.Status == 0:
							assert.Equal(t, http.StatusNotFound, status)
							continue
						case variant == Store:
							assert.JSONEq(t, `{"version":"v2"}`, body)
							continue
						case asked == NotServed && variant == Verso:
							assert.Equal(t, s.Status, status)
							assert.Contains(t, body, `"allowed_versions":["v1","v2","v3"]`)
						case asked == NotServed:
							assert.Equal(t, http.StatusNotFound, status)
						case asked == "":
							assert.JSONEq(t, `{"version":"v1"}`, body)
						default:
							assert.JSONEq(t, fmt.Sprintf(`{"version":%q}`, asked), body)
						}
						if s != ByPathOrHeader || asked != "" { // there the header was looked at
							assert.Equal(t, s.vary, header.Get("Vary"))
						}
						assert.Equal(t, variant != Verso, header.Get("X-Field") == "set")
					}
				})
			}
		}
	}
}

// TestMiddleware makes sure that routes of others answer as those of Verso do.
func TestMiddleware(t *testing.T) {
	for _, f := range WithMiddleware {
		for _, s := range []*Scheme{Named("path"), Named("header")} {
			server := f.New(Options{Scheme: s, Variant: Middleware, Answer: SayVersion})
			for asked, want := range map[string]string{"": "v1", "v2": "v2", "v3": "v3"} {
				_, body, header := get(t, server, s.Request(asked))
				assert.JSONEq(t, fmt.Sprintf(`{"version":%q}`, want), body, "%s, %s", f.Name, s.Name)
				assert.Equal(t, s.vary, header.Get("Vary"))
			}
			status, _, _ := get(t, server, s.Request(NotServed))
			assert.Equal(t, s.Status, status, "%s, %s", f.Name, s.Name)
		}
	}
}

// TestHandleVersions makes sure that routes with a handler for each version answer as
// others do.
func TestHandleVersions(t *testing.T) {
	s := Named("header")
	for _, f := range Frameworks {
		server := f.New(Options{Scheme: s, Variant: Verso, HandleVersions: true, Answer: SayVersion})
		for _, version := range []string{"v1", "v2", "v3"} {
			_, body, _ := get(t, server, s.Request(version))
			assert.JSONEq(t, fmt.Sprintf(`{"version":%q}`, version), body, f.Name)
		}
	}
}

func get(t *testing.T, server Server, r Request) (status int, body string, header http.Header) {
	t.Helper()
	address, stop, err := server.Listen()
	require.NoError(t, err)
	defer stop()
	client := http.Client{Transport: new(http.Transport)}
	defer client.CloseIdleConnections()
	response, err := client.Do(r.HTTP(address))
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(text), response.Header
}

// TestBind makes sure that the handlers read what the middleware kept.
func TestBind(t *testing.T) {
	for _, f := range Frameworks {
		for _, s := range Schemes {
			for variant, want := range map[Variant]string{Bare: "", Store: "v2", Floor: "v2", Lean: "v2", Usual: "v2", Verso: "v2"} {
				kept = "nothing"
				serve := f.New(Options{Scheme: s, Variant: variant}).Bind(s.Request("v2"))
				assert.Equal(t, []int{200, 200}, []int{serve(), serve()})
				assert.Equal(t, want, kept, "%s, %s, %s", f.Name, s.Name, variant)
			}
		}
	}
}
