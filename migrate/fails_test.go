package migrate_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/migrate/internal/watch"
)

// failedConflict and failedRest are errors of one media type. failedPlain is the same in all versions.
type (
	failedConflict struct {
		With int `json:"with"`
	}
	failedRest struct {
		Detail string `json:"detail"`
	}
	failedPlain struct {
		Text string `json:"text"`
	}
)

// failuresOf returns a history in which both types and a status have another form in v1.
func failuresOf(t *testing.T) (*migrate.History, *migrate.Change) {
	t.Helper()
	change := migrate.Changed("y", migrate.For[failedConflict](migrate.Renamed("booking", "with")), migrate.For[failedRest](migrate.Renamed("error", "detail")))
	h, err := migrate.New(apiOf("v2", "v1"), migrate.Release("v2", change), migrate.Release("v1"))
	require.NoError(t, err)
	return h, change
}

const jsonType = "application/json"

// TestFailsOfStatuses: the status that the handler writes decides the type, in older versions with another status too.
func TestFailsOfStatuses(t *testing.T) {
	h, change := failuresOf(t)
	route := h.Route(migrate.Fails[failedRest](jsonType), migrate.Fails[failedConflict](jsonType, 409, 423), migrate.Fails[failedPlain](jsonType, 404),
		migrate.Fails[failedConflict](verso.ProblemType, 409), change.Status(422, 409), change.MediaType("text/json", jsonType, 500))
	only := h.Route(migrate.Fails[failedConflict](jsonType, 409))
	const conflict, older, rest = `{"with":7}`, `{"booking":7}`, `{"detail":"x"}`
	for _, test := range []struct {
		name       string
		route      *migrate.Route
		status     int
		mediaType  string
		body       string
		wantStatus int
		want       string // "": not the newest form
	}{
		{"listed", route, 409, jsonType, conflict, 422, older},
		{"listed beside another", route, 423, jsonType, conflict, 423, older},
		{"listed without edits", route, 404, jsonType, `{"text":"t","detail":"x"}`, 404, `{"text":"t","detail":"x"}`},
		{"the status of older clients", route, 422, jsonType, rest, 422, `{"error":"x"}`},
		{"the rest", route, 500, jsonType, rest, 500, `{"error":"x"}`},
		{"another media type", route, 409, verso.ProblemType, `{"status":409,"with":7}`, 422, `{"status":422,"booking":7}`},
		{"another media type, the rest", route, 500, verso.ProblemType, `{"status":500}`, 500, `{"status":500}`},
		{"no rest", only, 400, jsonType, `{"code":1}`, 400, `{"code":1}`},
		{"no rest, the newest form", only, 400, jsonType, conflict, 500, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := serve(t, rewritten(test.route, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", test.mediaType)
				w.WriteHeader(test.status)
				_, _ = io.WriteString(w, test.body)
			})))
			got := ask(t, http.MethodGet, server.URL, "v1", "")
			assert.Equal(t, test.wantStatus, got.StatusCode)
			if test.want == "" {
				assert.NotContains(t, got.body, conflict)
				return
			}
			assert.JSONEq(t, test.want, got.body)
			newest := ask(t, http.MethodGet, server.URL, "v2", "")
			assert.Equal(t, test.status, newest.StatusCode)
			assert.JSONEq(t, test.body, newest.body)
		})
	}
}

