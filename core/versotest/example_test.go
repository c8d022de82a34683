package versotest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/versotest"
)

func ExampleRequest() {
	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	r := httptest.NewRequest(http.MethodGet, "/v2/users", nil)
	fmt.Println(api.DetermineVersion(versotest.Request(r, map[string]string{"version": "v2"}, nil)))
	// Output: v2 <nil>
}

// A test sees today what happens at a sunset.
func ExampleClock() {
	sunset := time.Date(2027, 6, 30, 0, 0, 0, 0, time.UTC)
	clock := versotest.NewClock(sunset.Add(-time.Second))
	api := verso.Must(verso.NewURLPath(verso.Config{
		Clock: clock.Now,
		Catalogue: verso.Must(catalogue.New(catalogue.Config{
			Versions:    []catalogue.Entry{{Version: "v1", Sunset: sunset}, {Version: "v2"}},
			AfterSunset: catalogue.Gone,
		})),
	}))
	r := versotest.Request(httptest.NewRequest(http.MethodGet, "/v1/users", nil), map[string]string{"version": "v1"}, nil)
	fmt.Println(api.DetermineVersion(r))
	clock.Advance(time.Second)
	fmt.Println(api.DetermineVersion(r))
	// Output:
	// v1 <nil>
	//  This API version has ended.
}
