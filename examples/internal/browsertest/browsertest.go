// Package browsertest opens a browser for tests.
package browsertest

import (
	"context"
	"os/exec"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// Open opens a tab of a headless browser, which the end of the test closes. It skips
// the test where no browser is installed.
func Open(t *testing.T) context.Context {
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
	allocated, cancel := chromedp.NewExecAllocator(t.Context(),
		append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(browser), chromedp.NoSandbox, chromedp.Flag("disable-dev-shm-usage", true))...)
	t.Cleanup(cancel)
	tab, cancel := chromedp.NewContext(allocated)
	t.Cleanup(cancel)
	tab, cancel = context.WithTimeout(tab, time.Minute)
	t.Cleanup(cancel)
	return tab
}
