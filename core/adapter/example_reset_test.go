package adapter_test

import (
	"context"
	"fmt"
	"net/http"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
)

// Where a framework empties its store when a handler passes a request on, the adapter
// notes that behind the handler, and only the last check reports the outcome.
func ExampleSeam_NoteReset() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1"}, Observe: func(context.Context, verso.Observation) {
		fmt.Println("observed")
	}})
	var seam *adapter.Seam[*http.Request, func()]
	store := &map[*http.Request]*verso.Result{}
	seam = adapter.NewSeam(adapter.Seam[*http.Request, func()]{
		Binding: adapter.Bind(api, nil),
		Load:    func(r *http.Request) *verso.Result { return (*store)[r] },
		Store:   func(r *http.Request, result *verso.Result) { (*store)[r] = result },
		Header:  func(*http.Request) http.Header { return make(http.Header) },
		Next: func(r *http.Request, next func()) error {
			before := store
			if next(); store != before {
				seam.NoteReset(r)
			}
			return nil
		},
		NoContent: func(*http.Request) error { return nil },
		Reject:    func(_ *http.Request, rejected *verso.Error, _ *verso.Answer) error { return rejected },
		Fail:      func(_ *http.Request, err error) error { return err },
	})
	r := &http.Request{Method: http.MethodGet, Header: http.Header{"Api-Version": {"v1"}}}
	check := func(next func()) {
		var call adapter.Call
		call.Request.SetHTTP(r, r, nil)
		fmt.Println(seam.Check(r, &call, next))
	}
	check(func() {
		store = &map[*http.Request]*verso.Result{}
		check(func() { fmt.Println("the handler has answered") })
	})
	// Output:
	// the handler has answered
	// observed
	// <nil>
	// <nil>
}
