package migrate_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
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
	if err := verso.Must(newHistory(api)).Changelog(nil).Markdown(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// ## v3
	//
	// - A guest has a first and a last name. **Breaking.**
	//   - `Booking`: "guest_name" is now "first_name" and "last_name".
	// - Bookings are ordered by name. **Breaking.**
	//
	// ## v2
	//
	// - A guest is a guest_name. **Breaking.**
	//   - `Booking`: "guest" is now named "guest_name".
	//
	// ## v1
}

// Browsers get the changelog as a page, and other clients the versions as JSON.
func ExampleHistory_ChangelogHandler() {
	versions := catalogue.MustNew(catalogue.Config{Versions: []catalogue.Entry{{Version: "v1", Sunset: catalogue.MustDate("2027-01-01")}, {Version: "v2"}, {Version: "v3"}}})
	clock := func() time.Time { return catalogue.MustDate("2026-06-01") }
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{Catalogue: versions, Clock: clock})
	explain := func() *verso.Explanation { return &verso.Explanation{Time: clock(), Catalogue: versions} } // that of the adapter
	handler := verso.Must(newHistory(api)).ChangelogHandler(explain, versions.Handler(clock))

	for _, accept := range []string{"text/html", "application/json"} {
		r, w := httptest.NewRequest(http.MethodGet, "/versions", nil), httptest.NewRecorder()
		r.Header.Set("Accept", accept)
		handler.ServeHTTP(w, r)
		begin, _, _ := strings.Cut(w.Body.String(), "\n")
		fmt.Println(w.Header().Get("Content-Type"), w.Header().Get("Vary"), begin[:15])
	}

	var page strings.Builder
	fmt.Println(verso.Must(newHistory(api)).Changelog(explain()).HTML(&page), strings.Contains(page.String(), "Sunset on 1 January 2027."))
	// Output:
	// text/html; charset=utf-8 Accept <!DOCTYPE html>
	// application/json Accept {"versions":[{"
	// <nil> true
}

// Package openapi calls it, with the routes of the adapter.
func ExampleRoute_LowerDocument() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}})
	route := verso.Must(newHistory(api)).Route(migrate.Returns[Booking]())
	var document map[string]any
	err := json.Unmarshal([]byte(`{"paths": {"/bookings/{id}": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {
		"type": "object", "required": ["first_name"], "properties": {"first_name": {"type": "string"}, "last_name": {"type": "string"}}
	}, "example": {"first_name": "Ada", "last_name": "Lovelace"}}}}}}}}}`), &document)
	if err != nil {
		fmt.Println(err)
		return
	}
	rest, err := route.LowerDocument("v1", document, map[string]verso.Rewriter{"/paths/~1bookings~1{id}/get": route})
	fmt.Println(rest, err)
	text, _ := json.Marshal(document)
	fmt.Println(strings.Contains(string(text), `"example":{"guest":"Ada Lovelace"}`), strings.Contains(string(text), `"properties":{"guest":{"type":"string"}},"required":["guest"]`))
	// Output:
	// map[/paths/~1bookings~1{id}/get:<nil>] <nil>
	// true true
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
