package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/examples/internal/browsertest"
	"github.com/goverso/verso/usage"
)

// pictures are those in the docs, which VERSO_UPDATE=1 writes.
var pictures = []struct {
	file, scheme  string
	width, height int64
}{
	{"../../docs/usage.png", "light", 1280, 800},
	{"../../docs/usage-mobile.png", "dark", 390, 844},
}

// page is the page in a browser, and what the browser complained of.
type page struct {
	context.Context

	mu         sync.Mutex
	complaints []string
	loaded     []string // what was asked of a server
}

// now is the day of the tests.
var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// played returns the service after the traffic until now, and what it has counted.
func played(t *testing.T) (http.Handler, *usage.Table) {
	t.Helper()
	gin.SetMode(gin.ReleaseMode)
	clock := versotest.NewClock(firstDay(now))
	versions, err := newVersions(now)
	require.NoError(t, err)
	config := verso.Config{Catalogue: versions, Clock: clock.Now}
	calls := usage.NewTable(&config)
	service, err := newService(config, calls, "secret")
	require.NoError(t, err)
	play(service, now, clock.Set)
	return service, calls
}

// open opens the page of the service in a headless browser.
func open(t *testing.T) (*page, string) {
	t.Helper()
	service, _ := played(t)
	server := httptest.NewServer(service)
	t.Cleanup(server.Close)

	tab := browsertest.Open(t)
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
	return p, server.URL + "/"
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
	for _, picture := range pictures {
		prefer(t, p, picture.scheme)
		require.NoError(t, chromedp.Do(p, chromedp.EmulateViewport(picture.width, picture.height), chromedp.Navigate(address)))
		image, err := chromedp.Run(p, chromedp.CaptureScreenshot())
		require.NoError(t, err)
		assert.Greater(t, len(image), 10_000)
		if os.Getenv(versotest.UpdateVariable) != "" {
			require.NoError(t, os.WriteFile(picture.file, image, 0o666))
		}
		assert.FileExists(t, picture.file)
	}
	require.NoError(t, chromedp.Do(p, chromedp.EmulateViewport(1280, 800)))

	keys["hostile"] = `<img src=x onerror="document.title='owned'">`
	defer delete(keys, "hostile")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+"v1/users/7", nil)
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
			assert.Contains(t, []string{"/", "/usage", "/favicon.ico"}, path)
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
	t.Run("the answer is on the first screen, and whom to write to", func(t *testing.T) {
		assert.Equal(t, "v1 ends in 35 days. 21 of 41 clients have not moved.", evaluate[string](t, p, `document.querySelector("h1").textContent`))
		assert.Equal(t, "20 moved 10 both 4 quiet 7 only v1", evaluate[string](t, p, `document.querySelector("header .shares + .legend").textContent`))
		assert.Contains(t, evaluate[string](t, p, `document.querySelector(".lead").textContent`), "May it end? Not yet")
		for _, screen := range []struct {
			width, height int64
			rows          int
		}{{1280, 800, 3}, {390, 844, 1}} {
			require.NoError(t, chromedp.Do(p, chromedp.EmulateViewport(screen.width, screen.height)))
			assert.Less(t, evaluate[float64](t, p, `document.querySelector("h1").getBoundingClientRect().bottom`), 200.0)
			rows := evaluate[[]float64](t, p, `[...document.querySelector(".movers").querySelectorAll("tbody th")].map(e => e.getBoundingClientRect().bottom)`)
			require.Len(t, rows, 7)
			assert.Less(t, rows[screen.rows-1], float64(screen.height), screen.width)
		}
		require.NoError(t, chromedp.Do(p, chromedp.EmulateViewport(1280, 800)))
	})
	t.Run("the version that ends next comes first", func(t *testing.T) {
		assert.Equal(t, "v1 v0 v2 no listed version", evaluate[string](t, p, `[...document.querySelectorAll("[aria-labelledby=shares] tbody th")].map(e => e.textContent).join(" ")`))
		assert.Contains(t, evaluate[string](t, p, `document.querySelector("main").textContent`), "v0 ended 20 days ago. 3 clients still get 410.")
	})
	t.Run("40 clients, and one that is hostile, and 200 routes", func(t *testing.T) {
		assert.Equal(t, 41, len(keys))
		assert.Equal(t, 200, 8*len(resources))
	})
	t.Run("those that moved, routes and small versions are folded", func(t *testing.T) {
		assert.True(t, evaluate[bool](t, p, `document.querySelectorAll("details").length > 0 && document.querySelectorAll("details[open]").length == 0`))
		assert.Equal(t, "20 clients have moved", evaluate[string](t, p, `document.querySelector("details summary").textContent`))
		assert.Equal(t, "2 versions with less than 1% of the requests", evaluate[string](t, p, `document.querySelector("[aria-labelledby=days] summary").textContent`))
	})
	t.Run("each link and fold is reached with the keyboard, and can be seen", func(t *testing.T) {
		all := evaluate[int](t, p, `[...document.querySelectorAll("a[href], summary")].filter(e => e.checkVisibility()).length`)
		seen := map[string]bool{}
		for range all {
			require.NoError(t, chromedp.Do(p, chromedp.KeyEvent(kb.Tab)))
			seen[evaluate[string](t, p, `document.activeElement.tagName + " " + document.activeElement.textContent + document.activeElement.getBoundingClientRect().top`)] = true
			assert.NotEqual(t, "none", evaluate[string](t, p, `getComputedStyle(document.activeElement).outlineStyle`))
		}
		assert.Len(t, seen, all)
		evaluate[bool](t, p, `document.querySelector("summary").focus() || true`)
		require.NoError(t, chromedp.Do(p, chromedp.KeyEvent(kb.Enter)))
		assert.True(t, evaluate[bool](t, p, `document.querySelector("details").open`))
	})
	t.Run("a screen reader has headings in order, names of tables' columns, and texts for pictures", func(t *testing.T) {
		assert.Equal(t, "en", evaluate[string](t, p, `document.documentElement.lang`))
		assert.Equal(t, 1, evaluate[int](t, p, `document.querySelectorAll("h1").length`))
		assert.Zero(t, evaluate[int](t, p, `document.querySelectorAll("h3, h4").length`))
		assert.Zero(t, evaluate[int](t, p, `[...document.querySelectorAll("svg")].filter(e => !e.closest("svg svg, [aria-hidden]") && !(e.getAttribute("role") == "img" && e.getAttribute("aria-label"))).filter(e => !e.parentElement.closest("svg")).length`))
		assert.Equal(t, "20 clients moved, 10 call both, 4 may call the old version again, 7 only the old version", evaluate[string](t, p, `document.querySelector("header .shares").getAttribute("aria-label")`))
	})
	t.Run("numbers are aligned to the right", func(t *testing.T) {
		assert.True(t, evaluate[bool](t, p, `[...document.querySelectorAll("td.number")].every(e => getComputedStyle(e).textAlign == "right")`))
	})
	t.Run("hostile names are text", func(t *testing.T) {
		assert.Zero(t, evaluate[int](t, p, `document.images.length`))
		assert.True(t, evaluate[bool](t, p, `document.body.textContent.includes("<img src=x onerror=\"document.title='owned'\">")`))
	})
	t.Run("charts have bars, marks and a name", func(t *testing.T) {
		assert.Equal(t, 8, evaluate[int](t, p, `document.querySelectorAll("svg[role=img][aria-label]").length`))
		assert.Greater(t, evaluate[float64](t, p, `document.querySelector("path").getBoundingClientRect().width`), 500.0)
		assert.Equal(t, 1, evaluate[int](t, p, `document.querySelectorAll(".days rect.band").length`))
		assert.Equal(t, 4, evaluate[int](t, p, `document.querySelectorAll(".timeline rect.band").length`))
		assert.Equal(t, "4 brownouts from 16 Nov deprecated 21 Sep today sunset 26 Dec",
			evaluate[string](t, p, `[...document.querySelector(".timeline").querySelectorAll("text")].map(e => e.textContent).join(" ")`))
		assert.Equal(t, "night-audit: next expected about 3 Dec 2026, tax-report: next expected about 1 Jan 2027",
			evaluate[string](t, p, `[...document.querySelectorAll(".timeline circle title")].map(e => e.textContent).join(", ")`))
	})
	t.Run("no label is on another one", func(t *testing.T) {
		for _, width := range []int64{1280, 390} {
			require.NoError(t, chromedp.Do(p, chromedp.EmulateViewport(width, 844)))
			assert.Empty(t, evaluate[string](t, p, overlapping), width)
		}
	})
	t.Run("each column has a scope, each label a text", func(t *testing.T) {
		assert.True(t, evaluate[bool](t, p, `[...document.querySelectorAll("th")].every(h => h.scope)`))
		assert.True(t, evaluate[bool](t, p, `[...document.querySelectorAll("[aria-labelledby]")].every(e => document.getElementById(e.getAttribute("aria-labelledby")))`))
	})
	t.Run("nothing is outside of a phone's screen", func(t *testing.T) {
		require.NoError(t, chromedp.Do(p, chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile)))
		evaluate[bool](t, p, `document.querySelectorAll("details").forEach(e => e.open = true) || true`)
		assert.Equal(t, 390, evaluate[int](t, p, `document.documentElement.scrollWidth`))
		assert.Empty(t, evaluate[string](t, p, `[...document.querySelectorAll("main *, svg text")].filter(e => !e.closest("thead")).filter(e => {
			const box = e.getBoundingClientRect();
			return box.width > 0 && (box.left < 0 || box.right > 390.5);
		}).map(e => e.outerHTML.slice(0, 100)).join("\n")`))
	})
	t.Run("text can be read in light and in dark, and on paper", func(t *testing.T) {
		for _, scheme := range []string{"light", "dark"} {
			prefer(t, p, scheme)
			assert.GreaterOrEqual(t, evaluate[float64](t, p, leastContrast), 4.5, scheme)
		}
		call(t, p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
		assert.GreaterOrEqual(t, evaluate[float64](t, p, leastContrast), 4.5)
		assert.Equal(t, "rgb(255, 255, 255)", evaluate[string](t, p, `getComputedStyle(document.body).backgroundColor`))
	})
	t.Run("paper has what is folded", func(t *testing.T) {
		result, err := chromedp.Call(p, cdppage.PrintToPDF, cdppage.PrintToPDFParams{})
		require.NoError(t, err)
		assert.Greater(t, len(result.Data), 10_000)
		evaluate[bool](t, p, `document.querySelectorAll("details").forEach(e => e.open = false) || true`)
		assert.Greater(t, evaluate[float64](t, p, `document.querySelector("details table").getBoundingClientRect().height`), 500.0)
	})
	t.Run("the list of clients can be searched", func(t *testing.T) {
		call(t, p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
		for _, width := range []int64{1280, 390} {
			require.NoError(t, chromedp.Do(p, chromedp.EmulateViewport(width, 844), chromedp.Navigate(address+"usage")))
			follow := func(script, heading string) {
				evaluate[bool](t, p, script+" || true")
				assert.Eventually(t, func() bool {
					text, err := chromedp.Run(p, chromedp.Evaluate[string](`document.querySelector("h1")?.textContent ?? ""`))
					return err == nil && text == heading // the page may be changing
				}, 20*time.Second, 50*time.Millisecond, heading)
			}
			follow(`document.querySelector("header a").click()`, "Clients of v1 1–41 of 41")
			follow(`(document.querySelector("input[type=search]").value = "partner-") && document.querySelector("button").click()`, "Clients of v1 1–5 of 5")
			assert.Equal(t, float64(width), evaluate[float64](t, p, `document.documentElement.scrollWidth`))
			assert.GreaterOrEqual(t, evaluate[float64](t, p, leastContrast), 4.5)
		}
	})
	t.Run("a client has a page of its own", func(t *testing.T) {
		call(t, p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
		for _, width := range []int64{1280, 390} {
			require.NoError(t, chromedp.Do(p, chromedp.EmulateViewport(width, 844), chromedp.Navigate(address+"usage?client=support-desk&format=html")))
			assert.Equal(t, "support-desk still calls v1", evaluate[string](t, p, `document.querySelector("h1").textContent`))
			assert.Contains(t, evaluate[string](t, p, `document.querySelector("pre").textContent`), "Use GET /v2/rates/{id}.")
			assert.Equal(t, float64(width), evaluate[float64](t, p, `document.documentElement.scrollWidth`))
			assert.GreaterOrEqual(t, evaluate[float64](t, p, leastContrast), 4.5)
		}
	})
}

// prefer sets the color scheme that the browser prefers.
func prefer(t *testing.T, p *page, scheme string) {
	t.Helper()
	call(t, p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
}

// overlapping are the texts of charts that are on one another.
const overlapping = `(() => {
	const found = [];
	for (const svg of document.querySelectorAll("svg")) {
		const texts = [...svg.querySelectorAll("text")].map(e => [e.textContent, e.getBoundingClientRect()]);
		texts.forEach(([a, x], i) => texts.slice(i + 1).forEach(([b, y]) => {
			if (x.left < y.right && y.left < x.right && x.top + 2 < y.bottom && y.top + 2 < x.bottom) found.push(a + " / " + b);
		}));
	}
	return found.join("\n");
})()`

// leastContrast is the least contrast between a text and what is behind it, as WCAG
// 2 computes it.
const leastContrast = `(() => {
	const light = color => {
		const [r, g, b] = color.match(/[\d.]+/g).slice(0, 3).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const backOf = e => {
		const color = getComputedStyle(e).backgroundColor;
		return color == "rgba(0, 0, 0, 0)" ? backOf(e.parentElement) : color;
	};
	return Math.min(...[...document.querySelectorAll("main :not(title)")].filter(e => [...e.childNodes].some(n => n.nodeType == 3 && n.data.trim())).map(e => {
		const text = light(e.closest("svg") ? getComputedStyle(e).fill : getComputedStyle(e).color), back = light(backOf(e));
		return (Math.max(text, back) + 0.05) / (Math.min(text, back) + 0.05);
	}));
})()`
