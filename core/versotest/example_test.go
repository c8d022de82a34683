package versotest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/versotest"
)

func ExampleRequest() {
	api := verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	r := httptest.NewRequest(http.MethodGet, "/v2/users", nil)
	fmt.Println(adapter.Bind(api, nil).DetermineVersion(versotest.Request(r, map[string]string{"version": "v2"}, nil)))
	// Output: v2 <nil>
}

// The file changes with the configuration, so a reviewer sees the change.
func ExampleGolden() {
	t := new(testing.T) // that of the test
	api := verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	versotest.Golden(t, adapter.Bind(api, nil).Explain(), "testdata/versions.txt")
	fmt.Println(t.Failed())
	// Output: false
}

// A test shows today what happens at a sunset.
func ExampleClock() {
	sunset := time.Date(2027, 6, 30, 0, 0, 0, 0, time.UTC)
	clock := versotest.NewClock(sunset.Add(-time.Second))
	api := verso.Must(scheme.NewURLPath("version", verso.Config{
		Clock: clock.Now,
		Catalogue: catalogue.MustNew(catalogue.Config{
			Versions:    []catalogue.Entry{{Version: "v1", Sunset: sunset}, {Version: "v2"}},
			AfterSunset: catalogue.Gone,
		}),
	}))
	r := versotest.Request(httptest.NewRequest(http.MethodGet, "/v1/users", nil), map[string]string{"version": "v1"}, nil)
	fmt.Println(adapter.Bind(api, nil).DetermineVersion(r))
	clock.Advance(time.Second)
	fmt.Println(adapter.Bind(api, nil).DetermineVersion(r))
	clock.Set(sunset.AddDate(0, -1, 0))
	fmt.Println(adapter.Bind(api, nil).DetermineVersion(r))
	// Output:
	// v1 <nil>
	//  This API version has ended.
	// v1 <nil>
}
