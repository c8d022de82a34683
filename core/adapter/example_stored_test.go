package adapter_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
)

// A middleware behind the check stores the version of the caller, which is too late.
func ExampleBinding_NoteStored() {
	withoutTime := func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}
	b := adapter.Bind(verso.MustNew(verso.Stored("pin", "Authorization"), verso.Config{
		AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v2"), Logger: slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: withoutTime})),
	}), nil)
	decided := httptest.NewRequest(http.MethodGet, "/users", nil)
	now := decided.WithContext(context.WithValue(decided.Context(), "pin", "v1")) //nolint:staticcheck // the other frameworks have keys that are texts
	if b.Follows() {
		b.NoteStored(decided, now)
		b.NoteStored(decided, now)
	}
	fmt.Println("once")
	// Output:
	// level=ERROR msg="verso: a version was stored for a request after the check, so it had no effect: run the middleware that stores it before the check" code=stored_late field=Source
	// once
}
