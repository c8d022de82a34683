package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/bench/internal/service"
)

// The tests start themselves anew as a server.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "serve" {
		if err := serve(os.Args[2]); err != nil {
			panic(err)
		}
		return
	}
	os.Exit(m.Run())
}

func TestServe(t *testing.T) {
	for _, f := range service.Frameworks {
		t.Run(f.Name, func(t *testing.T) {
			server, addresses, err := service.StartServer(t.Context(), "serve", f.Name)
			require.NoError(t, err)
			control := addresses[len(addresses)-1]
			before, err := readCPUTime(t.Context(), control)
			require.NoError(t, err)
			for i, s := range service.Schemes {
				of := addresses[services*i : services*(i+1)]
				for _, address := range of {
					assert.NoError(t, check(t.Context(), address, s.Request(servedVersion)), s.Name)
				}
				assert.ErrorContains(t, check(t.Context(), of[2], s.Request("v1")), `"version":"v1"`, s.Name)
			}
			after, err := readCPUTime(t.Context(), control)
			require.NoError(t, err)
			assert.Greater(t, after, before)
			assert.NoError(t, server.Stop(nil))
		})
	}
}

func TestReadCPUTimeFails(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	_, err := readCPUTime(t.Context(), server.Listener.Addr().String())
	assert.ErrorContains(t, err, "processor time")
}

func TestWriteReport(t *testing.T) {
	for _, test := range []struct {
		name               string
		perSecond, latency float64 // with Verso
		missed             int
	}{
		{"within the bounds", 97, 1.1e6, 0},
		{"fewer requests", 96, 1.1e6, 1},
		{"later answers", 97, 1.2e6, 1},
		{"both", 50, 2e6, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := &measurement{where: "echo/url_path"}
			m.store.add(&figures{perSecond: 100, p99: 1e6, cpuTime: 10e3}, &figures{perSecond: 50, p99: 2e6, cpuTime: 20e3})
			m.verso.add(&figures{perSecond: 100, p99: 1e6, cpuTime: 10e3}, &figures{perSecond: test.perSecond, p99: test.latency, cpuTime: 10e3})
			var text strings.Builder
			assert.Equal(t, test.missed, writeReport(&text, []*measurement{m}))
			assert.Contains(t, text.String(), "| echo/url_path ")
			assert.Equal(t, 2*test.missed, strings.Count(text.String(), "**")/2, "the cell of the figure, and that of the bound")
		})
	}
}
