package versogin_test

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// decoding is how an engine is told to take parameters from the path.
type decoding struct {
	raw, escaped, unescape, removeExtraSlash bool
}

func (d decoding) String() string {
	return fmt.Sprintf("raw=%t escaped=%t unescape=%t removeExtraSlash=%t", d.raw, d.escaped, d.unescape, d.removeExtraSlash)
}

func (d decoding) newEngine() *gin.Engine {
	r := gin.New()
	r.UseRawPath, r.UnescapePathValues, r.RemoveExtraSlash = d.raw, d.unescape, d.removeExtraSlash
	if d.escaped {
		useEscapedPath(r).SetBool(true)
	}
	return r
}

// useEscapedPath returns the field of Gin 1.12 and later.
func useEscapedPath(r *gin.Engine) reflect.Value {
	return reflect.ValueOf(r).Elem().FieldByName("UseEscapedPath")
}

// separates reports whether the engine takes an encoded slash for a slash.
func (d decoding) separates() bool { return !d.raw && !d.escaped }

func decodings() (all []decoding) {
	for i := range 16 {
		d := decoding{i&1 != 0, i&2 != 0, i&4 != 0, i&8 != 0}
		if !d.escaped || useEscapedPath(gin.New()).IsValid() {
			all = append(all, d)
		}
	}
	return all
}

// TestParamsAreDecodedOnce sends a parameter to the version and to the handler,
// in each way in which an engine can be told to decode, past middleware that
// changes the URL before Verso.
func TestParamsAreDecodedOnce(t *testing.T) {
	values := []struct{ sent, want string }{
		{"v1", "v1"},
		{"%76%31", "v1"},
		{"a%2Bb", "a+b"},
		{"a+b", "a+b"},
		{"a%20b", "a b"},
		{"a%2Fb", "a/b"},
		{"%2525", "%25"},
		{"%25", "%"},
		{"%252F", "%2F"},
		{"%252B+%2B%20", "%2B++ "},
		{"%2F+%20%25", "/+ %"},
		{"%2F%2F%2520", "//%20"},
		{"+%2E", "+."},
		{"+%2541", "+%41"},
		{`"%25+`, `"%+`},
		{"%C3%A9%FF", "é\xff"},
	}
	changes := map[string]func(*http.Request){
		"untouched":    func(*http.Request) {},
		"path":         func(r *http.Request) { r.URL.Path = "/changed%20/path" },
		"other values": func(r *http.Request) { r.URL.Path, r.URL.RawPath = "/x/ +%/p/% +", "/x/%20+%25/p/%25%20+" },
		"raw path":     func(r *http.Request) { r.URL.RawPath = "/changed%2520/path" },
		"decoded again": func(r *http.Request) {
			if again, err := url.ParseRequestURI(r.URL.Path); err == nil {
				r.URL = again
			}
		},
		"encoded again": func(r *http.Request) { r.URL = &url.URL{Path: r.URL.EscapedPath()} },
		"another URL":   func(r *http.Request) { r.URL = &url.URL{Path: "/"} },
		"method":        func(r *http.Request) { r.Method = http.MethodPut },
	}
	for _, decoding := range decodings() {
		for change, apply := range changes {
			t.Run(decoding.String()+"/"+change, func(t *testing.T) {
				r := decoding.newEngine()
				r.Use(func(c *gin.Context) { apply(c.Request) })
				r.Use(versogin.New(r, verso.Must(scheme.NewURLPath("version", verso.Config{AnyVersion: true}))).Middleware())
				var version, param, rest string
				r.GET("/x:x/:version/p/*rest", func(c *gin.Context) {
					version, param, rest = versogin.Version(c).String(), versogin.Param(c, "version"), versogin.Param(c, "rest")
				})
				for _, value := range values {
					version, param, rest = "none", "none", "none"
					path := "/x-y/" + value.sent + "/p/z/" + value.sent + "/"
					status := conformance.Follow(t, r, path)
					if decoding.separates() && strings.Contains(value.sent, "%2F") {
						assert.NotContains(t, []string{version, param}, value.want, path)
						continue
					}
					assert.Equal(t, http.StatusOK, status, path)
					assert.Equal(t, value.want, version, "version of %s", path)
					assert.Equal(t, value.want, param, "parameter of %s", path)
					assert.Equal(t, "z/"+value.want+"/", rest, "rest of %s", path)
				}
			})
		}
	}
}

// TestParamsOfAmbiguousPaths sends paths that can be cut in two ways, one of them
// wrong for one parameter only.
func TestParamsOfAmbiguousPaths(t *testing.T) {
	for _, decoding := range decodings() {
		t.Run(decoding.String(), func(t *testing.T) {
			r := decoding.newEngine()
			r.GET("/:a/:version/*rest", func(c *gin.Context) {
				c.String(http.StatusOK, "%s %s %s", versogin.Param(c, "a"), versogin.Param(c, "version"), versogin.Param(c, "rest"))
			})
			for target, want := range map[string][2]string{ // with an encoded slash that separates, and one that does not
				"/x%2F%2541/%41/z/":  {"x %41 A/z/", "x/%41 A z/"},
				"/x%2F%41/%2541/z+":  {"x A %41/z+", "x/A %41 z+"},
				"/x/%2541/%41%2F%20": {"x %41 A/ ", "x %41 A/ "},
			} {
				i := 1
				if decoding.separates() {
					i = 0
				}
				assert.Equal(t, want[i], send(t, r, http.MethodGet, target, nil).Body, target)
			}
		})
	}
}

