package main

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/examples/internal/browsertest"
	"github.com/goverso/verso/usage"
)

// TestAxeLong runs axe on each kind of page, in light and in dark and on a phone, with pins too. It is
// skipped where npm, which brings axe, is not installed.
func TestAxeLong(t *testing.T) {
	if os.Getenv("VERSO_LONG") == "" {
		t.Skip("VERSO_LONG is not set")
	}
	if _, err := exec.LookPath("npm"); err != nil {
		require.NotContains(t, os.Getenv("VERSO_REQUIRED"), "npm", err)
		t.Skip("npm is not installed")
	}
	dir := t.TempDir()
	npm := exec.CommandContext(t.Context(), "npm", "install", "--no-audit", "--no-fund", "--prefix", dir, "axe-core@4.10.3")
	npm.Env = append(os.Environ(), "npm_config_cache="+filepath.Join(os.TempDir(), "verso-npm"))
	out, err := npm.CombinedOutput()
	require.NoError(t, err, string(out))
	axe, err := os.ReadFile(filepath.Join(dir, "node_modules/axe-core/axe.min.js"))
	require.NoError(t, err)

	service, calls := played(t)
	pinned := calls.Handler(nil)
	pinned.Pinned = func(context.Context, string) iter.Seq2[usage.Pin, error] {
		return func(yield func(usage.Pin, error) bool) {
			for _, client := range []string{"support-desk", "a receiver", "another"} {
				if !yield(usage.Pin{Client: client, For: "webhook https://example.com/hooks", Since: now}, nil) {
					return
				}
			}
		}
	}
	mux := http.NewServeMux()
	mux.Handle("/", service)
	mux.Handle("/pins", pinned)
	server := httptest.NewServer(mux)
	defer server.Close()
	for _, path := range []string{
		"/usage?format=html", "/usage?format=html&client=support-desk", "/usage?format=html&clients=v1", "/usage?format=html&clients=v1&state=quiet",
		"/pins?format=html", "/pins?format=html&client=support-desk", "/pins?format=html&client=another", "/pins?format=html&clients=v1&state=pinned",
	} {
		t.Run(path, func(t *testing.T) { // each has a minute
			p := &page{Context: browsertest.Open(t)}
			for _, view := range []struct {
				scheme string
				width  int64
			}{{"light", 1280}, {"dark", 1280}, {"light", 390}} {
				prefer(t, p, view.scheme)
				require.NoError(t, chromedp.Do(p, chromedp.EmulateViewport(view.width, 844), chromedp.Navigate(server.URL+path)))
				evaluate[bool](t, p, `document.querySelectorAll("details").forEach(e => e.open = true) || true`)
				evaluate[bool](t, p, string(axe)+`; axe.run().then(r => window.found = JSON.stringify(r.violations.map(v => v.id + ": " + v.nodes.map(n => n.html).join(" | ")))) && true`)
				var found []string
				require.Eventually(t, func() bool {
					text, err := chromedp.Run(p, chromedp.Evaluate[string](`window.found ?? ""`))
					return err == nil && json.Unmarshal([]byte(text), &found) == nil
				}, time.Minute, 50*time.Millisecond)
				assert.Empty(t, found, "%s, %s, %d: %s", path, view.scheme, view.width, strings.Join(found, "\n"))
			}
		})
	}
}
