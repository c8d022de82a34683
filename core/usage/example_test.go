package usage_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/usage"
)

func ExampleTable() {
	now := func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }
	versions := verso.Must(catalogue.New(catalogue.Config{Versions: []catalogue.Entry{
		{Version: "v1", Sunset: time.Date(2027, 1, 31, 0, 0, 0, 0, time.UTC)},
		{Version: "v2"},
	}}))
	calls := usage.NewTable(versions, now)

	// The configuration has Observe: calls.Observe, and an adapter calls it.
	_ = verso.Config{Catalogue: versions, Clock: now, Observe: calls.Observe}
	calls.Observe(context.Background(), verso.Observation{
		Time: now(), Version: verso.V("v1"), Outcome: verso.OutcomeServed, Method: "GET", Route: "/users/:id", Client: "acme",
	})

	response := httptest.NewRecorder()
	calls.Handler().ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/usage", nil))
	fmt.Println(response.Body)
	// Output:
	// {"time":"2026-11-21T12:00:00Z","versions":[{"version":"v1","state":"supported","sunset":"2027-01-31T00:00:00Z","days_to_sunset":71,"requests":1,"rejected":0,"requests_30_days":1,"rejected_30_days":0,"first_seen":"2026-11-21T12:00:00Z","last_seen":"2026-11-21T12:00:00Z","clients":[{"client":"acme","requests":1,"rejected":0,"requests_30_days":1,"rejected_30_days":0,"first_seen":"2026-11-21T12:00:00Z","last_seen":"2026-11-21T12:00:00Z","routes":[{"method":"GET","route":"/users/:id","requests":1,"rejected":0,"requests_30_days":1,"rejected_30_days":0,"first_seen":"2026-11-21T12:00:00Z","last_seen":"2026-11-21T12:00:00Z","days":[1]}]}],"days":[{"day":"2026-11-21","requests":1}]},{"version":"v2","state":"supported","requests":0,"rejected":0,"requests_30_days":0,"rejected_30_days":0},{"requests":0,"rejected":0,"requests_30_days":0,"rejected_30_days":0}]}
}

func ExampleTable_Snapshot() {
	versions := verso.Must(catalogue.List("v1", "v2"))
	calls := usage.NewTable(versions, nil)

	// When the process starts: a missing file is not an error.
	if file, err := os.Open("usage.json"); err == nil {
		err = calls.Restore(file)
		_ = file.Close()
		if err != nil {
			fmt.Println(err)
		}
	}

	// When it ends.
	file, err := os.CreateTemp("", "usage-*.json")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(calls.Snapshot(file), file.Close(), os.Remove(file.Name()))
	// Output: <nil> <nil> <nil>
}
