package migrate_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

// typed returns a route whose requests had another media type in v1 and in v2, and errors in v1.
func typed(t *testing.T) *migrate.Route {
	t.Helper()
	second, third := migrate.Behaves("x"), migrate.Behaves("y")
	h, err := migrate.New(apiOf("v3", "v2", "v1"),
		migrate.Release("v3", third),
		migrate.Release("v2", second, migrate.Changed("z", migrate.For[User](migrate.Renamed("mail", "email")))), migrate.Release("v1"))
	require.NoError(t, err)
	return h.Route(migrate.Accepts[User](), migrate.Fails[Failure](verso.ProblemType), second.RequestMediaType("application/jose", "application/vnd.user+json"),
		third.RequestMediaType("application/vnd.user+json", "application/json"), second.MediaType("application/json", verso.ProblemType, 409))
}

// TestMediaTypesOfRequests: the handler reads the newest type, and a type that only newer versions have is refused.
func TestMediaTypesOfRequests(t *testing.T) {
	for _, test := range []struct{ version, sent, want, body string }{
		{"v3", "application/json; charset=utf-8", "application/json; charset=utf-8", `{"email":"a"}`},
		{"v2", "application/vnd.user+json; charset=utf-8", "application/json; charset=utf-8", `{"email":"a"}`},
		{"v2", "application/json", "", ""},
		{"v1", "Application/JOSE", "application/json", `{"email":"a"}`},
		{"v1", "application/vnd.user+json", "", ""},
		{"v1", "application/json", "", ""},
		{"v1", "text/plain", "", ""},
	} {
		body := map[string]string{"v3": `{"email":"a"}`, "v2": `{"email":"a"}`, "v1": `{"mail":"a"}`}[test.version]
		outer, called := "", false
		handler := rewritten(typed(t), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			called = true
			raw, _ := io.ReadAll(r.Body)
			assert.Equal(t, test.body, string(raw), test)
			assert.Equal(t, test.want, r.Header.Get("Content-Type"), test)
			w.WriteHeader(http.StatusNoContent)
		}))
		server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			handler.ServeHTTP(w, r)
			outer = r.Header.Get("Content-Type")
		}))
		r, err := http.NewRequest(http.MethodPost, server.URL, strings.NewReader(body))
		require.NoError(t, err)
		r.Header.Set("Api-Version", test.version)
		r.Header.Set("Content-Type", test.sent)
		response, err := server.Client().Do(r)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		assert.Equal(t, test.want != "", called, test)
		if test.version != "v3" {
			assert.Equal(t, test.sent, outer, "what middleware outside sees")
		}

		// The same for a framework that holds whole requests.
		given := &message{header: http.Header{"Content-Type": {test.sent}}, body: []byte(body)}
		done, err := typed(t).BeginBuffered(verso.V(test.version), http.MethodPost, given)
		if test.want == "" {
			var refused *migrate.Error
			require.ErrorAs(t, err, &refused, test)
			assert.Equal(t, migrate.UnsupportedMediaType, refused.Code)
			continue
		}
		require.NoError(t, err, test)
		assert.Equal(t, test.body, string(given.body), test)
		assert.Equal(t, test.want, given.header.Get("Content-Type"), test)
		if done != nil {
			require.NoError(t, done(http.StatusNoContent, &message{header: http.Header{}}))
			assert.Equal(t, test.sent, given.header.Get("Content-Type"), "what middleware outside sees")
		}
	}
}

// TestMediaTypesOfErrors: a media type may be that of some statuses.
func TestMediaTypesOfErrors(t *testing.T) {
	for status, want := range map[int]string{409: "application/json", 404: verso.ProblemType} {
		server := serve(t, rewritten(typed(t), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", verso.ProblemType)
			w.WriteHeader(status)
			_, _ = io.WriteString(w, `{"detail":"x"}`)
		})))
		got := ask(t, http.MethodGet, server.URL, "v1", "")
		assert.Equal(t, want, got.Header.Get("Content-Type"))
		assert.JSONEq(t, `{"detail":"x"}`, got.body)
	}
}

