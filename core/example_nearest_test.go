package verso_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/versotest"
)

// A client names the day on which it was written. It is 2026-03-31, so it is 2026-04-01 somewhere.
func ExampleNearest() {
	versions := catalogue.MustNew(catalogue.Config{ServedHeader: "Api-Version", Versions: []catalogue.Entry{{Version: "2025-01-01"}, {Version: "2026-01-01"}}})
	api := verso.MustNew(verso.Nearest(verso.Header("Api-Version"), verso.ByDate()), verso.Config{
		Catalogue: versions,
		Clock:     func() time.Time { return time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC) },
	})
	for _, text := range []string{"2025-07-14", "2025-08", "2026-04-01", "2026-04-02"} {
		r := httptest.NewRequest(http.MethodGet, "/users", nil)
		r.Header.Set("Api-Version", text)
		version, err := adapter.Bind(api, nil).DetermineVersion(versotest.Request(r, nil, nil))
		fmt.Println(text, "means", version, err)
	}
	// Output:
	// 2025-07-14 means 2025-01-01 <nil>
	// 2025-08 means 2025-01-01 <nil>
	// 2026-04-01 means 2026-01-01 <nil>
	// 2026-04-02 means  Invalid version in header.
}

// A mobile application sends its own release, whose first number changes with the contract.
func ExampleByNumberWithinMajor() {
	versions := catalogue.MustNew(catalogue.Config{ServedHeader: "Api-Version", Versions: []catalogue.Entry{{Version: "1.2"}, {Version: "2.0"}, {Version: "10.0"}}})
	api := verso.MustNew(verso.Nearest(verso.Header("Api-Version"), verso.ByNumberWithinMajor()), verso.Config{
		Catalogue: versions,
	})
	for _, text := range []string{"1.3", "10.5", "3.1"} {
		r := httptest.NewRequest(http.MethodGet, "/users", nil)
		r.Header.Set("Api-Version", text)
		version, err := adapter.Bind(api, nil).DetermineVersion(versotest.Request(r, nil, nil))
		fmt.Println(text, "means", version, err)
	}
	// Output:
	// 1.3 means 1.2 <nil>
	// 10.5 means 10.0 <nil>
	// 3.1 means  Invalid version in header.
}

// A command-line tool is released together with the service, which is now 0.18.0.
func ExampleByNumberUpTo() {
	versions := catalogue.MustNew(catalogue.Config{ServedHeader: "Api-Version", Versions: []catalogue.Entry{{Version: "0.16.1"}, {Version: "0.17.0"}}})
	api := verso.MustNew(verso.Nearest(verso.Header("Api-Version"), verso.ByNumberUpTo("0.18.0")), verso.Config{
		Catalogue: versions,
	})
	for _, text := range []string{"0.16.9", "0.17.3", "0.18.0", "0.19.0"} {
		r := httptest.NewRequest(http.MethodGet, "/users", nil)
		r.Header.Set("Api-Version", text)
		version, err := adapter.Bind(api, nil).DetermineVersion(versotest.Request(r, nil, nil))
		fmt.Println(text, "means", version, err)
	}
	// Output:
	// 0.16.9 means 0.16.1 <nil>
	// 0.17.3 means 0.17.0 <nil>
	// 0.18.0 means 0.17.0 <nil>
	// 0.19.0 means  Invalid version in header.
}

// Docker answers a client that is newer than the daemon with an error.
func ExampleByNumberUpToNewest() {
	versions := catalogue.MustNew(catalogue.Config{ServedHeader: "Api-Version", Versions: []catalogue.Entry{{Version: "1.24"}, {Version: "1.41"}}})
	api := verso.MustNew(verso.Nearest(verso.Header("Api-Version"), verso.ByNumberUpToNewest()), verso.Config{
		Catalogue: versions,
	})
	for _, text := range []string{"1.30", "1.41", "1.42"} {
		r := httptest.NewRequest(http.MethodGet, "/users", nil)
		r.Header.Set("Api-Version", text)
		version, err := adapter.Bind(api, nil).DetermineVersion(versotest.Request(r, nil, nil))
		fmt.Println(text, "means", version, err)
	}
	// Output:
	// 1.30 means 1.24 <nil>
	// 1.41 means 1.41 <nil>
	// 1.42 means  Invalid version in header.
}
