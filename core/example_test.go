package verso_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/versotest"
)

func ExampleNew() {
	api, err := verso.New(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := httptest.NewRequest(http.MethodGet, "/users", nil)
	r.Header.Set("Api-Version", "v2")
	fmt.Println(api.DetermineVersion(versotest.Request(r, nil, nil)))
	// Output: v2 <nil>
}

func ExampleNewAcceptHeader() {
	api := verso.Must(verso.NewAcceptHeader(verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1")}))
	for _, accept := range []string{"application/json; version=v2", "application/json", "application/json; version=v9"} {
		r := httptest.NewRequest(http.MethodGet, "/users", nil)
		r.Header.Set("Accept", accept)
		fmt.Println(api.DetermineVersion(versotest.Request(r, nil, nil)))
	}
	// Output:
	// v2 <nil>
	// v1 <nil>
	//  Invalid version in "Accept" header.
}

func ExampleNewURLPath() {
	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	for _, version := range []string{"v2", "v9"} {
		r := httptest.NewRequest(http.MethodGet, "/"+version+"/users", nil) // of the route /{version}/users
		fmt.Println(api.DetermineVersion(versotest.Request(r, map[string]string{"version": version}, nil)))
	}
	// Output:
	// v2 <nil>
	//  Invalid version in URL path.
}

func ExampleNewNamespace() {
	api := verso.Must(verso.NewNamespace(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	for _, name := range []string{"api:v2:user-list", "api:user-list"} {
		r := httptest.NewRequest(http.MethodGet, "/users", nil)
		fmt.Println(api.DetermineVersion(versotest.Request(r, nil, &route.Route{Name: name})))
	}
	// Output:
	// v2 <nil>
	//  Invalid version in URL path. Does not match any version namespace.
}

func ExampleNewHostName() {
	api := verso.Must(verso.NewHostName(verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		DefaultVersion:  verso.V("v1"),
		HostPattern:     `([a-z0-9]+)\.api\.example\.com`,
	}))
	for _, host := range []string{"v2.api.example.com:8080", "example.com", "v9.api.example.com"} {
		r := httptest.NewRequest(http.MethodGet, "http://"+host+"/users", nil)
		fmt.Println(api.DetermineVersion(versotest.Request(r, nil, nil)))
	}
	// Output:
	// v2 <nil>
	// v1 <nil>
	//  Invalid version in hostname.
}

func ExampleNewQueryParameter() {
	api := verso.Must(verso.NewQueryParameter(verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1")}))
	for _, target := range []string{"/users?version=v2", "/users?page=3", "/users?version="} {
		r := httptest.NewRequest(http.MethodGet, target, nil)
		fmt.Println(api.DetermineVersion(versotest.Request(r, nil, nil)))
	}
	// Output:
	// v2 <nil>
	// v1 <nil>
	//  Invalid version in query parameter.
}

// Old clients name the version in the path, new ones in a header.
func ExampleFirst() {
	api := verso.Must(verso.New(
		verso.First(verso.PathParam("version"), verso.Header("Api-Version")),
		verso.Config{AllowedVersions: []string{"v1", "v2"}},
	))
	inPath := httptest.NewRequest(http.MethodGet, "/v1/users", nil)
	fmt.Println(api.DetermineVersion(versotest.Request(inPath, map[string]string{"version": "v1"}, nil)))

	inHeader := httptest.NewRequest(http.MethodGet, "/users", nil)
	inHeader.Header.Set("Api-Version", "v2")
	fmt.Println(api.DetermineVersion(versotest.Request(inHeader, nil, nil)))

	inNone := httptest.NewRequest(http.MethodGet, "/users", nil)
	fmt.Println(api.DetermineVersion(versotest.Request(inNone, nil, nil)))
	// Output:
	// v1 <nil>
	// v2 <nil>
	//  Missing version in request.
}

func ExampleAgree() {
	api := verso.Must(verso.New(
		verso.Agree(verso.PathParam("version"), verso.Header("Api-Version")),
		verso.Config{AllowedVersions: []string{"v1", "v2"}},
	))
	r := httptest.NewRequest(http.MethodGet, "/v1/users", nil)
	r.Header.Set("Api-Version", "v2")
	fmt.Println(api.DetermineVersion(versotest.Request(r, map[string]string{"version": "v1"}, nil)))
	// Output: Contradicting versions in request.
}

func ExampleHeader() {
	api := verso.Must(verso.New(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	r := httptest.NewRequest(http.MethodGet, "/users", nil)
	r.Header.Add("Api-Version", "v1")
	r.Header.Add("Api-Version", "v2")
	fmt.Println(api.DetermineVersion(versotest.Request(r, nil, nil)))
	// Output: Contradicting versions in request.
}

func ExampleMediaType() {
	api := verso.Must(verso.New(
		verso.MediaType("application/vnd.acme.{resource}-{version}+json"),
		verso.Config{AllowedVersions: []string{"v1", "v2"}},
	))
	r := httptest.NewRequest(http.MethodGet, "/orders/7", nil)
	r.Header.Set("Accept", "application/vnd.acme.order-v9+json, application/vnd.acme.order-v2+json; q=0.5")
	var call verso.Call
	call.Request = versotest.Request(r, nil, nil)
	result := api.Bind(nil).Begin(&call, nil)
	fmt.Println(result.ContentType("order"))
	// Output: application/vnd.acme.order-v2+json <nil>
}

func ExampleVersioning_Explain() {
	api := verso.Must(verso.New(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("V2")}))
	fmt.Println(api.Explain())
	// Output:
	// header "Api-Version"
	//   reads    header "Api-Version"
	//   serves   v1, v2, V2
	//   default  "V2"
	//
	// A request
	//   without a version                                served as version "V2"
	//   for a version that is not served                 400 invalid_header_version
	//   for the empty version                            400 invalid_header_version
	//   for several versions at once                     400 contradicting_versions
	//
	// Findings
	//   warning default_not_listed: DefaultVersion: the default version "V2" is not in the list of allowed versions, and is served nevertheless: add it, or correct it
}

// An adapter says what the routes are; links are then built to them.
func ExampleResult_Link() {
	b := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}, Links: verso.Links{Origin: "https://api.example.com"}})).Bind(nil)
	verso.Must(b.Add(route.Route{Name: "user", Path: "/{version}/users/{id}", Pattern: route.Braces("/{version}/users/{id}")}))
	verso.Must(b.Add(route.Route{Name: "health", Path: "/health", Pattern: route.Braces("/health")}, verso.Neutral()))
	r := versotest.Request(httptest.NewRequest(http.MethodGet, "/v1/users", nil), map[string]string{"version": "v1"}, nil)
	var call verso.Call
	call.Request = r
	result := b.Begin(&call, nil)
	fmt.Println(result.Link(r, verso.Target{Name: "user", Params: verso.Params{"id": 7}}))
	fmt.Println(result.Link(r, verso.Target{Name: "user", Params: verso.Params{"id": 7}, Version: verso.V("v2")}))
	fmt.Println(result.Link(r, verso.Target{Name: "health"}))
	// Output:
	// https://api.example.com/v1/users/7 <nil>
	// https://api.example.com/v2/users/7 <nil>
	// https://api.example.com/health <nil>
}

func ExampleFileConfig_New() {
	var file verso.FileConfig
	err := json.Unmarshal([]byte(`{
		"scheme": "FirstVersioning",
		"allowed_versions": ["v1", "v2"],
		"sources": [{"kind": "path", "name": "version"}, {"kind": "header", "name": "Api-Version"}]
	}`), &file)
	if err != nil {
		fmt.Println(err)
		return
	}
	api, err := file.New(verso.Config{Strict: verso.Strict()}) // what a file cannot say
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(api.Name(), api.Versions())
	// Output: FirstVersioning [v1 v2]
}

func ExampleFileConfigFromEnv() {
	if err := errors.Join(
		os.Setenv("EXAMPLE_VERSIONING_SCHEME", verso.URLPathVersioning),
		os.Setenv("EXAMPLE_ALLOWED_VERSIONS", "v1, v2"),
	); err != nil {
		fmt.Println(err)
		return
	}
	file, err := verso.FileConfigFromEnv("EXAMPLE_")
	fmt.Println(file.Scheme, file.AllowedVersions, err)
	// Output: URLPathVersioning [v1 v2] <nil>
}

func ExampleFinding() {
	_, err := verso.New(verso.PathParam(":version"), verso.Config{AllowedVersions: []string{"v1", "v1"}})
	fmt.Println(err)
	var first *verso.Finding
	fmt.Println(errors.As(err, &first), first.Code)
	// Output:
	// verso: AllowedVersions: allowed version "v1" is listed twice: remove one
	// verso: VersionParam: the path parameter ":version" is not a name: write the name alone, such as "version", for a route like /:version or /{version}
	// true version_twice
}

// A service that is new rejects what the specification lets through.
func ExampleStrict() {
	api := verso.Must(verso.NewQueryParameter(verso.Config{AllowedVersions: []string{"v1", "v2"}, Strict: verso.Strict()}))
	for _, target := range []string{"/users?version=v2", "/users?version=v1&version=v2", "/users?version="} {
		r := httptest.NewRequest(http.MethodGet, target, nil)
		fmt.Println(api.DetermineVersion(versotest.Request(r, nil, nil)))
	}
	// Output:
	// v2 <nil>
	//  Contradicting versions in request.
	//  Empty version in request.
}

func ExampleWriteAnswer() {
	api := verso.Must(verso.NewQueryParameter(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	raw := httptest.NewRequest(http.MethodGet, "/users?version=v9", nil)
	var call verso.Call
	call.Request = versotest.Request(raw, nil, nil)
	api.Bind(nil).Begin(&call, nil)
	if _, answer, ok := call.Rejected(); ok {
		w := httptest.NewRecorder()
		verso.WriteAnswer(w, raw, answer)
		fmt.Println(w.Code, w.Header().Get("Content-Type"))
		fmt.Println(strings.ReplaceAll(w.Body.String(), ",", ",\n"))
	}
	// Output:
	// 404 application/problem+json
	// {"type":"https://github.com/goverso/verso/blob/main/docs/problems.md#invalid-version",
	// "title":"Invalid API version",
	// "status":404,
	// "detail":"Invalid version in query parameter.",
	// "code":"invalid_query_parameter_version",
	// "allowed_versions":["v1",
	// "v2"]}
}

// Responses of a version say until when it is there.
func ExampleCall_Fields() {
	now := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	api := verso.Must(verso.NewURLPath(verso.Config{
		Clock: func() time.Time { return now },
		Catalogue: verso.Must(catalogue.New(catalogue.Config{
			Versions: []catalogue.Entry{
				{Version: "v1", Deprecated: now.AddDate(0, -6, 0), Sunset: now.AddDate(0, 6, 0), Successor: "v2"},
				{Version: "v2"},
			},
			Report: true,
		})),
	}))
	r := httptest.NewRequest(http.MethodGet, "/v1/users", nil)
	var call verso.Call
	call.Request = versotest.Request(r, map[string]string{"version": "v1"}, nil)
	api.Bind(nil).Begin(&call, nil)
	call.Fields(func(field verso.Field, _ verso.Mode) { fmt.Println(field.Name+":", field.Lines[0]) })
	// Output:
	// Deprecation: @1779321600
	// Sunset: Fri, 21 May 2027 00:00:00 GMT
	// Api-Supported-Versions: v2
	// Api-Deprecated-Versions: v1
}

// An adapter binds a versioning to a router, and adds each route with what its user
// says of it.
func ExampleBinding_Add() {
	b := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}})).Bind(nil)
	bookings, err := b.Add(route.Route{Name: "bookings", Path: "/{version}/bookings", Pattern: route.Braces("/{version}/bookings")}, verso.Since("v2"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, version := range []string{"v2", "v1"} {
		r := httptest.NewRequest(http.MethodGet, "/"+version+"/bookings", nil)
		var call verso.Call
		call.Request = versotest.Request(r, map[string]string{"version": version}, bookings.Route())
		result := b.Begin(&call, nil)
		fmt.Println(result != nil, call.Err)
	}
	// Output:
	// true <nil>
	// false This API version does not have the resource.
}

// An adapter's Choose registers the route with the option, and lets pick choose
// behind the check.
func ExampleHandlers() {
	b := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2", "v3", "v4"}})).Bind(nil)
	handlers := verso.Handlers[func() string]{
		"v1": func() string { return "the first list" },
		"v3": func() string { return "the new list" },
		"v4": nil, // removed
	}
	pick, option, err := handlers.Bind(b)
	if err != nil {
		fmt.Println(err)
		return
	}
	list := verso.Must(b.Add(route.Route{Path: "/{version}/list", Pattern: route.Braces("/{version}/list")}, option))
	for _, version := range []string{"v2", "v3", "v4"} {
		r := httptest.NewRequest(http.MethodGet, "/"+version+"/list", nil)
		var call verso.Call
		call.Request = versotest.Request(r, map[string]string{"version": version}, list.Route())
		result := b.Begin(&call, nil)
		if handler, ok := pick(result); ok {
			fmt.Println(version, handler())
		} else {
			fmt.Println(version, call.Err)
		}
	}
	// Output:
	// v2 the first list
	// v3 the new list
	// v4 This API version does not have the resource.
}

// A handler that is the same in most versions asks for the one that changed it.
func ExampleResult_AtLeast() {
	b := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}})).Bind(nil)
	for _, version := range []string{"v1", "v2", "v3"} {
		result := verso.Must(b.Result(verso.V(version)))
		fmt.Println(result.Version(), result.AtLeast("v2"))
	}
	// Output:
	// v1 false
	// v2 true
	// v3 true
}

// JoinVary is for frameworks that are not over net/http, AddVary for those that are.
func ExampleJoinVary() {
	fmt.Printf("%q\n", verso.JoinVary([]string{"Origin", "Cookie"}, "Accept", "origin"))
	fmt.Printf("%q\n", verso.JoinVary([]string{"*"}, "Accept"))
	// Output:
	// ["Origin, Cookie, Accept"]
	// ["*"]
}

func ExampleAddVary() {
	header := http.Header{"Vary": {"Origin, accept"}}
	verso.AddVary(header, "Accept", "Accept-Language")
	fmt.Println(header.Values("Vary"))
	// Output: [Origin, accept, Accept-Language]
}
