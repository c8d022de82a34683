package params

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/internal/frameworks"
	"github.com/goverso/verso/migrate"
)

// Placed are parameters that one place declares and a binder reads in another one too.
type Placed struct {
	OrderBy string `query:"order_by" form:"order_by"`
	State   string `query:"state" form:"state"`
	Plan    string `query:"plan" form:"plan"`
}

// Other are declared for the other place; it has a name of Placed.
type Other struct {
	State string `query:"state" form:"state"`
	Page  int    `query:"page" form:"page"`
}

// TestDeclaredInAnotherPlace: binders, and FormValue, read the query and the body as one. What is
// declared for one of them is lifted in the other too: names of newer versions are dropped, older
// ones are lifted and stay, since the handler may have its own. What is declared for a place wins.
func TestDeclaredInAnotherPlace(t *testing.T) {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	history := verso.Must(migrate.New(api, migrate.Release("v2", migrate.Changed("x",
		migrate.For[Placed](migrate.Renamed("sort", "order_by"), migrate.Values("state", map[string]string{"on": "active"}), migrate.Added("plan")))), migrate.Release("v1")))
	routes := map[string]verso.Rewriter{
		"/form": history.Route(migrate.Form[Placed]()), "/query": history.Route(migrate.Query[Placed]()),
		"/formandother": history.Route(migrate.Form[Placed](), migrate.Query[Other]()), "/queryandother": history.Route(migrate.Query[Placed](), migrate.Form[Other]()),
	}
	read := func(value func(name string) string) string {
		return fmt.Sprintf("order_by=%s sort=%s state=%s plan=%s", value("order_by"), value("sort"), value("state"), value("plan"))
	}
	app := frameworks.App{}
	for path, route := range routes {
		app.Routes = append(app.Routes, frameworks.Route{Method: http.MethodPost, Path: path, Rewriter: route, Handle: func(w http.ResponseWriter, r *http.Request) {
			var bound Placed
			call := frameworks.Of(r)
			if bind := call.Bind["form"]; bind != nil && strings.HasPrefix(path, "/form") {
				_ = bind(&bound) // Gin's reads both
			}
			_, _ = fmt.Fprint(w, read(call.FormValue))
			if bound.Plan != "" {
				_, _ = fmt.Fprint(w, " bound ", bound.Plan)
			}
		}})
	}
	for framework, serve := range frameworks.All {
		service := serve(api, app)
		for _, test := range []struct{ path, query, body, want string }{
			{"/form", "sort=a&plan=admin&state=on", "x=y", "order_by=a sort=a state=active plan="},
			{"/form", "", "sort=a&plan=admin&state=on", "order_by=a sort= state=active plan="},
			{"/query", "", "sort=a&plan=admin&state=on", "order_by=a sort=a state=active plan="},
			{"/query", "sort=a&plan=admin&state=on", "x=y", "order_by=a sort= state=active plan="},
			{"/formandother", "sort=a&plan=admin&state=on", "x=y", "order_by=a sort=a state=on plan="}, // its query declares state
			{"/queryandother", "", "sort=a&plan=admin&state=on", "order_by=a sort=a state=on plan="},
		} {
			for _, encoding := range []string{"urlencoded", "multipart"} {
				body, contentType := bytes.NewBufferString(test.body), "application/x-www-form-urlencoded"
				if encoding == "multipart" {
					body.Reset()
					parts := multipart.NewWriter(body)
					for pair := range strings.SplitSeq(test.body, "&") {
						name, value, _ := strings.Cut(pair, "=")
						require.NoError(t, parts.WriteField(name, value))
					}
					require.NoError(t, parts.Close())
					contentType = parts.FormDataContentType()
				}
				w := frameworks.Ask(service, http.MethodPost, test.path+"?"+test.query, body, "Api-Version", "v1", "Content-Type", contentType)
				assert.Equal(t, test.want, w.Body.String(), "%s %s %+v", framework, encoding, test)
			}
		}
	}
}

// TestCompressedForms: a form that no middleware has decompressed is 415, as JSON is, of any size.
func TestCompressedForms(t *testing.T) {
	random := make([]byte, 900_000)                 // which compression leaves as long as it is
	_, _ = rand.NewChaCha8([32]byte{}).Read(random) // it never fails
	for framework, serve := range frameworks.All {
		service := serve(spelled(false))
		for _, encoding := range []string{"urlencoded", "multipart"} {
			for _, value := range []string{"admin", hex.EncodeToString(random[:1000]), hex.EncodeToString(random)} {
				plain, contentType := bytes.NewBufferString("plan="+value), "application/x-www-form-urlencoded"
				if encoding == "multipart" {
					plain.Reset()
					parts := multipart.NewWriter(plain)
					require.NoError(t, parts.WriteField("plan", value))
					require.NoError(t, parts.Close())
					contentType = parts.FormDataContentType()
				}
				var packed bytes.Buffer
				z := gzip.NewWriter(&packed)
				_, err := plain.WriteTo(z)
				require.NoError(t, err)
				require.NoError(t, z.Close())
				r := httptest.NewRequest(http.MethodPost, "/form", &packed)
				r.Header = http.Header{"Api-Version": {"v1"}, "Content-Type": {contentType}, "Content-Encoding": {"gzip"}}
				w := httptest.NewRecorder()
				service.ServeHTTP(w, r)
				assert.Equal(t, http.StatusUnsupportedMediaType, w.Code, "%s %s, %d bytes: %s", framework, encoding, len(value), w.Body)
			}
		}
	}
}

// A file stays, and so does a body of another type.
func TestOtherBodiesOfAQuery(t *testing.T) {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	history := verso.Must(migrate.New(api, migrate.Release("v2", migrate.Changed("x", migrate.For[Placed](migrate.Renamed("sort", "order_by")))), migrate.Release("v1")))
	for _, route := range []verso.Rewriter{history.Route(migrate.Query[Placed]()), history.Route(migrate.Query[Placed](), migrate.Form[Other]())} {
		mux := http.NewServeMux()
		versohttp.New(mux, api).Rewrite(route).HandleFunc("POST /", func(w http.ResponseWriter, r *http.Request) {
			if _, file, err := r.FormFile("sort"); err == nil {
				_, _ = fmt.Fprint(w, file.Filename, file.Size)
				return
			}
			var text bytes.Buffer
			_, _ = text.ReadFrom(r.Body)
			_, _ = fmt.Fprint(w, text.String(), r.Header.Get("Content-Length"))
		})
		for _, test := range []struct{ contentType, body, want string }{
			{"application/json", `{"sort":1}`, `{"sort":1}`},
			{"text/plain", "sort=1", "sort=1"},
			{"multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=sort; filename=a.txt\r\n\r\nabc\r\n--b--\r\n", "a.txt3"},
		} {
			w := frameworks.Ask(mux, http.MethodPost, "/", strings.NewReader(test.body), "Api-Version", "v1", "Content-Type", test.contentType)
			assert.Equal(t, test.want, w.Body.String(), "%+v", test)
		}
	}
}