func TestMediaTypesInDocuments(t *testing.T) {
	route := typed(t)
	document := func(version, more string) (operation map[string]any, err error) {
		var d map[string]any
		require.NoError(t, json.Unmarshal([]byte(`{"openapi":"3.0.3","paths":{"/x":{"put":{"requestBody":{"$ref":"#/components/requestBodies/User"},"responses":{
			"404":{"description":"","content":{"application/problem+json":{"schema":{"type":"object"}}}},"409":{"description":"","content":{"application/problem+json":{"schema":{"type":"object"}}}}}}}},
			"components":{"requestBodies":{"User":{"content":{"application/json":{"schema":{"type":"object","properties":{"email":{"type":"string"}}}}`+more+`}}}}}`), &d))
		_, err = route.LowerDocument(version, d, map[string]verso.Rewriter{"/paths/~1x/put": route})
		return d["paths"].(map[string]any)["/x"].(map[string]any)["put"].(map[string]any), err
	}
	for version, want := range map[string]string{
		"v2": `{"requestBody":{"content":{"application/vnd.user+json":{"schema":{"type":"object","properties":{"email":{"type":"string"}}}}}},
			"404":["application/problem+json"],"409":["application/problem+json"]}`,
		"v1": `{"requestBody":{"content":{"application/jose":{"schema":{"type":"object","properties":{"mail":{"type":"string"}}}}}},
			"404":["application/problem+json"],"409":["application/json"]}`,
	} {
		operation, err := document(version, "")
		require.NoError(t, err)
		body := operation["requestBody"].(map[string]any)
		for _, media := range body["content"].(map[string]any) {
			delete(media.(map[string]any)["schema"].(map[string]any), "x-changes")
		}
		got := map[string]any{"requestBody": body}
		for status, response := range operation["responses"].(map[string]any) {
			var types []string
			for mediaType := range response.(map[string]any)["content"].(map[string]any) {
				types = append(types, mediaType)
			}
			got[status] = types
		}
		raw, err := json.Marshal(got)
		require.NoError(t, err)
		assert.JSONEq(t, want, string(raw), version)
	}
	_, err := document("v2", `,"application/vnd.user+json":{"schema":{"type":"object"}}`)
	assert.ErrorContains(t, err, "/paths/~1x/put/requestBody: in v2 its media type is application/vnd.user+json, which is there already, with another body")
}

// TestNewMediaTypes: older clients get a body that is new, and documents of their version lack it.
func TestNewMediaTypes(t *testing.T) {
	second := migrate.Behaves("x")
	h, err := migrate.New(apiOf("v2", "v1"),
		migrate.Release("v2", second, migrate.Changed("z", migrate.For[User](migrate.Renamed("mail", "email")))), migrate.Release("v1"))
	require.NoError(t, err)
	route := h.Route(migrate.Returns[User](), migrate.Fails[Failure](verso.ProblemType), second.MediaType("", verso.ProblemType, 404),
		second.RequestMediaType("", "application/json"), second.RequestMediaType("", "multipart/form-data"))
	server := serve(t, rewritten(route, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", verso.ProblemType)
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"detail":"x"}`)
	})))
	got := ask(t, http.MethodGet, server.URL, "v1", "")
	assert.Equal(t, verso.ProblemType, got.Header.Get("Content-Type"))
	assert.JSONEq(t, `{"detail":"x"}`, got.body)

	const problem = `"content":{"application/problem+json":{"schema":{"type":"object"}}}`
	for version, want := range map[string]string{
		"v2": `{"requestBody":{"$ref":"#/components/requestBodies/Any"},"responses":{"404":{"description":"",` + problem + `},"409":{"description":"",` + problem + `}}}`,
		"v1": `{"responses":{"404":{"description":""},"409":{"description":"",` + problem + `}}}`,
	} {
		var d map[string]any
		require.NoError(t, json.Unmarshal([]byte(`{"openapi":"3.0.3","paths":{"/x":{"put":{"requestBody":{"$ref":"#/components/requestBodies/Any"},"responses":{
			"404":{"description":"",`+problem+`},"409":{"description":"",`+problem+`}}}}},"components":{"requestBodies":{"Any":{"content":{"application/json":{},"multipart/form-data":{}}}}}}`), &d))
		_, err := route.LowerDocument(version, d, map[string]verso.Rewriter{"/paths/~1x/put": route})
		require.NoError(t, err)
		operation := d["paths"].(map[string]any)["/x"].(map[string]any)["put"].(map[string]any)
		for k := range operation {
			if k != "requestBody" && k != "responses" {
				delete(operation, k)
			}
		}
		raw, err := json.Marshal(operation)
		require.NoError(t, err)
		assert.JSONEq(t, want, string(raw), version)
	}
}

func TestMediaTypesAreRefused(t *testing.T) {
	change := migrate.Behaves("x")
	h := verso.Must(migrate.New(apiOf("v2", "v1"), migrate.Release("v2", change), migrate.Release("v1")))
	for want, body := range map[string]migrate.Body{
		`the media type "a/b" of requests was "a/b": give two media types`: change.RequestMediaType("a/b", "A/b"),
		`the bytes of a form are another body`:                             change.RequestMediaType("multipart/form-data", "application/json"),
		`the media type "b" of status 409 was "a/b": give two media types`: change.MediaType("a/b", "b", 409),
		`the media type "b" is new: give two media types`:                  change.MediaType("", "b"),
	} {
		panicOf(t, func() { h.Route(body) }, want)
	}
	panicOf(t, func() {
		h.Route(change.RequestMediaType("a/b", "a/c"), change.RequestMediaType("a/c", "a/d"))
	}, "another change of the same release is about the same media type of requests")
	assert.NotPanics(t, func() {
		h.Route(change.MediaType("a/b", "a/c", 200), change.MediaType("a/d", "a/c", 201), change.RequestMediaType("a/b", "a/c"))
	})
}
