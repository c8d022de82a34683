package versohttp_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

func saying(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(text + " " + versohttp.Version(r).String()))
	}
}

func TestRegistrationMistakes(t *testing.T) {
	api := verso.Must(scheme.NewURLPath("version", verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	mux := newRoutes(api)
	for name, register := range map[string]func(){
		"nil handler":          func() { mux.HandleFunc("GET /i", nil) },
		"nil middleware":       func() { mux.Choose("GET", "/j", versohttp.Handlers{"v1": saying("a")}, nil) },
		"nil middleware after": func() { mux.AfterCheck(nil).HandleFunc("GET /k", saying("a")) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				err, _ := recover().(error)
				require.Error(t, err)
				assert.Contains(t, err.Error(), "versohttp: route ")
			}()
			register()
		})
	}
}
