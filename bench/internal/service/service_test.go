package service

import (
	"io"
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The tests start themselves anew as a server.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "serve" {
		f, err := Named(os.Args[2])
		if err != nil {
			panic(err)
		}
		var handlers []http.Handler
		for _, s := range Schemes {
			handlers = append(handlers, f.Bare(s, "v2"), f.Stored(s, "v2"), f.Versioned(s, nil))
		}
		if err := Serve(handlers...); err != nil {
			panic(err)
		}
		return
	}
	os.Exit(m.Run())
}

func TestServices(t *testing.T) {
	for _, f := range Frameworks {
		process, addresses, err := StartServer(t.Context(), "serve", f.Name)
		require.NoError(t, err)
		for i, s := range Schemes {
			bare, stored, versioned := addresses[3*i], addresses[3*i+1], addresses[3*i+2]
			for _, test := range []struct {
				name, address, version string
				status                 int
				body                   string
			}{
				{"bare", bare, "v2", http.StatusOK, `{"version":"v2"}`},
				{"stored", stored, "v2", http.StatusOK, `{"version":"v2"}`},
				{"v2", versioned, "v2", http.StatusOK, `{"version":"v2"}`},
				{"v3", versioned, "v3", http.StatusOK, `{"version":"v3"}`},
				{"missing", versioned, "", http.StatusOK, `{"version":"v1"}`},
				{"refused", versioned, NotServed, s.Status, `"allowed_versions":["v1","v2","v3"]`},
			} {
				t.Run(f.name(s)+"/"+test.name, func(t *testing.T) {
					status, body := get(t, test.address, s.Request(test.version))
					assert.Equal(t, test.status, status)
					assert.Contains(t, body, test.body)
				})
			}
		}
		assert.NoError(t, process.Stop(nil))
	}
}

func (f *Framework) name(s *Scheme) string { return f.Name + "/" + s.Name }

func get(t *testing.T, address string, r Request) (status int, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+r.Target(), nil)
	require.NoError(t, err)
	request.Host = r.Host
	if r.Accept != "" {
		request.Header.Set("Accept", r.Accept)
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(text)
}

func TestStartServerFails(t *testing.T) {
	_, _, err := StartServer(t.Context(), "-test.list=^$") // ends without serving
	assert.ErrorContains(t, err, "did not say where it listens")
}
