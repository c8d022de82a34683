package catalogue_test

import (
	"fmt"
	"time"

	"github.com/goverso/verso/core/catalogue"
)

// After its end a version is rejected, except for requests that are kept.
func ExampleTable_Keep() {
	sunset := time.Date(2026, time.December, 1, 0, 0, 0, 0, time.UTC)
	versions, err := catalogue.New(catalogue.Config{
		Versions:    []catalogue.Entry{{Version: "v1", Sunset: sunset}, {Version: "v2"}},
		AfterSunset: catalogue.Gone,
	})
	if err != nil {
		panic(err)
	}
	moment, table := versions.At(sunset), versions.Table()
	fmt.Println(table.Decide(moment, 0).Outcome == catalogue.Served, table.Keep(moment, 0).Outcome == catalogue.Served)
	fmt.Println(moment.Next(0))
	// Output:
	// false true
	// 1 true
}