// TestFailsOfStatusesInContracts: the contract names the statuses, and a body of another status is a mistake.
func TestFailsOfStatusesInContracts(t *testing.T) {
	h, change := failuresOf(t)
	route := h.Route(migrate.Fails[failedRest](jsonType), migrate.Fails[failedConflict](jsonType, 409, 404), change.Status(422, 409))
	assert.Equal(t, "fails 404 application/json failedConflict; fails 409 application/json failedConflict; fails application/json failedRest",
		watch.Of(h).Bodies(route, verso.V("v2")))
	assert.Equal(t, "fails 404 application/json failedConflict; fails 409 application/json failedConflict; fails application/json failedRest; status 409 was 422",
		watch.Of(h).Bodies(route, verso.V("v1")))

	for _, test := range []struct {
		version string
		status  int
		want    []string
	}{
		{"v2", 409, []string{`"/with": int is integer, and this is "7"`}},
		{"v1", 409, []string{`"/booking": int is integer, and this is "7"`}},
		{"v2", 422, nil}, // an error need not have all members
	} {
		var got []string
		stop := watch.Of(h).Responses(func(a watch.Answer) { got = append(got, a.Mistakes...) })
		server := serve(t, rewritten(route, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", jsonType)
			w.WriteHeader(test.status)
			_, _ = io.WriteString(w, `{"with":"7"}`)
		})))
		ask(t, http.MethodGet, server.URL, test.version, "")
		stop()
		assert.Equal(t, test.want, got, "%s %d", test.version, test.status)
	}
}

// TestFailsOfStatusesInDocuments: each status is described by its own type, and a range by the types of the statuses that it is for.
func TestFailsOfStatusesInDocuments(t *testing.T) {
	h, change := failuresOf(t)
	const conflict, rest = `{"properties":{"with":{"type":"integer"}}}`, `{"properties":{"detail":{"type":"string"}}}`
	content := func(schema string, mediaType ...string) string {
		return fmt.Sprintf(`{"description":"","content":{%q:{"schema":%s}}}`, append(mediaType, jsonType)[0], schema)
	}
	both := []migrate.Body{migrate.Fails[failedRest](jsonType), migrate.Fails[failedConflict](jsonType, 409)}
	for _, test := range []struct {
		name      string
		bodies    []migrate.Body
		responses string
		want      map[string]string // a status of v1 to a property
		err       string
	}{
		{"each", append(both, change.Status(422, 409)), `"200":{"description":""},"409":` + content(conflict) + `,"404":` + content(rest) + `,"default":` + content(rest),
			map[string]string{"422": "booking", "404": "error", "default": "error"}, ""},
		{"a range", both, `"409":` + content(conflict) + `,"4XX":` + content(rest), map[string]string{"409": "booking", "4XX": "error"}, ""},
		{"a range of one type", []migrate.Body{migrate.Fails[failedConflict](jsonType, 409, 423), migrate.Fails[failedRest](jsonType, 500)}, `"4XX":` + content(conflict) + `,"5XX":` + content(rest),
			map[string]string{"4XX": "booking", "5XX": "error"}, ""},
		{"a range beside others", both, `"200":{"description":""},"5XX":` + content(rest) + `,"409":` + content(conflict), map[string]string{"5XX": "error", "409": "booking"}, ""},
		{"a range of two types", both, `"4XX":` + content(rest), nil,
			"/responses/4XX/content/application~1json: in v1 it is of failedConflict and of failedRest by its status or its media type: describe each"},
		{"a default of two types", both, `"200":{"description":""},"default":` + content(rest), nil, "/responses/default/content/application~1json: in v1 it is of"},
		{"any media type", both, `"409":` + content(conflict, "*/*") + `,"404":` + content(rest, "application/*"), map[string]string{"409": "booking", "404": "error"}, ""},
		{"any media type of two types", append(both, migrate.Fails[failedPlain](verso.ProblemType)), `"404":` + content(rest, "*/*"), nil, "/responses/404/content/*~1*: in v1 it is of"},
		{"another media type", both, `"404":` + content(rest, verso.ProblemType), map[string]string{"404": "detail"}, ""},
		{"successes of two types", []migrate.Body{migrate.Returns[failedRest](), migrate.Returns[failedConflict](202)}, `"2XX":` + content(rest), nil, "/responses/2XX/content/application~1json: in v1 it is of"},
		{"successes of one type", []migrate.Body{migrate.Returns[failedConflict](202)}, `"2XX":` + content(conflict), map[string]string{"2XX": "booking"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var document map[string]any
			require.NoError(t, json.Unmarshal([]byte(`{"openapi":"3.0.3","paths":{"/x":{"get":{"responses":{`+test.responses+`}}}}}`), &document))
			route := h.Route(test.bodies...)
			_, err := route.LowerDocument("v1", document, map[string]verso.Rewriter{"/paths/~1x/get": route})
			if test.err != "" {
				require.ErrorContains(t, err, test.err)
				return
			}
			require.NoError(t, err)
			responses := document["paths"].(map[string]any)["/x"].(map[string]any)["get"].(map[string]any)["responses"].(map[string]any)
			for status, property := range test.want {
				for _, media := range responses[status].(map[string]any)["content"].(map[string]any) {
					assert.Contains(t, media.(map[string]any)["schema"].(map[string]any)["properties"], property, status)
				}
			}
		})
	}
}

