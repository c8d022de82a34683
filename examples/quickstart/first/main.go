// Command first is the first program of the README: two versions of a route.
package main

import (
	"fmt"
	"log"
	"net/http"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
)

func main() { log.Fatal(http.ListenAndServe("localhost:8080", newServer())) }

func newServer() http.Handler {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	mux := http.NewServeMux()
	versohttp.New(mux, api).HandleVersions("GET /{version}/users/{id}", versohttp.Handlers{"v1": showNames, "v2": showUser})
	return mux
}

func showNames(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, "Lovelace, Ada") }
func showUser(w http.ResponseWriter, r *http.Request)  { fmt.Fprintln(w, "Ada Lovelace") }
