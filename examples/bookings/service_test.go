package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gin-gonic/gin"
	"github.com/golang-jwt/jwt/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/examples/bookings/api"
	"github.com/goverso/verso/examples/bookings/echoapi"
	"github.com/goverso/verso/examples/bookings/ginapi"
	"github.com/goverso/verso/examples/bookings/store"
	"github.com/goverso/verso/migrate/migratetest"
	"github.com/goverso/verso/openapi/openapitest"
)

func TestMain(m *testing.M) {
	gin.SetMode(gin.TestMode)
	m.Run()
}

// The days of the tests: v1 is deprecated, and v1 has ended.
var (
	deprecated = time.Date(2026, time.November, 21, 0, 0, 0, 0, time.UTC)
	ended      = time.Date(2027, time.January, 31, 0, 0, 0, 0, time.UTC)
)

// secret signs the tokens of the tests.
const secret = "a secret of the tests, long enough"

// password is that of the team in the tests.
const password = "open sesame"

// server is a running service with one client, "shop".
type server struct {
	*httptest.Server
	explanation *verso.Explanation
	clock       *versotest.Clock
	log         *bytes.Buffer // what was logged; read it when no request is under way
	token       string
}

// frameworks are the two servers over the same shared packages.
var frameworks = map[string]func(*api.Service) (http.Handler, *verso.Explanation){
	"Echo": echoapi.New,
	"Gin":  ginapi.New,
}

// start starts the service in a framework on a day.
func start(t *testing.T, framework string, day time.Time, origin string) *server {
	t.Helper()
	bookings, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "bookings.db"))
	require.NoError(t, err)
	s := &server{clock: versotest.NewClock(day), log: new(bytes.Buffer)}
	service, err := api.New(api.Config{
		Store:    bookings,
		Log:      slog.New(slog.NewTextHandler(s.log, nil)),
		Secret:   []byte(secret),
		Password: password,
		Clock:    s.clock.Now,
		Origin:   origin,
	})
	require.NoError(t, err)
	handler, explanation := frameworks[framework](service)
	s.explanation = explanation
	migratetest.Checked(t, service.History, "testdata/contracts.json", explanation)
	s.Server = httptest.NewServer(handler)
	t.Cleanup(func() {
		s.Close()
		require.NoError(t, bookings.Close())
	})
	s.login(t)
	return s
}

// login gets a token.
func (s *server) login(t *testing.T) {
	t.Helper()
	response, err := s.Client().PostForm(s.URL+"/login", url.Values{"client": {"shop"}})
	require.NoError(t, err)
	defer response.Body.Close()
	var login struct{ Token string }
	require.NoError(t, json.NewDecoder(response.Body).Decode(&login))
	s.token = login.Token
}

type answer struct {
	status int
	header http.Header
	body   string
}

// ask sends a request with the token; header lists names and values.
func (s *server) ask(t *testing.T, method, target, body string, header ...string) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.URL+target, strings.NewReader(body))
	require.NoError(t, err)
	if s.token != "" {
		r.Header.Set("Authorization", "Bearer "+s.token)
	}
	for i := 0; i+1 < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
		} else if header[i] != "" {
			r.Header.Set(header[i], header[i+1])
		}
	}
	response, err := s.Client().Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return answer{response.StatusCode, response.Header, strings.TrimSuffix(string(text), "\n")}
}

const ada = `{"guest":"Ada Lovelace","room":"1","nights":1}`

func TestVersions(t *testing.T) {
	for name := range frameworks {
		t.Run(name, func(t *testing.T) {
			s := start(t, name, deprecated, "http://example.com")
			s.ask(t, "POST", "/v1/bookings", ada)
			for _, test := range []struct {
				path, header, value string
				status              int
				has                 string
			}{
				{"/v1/bookings/1", "", "", 200, `"guest":"Ada Lovelace"`},
				{"/v2/bookings/1", "", "", 200, `"guest_name":"Ada Lovelace"`},
				{"/v3/bookings/1", "", "", 200, `"last_name":"Lovelace"`},
				{"/bookings/1", "Api-Version", "v3", 200, `"last_name":"Lovelace"`},
				{"/bookings/1", "Accept", "application/vnd.acme.v2+json", 200, `"self":"http://example.com/bookings/1"`},
				{"/v2/bookings/1", "Api-Version", "v3", 400, `"error"`},
				{"/v2/bookings/1", "Api-Version", "v2", 200, `/v2/bookings/1`},
				{"/bookings/1?x-api-version=v1", "", "", 400, `missing_version`},
				{"/v9/bookings/1", "", "", 404, `Invalid version`},
				{"/v1/bookings/1/invoice", "", "", 404, `"error"`},
				{"/v2/bookings/1/invoice", "", "", 200, `"total":100`},
				{"/v3/bookings/1/invoice", "", "", 200, `"currency"`},
				{"/", "", "", 200, "/versions "},
				{"/health", "", "", 200, "ok"},
			} {
				t.Run(test.path+" "+test.value, func(t *testing.T) {
					got := s.ask(t, "GET", test.path, "", test.header, test.value)
					assert.Equal(t, test.status, got.status, got.body)
					assert.Contains(t, got.body, test.has)
					if strings.HasPrefix(test.path, "/v1/") {
						assert.NotEmpty(t, got.header.Get("Sunset"))
					}
				})
			}
		})
	}
}

