// Package documents compares the documents of package openapi with what services send.
package documents

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers/legacy"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/internal/frameworks"
	"github.com/goverso/verso/openapi"
)

// What a service answers with is what its document says, for each adapter and each way to
// answer rejected requests. A document says nothing of the format of an error handler.
func TestResponsesAreAsDocumented(t *testing.T) {
	whole, err := openapi3.NewLoader().LoadFromData([]byte(`{"openapi": "3.0.3", "info": {"title": "Users", "version": "all"},
		"paths": {"/users": {"get": {"responses": {"200": {"description": "The users.", "content": {"application/json": {"schema": {"type": "integer"}}}}}}}}}`))
	require.NoError(t, err)
	const inJSON, problem, nothing = "application/json", verso.ProblemType, ""
	plain := frameworks.App{Routes: []frameworks.Route{{Method: http.MethodGet, Path: "/users", Handle: func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", inJSON)
		_, _ = io.WriteString(w, "1")
	}}}}
	asProblem, itsOwn := plain, plain
	asProblem.Problem = true
	itsOwn.ErrorHandler = func(w http.ResponseWriter, err *verso.Error) { http.Error(w, "no", err.Status) }
	type test struct {
		framework, how string
		app            frameworks.App
		documented     string // the media type of rejections
	}
	tests := []test{{"echo4", "WriteProblem", asProblem, problem}, {"echo5", "WriteProblem", asProblem, problem}}
	for framework := range frameworks.All {
		byItself := problem
		if strings.HasPrefix(framework, "echo") {
			byItself = inJSON
		}
		tests = append(tests, test{framework, "", plain, byItself}, test{framework, "its own", itsOwn, nothing})
	}
	for _, test := range tests {
		t.Run(test.framework+" "+test.how, func(t *testing.T) {
			service := frameworks.All[test.framework](verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}), test.app)
			document, err := openapi.ForVersion(whole, service.Explain(), "v1")
			require.NoError(t, err)
			content := document.Paths.Value("/users").Get.Responses.Status(http.StatusBadRequest).Value.Content
			assert.Equal(t, test.documented != nothing, content[test.documented] != nil)
			router, err := legacy.NewRouter(document)
			require.NoError(t, err)
			for _, version := range []string{"v1", "", "v9"} {
				r := httptest.NewRequest(http.MethodGet, "/users", nil)
				if version != "" {
					r.Header.Set("Api-Version", version)
				}
				route, params, err := router.FindRoute(r)
				require.NoError(t, err)
				w := httptest.NewRecorder()
				service.ServeHTTP(w, r)
				assert.Equal(t, version == "v1", w.Code == http.StatusOK, w.Code)
				assert.NoError(t, openapi3filter.ValidateResponse(t.Context(), &openapi3filter.ResponseValidationInput{
					RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route},
					Status:                 w.Code, Header: w.Header(), Body: io.NopCloser(strings.NewReader(w.Body.String())),
					Options: &openapi3filter.Options{IncludeResponseStatus: true},
				}), "%q: %s %s", version, w.Header().Get("Content-Type"), w.Body)
			}
		})
	}
}
