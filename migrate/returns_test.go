package migrate_test

import (
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

// returnedJob is the body of a response with status 202.
type returnedJob struct {
	Job string `json:"job"`
}

func jobsOf(t *testing.T) (*migrate.History, *migrate.Route) {
	t.Helper()
	change := migrate.Changed("y", migrate.For[User](migrate.Renamed("mail", "email")), migrate.For[returnedJob](migrate.Renamed("task", "job")))
	h, err := migrate.New(apiOf("v2", "v1"), migrate.Release("v2", change), migrate.Release("v1"))
	require.NoError(t, err)
	return h, h.Route(migrate.Returns[User](), migrate.Returns[returnedJob](202, 303), migrate.Returns[returnedPlain](203), change.Status(206, 202))
}

// returnedPlain is the same in all versions.
type returnedPlain struct {
	Text string `json:"text"`
}

// TestReturnsOfStatuses: each status has the type that is declared for it.
func TestReturnsOfStatuses(t *testing.T) {
	_, route := jobsOf(t)
	for _, test := range []struct {
		status     int
		body       string
		wantStatus int
		want       string
	}{
		{200, `{"id":1,"email":"a"}`, 200, `{"id":1,"mail":"a"}`},
		{202, `{"job":"j"}`, 206, `{"task":"j"}`},
		{303, `{"job":"j"}`, 303, `{"task":"j"}`},
		{203, `{"text":"x"}`, 203, `{"text":"x"}`},
	} {
		server := serve(t, rewritten(route, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Etag", `"7"`)
			w.WriteHeader(test.status)
			_, _ = io.WriteString(w, test.body)
		})))
		got := ask(t, http.MethodGet, server.URL, "v1", "")
		assert.Equal(t, test.wantStatus, got.StatusCode)
		assert.JSONEq(t, test.want, got.body)
		assert.Equal(t, `"7;v1"`, got.Header.Get("Etag"))
	}
	wrong := serve(t, rewritten(route, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(w, `{"id":1,"email":"a"}`)
	})))
	assert.Equal(t, http.StatusInternalServerError, ask(t, http.MethodGet, wrong.URL, "v1", "").StatusCode, "a body of another status")
}

// TestReturnsOfOtherStatuses: where each declared response has a status, another one would have the newest form.
func TestReturnsOfOtherStatuses(t *testing.T) {
	h, _ := jobsOf(t)
	route := h.Route(migrate.Returns[User](http.StatusCreated), migrate.Passes("text/csv"))
	for _, test := range []struct {
		name, contentType, body string
		status, wantStatus      int
		want                    string // "": a problem
	}{
		{"listed", "application/json", `{"id":1,"email":"a"}`, 201, 201, `{"id":1,"mail":"a"}`},
		{"another", "application/json", `{"id":1,"email":"a"}`, 200, 500, ""},
		{"another without a type", "", `{"id":1,"email":"a"}`, 200, 500, ""},
		{"a type that passes", "text/csv", "1,a", 200, 200, "1,a"},
		{"no body", "", "", 200, 200, ""},
		{"a redirect", "text/html", "moved", 303, 303, "moved"},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := serve(t, rewritten(route, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if test.contentType != "" {
					w.Header().Set("Content-Type", test.contentType)
				}
				w.WriteHeader(test.status)
				_, _ = io.WriteString(w, test.body)
			})))
			got := ask(t, http.MethodGet, server.URL, "v1", "")
			assert.Equal(t, test.wantStatus, got.StatusCode)
			if test.wantStatus < 500 {
				assert.Equal(t, test.want, got.body)
			}
			assert.NotContains(t, got.body, "email")
		})
	}
}

func TestReturnsOfStatusesInContractsAndDocuments(t *testing.T) {
	h, route := jobsOf(t)
	schema, err := h.Schema(verso.V("v1"))
	require.NoError(t, err)
	var names []string
	for _, o := range schema.Objects {
		names = append(names, o.Name)
	}
	assert.Contains(t, names, "returnedPlain")

	const job, user = `{"type":"object","properties":{"job":{"type":"string"}}}`, `{"type":"object","properties":{"id":{"type":"integer"},"email":{"type":"string"}}}`
	content := func(schema string) string {
		return `{"description":"","content":{"application/json":{"schema":` + schema + `}}}`
	}
	var document map[string]any
	require.NoError(t, json.Unmarshal([]byte(`{"openapi":"3.0.3","paths":{"/x":{"get":{"responses":{"200":`+content(user)+`,"202":`+content(job)+`,"203":`+content(user)+`}}}}}`), &document))
	_, err = route.LowerDocument("v1", document, map[string]verso.Rewriter{"/paths/~1x/get": route})
	require.NoError(t, err)
	responses := document["paths"].(map[string]any)["/x"].(map[string]any)["get"].(map[string]any)["responses"].(map[string]any)
	members := func(status string) any {
		media := responses[status].(map[string]any)["content"].(map[string]any)["application/json"].(map[string]any)
		return media["schema"].(map[string]any)["properties"]
	}
	assert.Contains(t, members("200"), "mail")
	assert.Contains(t, members("206"), "task")
	assert.Contains(t, members("203"), "email", "its type has no edits")

	panicOf(t, func() { h.Route(migrate.Returns[User](404)) }, "status 404 is declared with Returns[User]: give statuses from 200 to 399, and errors to Fails")
}
