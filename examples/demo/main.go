// Command demo shows what Verso does with a request, in Echo, Gin and chi.
//
//	go run ./demo
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/adapters/versochi"
	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
)

func main() {
	gin.SetMode(gin.ReleaseMode)
	if err := show(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// show sends the requests of each screen to the frameworks.
func show(out io.Writer) error {
	for i, screen := range screens() {
		if i > 0 {
			_, _ = fmt.Fprintln(out)
		}
		_, _ = fmt.Fprintf(out, "%s\n\n", screen.title)
		for _, request := range screen.requests {
			if err := request.show(out); err != nil {
				return fmt.Errorf("%s: %w", request.title, err)
			}
		}
	}
	return nil
}

func (r request) show(out io.Writer) error {
	config := r.service.config
	config.AllowedVersions = []string{"v1", "v2"}
	config.Links = verso.LinkConfig{TrustedHosts: []string{"*.example.com"}}
	api, err := verso.New(r.service.source, config)
	if err != nil {
		return err
	}
	sent := httptest.NewRequest(http.MethodGet, r.url, nil)
	sent.Host = "api.example.com"
	if name, value, _ := strings.Cut(r.header, ": "); name == "Host" {
		sent.Host = value
	} else if name != "" {
		sent.Header.Set(name, value)
	}
	answer := func(service http.Handler) string {
		w := httptest.NewRecorder()
		service.ServeHTTP(w, sent)
		body := strings.TrimSpace(w.Body.String())
		if _, problem, ok := strings.Cut(body, `"status":`); ok { // without the type and the title
			_, body, _ = strings.Cut(problem, ",")
			body = "{" + body
		}
		return fmt.Sprintf("%d %s", w.Code, body)
	}
	inEcho, inGin, inChi := answer(r.service.inEcho(api)), answer(r.service.inGin(api)), answer(r.service.inChi(api))
	_, _ = fmt.Fprintf(out, "%s\n    %s\n", r.title, strings.TrimSpace("GET "+r.url+"  "+r.header))
	if inEcho == inGin && inGin == inChi {
		_, _ = fmt.Fprintf(out, "    Echo, Gin, chi  %s\n", inEcho)
	} else {
		_, _ = fmt.Fprintf(out, "    Echo  %s\n    Gin   %s\n    chi   %s\n", inEcho, inGin, inChi)
	}
	return nil
}

func (s service) inEcho(api *verso.Versioning) http.Handler {
	e := echo.New()
	v := versoecho.New(e, api)
	if s.namespace != "" {
		v = v.Namespace(s.namespace)
	}
	for _, path := range s.paths {
		v.GET(path, func(c echo.Context) error {
			link, err := versoecho.Link(c, verso.Target{Name: "user", Params: verso.Params{"id": versoecho.Param(c, "id")}, Version: s.linked})
			if err != nil {
				return err
			}
			return c.JSON(http.StatusOK, echo.Map{"version": versoecho.Version(c), "link": link})
		}).Name = "user"
	}
	return e
}

func (s service) inGin(api *verso.Versioning) http.Handler {
	r := gin.New()
	v := versogin.New(r, api).Name("user")
	if s.namespace != "" {
		v = v.Namespace(s.namespace)
	}
	for _, path := range s.paths {
		v.GET(path, func(c *gin.Context) {
			link, err := versogin.Link(c, verso.Target{Name: "user", Params: verso.Params{"id": versogin.Param(c, "id")}, Version: s.linked})
			if err != nil {
				_ = c.AbortWithError(http.StatusInternalServerError, err)
				return
			}
			c.JSON(http.StatusOK, gin.H{"version": versogin.Version(c), "link": link})
		})
	}
	return r
}

func (s service) inChi(api *verso.Versioning) http.Handler {
	r := chi.NewRouter()
	v := versochi.New(r, api).Name("user")
	if s.namespace != "" {
		v = v.Namespace(s.namespace)
	}
	for _, path := range s.paths {
		path = strings.NewReplacer(":version", "{version}", ":id", "{id}").Replace(path)
		v.Get(path, func(w http.ResponseWriter, r *http.Request) {
			link, err := versochi.Link(r, verso.Target{Name: "user", Params: verso.Params{"id": versochi.Param(r, "id")}, Version: s.linked})
			if err != nil {
				http.Error(w, "internal server error", http.StatusInternalServerError)
				return
			}
			_ = json.NewEncoder(w).Encode(map[string]any{"version": versochi.Version(r), "link": link})
		})
	}
	return r
}
