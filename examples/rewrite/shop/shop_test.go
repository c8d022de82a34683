package shop

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate/migratetest"
)

// TestContracts: the types, the routes and the values of older versions never change.
func TestContracts(t *testing.T) {
	_, v, history := New()
	migratetest.Frozen(t, history, "testdata/contracts.json", v.Explain())
	migratetest.Examples(t, history, "testdata/examples.json", map[string]any{
		"order": sample(), "page": Page[Order]{Data: []Order{sample()}}, "problem": verso.Problem{Status: 404, Detail: "no order has this ID"},
	})
}

// TestService asks for each route in the newest version and in the oldest.
func TestService(t *testing.T) {
	h, v, history := New()
	migratetest.Checked(t, history, "testdata/contracts.json", v.Explain())
	const order = `{"id":"o2","total":"12.30","lines":[],"customer":{"id":1,"mail":"a@b","name":"Ada L","status":"on","street":"S","city":"C","created":1700000000,"fax":""}}`
	for _, version := range []string{"v1", "v4"} {
		for _, request := range []string{"GET /orders/1", "GET /orders/none", "GET /orders", "GET /stream?type=application/jsonl", "GET /stream?type=text/event-stream"} {
			method, target, _ := strings.Cut(request, " ")
			w := httptest.NewRecorder()
			r := httptest.NewRequest(method, target, nil)
			r.Header.Set("Api-Version", version)
			h.ServeHTTP(w, r)
			assert.NotEqual(t, http.StatusInternalServerError, w.Code, version+" "+request)
		}
	}
	r := httptest.NewRequest(http.MethodPost, "/orders", strings.NewReader(order))
	r.Header.Set("Api-Version", "v1")
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	assert.Equal(t, http.StatusOK, w.Code, w.Body.String())
	assert.Contains(t, w.Body.String(), `"mail":"a@b"`)
}
