package verso_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/versotest"
)

// An authentication before the check has stored the version to which the caller is pinned. A
// header overrules it.
func ExampleStored() {
	api := verso.MustNew(
		verso.First(verso.Header("Api-Version"), verso.Stored("pin", "Authorization")),
		verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v2")},
	)
	for _, pin := range []string{"v1", ""} {
		r := httptest.NewRequest(http.MethodGet, "/users", nil)
		r = r.WithContext(context.WithValue(r.Context(), "pin", pin)) //nolint:staticcheck // the other frameworks have keys that are texts
		fmt.Println(adapter.Bind(api, nil).DetermineVersion(versotest.Request(r, nil, nil)))
	}
	// Output:
	// v1 <nil>
	// v2 <nil>
}
