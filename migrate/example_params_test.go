package migrate_test

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

// UserList are the parameters of a list.
type UserList struct {
	OrderBy string `query:"order_by"`
	State   string `query:"state"`
}

// A query is edited like a body, and a status and a response header follow a change.
func ExampleQuery() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	total := migrate.Behaves("A list is status 200 with its number in X-Total-Count; it was 206 with X-Total.")
	history := verso.Must(migrate.New(api,
		migrate.Release("v2",
			migrate.Changed("Users are sorted by order_by.", migrate.For[UserList](
				migrate.Renamed("sort", "order_by"), migrate.Values("state", map[string]string{"on": "active"}))),
			total),
		migrate.Release("v1")))
	route := history.Route(migrate.Query[UserList](), total.Status(206, 200), total.ResponseHeader("X-Total", "X-Total-Count"))

	w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/users?sort=name&state=on&page=2", nil)
	rewriting, err := route.Begin(verso.V("v1"), w, r)
	fmt.Println(r.URL.RawQuery, err)
	rewriting.Header().Set("X-Total-Count", "7")
	rewriting.WriteHeader(http.StatusOK)
	fmt.Println(rewriting.Finish(), w.Code, w.Header().Get("X-Total"))
	fmt.Println(route.LowerQuery(verso.V("v1"), url.Values{"order_by": {"name"}, "page": {"3"}}).Encode())

	_, err = route.Begin(verso.V("v1"), w, httptest.NewRequest(http.MethodGet, "/users?state=active", nil))
	fmt.Println(err)
	// Output:
	// order_by=name&state=active&page=2 <nil>
	// <nil> 206 7
	// page=3&sort=name
	// the parameter has a value that this version does not have: "state"
}

// Statuses and header fields came and went: older clients read a constant for a field that is gone, and not the new one.
func ExampleChange_RemovedResponseHeader() {
	change := migrate.Changed("Lists have a link to the next page, and no count. Conflicts have a status, and nothing is gone.")
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	h := verso.Must(migrate.New(api, migrate.Release("v2", change), migrate.Release("v1")))

	// In a service: v.Rewrite(route).GET("/bookings", list).
	route := h.Route(change.RemovedResponseHeader("X-Total", 0), change.AddedResponseHeader("X-Next"),
		change.AddedStatus(409), change.RemovedStatus(410))
	list := rewritten(route, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Next", "p2")
		w.WriteHeader(http.StatusNoContent)
	}))
	for _, version := range []string{"v2", "v1"} {
		r := httptest.NewRequest(http.MethodGet, "/bookings", http.NoBody)
		r.Header.Set("Api-Version", version)
		w := httptest.NewRecorder()
		list.ServeHTTP(w, r)
		fmt.Printf("%s X-Next %q, X-Total %q\n", version, w.Header().Get("X-Next"), w.Header().Get("X-Total"))
	}
	document := map[string]any{"paths": map[string]any{"/bookings": map[string]any{"get": map[string]any{"responses": map[string]any{"204": map[string]any{}, "409": map[string]any{}}}}}}
	if _, err := route.LowerDocument("v1", document, map[string]verso.Rewriter{"/paths/~1bookings/get": route}); err != nil {
		log.Fatal(err)
	}
	operation := document["paths"].(map[string]any)["/bookings"].(map[string]any)["get"].(map[string]any)
	responses, _ := json.Marshal(operation["responses"])
	fmt.Println("v1 documents", string(responses))
	// Output:
	// v2 X-Next "p2", X-Total ""
	// v1 X-Next "", X-Total "0"
	// v1 documents {"204":{"headers":{"X-Total":{"schema":{"type":"integer"}}}},"410":{"description":"Gone"}}
}

// Documented: documents of older versions describe an operation and a parameter in another way, which no client notices.
func ExampleChange_Documented() {
	change := migrate.Changed("A booking needs a key, and is deprecated.")
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	h := verso.Must(migrate.New(api, migrate.Release("v2", change), migrate.Release("v1")))
	route := h.Route(change.Documented(`{"deprecated":null,"security":[]}`), change.DocumentedParameter("path", "id", `{"schema":{"maxLength":8}}`))

	// Package openapi calls this for each document.
	var document map[string]any
	_ = json.Unmarshal([]byte(`{"paths":{"/bookings/{id}":{"get":{"deprecated":true,"security":[{"key":[]}],
		"parameters":[{"in":"path","name":"id","schema":{"type":"string"}}]}}}}`), &document)
	if _, err := route.LowerDocument("v1", document, map[string]verso.Rewriter{"/paths/~1bookings~1{id}/get": route}); err != nil {
		log.Fatal(err)
	}
	operation := document["paths"].(map[string]any)["/bookings/{id}"].(map[string]any)["get"].(map[string]any)
	delete(operation, "x-changes")
	older, _ := json.Marshal(operation)
	fmt.Println(string(older))
	// Output:
	// {"parameters":[{"in":"path","name":"id","schema":{"maxLength":8,"type":"string"}}],"security":[]}
}

// RequestMediaType: older clients send another media type, and the handler reads the newest.
func ExampleChange_RequestMediaType() {
	change := migrate.Changed("Bookings are application/json.")
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	h := verso.Must(migrate.New(api, migrate.Release("v2", change), migrate.Release("v1")))

	// In a service: v.Rewrite(route).POST("/bookings", create).
	route := h.Route(change.RequestMediaType("application/vnd.booking+json", "application/json"))
	create := rewritten(route, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		fmt.Println(r.Header.Get("Content-Type"))
	}))
	for version, mediaType := range map[string]string{"v2": "application/json", "v1": "application/vnd.booking+json"} {
		r := httptest.NewRequest(http.MethodPost, "/bookings", strings.NewReader(`{"room":"blue"}`))
		r.Header.Set("Api-Version", version)
		r.Header.Set("Content-Type", mediaType)
		create.ServeHTTP(httptest.NewRecorder(), r)
	}
	// Output:
	// application/json
	// application/json
}
