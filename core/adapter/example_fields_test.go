package adapter_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
)

// The Write of an adapter whose framework is not over net/http writes the fields one by one.
func ExampleFields_Each() {
	binding := adapter.Bind(verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1"}}), nil)
	seam := adapter.NewSeam(adapter.Seam[any, func()]{
		Binding: binding,
		Load:    func(any) *verso.Result { return nil },
		Store:   func(any, *verso.Result) {},
		Write: func(_ any, fields adapter.Fields) {
			fields.Each(func(field catalogue.Field, mode adapter.FieldMode) {
				fmt.Println(field.Name, field.Lines, mode == adapter.JoinField)
			})
		},
		Next:      func(_ any, next func()) error { next(); return nil },
		NoContent: func(any) error { return nil },
		Reject:    func(any, *verso.Error, *verso.Answer) error { return nil },
		Fail:      func(any, error) error { return nil },
	})
	r := httptest.NewRequest(http.MethodGet, "/users", nil)
	r.Header.Set("Api-Version", "v1")
	var call adapter.Call
	call.Request.SetHTTP(r, r, nil)
	fmt.Println(seam.Check(nil, &call, func() {}))
	// Output:
	// Vary [Api-Version] true
	// <nil>
}
