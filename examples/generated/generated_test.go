package generated_test

import (
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/middleware/adaptor"
	"github.com/labstack/echo/v4"
	echo5 "github.com/labstack/echo/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versochi"
	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versoecho5"
	"github.com/goverso/verso/adapters/versofiber"
	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/generated/chiapi"
	"github.com/goverso/verso/examples/generated/echo5api"
	"github.com/goverso/verso/examples/generated/echoapi"
	"github.com/goverso/verso/examples/generated/fiberapi"
	"github.com/goverso/verso/examples/generated/ginapi"
	"github.com/goverso/verso/examples/generated/humaapi"
	"github.com/goverso/verso/examples/generated/nethttpapi"
	"github.com/goverso/verso/examples/generated/ogenapi"
	"github.com/goverso/verso/examples/generated/users"
)

// service is an API in both layouts.
type service struct {
	name     string
	handlers [2]http.Handler // in the header, in the path
	wrong    int             // the status of a request that the specification does not allow
}

func services() []service {
	gin.SetMode(gin.TestMode)
	ofGin := func(api *verso.Versioning, register func(*gin.Engine, *versogin.Routes)) http.Handler {
		r := gin.New()
		register(r, versogin.New(r, api))
		return r
	}
	ofEcho := func(api *verso.Versioning, register func(*echo.Echo, *versoecho.Routes)) http.Handler {
		e := echo.New()
		register(e, versoecho.New(e, api))
		return e
	}
	ofEcho5 := func(api *verso.Versioning, register func(*versoecho5.Routes)) http.Handler {
		e := echo5.New()
		register(versoecho5.New(e, api))
		return e
	}
	ofHTTP := func(api *verso.Versioning, register func(*versohttp.Routes)) http.Handler {
		v := versohttp.New(http.NewServeMux(), api)
		register(v)
		return v
	}
	ofFiber := func(api *verso.Versioning, register func(*versofiber.Routes)) http.Handler {
		app := fiber.New()
		register(versofiber.New(app, api))
		return adaptor.FiberApp(app)
	}
	ofChi := func(api *verso.Versioning, register func(*versochi.Routes)) http.Handler {
		r := chi.NewRouter()
		register(versochi.New(r, api))
		return r
	}
	plainGin := func(register func(*versogin.Routes)) func(*gin.Engine, *versogin.Routes) {
		return func(_ *gin.Engine, v *versogin.Routes) { register(v) }
	}
	plainEcho := func(register func(*versoecho.Routes)) func(*echo.Echo, *versoecho.Routes) {
		return func(_ *echo.Echo, v *versoecho.Routes) { register(v) }
	}
	header, path := users.InHeader(), users.InPath()
	return []service{
		{"gin", [2]http.Handler{ofGin(header, plainGin(ginapi.InHeader)), ofGin(path, plainGin(ginapi.InPath))}, 400},
		{"echo", [2]http.Handler{ofEcho(header, plainEcho(echoapi.InHeader)), ofEcho(path, plainEcho(echoapi.InPath))}, 400},
		{"echo v5", [2]http.Handler{ofEcho5(header, echo5api.InHeader), ofEcho5(path, echo5api.InPath)}, 400},
		{"net/http", [2]http.Handler{ofHTTP(header, nethttpapi.InHeader), ofHTTP(path, nethttpapi.InPath)}, 400},
		{"chi", [2]http.Handler{ofChi(header, chiapi.InHeader), ofChi(path, chiapi.InPath)}, 400},
		{"fiber", [2]http.Handler{ofFiber(header, fiberapi.InHeader), ofFiber(path, fiberapi.InPath)}, 400},
		{"ogen", [2]http.Handler{ofHTTP(header, ogenapi.InHeader), ofHTTP(path, ogenapi.InPath)}, 400},
		{"huma with gin", [2]http.Handler{ofGin(header, humaapi.GinInHeader), ofGin(path, humaapi.GinInPath)}, 422},
		{"huma with echo", [2]http.Handler{ofEcho(header, humaapi.EchoInHeader), ofEcho(path, humaapi.EchoInPath)}, 422},
		{"huma with net/http", [2]http.Handler{ofHTTP(header, humaapi.HTTPInHeader), ofHTTP(path, humaapi.HTTPInPath)}, 422},
	}
}

