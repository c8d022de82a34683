package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTour follows README.md: it starts the service where the page says `make
// bookings`, sends the requests of the page's curl commands in their order, and
// compares what curl would print with what the page shows. When a request was sent,
// and its ID, may differ.
func TestTour(t *testing.T) {
	page, err := os.ReadFile("README.md")
	require.NoError(t, err)
	var s *tour
	commands := 0
	for _, block := range regexp.MustCompile("(?s)```(sh|console)\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		if arguments, ok := strings.CutPrefix(block[2], "make bookings"); ok {
			s = startTour(t, arguments)
			continue
		}
		if block[1] != "console" {
			continue
		}
		for _, step := range strings.Split("\n"+block[2], "\n$ ")[1:] {
			command, output, _ := strings.Cut(strings.ReplaceAll(step, "\\\n", ""), "\n")
			if !strings.Contains(command, "curl") {
				continue
			}
			commands++
			assert.Equal(t, steady(strings.TrimSpace(output)), steady(strings.TrimSpace(s.run(t, command))), command)
		}
	}
	assert.NotZero(t, commands)
}

// steady leaves out of an output what differs each time.
func steady(output string) string {
	output = regexp.MustCompile(`(?m)^(Date|X-Request-Id): .*$`).ReplaceAllString(output, "$1: …")
	return regexp.MustCompile(`"(first|last)_seen":"[^"]*"`).ReplaceAllString(output, `"${1}_seen":"…"`)
}

// tour is a service and a shell before it.
type tour struct {
	server *server
	auth   string // the variable AUTH
}

// startTour starts the service on the day that the page asks for, or that the
// Makefile has.
func startTour(t *testing.T, arguments string) *tour {
	t.Helper()
	if !strings.Contains(arguments, "-now") {
		makefile, err := os.ReadFile("../../Makefile")
		require.NoError(t, err)
		arguments = string(makefile)
	}
	text := regexp.MustCompile(`-now (\S+Z)`).FindStringSubmatch(arguments)
	require.NotNil(t, text, "the time of the tour")
	day, err := time.Parse(time.RFC3339, text[1])
	require.NoError(t, err)
	return &tour{server: start(t, "Echo", day, "http://localhost:8080")}
}

var (
	auth   = regexp.MustCompile(`^AUTH="Authorization: Bearer \$\((curl .*) \| sed `)
	filter = regexp.MustCompile(`^(curl .*) \| grep (-o )?'(.*)'$`)
)

// run returns what a command of the page prints.
func (s *tour) run(t *testing.T, command string) string {
	t.Helper()
	if match := auth.FindStringSubmatch(command); match != nil {
		token := regexp.MustCompile(`"token":"(.*)"`).FindStringSubmatch(s.curl(t, match[1]))
		require.NotNil(t, token, command)
		s.auth = "Authorization: Bearer " + token[1]
		return ""
	}
	match := filter.FindStringSubmatch(command)
	if match == nil {
		return s.curl(t, command)
	}
	pattern := regexp.MustCompile(match[3])
	var found []string
	for line := range strings.Lines(s.curl(t, match[1])) {
		if match[2] != "" {
			found = append(found, pattern.FindAllString(line, -1)...)
		} else if pattern.MatchString(line) {
			found = append(found, strings.TrimSuffix(line, "\n"))
		}
	}
	return strings.Join(found, "\n")
}

// curl sends the request that curl would send, and returns what it would print.
func (s *tour) curl(t *testing.T, command string) string {
	t.Helper()
	method, url, body, include := "", "", "", false
	header := http.Header{"User-Agent": {"curl/8"}, "Accept": {"*/*"}}
	words := s.words(command)[1:]
	for i := 0; i < len(words); i++ {
		switch word := words[i]; word {
		case "-s":
		case "-i", "-si":
			include = true
		case "-X", "-d", "-H", "-u":
			i++
			require.Less(t, i, len(words), command)
			switch word {
			case "-X":
				method = words[i]
			case "-u":
				header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(words[i])))
			case "-d":
				body = words[i]
				header.Set("Content-Type", "application/x-www-form-urlencoded")
			case "-H":
				name, value, _ := strings.Cut(words[i], ": ")
				header.Set(name, value)
			}
		default:
			require.False(t, strings.HasPrefix(word, "-"), "%s: this test does not know %s", command, word)
			url = word
		}
	}
	if method == "" {
		method = http.MethodGet
		if body != "" {
			method = http.MethodPost
		}
	}
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	require.NoError(t, err)
	r.Header = header

	var dialer net.Dialer
	conn, err := dialer.DialContext(t.Context(), "tcp", s.server.Listener.Addr().String())
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, r.Write(conn))
	var received bytes.Buffer // as it was sent, with the order of the fields
	response, err := http.ReadResponse(bufio.NewReader(io.TeeReader(conn, &received)), r)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	if !include {
		return string(text)
	}
	head, _, _ := strings.Cut(received.String(), "\r\n\r\n")
	return strings.ReplaceAll(head, "\r\n", "\n") + "\n\n" + string(text)
}

// words are the words of a command, as a shell reads them.
func (s *tour) words(command string) []string {
	var words []string
	for _, match := range regexp.MustCompile(`'([^']*)'|"([^"]*)"|(\S+)`).FindAllStringSubmatch(command, -1) {
		words = append(words, match[1]+strings.NewReplacer("$AUTH", s.auth, "$PASSWORD", password).Replace(match[2])+match[3])
	}
	return words
}
