package verso

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
)

// A request that nobody has checked has no version, and says so: in each error, and
// once in the log.
func TestNotChecked(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	t.Cleanup(func() { slog.SetDefault(before) })
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	notCheckedOnce = sync.Once{}
	unchecked, ok := FromContext(t.Context())
	if ok || strings.Count(log.String(), "code=not_checked") != 1 {
		t.Errorf("a context without a result: %v, logged %s", ok, &log)
	}
	for range 3 {
		if !unchecked.Version().IsNone() || unchecked.AtLeast("v1") {
			t.Error("a request that was not checked has a version")
		}
	}
	if _, err := unchecked.Link(Target{Name: "users"}); !errors.Is(err, ErrNotChecked) {
		t.Errorf("Link: %v", err)
	}
	if _, err := unchecked.ContentType("user"); !errors.Is(err, ErrNotChecked) {
		t.Errorf("ContentType: %v", err)
	}
	if text := log.String(); strings.Count(text, "code=not_checked") != 1 || strings.Count(text, "level=WARN") != 1 || !strings.Contains(text, ErrNotChecked.Error()) {
		t.Errorf("logged %s", text)
	}
}