func TestParamsOfGroupsAndRoutes(t *testing.T) {
	for _, decoding := range decodings() {
		t.Run(decoding.String(), func(t *testing.T) {
			r := decoding.newEngine()
			middleware := versogin.New(r, verso.Must(scheme.NewURLPath("version", verso.Config{AnyVersion: true}))).Middleware()
			r.GET("/route/:version", middleware, answerVersion)
			r.Group("/group", middleware).GET("/:version", answerVersion)
			r.GET("/none/:version", answerVersion)
			for target, want := range map[string]string{
				"/route/a+%2B%2525%20": "a++%25 ", "/group/a+%2B%2525%20": "a++%25 ", "/none/a": "",
			} {
				assert.Equal(t, want, send(t, r, http.MethodGet, target, nil).Body, target)
			}
		})
	}
}

// TestParamsBehindStripPrefix decodes where the request line has another path
// than Gin.
func TestParamsBehindStripPrefix(t *testing.T) {
	for _, decoding := range decodings() {
		t.Run(decoding.String(), func(t *testing.T) {
			r := decoding.newEngine()
			r.Use(versogin.New(r, verso.Must(scheme.NewURLPath("version", verso.Config{AnyVersion: true}))).Middleware())
			r.GET("/:version/:id", func(c *gin.Context) {
				c.String(http.StatusOK, versogin.Version(c).String()+" "+versogin.Param(c, "id"))
			})
			server := httptest.NewServer(http.StripPrefix("/api", r))
			defer server.Close()
			assert.Equal(t, "%25 a+ +", sendTo(t, server, http.MethodGet, "/api/%2525/a+%20%2B", nil, nil).Body)
			assert.Equal(t, "A %41", sendTo(t, server, http.MethodGet, "/api/%41/%2541", nil, nil).Body)
		})
	}
}

func TestParamsWithoutExtraSlashes(t *testing.T) {
	for _, decoding := range decodings() {
		if !decoding.removeExtraSlash {
			continue
		}
		t.Run(decoding.String(), func(t *testing.T) {
			r := decoding.newEngine()
			r.Use(versogin.New(r, verso.Must(scheme.NewURLPath("version", verso.Config{AnyVersion: true}))).Middleware())
			r.GET("/:version/:id", func(c *gin.Context) {
				c.String(http.StatusOK, versogin.Version(c).String()+" "+versogin.Param(c, "id"))
			})
			assert.Equal(t, "%25 a+ +", send(t, r, http.MethodGet, "//%2525///a+%20%2B", nil).Body)
			var version string
			r.GET("/in/:version", func(c *gin.Context) { version = versogin.Version(c).String() })
			assert.Equal(t, http.StatusOK, conformance.Follow(t, r, `/in//"%25+`))
			assert.Equal(t, `"%+`, version)
		})
	}
}

// TestParamNames has names that are easy to mistake for each other.
func TestParamNames(t *testing.T) {
	r := decoding{raw: true}.newEngine()
	r.GET("/b:id/:ID/:d/*path", func(c *gin.Context) {
		for name, want := range map[string]string{"id": "%31", "ID": "%32", "d": "%33", "path": "%34/5", "D": "", "": "", "*path": "", ":id": ""} {
			assert.Equal(t, want, versogin.Param(c, name), name)
		}
	})
	assert.Equal(t, http.StatusOK, send(t, r, http.MethodGet, "/b%2531/%2532/%2533/%2534/5", nil).Status)
}

// What arrives is the segment that was sent, percent-decoded once, in each way
// in which an engine can be told to decode.
func FuzzParam(f *testing.F) {
	f.Add("a%2Bb", "x/y", byte(0))
	f.Add("a+b%2F", "%25/%2525", byte(1))
	f.Add("%", "+ ", byte(6))
	f.Add("a//b", "..", byte(11))
	f.Fuzz(func(t *testing.T, segment, rest string, flags byte) {
		decoding := decodings()[int(flags)%len(decodings())]
		r := decoding.newEngine()
		want, err := url.PathUnescape(segment)
		wantRest, restErr := url.PathUnescape(rest)
		if err != nil || restErr != nil || strings.ContainsAny(segment, "/?# ") || strings.ContainsAny(rest, "?# ") {
			return
		}
		r.GET("/a/:id/*rest", func(c *gin.Context) {
			if id := versogin.Param(c, "id"); id != want {
				t.Errorf("id %q of segment %q", id, segment)
			}
			if got := versogin.Param(c, "rest"); got != wantRest {
				t.Errorf("rest %q of path %q", got, rest)
			}
		})
		path := "/a/" + segment + "/" + rest
		sent, err := http.ReadRequest(bufio.NewReader(strings.NewReader("GET " + path + " HTTP/1.1\r\nHost: example.com\r\n\r\n")))
		if err != nil {
			return
		}
		separates := decoding.separates() || decoding.escaped && sent.URL.EscapedPath() != path // net/url encodes it anew
		if separates && strings.Contains(strings.ToUpper(segment), "%2F") {
			return
		}
		if decoding.removeExtraSlash && (strings.Contains(sent.URL.Path, "//") || strings.Contains(sent.URL.Path, "/.")) {
			return
		}
		r.ServeHTTP(httptest.NewRecorder(), sent)
	})
}