func TestSunset(t *testing.T) {
	for name := range frameworks {
		t.Run(name, func(t *testing.T) {
			s := start(t, name, deprecated, "http://example.com")
			s.clock.Set(ended)
			got := s.ask(t, "GET", "/v1/bookings", "")
			assert.Equal(t, http.StatusGone, got.status)
			assert.JSONEq(t, `{"error":"This API version has ended."}`, got.body)
			got = s.ask(t, "GET", "/v2/bookings", "")
			assert.Equal(t, http.StatusOK, got.status)
			assert.Empty(t, got.header.Get("Deprecation"))
		})
	}
}

// TestBetterThanByHand holds the service to what it does otherwise than the same
// service as a team wrote it without Verso, on purpose.
func TestBetterThanByHand(t *testing.T) {
	for name := range frameworks {
		t.Run(name, func(t *testing.T) {
			s := start(t, name, deprecated, "http://example.com")
			s.ask(t, "POST", "/v1/bookings", ada)

			// By hand there was no Vary on /v1/..., although the answer to the same URL
			// with another Api-Version is a rejection, which a cache would mix up.
			for _, target := range []string{"/v1/bookings/1", "/bookings/1", "/v9/bookings/1"} {
				vary := strings.Join(s.ask(t, "GET", target, "").header.Values("Vary"), ", ")
				assert.Contains(t, vary, "Api-Version", target)
				assert.Regexp(t, `\bAccept(,|$)`, vary, target)
			}

			// By hand the first media range was read, whatever its quality, and whether
			// it was served or not.
			for accept, want := range map[string]string{
				"application/vnd.acme.v9+json, application/vnd.acme.v2+json;q=0.5":       `"guest_name"`,
				"application/vnd.acme.v1+json;q=0.1, application/vnd.acme.v3+json;q=0.9": `"last_name"`,
				"application/vnd.acme.v2+json;q=0, application/vnd.acme.v1+json":         `"guest"`,
			} {
				assert.Contains(t, s.ask(t, "GET", "/bookings/1", "", "Accept", accept).body, want, accept)
			}
			assert.Equal(t, http.StatusNotAcceptable, s.ask(t, "GET", "/bookings/1", "", "Accept", "application/vnd.acme.v9+json").status)

			// A client that accepts no type of the service's has named no version, so the
			// path decides, as by hand.
			assert.Equal(t, http.StatusOK, s.ask(t, "GET", "/v2/bookings/1", "", "Accept", "text/html").status)

			// By hand every response of v1 led to /v3/bookings. Now it leads to the same
			// resource in v3, and nowhere if v3 does not have it.
			const successor = `; rel="successor-version"`
			links := func(method, target string) string {
				return strings.Join(s.ask(t, method, target, "").header.Values("Link"), ", ")
			}
			assert.Contains(t, links("GET", "/v1/bookings/1"), `<http://example.com/v3/bookings/1>`+successor)
			assert.NotContains(t, links("POST", "/v1/bookings/1/confirm"), successor)

			// By hand links began with whatever Host a client sent.
			assert.Contains(t, s.ask(t, "GET", "/v3/bookings/1", "", "Host", "evil.example").body, `"self":"http://example.com/v3/bookings/1"`)
		})
	}
}

