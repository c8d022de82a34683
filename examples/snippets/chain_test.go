package snippets

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

var errNoKey = errors.New("no API key")

// statusOf is what the service answers to an error.
func statusOf(err error) int {
	var rejected *verso.Error
	switch {
	case errors.Is(err, errNoKey):
		return http.StatusUnauthorized
	case errors.As(err, &rejected):
		return rejected.StatusCode()
	}
	return http.StatusInternalServerError
}

// chain wraps each handler of a service with net/http: it adds the fields of CORS,
// authenticates, and writes the error that the handler returns.
func chain(handle func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "https://app.example.com")
		err := errNoKey
		if r.Header.Get("Api-Key") == "secret" {
			err = handle(w, r)
		}
		if err != nil {
			http.Error(w, "our format: "+err.Error(), statusOf(err))
		}
	}
}

func chained(api *verso.Versioning) http.Handler {
	listRooms := func(w http.ResponseWriter, _ *http.Request) error {
		_, err := w.Write([]byte("rooms"))
		return err
	}
	mux := http.NewServeMux()
	v := versohttp.New(mux, api, versohttp.Config{
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, rejected *verso.Error, _ *verso.Answer) {
			chain(func(http.ResponseWriter, *http.Request) error { return rejected })(w, r)
		},
	})
	v.HandleFunc("GET /{version}/rooms", chain(listRooms))
	return mux
}

// ginChain does with Gin what chain does.
func ginChain(handle func(*gin.Context) error) gin.HandlerFunc {
	return func(c *gin.Context) {
		c.Header("Access-Control-Allow-Origin", "https://app.example.com")
		err := errNoKey
		if c.GetHeader("Api-Key") == "secret" {
			err = handle(c)
		}
		if err != nil {
			c.String(statusOf(err), "our format: %v\n", err)
		}
	}
}

func ginChained(api *verso.Versioning) http.Handler {
	listRooms := func(c *gin.Context) error {
		c.String(http.StatusOK, "rooms")
		return nil
	}
	r := gin.New()
	v := versogin.New(r, api, versogin.Config{
		ErrorHandler: func(c *gin.Context, rejected *verso.Error, _ *verso.Answer) error {
			ginChain(func(*gin.Context) error { return rejected })(c)
			return nil
		},
	})
	v.GET("/:version/rooms", ginChain(listRooms))
	return r
}

// TestChain shows that a rejection passes the chain that wraps each handler: who has no key
// gets 401, the others the rejection with the chain's fields and in its format.
func TestChain(t *testing.T) {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{
		Clock: func() time.Time { return sunset.AddDate(0, 0, 1) },
		Links: verso.LinkConfig{Relative: true},
		Catalogue: catalogue.MustNew(catalogue.Config{
			Versions:       []catalogue.Entry{ending, {Version: "v2"}},
			AfterSunset:    catalogue.Gone,
			SuccessorLinks: true,
		}),
	})
	for framework, service := range map[string]http.Handler{"net/http": chained(api), "Gin": ginChained(api)} {
		for name, test := range map[string]struct {
			path, key string
			status    int
			body      string
		}{
			"served":              {"/v2/rooms", "secret", http.StatusOK, "rooms"},
			"served, no key":      {"/v2/rooms", "", http.StatusUnauthorized, "our format: no API key\n"},
			"ended, no key":       {"/v1/rooms", "", http.StatusUnauthorized, "our format: no API key\n"},
			"ended":               {"/v1/rooms", "secret", http.StatusGone, "our format: This API version has ended.\n"},
			"never there":         {"/v3/rooms", "secret", http.StatusNotFound, "our format: Invalid version in URL path.\n"},
			"never there, no key": {"/v3/rooms", "", http.StatusUnauthorized, "our format: no API key\n"},
		} {
			t.Run(framework+"/"+name, func(t *testing.T) {
				r := httptest.NewRequest(http.MethodGet, test.path, nil)
				r.Header.Set("Api-Key", test.key)
				w := httptest.NewRecorder()
				service.ServeHTTP(w, r)
				assert.Equal(t, test.status, w.Code)
				assert.Equal(t, test.body, w.Body.String())
				assert.Equal(t, "https://app.example.com", w.Header().Get("Access-Control-Allow-Origin"))
				if test.status == http.StatusGone {
					assert.Equal(t, `</v2/rooms>; rel="successor-version"`, w.Header().Get("Link"))
				}
			})
		}
	}
}
