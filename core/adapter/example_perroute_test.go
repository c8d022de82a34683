package adapter_test

import (
	"fmt"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
)

// named are the routes of an adapter.
type named struct {
	name     string
	perRoute adapter.PerRoute[named]
}

// The function of a service gets paths behind the prefix of its group, and whole ones of other groups.
func ExamplePerRoute() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1"}})
	binding := adapter.Bind(api, nil)
	group := adapter.NewGroup[string]("myadapter", binding)
	field := func(v *named) *adapter.PerRoute[named] { return &v.perRoute }
	perRoute := adapter.NewPerRoute(group, adapter.PerRoute[named]{}, "/api/", func(v *named, method, path string) *named {
		switch path {
		case "/as-it-is":
			return v
		case "/none":
			return nil
		case "/other":
			return &named{name: "other"}
		}
		chosen := *v
		chosen.name += " " + method + " " + path
		return &chosen
	}, field)
	fmt.Println(perRoute.IsZero(), adapter.PerRoute[named]{}.IsZero())
	perRoute.Of(&named{name: "v1"}, "GET", "/api/as-it-is")
	fmt.Println(len(binding.Explain().Findings)) // one: no route has changed
	for _, path := range []string{"/api/users", "/api", "/apis/users", "files.example.com/api/a", ""} {
		fmt.Printf("%q\n", perRoute.Of(&named{name: "v1"}, "GET", path).name)
	}

	fmt.Println(len(binding.Explain().Findings))

	fails := func(register func()) {
		defer func() { fmt.Println(recover()) }()
		register()
	}
	fails(func() { adapter.NewPerRoute(group, adapter.PerRoute[named]{}, "/api", nil, nil) })
	fails(func() {
		adapter.NewPerRoute(group, perRoute, "/api", func(v *named, _, _ string) *named { return v }, field)
	})
	fails(func() { perRoute.Of(&named{name: "v1"}, "GET", "/api/none") })
	fails(func() { perRoute.Of(&named{name: "v1"}, "GET", "/api/other") })
	// Output:
	// false true
	// 1
	// "v1 GET /users"
	// "v1 GET "
	// "v1 GET /apis/users"
	// "v1 GET files.example.com/a"
	// "v1 GET "
	// 0
	// myadapter: PerRoute: the function is nil: give it one
	// myadapter: PerRoute: the routes have a function already: join the two
	// myadapter: PerRoute: the function returns nil for GET /api/none: return v
	// myadapter: PerRoute: the function returns other routes for GET /api/other: return v or a copy of it
}
