package migratetest_test

import (
	"fmt"
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
