package migrate_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

// gone is the body of an error that older versions have.
type gone struct {
	Why string `json:"why"`
}

// answersOf are answers that v2 has no longer, or has first.
func answersOf(c *migrate.Change) []migrate.Body {
	return []migrate.Body{
		c.AddedStatus(409), c.AddedStatus(5), c.AddedStatus(0), c.RemovedStatus(404, migrate.Fails[gone]("application/json")), c.RemovedStatus(202), c.Status(200, 201),
		c.AddedResponseHeader("X-New"), c.AddedResponseHeader("X-Both", 201, 409), c.AddedResponseHeader("Link"),
		c.RemovedResponseHeader("x-total", 7), c.RemovedResponseHeader("X-Old,omitempty", "", 409), c.RemovedResponseHeader("X-Kind", "a", 409),
	}
}

// TestAnswersThatCameOrWent: older clients get no new field, and a constant for one that is gone; statuses stay.
func TestAnswersThatCameOrWent(t *testing.T) {
	for _, test := range []struct {
		status   int
		sent     map[string]string
		want     int
		has      map[string]string
		hasNever []string
	}{
		{200, map[string]string{"X-New": "1", "Link": "</x>"}, 200, map[string]string{"X-Total": "7", "Link": "</x>"}, []string{"X-New", "X-Kind", "X-Old"}},
		{201, map[string]string{"X-New": "1", "X-Both": "2", "X-Total": "8"}, 200, map[string]string{"X-Total": "8"}, []string{"X-New", "X-Both"}},
		{409, map[string]string{"X-New": "1", "X-Both": "2"}, 409, map[string]string{"X-New": "1", "X-Kind": "a"}, []string{"X-Both", "X-Total", "X-Old"}},
		{0, map[string]string{"X-New": "1"}, 200, map[string]string{"X-Total": "7"}, []string{"X-New"}},
	} {
		got := answered(t, answersOf, func(w http.ResponseWriter, _ *http.Request) {
			for name, value := range test.sent {
				w.Header().Set(name, value)
			}
			if test.status > 0 {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(test.status)
				if test.status < 400 {
					sendUser(w)
				}
			}
		})
		assert.Equal(t, test.want, got.StatusCode, test.status)
		for name, want := range test.has {
			assert.Equal(t, want, got.Header.Get(name), "%d: %s", test.status, name)
		}
		for _, name := range test.hasNever {
			assert.NotContains(t, got.Header, name, test.status)
		}
	}
}

func TestAnswersThatCameOrWentInDocuments(t *testing.T) {
	change := migrate.Behaves("x")
	h := verso.Must(migrate.New(apiOf("v2", "v1"), migrate.Release("v2", change, migrate.Changed("y", migrate.For[gone](migrate.Renamed("reason", "why")))), migrate.Release("v1")))
	route := h.Route(answersOf(change)...)
	var document map[string]any
	require.NoError(t, json.Unmarshal([]byte(`{"openapi":"3.0.3","paths":{"/x":{"get":{"responses":{
		"201":{"description":"","headers":{"x-new":{"schema":{"type":"string"}},"X-Both":{"schema":{"type":"string"}},"Link":{"schema":{"type":"string"}},"X-Stays":{"schema":{"type":"string"}}}},
		"400":{"description":"","headers":{"X-New":{"schema":{"type":"string"}}}},"409":{"description":""},"5XX":{"description":""},"default":{"description":""}}}}}}`), &document))
	_, err := route.LowerDocument("v1", document, map[string]verso.Rewriter{"/paths/~1x/get": route})
	require.NoError(t, err)
	operation := document["paths"].(map[string]any)["/x"].(map[string]any)["get"].(map[string]any)
	responses, err := json.Marshal(operation["responses"])
	require.NoError(t, err)
	assert.JSONEq(t, `{
		"200":{"description":"","headers":{"X-Stays":{"schema":{"type":"string"}},"x-total":{"schema":{"type":"integer"}}}},
		"202":{"description":"Accepted"},
		"400":{"description":"","headers":{"X-New":{"schema":{"type":"string"}}}},
		"404":{"description":"Not Found","content":{"application/json":{"schema":{"type":"object","properties":{"reason":{"type":"string"}},"required":["reason"]}}}}}`, string(responses))
	assert.Len(t, operation["x-changes"], len(answersOf(change)))

	require.NoError(t, json.Unmarshal([]byte(`{"openapi":"3.0.3","paths":{"/x":{"get":{"responses":{"404":{"description":""}}}}}}`), &document))
	_, err = route.LowerDocument("v1", document, map[string]verso.Rewriter{"/paths/~1x/get": route})
	assert.ErrorContains(t, err, "/paths/~1x/get/responses/404: in v1 the status is there, and was removed: the document is not the newest one")
}

