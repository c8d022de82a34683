package main

import (
	"os"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/examples/internal/browsertest"
)

// TestVersionsInBrowser looks at the page of versions as people do. VERSO_UPDATE=1 writes
// the picture in the docs.
func TestVersionsInBrowser(t *testing.T) {
	s := start(t, "Gin", time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), "")
	tab := browsertest.Open(t)
	for _, screen := range []struct {
		name, scheme, background string
		width, height            int64
		picture                  string
	}{
		{"light", "light", "rgb(255, 255, 255)", 1000, 760, "../../docs/versions.png"},
		{"dark, on a phone", "dark", "rgb(20, 23, 27)", 390, 844, ""},
	} {
		t.Run(screen.name, func(t *testing.T) {
			_, err := chromedp.Call(tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
				Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: screen.scheme}},
			})
			require.NoError(t, err)
			require.NoError(t, chromedp.Do(tab, chromedp.EmulateViewport(screen.width, screen.height), chromedp.Navigate(s.URL+"/versions")))
			for script, want := range map[string]any{
				`getComputedStyle(document.body).backgroundColor`:                     screen.background,
				`document.documentElement.scrollWidth`:                                float64(screen.width),
				`[...document.querySelectorAll("h2")].map(e => e.textContent).join()`: "v3 supported,v2 supported,v1 deprecated",
			} {
				got, err := chromedp.Run(tab, chromedp.Evaluate[any](script))
				require.NoError(t, err)
				assert.Equal(t, want, got, script)
			}
			image, err := chromedp.Run(tab, chromedp.CaptureScreenshot())
			require.NoError(t, err)
			if screen.picture != "" && os.Getenv(versotest.UpdateVariable) != "" {
				require.NoError(t, os.WriteFile(screen.picture, image, 0o666))
			}
		})
	}
}
