package main

import (
	"fmt"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/locales"
)

// screen is a subject.
type screen struct {
	title    string
	requests []request
}

type request struct {
	title, url, header string
	service            service
}

// service is what a request is sent to.
type service struct {
	source    source.Source
	namespace string        // of the routes
	paths     []string      // of the routes
	linked    verso.Version // the version that responses link to: that of the request, if it is zero
	config    verso.Config
}

// users is a route without a version.
var users = []string{"/users/:id"}

func screens() []screen {
	path := service{source: verso.PathParam("version"), paths: []string{"/:version/users/:id"}}
	header := service{source: verso.Header("Api-Version"), paths: users}
	withDefault := header
	withDefault.config.DefaultVersion = verso.V("v1")
	agree := service{source: verso.Agree(path.source, header.source), paths: path.paths}
	first := service{source: verso.First(path.source, header.source), paths: path.paths}
	translated, toV2 := path, path
	translated.config.Translator = verso.Must(locales.New())
	toV2.linked = verso.V("v2")

	return []screen{
		{"1. A request for v2, for each place that a version can be read from", places("v2")},
		{"2. The same requests for v9, which is not served", places("v9")},
		{"3. A request without a version", []request{
			{"No default", "/users/7", "", header},
			{"The default v1", "/users/7", "", withDefault},
		}},
		{"4. Two places that disagree", []request{
			{"Both must agree", "/v1/users/7", "Api-Version: v2", agree},
			{"The first one wins", "/v1/users/7", "Api-Version: v2", first},
		}},
		{"5. The message in the client's language, one of 65", []request{
			{"German", "/v9/users/7", "Accept-Language: de-CH", translated},
			{"Japanese", "/v9/users/7", "Accept-Language: ja", translated},
			{"Arabic", "/v9/users/7", "Accept-Language: ar", translated},
		}},
		{"6. A link to v2 in a response of v1", []request{
			{"For clients that can move", "/v1/users/7", "", toV2},
		}},
	}
}

// places are a request for a version in each place.
func places(version string) []request {
	inPath := "/" + version + "/users/7"
	return []request{
		{"Path parameter, /:version/users/:id", inPath, "", service{source: verso.PathParam("version"), paths: []string{"/:version/users/:id"}}},
		{"Path prefix, /v1/users/:id and /v2/users/:id", inPath, "", service{source: verso.PathPrefix("/{version}"), paths: []string{"/v1/users/:id", "/v2/users/:id"}}},
		{"Header", "/users/7", "Api-Version: " + version, service{source: verso.Header("Api-Version"), paths: users}},
		{"Vendor media type", "/users/7", fmt.Sprintf("Accept: application/vnd.acme.%s+json", version), service{source: verso.MediaType("application/vnd.acme.{version}+json"), paths: users}},
		{"Parameter of the media type", "/users/7", "Accept: application/json; version=" + version, service{source: verso.AcceptParam("version"), paths: users}},
		{"Query parameter", "/users/7?version=" + version, "", service{source: verso.QueryParam("version"), paths: users}},
		{"Host name", "/users/7", fmt.Sprintf("Host: %s.example.com", version), service{source: verso.HostLabel(""), paths: users}},
		{"Namespace of the route", "/in" + inPath, "", service{source: verso.Namespace(), namespace: "v2", paths: []string{"/in/v2/users/:id"}}},
	}
}
