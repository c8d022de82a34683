package tasks

import (
	_ "embed"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/usage"
)

//go:embed catalogue.json
var plan []byte

// Versions returns the versions of the API, and who calls them. What names none is for
// v1, and ends with it.
func Versions(now func() time.Time) (*verso.Versioning, *usage.Table) {
	config := verso.Config{
		Catalogue:          catalogue.MustParse(plan),
		Clock:              now,
		DefaultVersion:     verso.V("v1"),
		AfterDefaultSunset: verso.RejectUnversioned,
		Links:              verso.LinkConfig{Relative: true},
	}
	calls := usage.NewTable(&config)
	return verso.MustNew(verso.PathPrefix("/api/{version}"), config), calls
}