// TestFailsAreRefused: what would never be a type of an error, or would be one of two.
func TestFailsAreRefused(t *testing.T) {
	h, change := failuresOf(t)
	conflict, rest := migrate.Fails[failedConflict](jsonType, 409), migrate.Fails[failedRest](jsonType)
	for _, test := range []struct {
		want   string
		bodies []migrate.Body
	}{
		{`Fails[failedRest]("application/json") is declared, and Fails[failedPlain] too: remove one, or give it statuses`, []migrate.Body{rest, migrate.Fails[failedPlain]("Application/JSON")}},
		{`status 409 is declared with Fails[failedConflict]("application/json"), and with Fails[failedPlain] too: remove one`, []migrate.Body{conflict, migrate.Fails[failedPlain](jsonType, 404, 409)}},
		{"status 409 is declared with", []migrate.Body{migrate.Fails[failedConflict](jsonType, 409, 409)}},
		{"status 200 is declared with Fails[failedRest]: give statuses from 400 to 599, and the rest to Returns", []migrate.Body{migrate.Fails[failedRest](jsonType, 200)}},
		{"status 0 is declared", []migrate.Body{migrate.Fails[failedRest](jsonType, 0)}},
		{"status 600 is declared", []migrate.Body{migrate.Fails[failedRest](jsonType, 600)}},
		{`Fails[failedRest]("application/*"): no response has this media type: name one, without parameters`, []migrate.Body{migrate.Fails[failedRest]("application/*")}},
		{"no response has this media type", []migrate.Body{migrate.Fails[failedRest]("application/json; charset=utf-8")}},
		{`Fails("json") is not a media type`, []migrate.Body{migrate.Fails[failedRest]("json", 404)}},
		{"status 422 is declared with another body than 409, which older clients get as 422: the newest status decides the type, so list 409", []migrate.Body{migrate.Fails[failedConflict](jsonType, 422), change.Status(422, 409)}},
		{"status 422 is declared with another body than 409", []migrate.Body{conflict, migrate.Fails[failedRest](jsonType, 422), change.Status(422, 409)}},
		{"status 202 is declared with another body than 200", []migrate.Body{migrate.Returns[failedRest](), migrate.Returns[failedPlain](202), change.Status(202, 200)}},
		{"status 202 is declared with Returns[failedRest] and Returns[failedPlain]: remove one", []migrate.Body{migrate.Returns[failedRest](202), migrate.Returns[failedPlain](202)}},
		{"status 409 is removed, and Returns or Fails lists it: give the body to RemovedStatus", []migrate.Body{conflict, change.RemovedStatus(409)}},
		{"status 409 is removed: its body is of other statuses: give Returns below 400, and Fails from there on", []migrate.Body{change.RemovedStatus(409, migrate.Returns[failedRest]())}},
		{"status 409 is removed: its body is of other statuses", []migrate.Body{change.RemovedStatus(409, migrate.Fails[failedRest](jsonType, 404))}},
		{`status 409 is removed: migrate: Fails("json") is not a media type`, []migrate.Body{change.RemovedStatus(409, migrate.Fails[failedRest]("json"))}},
	} {
		panicOf(t, func() { h.Route(test.bodies...) }, test.want)
	}
	for name, bodies := range map[string][]migrate.Body{
		"both statuses are of one type": {migrate.Fails[failedConflict](jsonType, 409, 422), change.Status(422, 409)},
		"a status that moved on":        {conflict, migrate.Fails[failedRest](jsonType, 422), change.Status(423, 422), change.Status(404, 410)},
		"an error that was a success":   {migrate.Returns[failedRest](), migrate.Returns[failedPlain](202), change.Status(202, 409)},
		"a status that came back":       {conflict, change.RemovedStatus(404, migrate.Fails[failedConflict](jsonType, 404))},
	} {
		assert.NotPanics(t, func() { h.Route(bodies...) }, name)
	}
}

