package adapter_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/versotest"
)

func ExampleBinding_Explain() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("V2")})
	fmt.Println(adapter.Bind(api, nil).Explain())
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
	// Findings (https://github.com/goverso/verso/blob/main/docs/findings.md has each code)
	//   warning default_not_listed: DefaultVersion: the default version "V2" is not in AllowedVersions but is served anyway: add it, or correct it
}

// An adapter binds a versioning to a router, and adds each route with what its user
// says of it.
func ExampleBinding_Add() {
	b := adapter.Bind(verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2"}})), nil)
	bookings, err := b.Add(route.Route{Name: "bookings", Path: "/{version}/bookings", Pattern: route.Braces("/{version}/bookings")}, verso.Since("v2"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, version := range []string{"v2", "v1"} {
		r := httptest.NewRequest(http.MethodGet, "/"+version+"/bookings", nil)
		_, err := b.DetermineVersion(versotest.Request(r, map[string]string{"version": version}, bookings.Route()))
		fmt.Println(err)
	}
	// Output:
	// <nil>
	// This API version does not have the resource.
}

// A framework that is not over net/http joins the lines of a response itself.
func ExampleFieldMode_Join() {
	fmt.Printf("%q\n", adapter.JoinField.Join([]string{"Origin", "Cookie"}, []string{"Accept, origin"}))
	fmt.Printf("%q\n", adapter.JoinField.Join([]string{"Origin"}, []string{"Accept", "Accept-Language"}))
	fmt.Printf("%q\n", adapter.JoinField.Join([]string{"*"}, []string{"Accept"}))
	fmt.Printf("%q\n", adapter.JoinField.Join([]string{"Origin"}, nil))
	// Output:
	// ["Origin, Cookie, Accept"]
	// ["Origin, Accept, Accept-Language"]
	// ["*"]
	// ["Origin"]
}

// An adapter answers a rejection with the answer that the seam gives it, and a mistake of
// its own with status 500.
func ExampleSeam_Decide() {
	api := verso.Must(scheme.NewQueryParameter("version", verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	r := httptest.NewRequest(http.MethodGet, "/users?version=v9", nil)
	seam := adapter.NewSeam(adapter.Seam[http.ResponseWriter, http.Handler]{
		Binding:   adapter.Bind(api, nil),
		Load:      func(http.ResponseWriter) *verso.Result { return nil },
		Store:     func(http.ResponseWriter, *verso.Result) {}, // nothing reads it
		Write:     func(w http.ResponseWriter, fields adapter.Fields) { fields.Set(w.Header()) },
		Next:      func(w http.ResponseWriter, next http.Handler) error { next.ServeHTTP(w, r); return nil },
		NoContent: func(w http.ResponseWriter) error { w.WriteHeader(http.StatusNoContent); return nil },
		Reject: func(w http.ResponseWriter, _ *verso.Error, answer *verso.Answer) error {
			answer.ServeHTTP(w, r)
			return nil
		},
		Fail: func(w http.ResponseWriter, err error) error {
			w.WriteHeader(http.StatusInternalServerError)
			return err
		},
	})
	call, w := adapter.Call{Request: versotest.Request(r, nil, nil)}, httptest.NewRecorder()
	fmt.Println(seam.Check(w, &call, http.NotFoundHandler()))
	fmt.Println(w.Code, w.Header().Get("Content-Type"))
	fmt.Println(strings.ReplaceAll(w.Body.String(), ",", ",\n"))

	w = httptest.NewRecorder()
	seam.Decide(w, &call)
	call.Fail(errors.New("the router does not know the request"))
	fmt.Println(seam.Proceed(w, &call, http.NotFoundHandler()), w.Code)
	// Output:
	// <nil>
	// 404 application/problem+json
	// {"type":"https://github.com/goverso/verso/blob/main/docs/problems.md#invalid-version",
	// "title":"Invalid API version",
	// "status":404,
	// "detail":"Invalid version in query parameter.",
	// "code":"invalid_query_parameter_version",
	// "allowed_versions":["v1",
	// "v2"]}
	// the router does not know the request 500
}
