package drafted

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/drafted/api"
)

// An untouched draft serves each version the routes that it has.
func Example() {
	gin.SetMode(gin.TestMode)
	engine := gin.New()
	versions := verso.MustNew(verso.Header("X-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	api.Routes(versogin.New(engine, versions), verso.Must(api.History(versions)))
	for _, version := range []string{"v1", "v2", "v3"} {
		r := httptest.NewRequest(http.MethodGet, "/rooms", http.NoBody)
		r.Header.Set("X-Version", version)
		w := httptest.NewRecorder()
		engine.ServeHTTP(w, r)
		fmt.Println(version, w.Code)
	}
	// Output:
	// v1 501
	// v2 404
	// v3 400
}
