package params

import (
	"bufio"
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/examples/internal/frameworks"
)

type testCase struct {
	ID      string            `json:"id"`
	Version string            `json:"version"`
	Method  string            `json:"method"`
	Target  string            `json:"target"`
	Header  map[string]string `json:"header,omitempty"`
	Body    string            `json:"body,omitempty"`
	Want    struct {
		Status int               `json:"status"`
		Header map[string]string `json:"header,omitempty"` // "" for absent
		Body   *string           `json:"body,omitempty"`   // JSON, "" for none
		Text   string            `json:"text,omitempty"`   // is in the body
	} `json:"want"`
}

func TestCases(t *testing.T) {
	paths, _ := filepath.Glob("testdata/*.jsonl")
	if dir := os.Getenv("CONTRACT_CASES"); dir != "" {
		more, _ := filepath.Glob(dir + "/params*.jsonl")
		paths = append(paths, more...)
	}
	var cases []testCase
	for _, path := range paths {
		file, err := os.Open(path)
		require.NoError(t, err)
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			if strings.TrimSpace(lines.Text()) == "" {
				continue
			}
			var c testCase
			require.NoError(t, json.Unmarshal(lines.Bytes(), &c), lines.Text())
			cases = append(cases, c)
		}
		_ = file.Close()
	}
	require.NotEmpty(t, cases)
	for name, serve := range frameworks.All {
		t.Run(name, func(t *testing.T) {
			service := serve(service())
			for _, c := range cases {
				t.Run(c.ID, func(t *testing.T) {
					r := httptest.NewRequest(c.Method, c.Target, strings.NewReader(c.Body))
					r.Header.Set("Api-Version", c.Version)
					for name, value := range c.Header {
						r.Header.Set(name, value)
					}
					got := httptest.NewRecorder()
					service.ServeHTTP(got, r)
					raw := got.Body.String()
					assert.Equal(t, c.Want.Status, got.Code, "%s", raw)
					for name, value := range c.Want.Header {
						assert.Equal(t, value, got.Header().Get(name), name)
					}
					assert.Contains(t, raw, c.Want.Text)
					switch {
					case c.Want.Body == nil:
					case *c.Want.Body == "":
						assert.Empty(t, raw)
					default:
						assert.JSONEq(t, *c.Want.Body, raw)
					}
				})
			}
		})
	}
}
