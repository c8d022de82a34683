package service

import (
	"github.com/kataras/iris/v12"
	"github.com/kataras/iris/v12/versioning"
)

// IrisVersions are served in the comparison with Iris, whose versions are
// semantic ones.
var IrisVersions = []string{"1.0.0", "2.0.0", "3.0.0"}

// InIris returns a service that has the route once for each version, which is how
// Iris keeps versions apart: in the Accept header or in the query.
func InIris(s *Scheme) Server {
	app := iris.New()
	app.Logger().SetLevel("disable")
	api := app.Party("/")
	if s.Name == "query" {
		api.Use(versioning.FromQuery("version", ""))
	}
	for _, version := range IrisVersions {
		versioning.NewGroup(api, version).Get(plain[0].Pattern, func(c iris.Context) { kept = versioning.GetVersion(c) })
	}
	if err := app.Build(); err != nil {
		panic(err)
	}
	return Server{handler: app}
}
