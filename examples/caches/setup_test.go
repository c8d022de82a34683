package caches_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	gincors "github.com/gin-contrib/cors"
	gingzip "github.com/gin-contrib/gzip"
	"github.com/gin-gonic/gin"
	"github.com/klauspost/compress/gzhttp"
	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
	"github.com/rs/cors"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/examples/internal/proxytest"
)

// origin is where the scripts are from that send the requests.
const origin = "https://app.example"

// services answer /users/{id} and, where the path may have a version,
// /{version}/users/{id}, with CORS and gzip in the documented order.
var services = map[string]func(api *verso.Versioning, inPath bool) http.Handler{
	"Echo": func(api *verso.Versioning, inPath bool) http.Handler {
		e := echo.New()
		e.Use(middleware.CORSWithConfig(middleware.CORSConfig{AllowOrigins: []string{origin}}), middleware.Gzip())
		v := versoecho.New(e, api)
		show := func(c echo.Context) error {
			serve(c.Response(), c.Request(), versoecho.Version(c))
			return nil
		}
		v.GET("/users/:id", show)
		if inPath {
			v.GET("/:version/users/:id", show)
		}
		e.HTTPErrorHandler = v.NotFound()
		return e
	},
	"Gin": func(api *verso.Versioning, inPath bool) http.Handler {
		r := gin.New()
		r.Use(gincors.New(gincors.Config{AllowOrigins: []string{origin}, AllowMethods: []string{http.MethodGet}}))
		v := versogin.New(r, api).AfterCheck(gingzip.Gzip(gingzip.DefaultCompression))
		r.NoRoute(v.NotFound())
		show := func(c *gin.Context) { serve(c.Writer, c.Request, versogin.Version(c)) }
		v.GET("/users/:id", show)
		if inPath {
			v.GET("/:version/users/:id", show)
		}
		return r
	},
	"Gin in net/http": func(api *verso.Versioning, inPath bool) http.Handler {
		r := gin.New()
		v := versogin.New(r, api)
		r.NoRoute(v.NotFound())
		show := func(c *gin.Context) { serve(c.Writer, c.Request, versogin.Version(c)) }
		v.GET("/users/:id", show)
		if inPath {
			v.GET("/:version/users/:id", show)
		}
		return around(r)
	},
	"net/http": func(api *verso.Versioning, inPath bool) http.Handler {
		mux := http.NewServeMux()
		v := versohttp.New(mux, api)
		show := func(w http.ResponseWriter, r *http.Request) { serve(w, r, versohttp.Version(r)) }
		v.HandleFunc("GET /users/{id}", show)
		if inPath {
			v.HandleFunc("GET /{version}/users/{id}", show)
		}
		return around(v.NotFound()(mux))
	},
}

// around puts CORS and gzip of net/http around a handler.
func around(handler http.Handler) http.Handler {
	compress, err := gzhttp.NewWrapper(gzhttp.MinSize(1))
	if err != nil {
		panic(err)
	}
	return cors.New(cors.Options{AllowedOrigins: []string{origin}}).Handler(compress(handler))
}

// serve answers with the version. The ID says whether caches keep that for a second
// only, and whether v1 alone has it.
func serve(w http.ResponseWriter, r *http.Request, version verso.Version) {
	age := "max-age=60"
	if strings.Contains(r.URL.Path, "short") {
		age = "max-age=1"
	}
	w.Header().Set("Cache-Control", age)
	w.Header().Set("Content-Type", "text/plain")
	if strings.Contains(r.URL.Path, "only-v1") && version != verso.V("v1") {
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, "only v1 has it")
		return
	}
	w.Header().Set("Etag", etagOf(version.String()))
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(version.String()))
}

func etagOf(version string) string { return `"` + version + `"` }

// client asks for one version, or for none.
type client struct {
	name   string
	prefix string // of the path
	header map[string]string
	status int
	want   string // the version that answers, or the code of the rejection
}

// source is a place where the version is, and clients that use it.
type asked struct {
	name    string
	source  source.Source
	inPath  bool
	clients []client
}

func inPath(version string, status int, want string) client {
	return client{"path " + version, "/" + version, nil, status, want}
}

func inHeader(version string, status int, want string) client {
	return client{"header " + version, "", map[string]string{"Api-Version": version}, status, want}
}

func inAccept(version string, status int, want string) client {
	return client{"Accept " + version, "", map[string]string{"Accept": mediaType(version)}, status, want}
}

func mediaType(version string) string { return "application/vnd.acme." + version + "+json" }

func inBoth(header, accepted string, status int, want string) client {
	return client{header + " and " + accepted, "", map[string]string{"Api-Version": header, "Accept": mediaType(accepted)}, status, want}
}

var unversioned = client{"unversioned", "", nil, http.StatusOK, "v1"}

