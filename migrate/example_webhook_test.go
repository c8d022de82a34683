package migrate_test

import (
	"errors"
	"fmt"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

func ExampleSends() {
	type Created struct {
		Type string  `json:"type"`
		Data Booking `json:"data"`
	}
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}})
	history := verso.Must(newHistory(api))
	created := migrate.Sends[Created](history, "booking.created")
	cancelled := migrate.Sends[Booking](history, "booking.cancelled", verso.Since("v2"))

	booking := Booking{"Ada", "Lovelace"}
	for _, stored := range []string{"v1", "v3"} { // of two receivers
		message, err := created.Marshal(verso.V(stored), Created{"booking.created", booking})
		fmt.Println(string(message.Body), message.Version, message.Header(), err)
	}
	_, err := cancelled.Marshal(verso.V("v1"), booking)
	fmt.Println(errors.Is(err, migrate.ErrNoSuchEvent), cancelled.In(verso.V("v2")))
	// Output:
	// {"type":"booking.created","data":{"guest":"Ada Lovelace"}} v1 map[Content-Type:[application/json]] <nil>
	// {"type":"booking.created","data":{"first_name":"Ada","last_name":"Lovelace"}} v3 map[Content-Type:[application/json]] <nil>
	// true <nil>
}
