package scheme_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/core/versotest"
)

// The schemes reject a request without a version as one for a version that is not served,
// as the specification says. Their sources say that it is missing.
func TestMissingVersion(t *testing.T) {
	config := verso.Config{AllowedVersions: []string{"v1", "v2"}, Strict: verso.Strictness{RefuseUnversioned: true}}
	query, path, accept := verso.QueryParam("version"), verso.PathParam("version"), verso.AcceptParam("version")
	for name, test := range map[string]struct {
		api    *verso.Versioning
		status int
		code   verso.MessageID
	}{
		"query scheme":     {verso.Must(scheme.NewQueryParameter("", config)), http.StatusNotFound, source.InvalidQueryParameterVersion},
		"path scheme":      {verso.Must(scheme.NewURLPath("", config)), http.StatusNotFound, source.InvalidURLPathVersion},
		"accept scheme":    {verso.Must(scheme.NewAcceptHeader("", config)), http.StatusNotAcceptable, source.InvalidAcceptHeaderVersion},
		"host scheme":      {verso.Must(scheme.NewHostName("", config)), http.StatusNotFound, source.InvalidHostNameVersion},
		"query":            {verso.MustNew(query, config), http.StatusBadRequest, source.MissingVersion},
		"path":             {verso.MustNew(path, config), http.StatusBadRequest, source.MissingVersion},
		"accept":           {verso.MustNew(accept, config), http.StatusBadRequest, source.MissingVersion},
		"header":           {verso.MustNew(verso.Header("Api-Version"), config), http.StatusBadRequest, source.MissingVersion},
		"media type":       {verso.MustNew(verso.MediaType("application/vnd.acme.{version}+json"), config), http.StatusBadRequest, source.MissingVersion},
		"first of several": {verso.MustNew(verso.First(query, path), config), http.StatusBadRequest, source.MissingVersion},
		"all of several":   {verso.MustNew(verso.Agree(accept, query), config), http.StatusBadRequest, source.MissingVersion},
		"prefix":           {verso.MustNew(verso.PathPrefix("/api/{version}"), config), http.StatusNotFound, source.InvalidURLPathVersion},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, "/users", nil)
			_, err := adapter.Bind(test.api, nil).DetermineVersion(versotest.Request(r, nil, route.Route{Pattern: route.Colons("/users")}.Prepare()))
			var rejected *verso.Error
			ok := errors.As(err, &rejected)
			if !ok || rejected.Status != test.status || rejected.MessageID != test.code {
				t.Errorf("%v, want %d %s", err, test.status, test.code)
			}
		})
	}
}
