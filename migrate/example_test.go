package migrate_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

// Booking is a booking, as the newest version has it.
type Booking struct {
	FirstName string `json:"first_name"`
	LastName  string `json:"last_name"`
}

func splitName(name string) (first, last string, err error) {
	first, last, _ = strings.Cut(name, " ")
	return first, last, nil
}

func joinName(first, last string) (string, error) { return strings.TrimSpace(first + " " + last), nil }

var byName = migrate.Behaves("Bookings are ordered by name.")

func newHistory(api *verso.Versioning) (*migrate.History, error) {
	return migrate.New(api, // the versions of api, the newest first
		migrate.Release("v3",
			migrate.Changed("A guest has a first and a last name.",
				migrate.For[Booking](migrate.Split("guest_name", "first_name", "last_name", splitName, joinName))),
			byName),
		migrate.Release("v2",
			migrate.Changed("A guest is a guest_name.", migrate.For[Booking](migrate.Renamed("guest", "guest_name")))),
		migrate.Release("v1"))
}

func Example() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}})
	history := verso.Must(newHistory(api))

	for _, version := range history.Versions() {
		body, err := history.Lower(version, Booking{"Ada", "Lovelace"})
		fmt.Println(version, string(body), err, byName.Active(version))
	}
	booking, err := migrate.Lift[Booking](history, verso.V("v1"), []byte(`{"guest":"Grace Hopper"}`))
	fmt.Printf("%+v %v\n", booking, err)
	_, err = migrate.Lift[Booking](history, verso.V("v1"), []byte(`{"guest":7}`))
	fmt.Println(err)
	// Output:
	// v3 {"first_name":"Ada","last_name":"Lovelace"} <nil> true
	// v2 {"guest_name":"Ada Lovelace"} <nil> false
	// v1 {"guest":"Ada Lovelace"} <nil> false
	// {FirstName:Grace LastName:Hopper} <nil>
	// the body has a value that this version does not have: "/guest"
}

func ExampleHistory_Changelog() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}})
	if err := verso.Must(newHistory(api)).Changelog(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// ## v3
	//
	// - A guest has a first and a last name.
	//   - `Booking`: "guest_name" is now "first_name" and "last_name".
	// - Bookings are ordered by name.
	//
	// ## v2
	//
	// - A guest is a guest_name.
	//   - `Booking`: "guest" is now named "guest_name".
	//
	// ## v1
}

// An adapter calls the Route. Its answers are written to the Rewriting, too.
func ExampleHistory_Route() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}})
	route := verso.Must(newHistory(api)).Route(migrate.Returns[Booking]())

	w := httptest.NewRecorder()
	rewriting, err := route.Begin(verso.V("v1"), w, httptest.NewRequest(http.MethodGet, "/bookings/1", nil))
	if err != nil {
		fmt.Println(err)
	}
	rewriting.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprintln(rewriting, `{"first_name":"Ada","last_name":"Lovelace"}`)
	fmt.Println(rewriting.Finish(), w.Body)
	// Output:
	// <nil> {"guest":"Ada Lovelace"}
}

func ExampleHistory_Schema() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}})
	schema := verso.Must(verso.Must(newHistory(api)).Schema(verso.V("v1")))
	for _, object := range schema.Objects {
		for _, member := range object.Members {
			fmt.Println(object.Name, member.Name, member)
		}
	}
	// Output:
	// Booking guest string
}
