// Command strangler serves v2 of an API, and hands requests for v1 on to the service that
// it replaces, route by route:
//
//	go run ./strangler http://legacy.internal:8080
package main

import (
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

func main() {
	legacy, err := url.Parse(os.Args[len(os.Args)-1])
	if err != nil || legacy.Host == "" {
		log.Fatal("usage: strangler http://legacy.internal:8080")
	}
	log.Fatal(newServer(legacy).Run("localhost:8080"))
}

func newServer(legacy *url.URL) *gin.Engine {
	versions := catalogue.MustParse([]byte(`{"versions": [
		{"version": "v1", "deprecated": "2026-06-30", "sunset": "2099-12-31", "after_sunset": "gone", "successor": "v2"},
		{"version": "v2"}
	]}`))
	// Clients of the old service ask for no version.
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{Catalogue: versions, DefaultVersion: verso.V("v1")})
	old := gin.WrapH(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(legacy)
			r.SetXForwarded()
		},
		ModifyResponse: func(r *http.Response) error {
			for _, name := range versions.FieldNames() { // which Verso sends
				r.Header.Del(name)
			}
			return nil
		},
	})

	r := gin.Default()
	v := versogin.New(r, api)
	v.HandleVersions("GET", "/users/:id", versogin.Handlers{"v1": old, "v2": showUser}) // is new in v2
	v.RemovedIn("v2").POST("/reports", old)                                             // ends with v1
	v.GET("/rooms", old)                                                                // is to be done
	return r
}

func showUser(c *gin.Context) {
	c.JSON(http.StatusOK, gin.H{"first_name": "Ada", "last_name": "Lovelace"})
}
