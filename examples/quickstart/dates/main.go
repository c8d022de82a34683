// Command dates is the first program of the README with dates: v1 has ended, v2 will end, and v3 stays.
package main

import (
	"fmt"
	"log"
	"net/http"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

func main() { log.Fatal(http.ListenAndServe("localhost:8080", newServer())) }

func newServer() http.Handler {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{
		Catalogue: catalogue.MustNew(catalogue.Config{
			Versions: []catalogue.Entry{
				{Version: "v1", Deprecated: catalogue.MustDate("2025-03-31"), Sunset: catalogue.MustDate("2026-03-31"), Successor: "v2"},
				{Version: "v2", Deprecated: catalogue.MustDate("2026-06-30"), Sunset: catalogue.MustDate("2027-12-31"), Successor: "v3"},
				{Version: "v3"},
			},
			AfterSunset:    catalogue.Gone,
			SuccessorLinks: true,
		}),
		Links: verso.LinkConfig{Relative: true},
	})
	mux := http.NewServeMux()
	v := versohttp.New(mux, api)
	v.HandleVersions("GET /{version}/users/{id}", versohttp.Handlers{"v1": showNames, "v2": showUser})
	return mux
}

func showNames(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, "Lovelace, Ada") }

func showUser(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, "Ada Lovelace") }