func TestBookings(t *testing.T) {
	for name := range frameworks {
		t.Run(name, func(t *testing.T) {
			s := start(t, name, deprecated, "http://example.com")
			got := s.ask(t, "POST", "/v1/bookings", ada)
			assert.Equal(t, http.StatusCreated, got.status)
			assert.Equal(t, "http://example.com/v1/bookings/1", got.header.Get("Location"))
			got = s.ask(t, "POST", "/bookings", `{"first_name":"Alan","last_name":"Turing","room":"2","nights":3}`, "Api-Version", "v3")
			assert.Equal(t, "http://example.com/bookings/2", got.header.Get("Location"))
			s.ask(t, "POST", "/v2/bookings", `{"guest_name":"Grace Brewster Hopper","room":"3","nights":2}`)

			got = s.ask(t, "PUT", "/v2/bookings/1", `{"guest_name":"Ada King","room":"1","nights":4}`)
			assert.Equal(t, http.StatusOK, got.status)
			assert.JSONEq(t, `{"id":1,"first_name":"Ada","last_name":"King","room":"1","nights":4,"self":"http://example.com/v3/bookings/1"}`,
				s.ask(t, "GET", "/v3/bookings/1", "").body)
			assert.JSONEq(t, `{"booking":1,"total":{"amount":400,"currency":"EUR"}}`, s.ask(t, "GET", "/v3/bookings/1/invoice", "").body)

			assert.Equal(t, http.StatusOK, s.ask(t, "POST", "/v1/bookings/1/confirm", "").status)
			assert.Equal(t, http.StatusOK, s.ask(t, "POST", "/bookings/1/confirm", "", "Api-Version", "v2").status)
			assert.Contains(t, s.ask(t, "POST", "/v3/bookings/1/confirm", "").body, `"code":"not_in_version"`)

			assert.JSONEq(t, `{
			"items": [
				{"id":1,"guest":"Ada King","room":"1","nights":4,"self":"http://example.com/v1/bookings/1"},
				{"id":2,"guest":"Alan Turing","room":"2","nights":3,"self":"http://example.com/v1/bookings/2"}
			],
			"self": "http://example.com/v1/bookings",
			"next": "http://example.com/v1/bookings?page=2"
		}`, s.ask(t, "GET", "/v1/bookings", "").body)
			assert.JSONEq(t, `{
			"items": [{"id":3,"first_name":"Grace","last_name":"Brewster Hopper","room":"3","nights":2,"self":"http://example.com/bookings/3"}],
			"self": "http://example.com/bookings?page=2",
			"prev": "http://example.com/bookings"
		}`, s.ask(t, "GET", "/bookings?page=2", "", "Api-Version", "v3").body)

			assert.Equal(t, http.StatusNoContent, s.ask(t, "DELETE", "/v2/bookings/1", "").status)
			assert.Equal(t, http.StatusNotFound, s.ask(t, "DELETE", "/v2/bookings/1", "").status)
		})
	}
}

// TestErrors makes requests fail in v2, which has errors in the form of v1, and in
// v3, which has problem details. Without a valid token it is the form of v1 in every
// version.
func TestErrors(t *testing.T) {
	for name := range frameworks {
		t.Run(name, func(t *testing.T) {
			s := start(t, name, deprecated, "http://example.com")
			token := s.token
			_, err := jwt.Parse(token, func(*jwt.Token) (any, error) { return []byte(secret), nil }, jwt.WithExpirationRequired())
			require.NoError(t, err)
			unsigned, err := jwt.New(jwt.SigningMethodNone).SignedString(jwt.UnsafeAllowNoneSignatureType)
			require.NoError(t, err)
			expired, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{"exp": 1}).SignedString([]byte(secret))
			require.NoError(t, err)
			for _, test := range []struct {
				name, method, path, body string
				token                    string
				status                   int
				detail                   string
			}{
				{"no booking", "GET", "/bookings/99", "", token, 404, "no such booking"},
				{"no ID", "GET", "/bookings/nine", "", token, 404, "no such booking"},
				{"no page", "GET", "/bookings?page=0", "", token, 404, "no such page"},
				{"no invoice", "GET", "/bookings/99/invoice", "", token, 404, "no such booking"},
				{"malformed", "POST", "/bookings", `{"gast":`, token, 400, "malformed body"},
				{"unknown field", "PUT", "/bookings/1", `{"gast":"Ada"}`, token, 400, "malformed body"},
				{"no token", "GET", "/bookings", "", "", 401, "Unauthorized"},
				{"forged token", "GET", "/bookings", "", token + "x", 401, "Unauthorized"},
				{"unsigned token", "GET", "/bookings", "", unsigned, 401, "Unauthorized"},
				{"expired token", "GET", "/bookings", "", expired, 401, "Unauthorized"},
			} {
				t.Run(test.name, func(t *testing.T) {
					s.token = test.token
					got := s.ask(t, test.method, "/v2"+test.path, test.body)
					assert.Equal(t, test.status, got.status)
					assert.Regexp(t, "^application/json", got.header.Get("Content-Type"))
					assert.JSONEq(t, `{"error":"`+test.detail+`"}`, got.body)

					got = s.ask(t, test.method, "/v3"+test.path, test.body)
					assert.Equal(t, test.status, got.status)
					if got.status == http.StatusUnauthorized {
						assert.Equal(t, "Bearer", got.header.Get("WWW-Authenticate"))
						assert.JSONEq(t, `{"error":"`+test.detail+`"}`, got.body)
						return
					}
					assert.Equal(t, "application/problem+json", got.header.Get("Content-Type"))
					assert.Contains(t, got.body, `"detail":"`+test.detail+`"`)
				})
			}
			s.token = token
			assert.Equal(t, http.StatusNotFound, s.ask(t, "GET", "/v3/nothing", "").status)
		})
	}
}