// TestAnswersInChangelogs: a new field, and a new status of an error, break no client.
func TestAnswersInChangelogs(t *testing.T) {
	for _, test := range []struct {
		body     func(*migrate.Change) migrate.Body
		text     string
		breaking bool
	}{
		{func(c *migrate.Change) migrate.Body { return c.AddedStatus(409) }, "status 409 is new", false},
		{func(c *migrate.Change) migrate.Body { return c.AddedStatus(529) }, "status 529 is new", false},
		{func(c *migrate.Change) migrate.Body { return c.AddedStatus(202) }, "status 202 is new", true},
		{func(c *migrate.Change) migrate.Body { return c.AddedStatus(2) }, "status 2XX is new", true},
		{func(c *migrate.Change) migrate.Body { return c.AddedStatus(4) }, "status 4XX is new", false},
		{func(c *migrate.Change) migrate.Body { return c.AddedStatus(0) }, "status default is new", false},
		{func(c *migrate.Change) migrate.Body { return c.RemovedStatus(404) }, "status 404 is removed", true},
		{func(c *migrate.Change) migrate.Body { return c.AddedResponseHeader("x-a", 200, 201) }, `the header "X-A" of status 200 201 is new`, false},
		{func(c *migrate.Change) migrate.Body { return c.RemovedResponseHeader("x-a", true) }, `the header "X-A" is removed; older clients read "true"`, true},
		{func(c *migrate.Change) migrate.Body { return c.RemovedResponseHeader("x-a,omitempty", 0) }, `the header "X-A" is removed`, true},
	} {
		change := migrate.Changed("x")
		h := verso.Must(migrate.New(apiOf("v2", "v1"), migrate.Release("v2", change), migrate.Release("v1")))
		explanation := &verso.Explanation{Versions: []string{"v2", "v1"}, Routes: []verso.RouteInfo{{Method: "GET", Pattern: "/x", Rewriter: h.Route(test.body(change))}}}
		info := h.Changelog(explanation).Versions[0].Changes[0]
		require.Len(t, info.Edits, 1, test.text)
		assert.Equal(t, test.text, info.Edits[0].Text)
		assert.Equal(t, test.breaking, info.Breaking, test.text)
	}
}

func TestRouteOfNoHistory(t *testing.T) {
	var none *migrate.History
	assert.PanicsWithError(t, "migrate: the history is nil: check the error of New", func() { none.Route() })
}

func TestAnswersAreRefused(t *testing.T) {
	change := migrate.Behaves("x")
	h := verso.Must(migrate.New(apiOf("v2", "v1"), migrate.Release("v2", change), migrate.Release("v1")))
	for _, test := range []struct {
		want   string
		bodies []migrate.Body
	}{
		{"status 7 is new: give statuses from 200 to 599", []migrate.Body{change.AddedStatus(7)}},
		{"status 999 is removed: give statuses from 200 to 599", []migrate.Body{change.RemovedStatus(999)}},
		{"another change of the same release is about the same new status", []migrate.Body{change.AddedStatus(409), change.AddedStatus(409)}},
		{"status 201 was 201: both are the same: remove it", []migrate.Body{change.Status(201, 201)}},
		{"give its name", []migrate.Body{change.AddedResponseHeader("")}},
		{"not only the handler writes this field", []migrate.Body{change.RemovedResponseHeader("etag", "x")}},
		{`the header "X-A" is removed: give a text, a number or a bool that older clients read`, []migrate.Body{change.RemovedResponseHeader("x-a", nil)}},
		{`the header "X-A" is removed: a field without a value is none: name it "X-A,omitempty"`, []migrate.Body{change.RemovedResponseHeader("x-a", "")}},
		{`after the comma stands omitempty or omitzero`, []migrate.Body{change.RemovedResponseHeader("x-a,x", "")}},
		{"is in no release", []migrate.Body{migrate.Behaves("y").AddedStatus(409)}},
	} {
		assert.PanicsWithError(t, panicOf(t, func() { h.Route(test.bodies...) }, test.want), func() { h.Route(test.bodies...) })
	}
}

// panicOf returns the text of the error that a function panics with, which has a part.
func panicOf(t *testing.T, fn func(), part string) (text string) {
	t.Helper()
	defer func() {
		err, _ := recover().(error)
		require.ErrorContains(t, err, part)
		text = err.Error()
	}()
	fn()
	return ""
}

