// Command godoc is the program that the documentation of package verso begins with.
package main

import (
	"fmt"
	"log"
	"net/http"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
)

func main() {
	config := verso.Config{AllowedVersions: []string{"v1", "v2"}, Strict: verso.Strict()}
	api := verso.MustNew(verso.PathParam("version"), config)
	mux := http.NewServeMux()
	versohttp.New(mux, api).HandleFunc("GET /{version}/users", func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintln(w, "users in", versohttp.Version(r))
	})
	log.Fatal(http.ListenAndServe("localhost:8080", mux))
}