func TestMiddleware(t *testing.T) {
	for name := range frameworks {
		t.Run(name, func(t *testing.T) {
			s := start(t, name, deprecated, "http://example.com")
			got := s.ask(t, "OPTIONS", "/bookings", "", "Origin", "https://app.example",
				"Access-Control-Request-Method", "GET", "Access-Control-Request-Headers", "Api-Version")
			assert.Equal(t, http.StatusNoContent, got.status)
			assert.Contains(t, got.header.Get("Access-Control-Allow-Headers"), "Api-Version")

			got = s.ask(t, "GET", "/v9/bookings", "", "Origin", "https://app.example")
			assert.Equal(t, http.StatusNotFound, got.status)
			assert.Equal(t, "*", got.header.Get("Access-Control-Allow-Origin"), "a script can read why it is rejected")
			assert.Contains(t, got.header.Get("Access-Control-Expose-Headers"), "Sunset")

			got = s.ask(t, "GET", "/v2/bookings", "", "Accept-Encoding", "gzip")
			assert.Equal(t, "gzip", got.header.Get("Content-Encoding"))
			assert.Contains(t, strings.Join(got.header.Values("Vary"), ", "), "Accept-Encoding")

			s.log.Reset()
			s.ask(t, "GET", "/v2/bookings", "")
			assert.Regexp(t, `path=/v2/bookings status=200 .* version=v2 client=shop`, s.log.String())
			s.log.Reset()
			s.ask(t, "GET", "/v9/bookings", "")
			assert.Regexp(t, `path=/v9/bookings status=404 .*(err.message_id=invalid_url_path_version|Invalid version in URL path)`, s.log.String())

			metrics := s.ask(t, "GET", "/metrics", "").body
			assert.Contains(t, metrics, `verso_requests_total{outcome="served",requested="listed",route="/:version/bookings",state="supported",version="v2"} 2`)
			assert.Contains(t, metrics, `outcome="invalid_url_path_version",requested="unlisted",route="/:version/bookings",state="",version=""} 2`)
		})
	}
}

func TestOpenAPI(t *testing.T) {
	for name := range frameworks {
		t.Run(name, func(t *testing.T) {
			s := start(t, name, deprecated, "http://example.com")
			for version, want := range map[string]struct {
				confirm, invoice, deprecated bool
				field, errorType             string
			}{
				"v1": {true, false, true, "guest", "application/json"},
				"v2": {true, true, false, "guest_name", "application/json"},
				"v3": {false, true, false, "first_name", "application/problem+json"},
			} {
				t.Run(version, func(t *testing.T) {
					got := s.ask(t, "GET", "/"+version+"/openapi.json", "")
					require.Equal(t, http.StatusOK, got.status)
					document, err := openapi3.NewLoader().LoadFromData([]byte(got.body))
					require.NoError(t, err)
					require.NoError(t, document.Validate(t.Context()))
					assert.Equal(t, version, document.Info.Version)
					assert.Equal(t, want.confirm, document.Paths.Value("/bookings/{id}/confirm") != nil)
					assert.Equal(t, want.invoice, document.Paths.Value("/bookings/{id}/invoice") != nil)
					assert.Equal(t, want.deprecated, document.Paths.Value("/bookings").Get.Deprecated)
					assert.Contains(t, document.Components.Schemas["Booking"].Value.Properties, want.field)
					assert.Contains(t, document.Components.Responses["Error"].Value.Content, want.errorType)
					assert.NotEmpty(t, document.Components.Schemas["Error"].Value.Properties)
				})
			}
		})
	}
}

