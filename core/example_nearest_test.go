package verso_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/source"
)

// A client names the day on which it was written, another one its own release.
func ExampleNearest() {
	clock := func() time.Time { return time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC) }
	ask := func(from source.Source, texts []string, versions ...string) {
		b := adapter.Bind(verso.MustNew(from, verso.Config{AllowedVersions: versions}), nil)
		for _, text := range texts {
			r := httptest.NewRequest(http.MethodGet, "/users", nil)
			r.Header.Set("Api-Version", text)
			var request source.Request
			request.SetHTTP(r, r, nil)
			version, err := b.DetermineVersion(request)
			fmt.Println(text, version, err)
		}
	}
	header := verso.Header("Api-Version")
	ask(verso.Nearest(header, verso.ByDate, verso.Tomorrow(clock)), []string{"2025-07-14", "2026-03-31", "2026-05-01"}, "2025-01-01", "2026-01-01")
	newest := func() string { return "0.18" }
	ask(verso.Nearest(header, verso.ByNumber, newest), []string{"0.16.9", "0.17.3", "0.19"}, "0.16.1", "0.17.0")
	ask(verso.Nearest(header, verso.ByMinor, nil), []string{"1.1", "2.1"}, "1.0", "1.2", "2.0")
	// Output:
	// 2025-07-14 2025-01-01 <nil>
	// 2026-03-31 2026-01-01 <nil>
	// 2026-05-01  Invalid version in header.
	// 0.16.9 0.16.1 <nil>
	// 0.17.3 0.17.0 <nil>
	// 0.19  Invalid version in header.
	// 1.1 1.0 <nil>
	// 2.1  Invalid version in header.
}
