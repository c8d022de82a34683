package source_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/core/versotest"
)

// newest is a source around another that takes "newest" for the newest version.
type newest struct{ source.Source }

func (s newest) Read(r source.Request, served *source.ServedVersions) source.Reading {
	reading := s.Source.Read(r, served)
	if versions := served.Versions(); reading.Text == "newest" && len(versions) > 0 {
		reading.Text = versions[len(versions)-1]
	}
	return reading
}

// A source that embeds another one can change what it reads.
func ExampleServedVersions() {
	api := verso.MustNew(newest{verso.QueryParam("version")}, verso.Config{AllowedVersions: []string{"v1", "v2"}})
	for _, target := range []string{"/users?version=newest", "/users?version=v1"} {
		r := httptest.NewRequest(http.MethodGet, target, nil)
		fmt.Println(adapter.Bind(api, nil).DetermineVersion(versotest.Request(r, nil, nil)))
	}
	// Output:
	// v2 <nil>
	// v1 <nil>
}
