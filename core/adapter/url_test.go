package adapter_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/route"
)

// TestURLFor logs each failing target once, through the logger of the service.
func TestURLFor(t *testing.T) {
	var log bytes.Buffer
	config := coretest.List("v1")
	config.Links.Relative, config.Logger = true, slog.New(slog.NewTextHandler(&log, nil))
	b := coretest.Bound(verso.MustNew(verso.Header("Api-Version"), config), route.Route{Name: "user", Pattern: route.Colons("/users/:id")})
	r := coretest.Field("v1").Request()
	result, _ := coretest.Begin(b, r)
	for range 3 {
		if got := adapter.URLFor(result, r, verso.Target{Name: "user", Params: verso.Params{"id": 7}}); got != "/users/7" {
			t.Errorf("URL %q", got)
		}
		for _, target := range []verso.Target{{Name: "user"}, {Name: "room"}} {
			if got := adapter.URLFor(result, r, target); got != "" {
				t.Errorf("URL %q of %v", got, target)
			}
		}
	}
	if n := strings.Count(log.String(), "code=link_failed"); n != 2 || !strings.Contains(log.String(), "takes (id), not ()") || !strings.Contains(log.String(), "level=ERROR") {
		t.Errorf("logged %d times: %s", n, &log)
	}
	fallback := coretest.Logging(t)
	if got := adapter.URLFor(nil, r, verso.Target{Name: "user"}); got != "" || !strings.Contains(fallback.String(), "link_failed") {
		t.Errorf("without a check: URL %q, logged %s", got, fallback)
	}
}
