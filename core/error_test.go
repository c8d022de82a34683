package verso_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

func TestSentinels(t *testing.T) {
	for err, want := range map[error]string{
		verso.ErrNotAcceptable: "verso: not acceptable",
		verso.ErrNotFound:      "verso: not found",
		verso.ErrBadRequest:    "verso: bad request",

		verso.ErrMisdirectedRequest: "verso: misdirected request",
		verso.ErrNotImplemented:     "verso: not implemented",
	} {
		if err.Error() != want {
			t.Errorf("error %q, want %q", err, want)
		}
	}
}

func TestError(t *testing.T) {
	hostile := "v9\r\n<script>" + strings.Repeat("x", 100)
	settings := verso.Settings{AllowedVersions: []string{"v1"}}
	accept := verso.Must(verso.NewAcceptHeader(settings))
	none := verso.Version{}
	tests := []struct {
		name    string
		scheme  verso.Scheme
		request *request
		want    verso.Error
	}{
		{"accept", accept, &request{accept: []string{`a/b;version="` + hostile + `"`}},
			verso.Error{Scheme: "AcceptHeaderVersioning", Status: 406, MessageID: verso.InvalidAcceptHeaderVersion,
				Message: `Invalid version in "Accept" header.`, Version: verso.V(hostile)}},
		{"accept without a version", accept, &request{accept: []string{"a/b"}},
			verso.Error{Scheme: "AcceptHeaderVersioning", Status: 406, MessageID: verso.InvalidAcceptHeaderVersion,
				Message: `Invalid version in "Accept" header.`, Version: none}},
		{"accept nothing", accept, &request{accept: []string{"a/b;q=0;version=v1"}},
			verso.Error{Scheme: "AcceptHeaderVersioning", Status: 406, MessageID: verso.NotAcceptable,
				Message: `Could not satisfy the request "Accept" header.`, Version: none}},
		{"path", verso.Must(verso.NewURLPath(settings)), &request{path: map[string]string{"version": hostile}},
			verso.Error{Scheme: "URLPathVersioning", Status: 404, MessageID: verso.InvalidURLPathVersion,
				Message: "Invalid version in URL path.", Version: verso.V(hostile)}},
		{"namespace", verso.Must(verso.NewNamespace(settings)), &request{namespace: "api:v9"},
			verso.Error{Scheme: "NamespaceVersioning", Status: 404, MessageID: verso.InvalidNamespaceVersion,
				Message: "Invalid version in URL path. Does not match any version namespace.", Version: verso.V("api")}},
		{"host", verso.Must(verso.NewHostName(settings, "")), &request{host: "v9.example.com"},
			verso.Error{Scheme: "HostNameVersioning", Status: 404, MessageID: verso.InvalidHostNameVersion,
				Message: "Invalid version in hostname.", Version: verso.V("v9")}},
		{"query", verso.Must(verso.NewQueryParameter(settings)), &request{query: "version="},
			verso.Error{Scheme: "QueryParameterVersioning", Status: 404, MessageID: verso.InvalidQueryParameterVersion,
				Message: "Invalid version in query parameter.", Version: verso.V("")}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v, err := test.scheme.DetermineVersion(test.request)
			if !v.IsNone() {
				t.Errorf("version %#v beside the error", v)
			}
			err = fmt.Errorf("wrapped: %w", err)
			var got *verso.Error
			if !errors.As(err, &got) {
				t.Fatalf("error %v is no *verso.Error", err)
			}
			if got.Scheme != test.want.Scheme || got.MessageID != test.want.MessageID || got.Version != test.want.Version {
				t.Errorf("error %+v, want %+v", got, test.want)
			}
			if got.Error() != test.want.Message || got.Message != test.want.Message {
				t.Errorf("message %q, want %q", got, test.want.Message)
			}
			if got.StatusCode() != test.want.Status || got.Status != test.want.Status {
				t.Errorf("status %d, want %d", got.StatusCode(), test.want.Status)
			}
			if errors.Is(err, verso.ErrNotFound) != (got.Status == http.StatusNotFound) ||
				errors.Is(err, verso.ErrNotAcceptable) != (got.Status == http.StatusNotAcceptable) ||
				errors.Is(err, verso.ErrNotImplemented) || errors.Is(err, verso.ErrNoReverseMatch) {
				t.Errorf("%v matches the wrong sentinels", err)
			}
		})
	}
}

func TestErrorLogValue(t *testing.T) {
	scheme := verso.Must(verso.NewQueryParameter(verso.Settings{AllowedVersions: []string{"v1"}}))
	tests := []struct {
		name, query, version string
	}{
		{"none", "", "null"},
		{"line break", "version=%0D%0Alevel=ERROR", `"\"\\r\\nlevel=ERROR\""`},
		{"64 KiB", "version=" + strings.Repeat("x", 64<<10), `"\"` + strings.Repeat("x", 64) + `\"..."`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := scheme.DetermineVersion(&request{query: test.query})
			want := `{"scheme":"QueryParameterVersioning","status":404,"message_id":"invalid_query_parameter_version","version":` + test.version + `}`
			if got := logged(t, err); got != want {
				t.Errorf("logged %s, want %s", got, want)
			}
		})
	}
}

// The errors of a reversal are those of package route, so that a Reverser
// written for either is understood.
func TestReverseErrorsAreThoseOfRoute(t *testing.T) {
	if !errors.Is(route.ErrNoMatch, verso.ErrNoReverseMatch) || !errors.Is(route.ErrMixedArguments, verso.ErrMixedArguments) {
		t.Error("the sentinels differ")
	}
}
