package migratetest_test

import (
	"fmt"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/migrate/migratetest"
)

type Person struct {
	Name string `json:"name"`
	Age  int    `json:"age"`
}

// printer prints what fails: only this example needs it.
type printer struct{ testing.TB }

func (printer) Helper()                           {}
func (printer) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

func ExampleExamples() {
	t := printer{} // in a test: t *testing.T

	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	history := verso.Must(migrate.New(api,
		migrate.Release("v2",
			migrate.Changed("A guest is a name.", migrate.For[Person](migrate.Renamed("guest", "name")))),
		migrate.Release("v1")))

	// The file was written by "go test -update" when Ada was 36.
	migratetest.Examples(t, history, "testdata/guests.json", map[string]any{"ada": Person{Name: "Ada", Age: 37}})
	// Output:
	// migratetest: testdata/guests.json differs: run the test with -update if that is intended:
	// 	v1 sent: ada was
	// 		{"name":"Ada","age":36}
	// 	and is
	// 		{"name":"Ada","age":37}
	// 	v1: ada was
	// 		{"guest":"Ada","age":36}
	// 	and is
	// 		{"guest":"Ada","age":37}
	// 	v2: ada was
	// 		{"name":"Ada","age":36}
	// 	and is
	// 		{"name":"Ada","age":37}
}

// A type changed, and no release has an edit for it.
func ExamplePropose() {
	type Guest struct {
		Name string `json:"name"`
		Age  int    `json:"age"`
	}
	api := verso.MustNew(verso.Header("X-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	history := verso.Must(migrate.New(api, migrate.Release("v2"), migrate.Release("v1")))
	history.Route(migrate.Returns[Guest]())
	proposals, err := migratetest.Propose(history, "testdata/frozen-guest.json")
	if err != nil {
		fmt.Println(err)
	}
	for _, p := range proposals {
		fmt.Printf("%s: in For[%s] of %s: %s\n", p.Place, p.Type, p.Release, strings.Join(p.Edits, ", or "))
	}
	_, err = migratetest.Propose(history, "testdata/guests.json")
	fmt.Println(err != nil)
	// Output:
	// v1: Guest.name is new: in For[Guest] of v2: migrate.Added("name"), or migrate.Additive("name")
	// v1: Guest.guest is gone: in For[Guest] of v2: migrate.Renamed("guest", "name"), or migrate.Removed("guest", "")
	// true
}
