package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRun starts the program on a port of the system's choice, asks for its
// health, and ends it.
func TestRun(t *testing.T) {
	for _, framework := range []string{"-gin=false", "-gin"} {
		t.Run(framework, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			out, in := io.Pipe()
			ended := make(chan error, 1)
			go func() { ended <- run(ctx, []string{"-address", "127.0.0.1:0", framework}, in) }()

			line, err := bufio.NewReader(out).ReadString('\n')
			require.NoError(t, err)
			go func() { _, _ = io.Copy(io.Discard, out) }()
			url := regexp.MustCompile(`http://\S+`).FindString(line)
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/health", nil)
			require.NoError(t, err)
			response, err := http.DefaultClient.Do(request)
			require.NoError(t, err)
			response.Body.Close()
			assert.Equal(t, http.StatusOK, response.StatusCode)

			stop()
			require.NoError(t, <-ended)
		})
	}
}

func TestRunExplain(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run(t.Context(), []string{"-address", "127.0.0.1:0", "-explain"}, &out))
	assert.Contains(t, out.String(), "/:version/bookings/:id/confirm")
}

func TestRunHelp(t *testing.T) {
	require.NoError(t, run(t.Context(), []string{"-h"}, io.Discard))
}

func TestRunRefuses(t *testing.T) {
	for name, args := range map[string][]string{
		"a time that is none":    {"-now", "tomorrow"},
		"a port that is none":    {"-address", "127.0.0.1:99999"},
		"a folder that is none":  {"-db", "/nowhere/at/all/bookings.db"},
		"an unknown flag":        {"-fiber"},
		"an origin that is none": {"-address", "127.0.0.1:0", "-origin", "acme.example"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Error(t, run(t.Context(), args, io.Discard))
		})
	}
}

// TestServeAnswersWhatHasBegun ends a server while a handler is at work: its
// client gets the answer all the same.
func TestServeAnswersWhatHasBegun(t *testing.T) {
	begun, ending := make(chan struct{}), make(chan struct{})
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(begun)
		<-ending
		_, _ = io.WriteString(w, "answered")
	})}
	server.RegisterOnShutdown(func() { close(ending) })
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, server, listener) }()
	go func() {
		<-begun
		stop()
	}()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+listener.Addr().String(), nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	assert.Equal(t, "answered", string(body))
	require.NoError(t, <-ended)
}
