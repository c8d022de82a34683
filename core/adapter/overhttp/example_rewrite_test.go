package overhttp_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter/overhttp"
	"github.com/goverso/verso/core/route"
)

// guests renames a member for clients of v1. Module migrate makes such rewriters.
type guests struct{}

func (guests) LowerQuery(_ verso.Version, query url.Values) url.Values { return query }

func (guests) Review(*verso.Versioning) []verso.Finding { return nil }

func (guests) Begin(v verso.Version, w http.ResponseWriter, _ *http.Request) (verso.Rewriting, error) {
	if !v.Is("v1") {
		return nil, nil
	}
	return renaming{w}, nil
}

func (guests) BeginBuffered(verso.Version, string, verso.RequestMessage) (func(int, verso.ResponseMessage) error, error) {
	return nil, nil
}

type renaming struct{ http.ResponseWriter }

func (r renaming) Write(body []byte) (int, error) {
	_, err := r.ResponseWriter.Write(bytes.ReplaceAll(body, []byte("guest_name"), []byte("guest")))
	return len(body), err
}

func (renaming) Finish() error  { return nil }
func (renaming) Recover(func()) {}

// The middleware of RewriteErrors is in front of a middleware that answers by itself.
func ExampleGroup_Rewrite() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	over := overhttp.New("myadapter", api, nil, overhttp.Config{})
	over.Group = over.Rewrite(guests{})
	route := over.Add("/", route.Route{Path: "/", Pattern: route.Braces("/")}, over.Handler("/", http.HandlerFunc(
		func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"guest_name":"Ada"}`)) },
	)))
	note := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, r)
			_, _ = w.Write([]byte(` {"guest_name":"last"}`))
		})
	}
	handler := over.RewriteErrors()(over.Around("/", route, []overhttp.Middleware{note}))

	for _, version := range []string{"v1", "v2"} {
		w, request := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil)
		request.Header.Set("Api-Version", version)
		handler.ServeHTTP(w, request)
		fmt.Println(version, w.Body)
	}
	// Output:
	// v1 {"guest":"Ada"} {"guest":"last"}
	// v2 {"guest_name":"Ada"} {"guest_name":"last"}
}
