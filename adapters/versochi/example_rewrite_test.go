package versochi_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"

	"github.com/go-chi/chi/v5"

	"github.com/goverso/verso/adapters/versochi"
	verso "github.com/goverso/verso/core"
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
	return nil, nil // this framework has streams
}

type renaming struct{ http.ResponseWriter }

func (r renaming) Write(body []byte) (int, error) {
	_, err := r.ResponseWriter.Write(bytes.ReplaceAll(body, []byte("guest_name"), []byte("guest")))
	return len(body), err
}

func (renaming) Finish() error  { return nil }
func (renaming) Recover(func()) {}

// Bodies of v1 are rewritten; the handler knows v2 only.
func ExampleRoutes_Rewrite() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	r := chi.NewRouter()
	v := versochi.New(r, api)
	r.Use(v.RewriteErrors())
	v.Rewrite(guests{}).Get("/bookings/{id}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"guest_name":"Ada"}`))
	})

	for _, version := range []string{"v1", "v2"} {
		w, request := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/bookings/1", nil)
		request.Header.Set("Api-Version", version)
		r.ServeHTTP(w, request)
		fmt.Println(version, w.Body)
	}
	// Output:
	// v1 {"guest":"Ada"}
	// v2 {"guest_name":"Ada"}
}
