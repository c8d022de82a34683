package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/core/versotest"
)

// screenshot is the picture in the docs, which VERSO_UPDATE=1 writes.
const screenshot = "../../docs/usage.png"

// page is the page in a browser, and what the browser complained of.
type page struct {
	context.Context

	mu         sync.Mutex
	complaints []string
	loaded     []string // what was asked of a server
}

// open opens the page of the service in a headless browser.
func open(t *testing.T) (*page, string) {
	t.Helper()
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			browser = found
			break
		}
	}
	if browser == "" {
		t.Skip("there is no browser: install chromium to run this test")
	}
	gin.SetMode(gin.ReleaseMode)
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	clock := versotest.NewClock(now)
	service, err := newService(now, clock.Now)
	require.NoError(t, err)
	play(service, now, clock.Set)
	server := httptest.NewServer(service)
	t.Cleanup(server.Close)

	allocated, cancel := chromedp.NewExecAllocator(t.Context(),
		append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(browser), chromedp.NoSandbox, chromedp.Flag("disable-dev-shm-usage", true))...)
	t.Cleanup(cancel)
	tab, cancel := chromedp.NewContext(allocated)
	t.Cleanup(cancel)
	tab, cancel = context.WithTimeout(tab, time.Minute)
	t.Cleanup(cancel)
	p := &page{Context: tab}
	call(t, p, log.Enable, cdp.Empty{})
	call(t, p, network.Enable, network.EnableParams{})
	require.NoError(t, chromedp.Listen(tab, func(event any) {
		p.mu.Lock()
		defer p.mu.Unlock()
		switch event := event.(type) {
		case *log.EventEntryAdded:
			p.complaints = append(p.complaints, event.Entry.Text)
		case *network.EventRequestWillBeSent:
			p.loaded = append(p.loaded, strings.TrimPrefix(event.Request.URL, server.URL))
		}
	}))
	return p, server.URL + "/usage"
}

// call sends a command to the browser.
func call[P, R any](t *testing.T, p *page, command cdp.Command[P, R], params P) {
	t.Helper()
	_, err := chromedp.Call(p, command, params)
	require.NoError(t, err)
}

// evaluate runs a script in the page, which the page itself cannot, and returns
// what it says.
func evaluate[T any](t *testing.T, p *page, script string) T {
	t.Helper()
	result, err := chromedp.Run(p, chromedp.Evaluate[T](script))
	require.NoError(t, err)
	return result
}

func TestPageInBrowser(t *testing.T) {
	p, address := open(t)
	call(t, p, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	require.NoError(t, chromedp.Do(p, chromedp.EmulateViewport(900, 1000), chromedp.Navigate(address)))
	picture, err := chromedp.Run(p, chromedp.CaptureScreenshot())
	require.NoError(t, err)
	assert.Greater(t, len(picture), 10_000)
	if os.Getenv(versotest.UpdateVariable) != "" {
		require.NoError(t, os.WriteFile(screenshot, picture, 0o666))
	}
	assert.FileExists(t, screenshot)

	keys["hostile"] = `<img src=x onerror="document.title='owned'">`
	defer delete(keys, "hostile")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, strings.Replace(address, "usage", "v1/users/7", 1), nil)
	require.NoError(t, err)
	r.Header.Set("Api-Key", "hostile")
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	response.Body.Close()
	require.NoError(t, chromedp.Do(p, chromedp.Reload()))

	t.Run("nothing but the page is loaded, and nothing is refused", func(t *testing.T) {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, path := range p.loaded {
			assert.Contains(t, []string{"/usage", "/favicon.ico"}, path)
		}
		for _, complaint := range p.complaints {
			assert.Contains(t, complaint, "404", "the browser says: %s", complaint) // of the favicon
		}
	})
	t.Run("hostile names did nothing", func(t *testing.T) {
		assert.Equal(t, "Who calls which version", evaluate[string](t, p, `document.title`))
	})
	t.Run("the style applies", func(t *testing.T) {
		assert.Equal(t, "collapse", evaluate[string](t, p, `getComputedStyle(document.querySelector("table")).borderCollapse`))
	})
	t.Run("who must move first comes first", func(t *testing.T) {
		assert.Equal(t, "v0 v1 v2 no listed version", evaluate[string](t, p, `[...document.querySelectorAll("h2 bdi")].map(e => e.textContent).join(" ")`))
		assert.Equal(t, "in 34 days, 2026-12-26", evaluate[string](t, p, `document.querySelectorAll("tbody tr")[1].cells[2].textContent`))
		assert.Equal(t, "billing-batch", evaluate[string](t, p, `document.querySelectorAll("section")[1].querySelector("tbody th").textContent`))
	})
	t.Run("hostile names are text", func(t *testing.T) {
		assert.Zero(t, evaluate[int](t, p, `document.images.length`))
		assert.True(t, evaluate[bool](t, p, `document.body.textContent.includes("<img src=x onerror=\"document.title='owned'\">")`))
	})
	t.Run("charts have bars and a name", func(t *testing.T) {
		assert.Equal(t, 4, evaluate[int](t, p, `document.querySelectorAll("svg[role=img]").length`))
		assert.Greater(t, evaluate[float64](t, p, `document.querySelectorAll(".bars")[1].getBBox().width`), 200.0)
		assert.Contains(t, evaluate[string](t, p, `document.getElementById(document.querySelectorAll("svg")[1].getAttribute("aria-labelledby")).textContent`), "Requests for v1")
	})
	t.Run("each table has a caption, each column a scope", func(t *testing.T) {
		assert.True(t, evaluate[bool](t, p, `[...document.querySelectorAll("table")].every(t => t.caption && t.caption.textContent)`))
		assert.True(t, evaluate[bool](t, p, `[...document.querySelectorAll("th")].every(h => h.scope)`))
		assert.True(t, evaluate[bool](t, p, `[...document.querySelectorAll("[aria-labelledby]")].every(e => document.getElementById(e.getAttribute("aria-labelledby")))`))
	})
	t.Run("a phone scrolls tables, not the page", func(t *testing.T) {
		require.NoError(t, chromedp.Do(p, chromedp.EmulateViewport(360, 640, chromedp.EmulateMobile)))
		assert.LessOrEqual(t, evaluate[int](t, p, `document.documentElement.scrollWidth`), 360)
	})
	t.Run("text can be read in light and in dark", func(t *testing.T) {
		for _, scheme := range []string{"light", "dark"} {
			call(t, p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
			assert.GreaterOrEqual(t, evaluate[float64](t, p, leastContrast), 4.5, scheme)
		}
	})
}

// leastContrast is the least contrast between a text and the background, as WCAG
// 2 computes it.
const leastContrast = `(() => {
	const light = color => {
		const [r, g, b] = color.match(/[\d.]+/g).slice(0, 3).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const back = light(getComputedStyle(document.body).backgroundColor);
	return Math.min(...[...document.querySelectorAll("body *")].filter(e => !e.closest("svg")).map(e => {
		const text = light(getComputedStyle(e).color);
		return (Math.max(text, back) + 0.05) / (Math.min(text, back) + 0.05);
	}));
})()`
