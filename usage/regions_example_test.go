package usage_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/usage"
)

// One gate over two regions: acme calls v1 in one of them.
func ExampleRegions_Open() {
	now := func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }
	versions := catalogue.MustNew(catalogue.Config{Versions: []catalogue.Entry{
		{Version: "v1", Deprecated: now(), Successor: "v2"}, {Version: "v2"},
	}})
	eu := usage.NewTable(&verso.Config{Catalogue: versions, Clock: now})
	us := usage.NewTable(&verso.Config{Catalogue: versions, Clock: now})
	us.Observe(context.Background(), verso.Observation{
		Time: now(), Version: verso.V("v1"), Outcome: verso.OutcomeServed, Method: "GET", Route: "/users", Client: "acme",
	})

	page := eu.Handler(nil)
	page.Open = usage.Regions{"eu": page.Open, "us": us.Handler(nil).Open}.Open
	response := httptest.NewRecorder()
	page.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/usage?clients=v1&format=csv", nil))
	fmt.Println(response.Body)
	// Output:
	// version,client,method,route,outcome,requests_30_days,requests,first_request,last_request,state,every,next_expected,contact,contact_link
	// v1,acme,GET,/users,served,1,1,2026-11-21T12:00:00Z,2026-11-21T12:00:00Z,only,,,,
}