// TestOpenAPICovers compares the document with the routes of both servers.
func TestOpenAPICovers(t *testing.T) {
	document, err := openapi3.NewLoader().LoadFromFile("api/openapi.json")
	require.NoError(t, err)
	for name := range frameworks {
		t.Run(name, func(t *testing.T) {
			service := start(t, name, deprecated, "http://example.com").explanation
			service.Routes = slices.DeleteFunc(service.Routes, func(r verso.RouteInfo) bool { return r.Name == "openapi" })
			openapitest.Covers(t, document, service)
		})
	}
}

// TestOpenAPIOverTime lets v1 become deprecated while the service runs.
func TestOpenAPIOverTime(t *testing.T) {
	for name := range frameworks {
		t.Run(name, func(t *testing.T) {
			s := start(t, name, time.Date(2026, time.June, 29, 23, 59, 59, 0, time.UTC), "http://example.com")
			assert.NotContains(t, s.ask(t, "GET", "/v1/openapi.json", "").body, `"deprecated":true`)
			s.clock.Advance(time.Second)
			assert.Contains(t, s.ask(t, "GET", "/v1/openapi.json", "").body, `"deprecated":true`)
			assert.NotContains(t, s.ask(t, "GET", "/v2/openapi.json", "").body, `"deprecated":true`)
			s.clock.Set(ended)
			assert.Equal(t, http.StatusGone, s.ask(t, "GET", "/v1/openapi.json", "").status)
		})
	}
}

// TestExplain compares what the service does with which request with a file, so
// that a change of a route or a date is one that somebody reads.
func TestExplain(t *testing.T) {
	for name := range frameworks {
		t.Run(name, func(t *testing.T) {
			s := start(t, name, deprecated, "http://example.com")
			versotest.Golden(t, s.explanation, "testdata/explain-"+strings.ToLower(name)+".txt")
			for _, f := range s.explanation.Findings {
				assert.True(t, f.Acknowledged, f.Code)
			}
		})
	}
}

// TestUsage asks who calls v1, also when v1 has ended and its requests are
// rejected.
func TestUsage(t *testing.T) {
	for name := range frameworks {
		t.Run(name, func(t *testing.T) {
			s := start(t, name, deprecated, "http://example.com")
			s.ask(t, "GET", "/v1/bookings", "")
			s.ask(t, "GET", "/bookings", "", "Api-Version", "v3")
			s.clock.Set(ended)
			s.ask(t, "GET", "/v1/bookings", "")

			var seen struct {
				Versions []struct {
					Version, State     string
					Requests, Rejected int
					Clients            []struct{ Client string }
				}
			}
			team := "Basic " + base64.StdEncoding.EncodeToString([]byte("team:"+password))
			require.NoError(t, json.Unmarshal([]byte(s.ask(t, "GET", "/usage", "", "Authorization", team).body), &seen))
			v1 := seen.Versions[0]
			assert.Equal(t, "v1 ended", v1.Version+" "+v1.State)
			assert.Equal(t, 2, v1.Requests)
			assert.Equal(t, 1, v1.Rejected)
			require.Len(t, v1.Clients, 1)
			assert.Equal(t, "shop", v1.Clients[0].Client, "also of the rejected request")

			page := s.ask(t, "GET", "/usage", "", "Authorization", team, "Accept", "text/html,*/*;q=0.8") // as a browser asks
			assert.Equal(t, "text/html; charset=utf-8", page.header.Get("Content-Type"))
			assert.Contains(t, page.body, "shop")
			assert.NotContains(t, s.ask(t, "GET", "/versions", "").body, "v1", "it has ended")
			for _, other := range []string{"", team + "x", "Basic " + base64.StdEncoding.EncodeToString([]byte("team:")), "Bearer " + s.token} {
				refused := s.ask(t, "GET", "/usage", "", "Authorization", other)
				assert.Equal(t, http.StatusUnauthorized, refused.status, "the page names clients")
				assert.Contains(t, refused.header.Get("WWW-Authenticate"), "Basic ", "a browser asks for the password")
			}
		})
	}
}
