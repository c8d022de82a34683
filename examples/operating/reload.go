package main

import (
	"fmt"
	"net/http"
	"os"
	"sync/atomic"

	"sigs.k8s.io/yaml"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/usage"
)

// loaded is all that is made of a plan.
type loaded struct {
	http.Handler

	calls *usage.Table
}

// service answers by the plan that was loaded last.
type service struct{ current atomic.Pointer[loaded] }

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.current.Load().ServeHTTP(w, r) }

func (s *service) reload(path string) error {
	next, err := load(path)
	if err != nil {
		return err // the last plan goes on
	}
	if last := s.current.Swap(next); last != nil {
		next.calls.Add(last.calls.Take())
	}
	return nil
}

// load makes the whole service of a plan.
func load(path string) (made *loaded, err error) {
	versions, err := readPlan(path)
	if err != nil {
		return nil, err
	}
	config := verso.Config{Catalogue: versions, Strict: verso.Strict()}
	calls := usage.NewTable(&config)
	api, err := verso.New(verso.PathParam("version"), config)
	if err != nil {
		return nil, err
	}
	defer func() {
		if cause := recover(); cause != nil { // a route for a version that the plan does not have
			made, err = nil, fmt.Errorf("%v", cause)
		}
	}()
	return &loaded{routes(api), calls}, nil
}

func readPlan(path string) (*catalogue.Catalogue, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	plan, err := yaml.YAMLToJSONStrict(text)
	if err != nil {
		return nil, err
	}
	return catalogue.Parse(plan)
}

func routes(api *verso.Versioning) http.Handler {
	mux := http.NewServeMux()
	v := versohttp.New(mux, api)
	v.HandleFunc("GET /{version}/users", func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintln(w, "users of", versohttp.Version(r))
	})
	v.Since("v2").HandleFunc("GET /{version}/rooms", func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintln(w, "rooms of", versohttp.Version(r))
	})
	return mux
}