var (
	path   = verso.PathParam("version")
	header = verso.Header("Api-Version")
	accept = verso.MediaType("application/vnd.acme.{version}+json")
)

var sources = []asked{
	{"path", path, true, []client{
		inPath("v1", 200, "v1"),
		inPath("v2", 200, "v2"),
		unversioned,
		inPath("v0", 410, "version_gone"),
		inPath("v9", 404, "invalid_url_path_version"),
	}},
	{"header", header, false, []client{
		inHeader("v1", 200, "v1"),
		inHeader("v2", 200, "v2"),
		unversioned,
		inHeader("v0", 410, "version_gone"),
		inHeader("v9", 400, "invalid_header_version"),
	}},
	{"media type", accept, false, []client{
		inAccept("v1", 200, "v1"),
		inAccept("v2", 200, "v2"),
		unversioned,
		inAccept("v0", 410, "version_gone"),
		inAccept("v9", 406, "not_acceptable"),
	}},
	{"First", verso.First(header, accept), false, []client{
		inHeader("v1", 200, "v1"),
		inAccept("v2", 200, "v2"),
		inBoth("v1", "v2", 200, "v1"),
		inBoth("v2", "v1", 200, "v2"),
		unversioned,
		inHeader("v0", 410, "version_gone"),
		inAccept("v9", 406, "not_acceptable"),
	}},
	{"Agree", verso.Agree(path, header, accept), true, []client{
		inHeader("v1", 200, "v1"),
		inAccept("v2", 200, "v2"),
		inPath("v2", 200, "v2"),
		inBoth("v2", "v2", 200, "v2"),
		inBoth("v1", "v2", 400, "contradicting_versions"),
		unversioned,
		inAccept("v0", 410, "version_gone"),
		inHeader("v9", 400, "invalid_header_version"),
	}},
}

// hostOf is the host by which a service with a source is known to the caches.
func hostOf(service string, from asked) string {
	return strings.NewReplacer(" ", "-", "/", "-").Replace(strings.ToLower(service + "." + from.name))
}

// startOrigin starts a server for all services, and returns its address.
func startOrigin(t *testing.T) string {
	t.Helper()
	gin.SetMode(gin.ReleaseMode)
	versions := catalogue.MustParse([]byte(`{"after_sunset": "gone", "versions": [
		{"version": "v0", "deprecated": "2020-01-01", "sunset": "2021-01-01"}, {"version": "v1"}, {"version": "v2"}]}`))
	hosts := make(map[string]http.Handler)
	for service, serviceWith := range services {
		for _, from := range sources {
			api := verso.MustNew(from.source, verso.Config{Catalogue: versions, DefaultVersion: verso.V("v1"), Logger: slog.New(slog.DiscardHandler)})
			hosts[hostOf(service, from)] = serviceWith(api, from.inPath)
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { hosts[r.Host].ServeHTTP(w, r) }))
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

// caches keep rejections as well, of every status, and say in X-Cache whether the origin
// was asked.
var caches = []proxytest.Program{
	proxytest.Nginx("proxy_cache_path cache keys_zone=cache:10m;", `
		location / {
			proxy_pass http://127.0.0.1:%[2]s;
			proxy_set_header Host $host;
			proxy_cache cache;
			proxy_cache_key $host$request_uri;
			proxy_cache_valid any 1m;
			proxy_cache_revalidate on;
			add_header X-Cache $upstream_cache_status always;
		}`),
	{Name: "Varnish", Command: "varnishd", Install: "apt-get install varnish", Config: varnishVCL, Arguments: func(folder, address string) []string {
		return []string{"-F", "-j", "none", "-n", folder, "-a", address, "-f", filepath.Join(folder, "config"), "-s", "default,16m"}
	}},
}

const varnishVCL = `
vcl 4.1;
backend default { .host = "127.0.0.1"; .port = "%[2]s"; }
sub vcl_backend_response {
	set beresp.grace = 0s;
	set beresp.keep = 1m;
	if (beresp.status >= 400) { set beresp.ttl = 1m; }
	if (beresp.was_304) { set beresp.http.X-Cache = "REVALIDATED"; } else { set beresp.http.X-Cache = "MISS"; }
}
sub vcl_deliver {
	if (obj.hits > 0) { set resp.http.X-Cache = "HIT"; }
}
`

// transport neither asks for gzip by itself, nor decompresses.
var transport = &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 8}

// answer is a response, and its body as it came.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// send sends a request of a client by way of an address.
func send(t *testing.T, address, host, id, method string, c client, more map[string]string) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, "http://"+address+c.prefix+"/users/"+id, nil)
	require.NoError(t, err)
	r.Host = host
	r.Header.Set("Origin", origin)
	for _, fields := range []map[string]string{c.header, more} {
		for name, value := range fields {
			r.Header.Set(name, value)
		}
	}
	response, err := transport.RoundTrip(r)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return answer{response.StatusCode, response.Header, body}
}
