// Command chi is a service with chi whose URLs had no version: they are v1, which ends,
// and v2 is under a prefix.
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
	api := verso.MustNew(verso.PathPrefix("/{version}"), verso.Config{
		Catalogue: catalogue.MustNew(catalogue.Config{
			Versions: []catalogue.Entry{
				{Version: "v1", Deprecated: catalogue.MustDate("2026-06-30"), Sunset: catalogue.MustDate("2027-12-31"), Successor: "v2"},
				{Version: "v2"},
			},
			AfterSunset:    catalogue.Gone,
			SuccessorLinks: true,
		}),
		DefaultVersion:     verso.V("v1"),
		AfterDefaultSunset: verso.RejectUnversioned,
		Links:              verso.LinkConfig{Relative: true},
	})

	r := chi.NewRouter()
	v := versochi.New(r, api).EachVersion()
	v.Name("user").HandleVersions("GET", "/users/{id}", versochi.Handlers{"v1": showNames, "v2": showUser})
	return r
}

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