// TestServices sends each service the same requests.
func TestServices(t *testing.T) {
	const wrong = -1
	for _, service := range services() {
		for i, layout := range []string{"in a header", "in the path"} {
			t.Run(service.name+" "+layout, func(t *testing.T) {
				server := httptest.NewServer(service.handlers[i])
				defer server.Close()
				for _, test := range []struct {
					version, method, path, sent string
					status                      int
					body                        string
				}{
					{"v1", "GET", "/users/7", "", 200, `"name":"Ada Lovelace"`},
					{"v2", "GET", "/users/100", "", 200, `"first_name":"Ada","last_name":"Lovelace"`},
					{"v1", "GET", "/users/0", "", wrong, "minimum 1"},
					{"v2", "GET", "/users/7", "", wrong, "minimum 100"},
					{"v1", "GET", "/report", "", 204, ""},
					{"v2", "POST", "/rooms", `{"beds": 2}`, 201, ""},
					{"v2", "POST", "/rooms", `{"beds": 0}`, wrong, "minimum 1"},
					{"v2", "GET", "/report", "", 404, ""},
					{"v1", "POST", "/rooms", `{"beds": 2}`, 404, ""},
					{"v9", "GET", "/users/7", "", []int{400, 404}[i], ""},
				} {
					target, header := test.path, http.Header{"Api-Version": {test.version}}
					if layout == "in the path" {
						target, header = "/"+test.version+test.path, http.Header{}
					}
					status, fields, body := send(t, test.method, server.URL+target, test.sent, header)
					if test.status == wrong {
						test.status = service.wrong
						body = regexp.MustCompile(`number must be at least|expected number >=|value \d+ less than`).ReplaceAllString(body, "minimum")
					}
					assert.Equal(t, test.status, status, "%s %s %s: %s", test.version, test.method, test.path, body)
					assert.Contains(t, body, test.body, "%s %s %s", test.version, test.method, test.path)
					if strings.Contains(test.body, "Ada") { // the handler has its context only
						assert.Contains(t, body, `"version":"`+test.version+`"`)
						assert.Contains(t, body, `"self":"`+server.URL+target+`"`)
					}
					if test.status != 404 {
						assert.Equal(t, test.version == "v1", fields.Get("Sunset") != "", "%s %s %s: Sunset", test.version, test.method, test.path)
					}
					if i == 0 {
						assert.Contains(t, fields.Get("Vary"), "Api-Version")
						if status == 404 {
							assert.Contains(t, body, `"code":"not_in_version"`)
						}
					}
				}
			})
		}
	}
}

func send(t *testing.T, method, url, body string, header http.Header) (int, http.Header, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	require.NoError(t, err)
	r.Header = header
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, response.Header, string(answer)
}

// TestGenerateLong runs the lines for go generate and compares what they make. The generators take longer to build
// than all of this module.
func TestGenerateLong(t *testing.T) {
	if os.Getenv("VERSO_LONG") == "" {
		t.Skip("VERSO_LONG is not set")
	}
	line := regexp.MustCompile(`(?m)^//go:generate go (tool .*) (-o|--target) (\S+) (\S+)$`)
	sources, err := filepath.Glob("*api/*api.go")
	require.NoError(t, err)
	ran := 0
	for _, source := range sources {
		text, err := os.ReadFile(source)
		require.NoError(t, err)
		for _, match := range line.FindAllSubmatch(text, -1) {
			ran++
			made := filepath.Join(t.TempDir(), "made")
			args := append(strings.Fields(string(match[1])), string(match[2]), made, string(match[4]))
			command := exec.CommandContext(t.Context(), "go", args...)
			command.Dir = filepath.Dir(source)
			output, err := command.CombinedOutput()
			require.NoError(t, err, "%s", output)
			want, have := contents(t, made), contents(t, filepath.Join(command.Dir, string(match[3])))
			assert.True(t, maps.Equal(want, have), "%s: run go generate ./...", source)
		}
	}
	assert.Equal(t, 14, ran)
}

// contents returns the text of a file, or of those in a folder, by their names in it.
func contents(t *testing.T, path string) map[string]string {
	t.Helper()
	texts := make(map[string]string)
	require.NoError(t, filepath.WalkDir(path, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(file)
		texts[strings.TrimPrefix(file, path)] = string(text)
		return err
	}))
	require.NotEmpty(t, texts)
	return texts
}
