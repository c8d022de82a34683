package verso_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
)

func TestSentinels(t *testing.T) {
	for err, want := range map[error]string{
		verso.ErrNotAcceptable: "verso: not acceptable", verso.ErrNotFound: "verso: not found", verso.ErrBadRequest: "verso: bad request",
		verso.ErrMisdirectedRequest: "verso: misdirected request", verso.ErrNotImplemented: "verso: not implemented",
		verso.ErrMethodNotAllowed: "verso: method not allowed", verso.ErrGone: "verso: gone",
	} {
		if err.Error() != want {
			t.Errorf("error %q, want %q", err, want)
		}
	}
}

func TestError(t *testing.T) {
	hostile := "v9\r\n<script>" + strings.Repeat("x", 100)
	config := coretest.List("v1")
	acceptParam := verso.Must(scheme.NewAcceptHeader("version", config))
	const parameter = `parameter "version" of "Accept"`
	tests := []struct {
		name string
		api  *verso.Versioning
		ask  coretest.Ask
		want verso.Error
		is   error
	}{
		{"accept", acceptParam, coretest.Accept(`a/b;version="` + hostile + `"`), verso.Error{Source: parameter, Status: 406, MessageID: source.InvalidAcceptHeaderVersion,
			Message: `Invalid version in "Accept" header.`, Requested: hostile, HasRequested: true}, verso.ErrNotAcceptable},
		{"accept without a version", acceptParam, coretest.Accept("a/b"), verso.Error{Source: parameter, Status: 406, MessageID: source.InvalidAcceptHeaderVersion,
			Message: `Invalid version in "Accept" header.`}, verso.ErrNotAcceptable},
		{"accept nothing", acceptParam, coretest.Accept("a/b;q=0;version=v1"), verso.Error{Source: parameter, Status: 406, MessageID: source.NotAcceptableMessage,
			Message: `Could not satisfy the request "Accept" header.`}, verso.ErrNotAcceptable},
		{"path", verso.Must(scheme.NewURLPath("version", config)), coretest.In(hostile), verso.Error{Source: `path parameter "version"`, Status: 404, MessageID: source.InvalidURLPathVersion,
			Message: "Invalid version in URL path.", Requested: hostile, HasRequested: true}, verso.ErrNotFound},
		{"namespace", verso.Must(scheme.NewNamespace(config)), coretest.Named("api:v9:users"), verso.Error{Source: "namespace of the route", Status: 404, MessageID: source.InvalidNamespaceVersion,
			Message: "Invalid version in URL path. Does not match any version namespace.", Requested: "api", HasRequested: true}, verso.ErrNotFound},
		{"host", verso.Must(scheme.NewHostName("", config)), coretest.Host("v9.example.com"), verso.Error{Source: "host name", Status: 404, MessageID: source.InvalidHostNameVersion,
			Message: "Invalid version in hostname.", Requested: "v9", HasRequested: true}, verso.ErrNotFound},
		{"query", verso.Must(scheme.NewQueryParameter("version", config)), coretest.Query("version="), verso.Error{Source: `query parameter "version"`, Status: 404, MessageID: source.InvalidQueryParameterVersion,
			Message: "Invalid version in query parameter.", HasRequested: true}, verso.ErrNotFound},
		{"header", verso.MustNew(verso.Header("Api-Version"), config), coretest.Field(hostile), verso.Error{Source: `header "Api-Version"`, Status: 400, MessageID: source.InvalidHeaderVersion,
			Message: "Invalid version in header.", Requested: hostile, HasRequested: true}, verso.ErrBadRequest},
		{"media type", verso.MustNew(verso.MediaType(coretest.Vendor), config), coretest.Accept("application/vnd.acme.v9+json"), verso.Error{Source: `media type "` + coretest.Vendor + `"`, Status: 406, MessageID: source.NotAcceptableMessage,
			Message: `Could not satisfy the request "Accept" header.`}, verso.ErrNotAcceptable},
	}
	sentinels := []error{verso.ErrNotAcceptable, verso.ErrNotFound, verso.ErrBadRequest, verso.ErrMethodNotAllowed, verso.ErrGone,
		verso.ErrMisdirectedRequest, verso.ErrNotImplemented, verso.ErrNoReverseMatch}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v, err := adapter.Bind(test.api, nil).DetermineVersion(test.ask.Request())
			if !v.IsNone() {
				t.Errorf("version %#v beside the error", v)
			}
			err = fmt.Errorf("wrapped: %w", err)
			var got *verso.Error
			ok := errors.As(err, &got)
			if !ok {
				t.Fatalf("error %v is no *verso.Error", err)
			}
			if got.Source != test.want.Source || got.Status != test.want.Status || got.MessageID != test.want.MessageID || got.Message != test.want.Message ||
				got.Requested != test.want.Requested || got.HasRequested != test.want.HasRequested || got.Error() != got.Message || got.StatusCode() != got.Status {
				t.Errorf("error %+v, want %+v", got, test.want)
			}
			for _, sentinel := range sentinels {
				if wanted := errors.Is(test.is, sentinel); errors.Is(err, sentinel) != wanted {
					t.Errorf("errors.Is(%v, %v) is wrong", err, sentinel)
				}
			}
		})
	}
}

func TestErrorLogValue(t *testing.T) {
	api := verso.Must(scheme.NewQueryParameter("version", coretest.List("v1")))
	for query, asked := range map[string]string{
		"": "null", "version=": `""`, "version=%0D%0Alevel=ERROR": `"\\r\\nlevel=ERROR"`,
		"version=" + strings.Repeat("x", 64<<10): `"` + strings.Repeat("x", 64) + `..."`,
	} {
		_, err := adapter.Bind(api, nil).DetermineVersion(coretest.Ask{Query: query}.Request())
		want := `{"source":"query parameter \"version\"","status":404,"message_id":"invalid_query_parameter_version","requested":` + asked + `}`
		if got := coretest.Logged(t, err); got != want {
			t.Errorf("logged %s, want %s", got, want)
		}
	}
}

// TestErrorInsideOfOthers logs an error as Echo's middleware do, inside of a map.
func TestErrorInsideOfOthers(t *testing.T) {
	api := verso.Must(scheme.NewQueryParameter("version", coretest.List("v1")))
	_, err := adapter.Bind(api, nil).DetermineVersion(coretest.Query("version=" + strings.Repeat("x", 64<<10)).Request())
	want := `{"internal":{"Source":"query parameter \"version\"","Status":404,"MessageID":"invalid_query_parameter_version",` +
		`"Message":"Invalid version in query parameter.","HasRequested":true,"Sunset":"","Successor":""}}`
	if got := coretest.Logged(t, map[string]any{"internal": err}); got != want {
		t.Errorf("logged %s, want %s", got, want)
	}
}

func TestNotImplemented(t *testing.T) {
	base := verso.Must(scheme.NewBase("MyVersioning", verso.Config{}))
	v, err := adapter.Bind(base, nil).DetermineVersion(coretest.Ask{}.Request())
	if !v.IsNone() || !errors.Is(err, verso.ErrNotImplemented) || err.Error() != "MyVersioning.determine_version() must be implemented." {
		t.Errorf("determined %#v, %v", v, err)
	}
	if errors.As(err, new(*verso.Error)) || errors.Is(err, verso.ErrNotFound) {
		t.Error("a programming error looks like the rejection of a request")
	}
	if base.Name() != "MyVersioning" || len(base.Vary()) != 0 {
		t.Errorf("name %q, Vary %q", base.Name(), base.Vary())
	}
}