// TestOperationsDescribed: what no client notices has the form of older documents.
func TestOperationsDescribed(t *testing.T) {
	change := migrate.Changed("x")
	h := verso.Must(migrate.New(apiOf("v2", "v1"), migrate.Release("v2", change), migrate.Release("v1")))
	route := h.Route(change.Documented(`{"deprecated":true,"security":[{"key":[]}],"summary":null}`), change.DocumentedParameter("query", "ids", `{"style":"form","explode":null,"schema":{"maxItems":1.0}}`),
		change.DocumentedParameter("path", "id", `{"schema":{"maxLength":8}}`), change.DocumentedParameter("header", "x-a", `{"required":true}`))
	document := func() (d map[string]any) {
		require.NoError(t, json.Unmarshal([]byte(`{"openapi":"3.0.3","paths":{"/x/{id}":{"parameters":[{"in":"path","name":"id","required":true,"schema":{"$ref":"#/components/schemas/ID"}}],
			"get":{"summary":"s","parameters":[{"in":"query","name":"ids","explode":true,"schema":{"type":"array"}},{"in":"query","name":"id","schema":{}},{"in":"header","name":"X-A","schema":{}}],"responses":{"204":{}}}}},
			"components":{"schemas":{"ID":{"type":"string"}}}}`), &d))
		return d
	}
	made := document()
	_, err := route.LowerDocument("v1", made, map[string]verso.Rewriter{"/paths/~1x~1{id}/get": route})
	require.NoError(t, err)
	operation := made["paths"].(map[string]any)["/x/{id}"].(map[string]any)["get"].(map[string]any)
	assert.Len(t, operation["x-changes"], 4)
	delete(operation, "x-changes")
	got, err := json.Marshal(operation)
	require.NoError(t, err)
	assert.JSONEq(t, `{"deprecated":true,"security":[{"key":[]}],"responses":{"204":{}},"parameters":[{"in":"query","name":"ids","style":"form","schema":{"type":"array","maxItems":1}},
		{"in":"query","name":"id","schema":{}},{"in":"header","name":"X-A","required":true,"schema":{}},{"in":"path","name":"id","required":true,"schema":{"type":"string","maxLength":8}}]}`, string(got))
	assert.Contains(t, string(got), `"maxItems":1.0`, "a number stays")

	again := document()
	_, err = route.LowerDocument("v2", again, map[string]verso.Rewriter{"/paths/~1x~1{id}/get": route})
	require.NoError(t, err)
	assert.Equal(t, document(), again)
	assert.Nil(t, rewrittenFor(route, "v1"), "no request is looked at")

	missing := h.Route(change.DocumentedParameter("query", "id2", `{}`))
	_, err = missing.LowerDocument("v1", document(), map[string]verso.Rewriter{"/paths/~1x~1{id}/get": missing})
	assert.ErrorContains(t, err, `/paths/~1x~1{id}/get/parameters: there is no query parameter "id2": the document is not the newest one`)
	for want, body := range map[string]migrate.Body{
		"it was described by []: the keywords are not a JSON object":                                 change.Documented(`[]`),
		"the keyword responses is for edits, statuses and header fields: declare these":              change.Documented(`{"responses":{}}`),
		`the body parameter "a" was described by {}: give query, header, path or cookie, and a name`: change.DocumentedParameter("body", "a", `{}`),
		"the keyword name is for edits":                                                              change.DocumentedParameter("query", "a", `{"name":"b"}`),
	} {
		panicOf(t, func() { h.Route(body) }, want)
	}
}

// TestGoneParametersDescribed: a parameter that only older versions have is described as they had it, and has its name of
// each version.
func TestGoneParametersDescribed(t *testing.T) {
	type list struct {
		Limit int `query:"limit"`
	}
	type fields struct {
		Now string `header:"X-Now"`
	}
	second, third := migrate.Changed("x", migrate.For[list](migrate.Renamed("order", "sort"), migrate.Mapped("sort", func(n int) (string, error) { return "", nil }, func(string) (int, error) { return 0, nil }))),
		migrate.Changed("y", migrate.For[list](migrate.Removed("sort", "")), migrate.For[fields](migrate.Removed("X-Old,omitempty", "")))
	h := verso.Must(migrate.New(apiOf("v3", "v2", "v1"), migrate.Release("v3", third), migrate.Release("v2", second), migrate.Release("v1")))
	route := h.Route(migrate.Query[list](), migrate.Headers[fields](), second.DocumentedParameter("query", "sort", `{"description":"two","style":null}`),
		third.DocumentedParameter("query", "sort", `{"style":"form","explode":false,"required":true,"deprecated":true,"schema":{"maxLength":8}}`),
		third.DocumentedParameter("header", "x-old", `{"description":"old"}`), third.DocumentedParameter("path", "x-old", `{"description":"path"}`))
	for version, want := range map[string]string{
		"v3": `[{"in":"path","name":"x-old","schema":{}},{"in":"query","name":"limit","schema":{}}]`,
		"v2": `[{"in":"path","name":"x-old","description":"path","schema":{}},{"in":"query","name":"limit","schema":{}},
			{"in":"query","name":"sort","required":true,"style":"form","explode":false,"deprecated":true,"schema":{"type":"string","examples":[""],"maxLength":8}},
			{"in":"header","name":"X-Old","description":"old","schema":{"type":"string"}}]`,
		"v1": `[{"in":"path","name":"x-old","description":"path","schema":{}},{"in":"query","name":"limit","schema":{}},
			{"in":"query","name":"order","required":true,"description":"two","explode":false,"deprecated":true,"schema":{"type":"integer","examples":[0]}},
			{"in":"header","name":"X-Old","description":"old","schema":{"type":"string"}}]`,
	} {
		var d map[string]any
		require.NoError(t, json.Unmarshal([]byte(`{"openapi":"3.1.0","paths":{"/x/{x-old}":{"get":{"parameters":[{"in":"path","name":"x-old","schema":{}},{"in":"query","name":"limit","schema":{}}],"responses":{"204":{}}}}}}`), &d))
		_, err := route.LowerDocument(version, d, map[string]verso.Rewriter{"/paths/~1x~1{x-old}/get": route})
		require.NoError(t, err, version)
		got, err := json.Marshal(d["paths"].(map[string]any)["/x/{x-old}"].(map[string]any)["get"].(map[string]any)["parameters"])
		require.NoError(t, err)
		assert.JSONEq(t, want, string(got), version)
	}
}