// Fails by status: an error of some statuses has a type of its own, and each type its edits.
func ExampleFails() {
	type Conflict struct {
		Booking int `json:"booking"`
	}
	type Failure struct {
		Detail string `json:"detail"`
	}
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	h := verso.Must(migrate.New(api, migrate.Release("v2", migrate.Changed("Errors have other names.",
		migrate.For[Conflict](migrate.Renamed("conflicts_with", "booking")), migrate.For[Failure](migrate.Renamed("error", "detail")))), migrate.Release("v1")))

	// In a service: v.Rewrite(route).POST("/bookings", create).
	route := h.Route(migrate.Fails[Failure]("application/json"), migrate.Fails[Conflict]("application/json", http.StatusConflict))
	create := rewritten(route, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Query().Get("room") == "blue" {
			w.WriteHeader(http.StatusConflict)
			_, _ = io.WriteString(w, `{"booking":7}`)
			return
		}
		w.WriteHeader(http.StatusUnprocessableEntity)
		_, _ = io.WriteString(w, `{"detail":"no such room"}`)
	}))
	for _, room := range []string{"blue", "red"} {
		r := httptest.NewRequest(http.MethodPost, "/bookings?room="+room, http.NoBody)
		r.Header.Set("Api-Version", "v1")
		w := httptest.NewRecorder()
		create.ServeHTTP(w, r)
		body, err := io.ReadAll(w.Result().Body)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(w.Code, string(body))
	}
	// Output:
	// 409 {"conflicts_with":7}
	// 422 {"error":"no such room"}
}

// TestPassesBesideTypes: declared errors, and bodies of other media types, are lowered beside what passes.
func TestPassesBesideTypes(t *testing.T) {
	type row struct {
		Label string `json:"label"`
	}
	h := changed(t, migrate.For[row](migrate.Renamed("text", "label")))
	const newest, oldest = `{"label":"x"}`, `{"text":"x"}`
	for name, test := range map[string]struct {
		declared  migrate.Body
		status    int
		mediaType string
		sent      string
		want      string
	}{
		"JSON":               {migrate.Returns[row](), 200, "application/json", newest, newest},
		"another JSON":       {migrate.Returns[row](), 200, "application/vnd.rows+json", newest, oldest},
		"lines":              {migrate.Returns[row](), 200, "application/jsonl", newest + "\n", oldest + "\n"},
		"events":             {migrate.Returns[row](), 200, "text/event-stream", "data: " + newest + "\n\n", "data: " + oldest + "\n\n"},
		"errors":             {migrate.Fails[row]("application/json"), 409, "application/json", newest, oldest},
		"errors of a status": {migrate.Fails[row]("application/json", 409), 409, "application/json", newest, oldest},
		"beside errors":      {migrate.Fails[row]("application/json"), 200, "application/json", newest, newest},
	} {
		t.Run(name, func(t *testing.T) {
			route := h.Route(test.declared, migrate.Passes("application/json"))
			server := serve(t, rewritten(route, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", test.mediaType)
				w.WriteHeader(test.status)
				_, _ = io.WriteString(w, test.sent)
			})))
			got := ask(t, http.MethodGet, server.URL, "v1", "")
			assert.Equal(t, test.status, got.StatusCode)
			assert.Equal(t, test.want, got.body)
		})
	}
}
