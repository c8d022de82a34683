// Command chi is a service with chi whose routes were below /api/v1: v2 joins it, and v1 ends.
package main

import (
	"encoding/json"
	"log"
	"net/http"

	"github.com/go-chi/chi/v5"

	"github.com/goverso/verso/adapters/versochi"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

func main() { log.Fatal(http.ListenAndServe("localhost:8080", newServer())) }

func newServer() http.Handler {
	api := verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{
		Catalogue: catalogue.MustNew(catalogue.Config{
			Versions: []catalogue.Entry{
				{Version: "v1", Deprecated: catalogue.MustDate("2026-06-30"), Sunset: catalogue.MustDate("2027-12-31"), Successor: "v2"},
				{Version: "v2"},
			},
			AfterSunset:    catalogue.Gone,
			SuccessorLinks: true,
		}),
		Links:  verso.LinkConfig{Relative: true},
		Strict: verso.Strict(),
	})

	r := chi.NewRouter()
	v := versochi.New(r, api)
	r.NotFound(v.NotFound(nil))
	r.MethodNotAllowed(v.NotFound(nil))
	v.EachVersion().Router().Route("/api", func(r chi.Router) { // was: r.Route("/api/v1", …
		versochi.On(r).Name("user").HandleVersions("GET", "/users/{id}", versochi.Handlers{"v1": showNames, "v2": showUser})
		r.Get("/users", list) // in v1 and in v2
	})
	return r
}

func list(w http.ResponseWriter, _ *http.Request) { send(w, []string{"Ada Lovelace"}) }

func showNames(w http.ResponseWriter, _ *http.Request) {
	send(w, map[string]string{"first_name": "Ada", "last_name": "Lovelace"})
}

func showUser(w http.ResponseWriter, r *http.Request) {
	self, err := versochi.Link(r, verso.Target{Name: "user", Params: verso.Params{"id": versochi.Param(r, "id")}})
	if err != nil {
		log.Print(err)
		http.Error(w, "internal server error", http.StatusInternalServerError)
		return
	}
	send(w, map[string]string{"name": "Ada Lovelace", "self": self})
}

func send(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}