// limit is a number that older documents describe in another way.
type limit int

// TestNamedTypesInParameters: a named type has its older description in parameters, too, and in lists of them.
func TestNamedTypesInParameters(t *testing.T) {
	type list struct {
		Limit  limit   `query:"limit"`
		Limits []limit `query:"limits"`
		Sort   limit   `query:"sort"`
	}
	h := verso.Must(migrate.New(apiOf("v3", "v2", "v1"), migrate.Release("v3", migrate.Changed("c", migrate.For[limit](migrate.Documented("", `{"maximum":50}`)))),
		migrate.Release("v2", migrate.Changed("d", migrate.For[list](migrate.Renamed("order", "sort")))), migrate.Release("v1")))
	route := h.Route(migrate.Query[list]())
	for version, want := range map[string]string{
		"v3": `{"limit":100,"limits":100,"sort":100,"page":100}`, "v2": `{"limit":50,"limits":50,"sort":50,"page":100}`, "v1": `{"limit":50,"limits":50,"order":50,"page":100}`,
	} {
		var d map[string]any
		require.NoError(t, json.Unmarshal([]byte(`{"openapi":"3.1.0","paths":{"/x":{"get":{"parameters":[{"in":"query","name":"limit","schema":{"$ref":"#/components/schemas/Limit"}},{"$ref":"#/components/parameters/Limits"},
			{"in":"query","name":"sort","schema":{"type":"integer","maximum":100}},{"in":"query","name":"page","schema":{"$ref":"#/components/schemas/Limit"}}],"responses":{"204":{}}}}},
			"components":{"schemas":{"Limit":{"type":"integer","maximum":100}},"parameters":{"Limits":{"in":"query","name":"limits","schema":{"type":"array","items":{"$ref":"#/components/schemas/Limit"}}}}}}`), &d))
		_, err := route.LowerDocument(version, d, map[string]verso.Rewriter{"/paths/~1x/get": route})
		require.NoError(t, err, version)
		changes, isThere := d["paths"].(map[string]any)["/x"].(map[string]any)["get"].(map[string]any)["x-changes"]
		assert.Equal(t, version == "v1", isThere, changes)
		components := d["components"].(map[string]any)
		got := map[string]any{}
		for _, each := range d["paths"].(map[string]any)["/x"].(map[string]any)["get"].(map[string]any)["parameters"].([]any) {
			parameter := each.(map[string]any)
			if parameter["$ref"] != nil {
				parameter = components["parameters"].(map[string]any)["Limits"].(map[string]any)
			}
			schema := parameter["schema"].(map[string]any)
			if items, ok := schema["items"].(map[string]any); ok {
				schema = items
			}
			if ref, ok := schema["$ref"].(string); ok {
				schema = components["schemas"].(map[string]any)[strings.TrimPrefix(ref, "#/components/schemas/")].(map[string]any)
			}
			got[parameter["name"].(string)] = schema["maximum"]
		}
		raw, err := json.Marshal(got)
		require.NoError(t, err)
		assert.JSONEq(t, want, string(raw), version)
	}
}

// rewrittenFor is what a route does to a request of a version, nil for nothing.
func rewrittenFor(route *migrate.Route, version string) any {
	done, err := route.BeginBuffered(verso.V(version), http.MethodGet, &message{header: http.Header{}})
	if err != nil || done != nil {
		return []any{done, err}
	}
	return nil
}
