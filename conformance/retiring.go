package conformance

import (
	"net/http"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

// The dates of v1 in the API of [Retiring].
var (
	Deprecated = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	Brownout   = time.Date(2026, 11, 3, 14, 0, 0, 0, time.UTC) // an hour with status 410
	Outage     = Brownout.AddDate(0, 0, 7)                     // an hour with status 503
	Sunset     = time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
)

// FieldsOfV1 are the fields of a response in v1 of [Retiring], which is deprecated. A
// field with nil lines must be absent. Tests must not modify them.
var FieldsOfV1 = http.Header{
	"Vary":                    {"Api-Version"},
	"Deprecation":             {"@1772323200"},
	"Sunset":                  {"Tue, 01 Dec 2026 00:00:00 GMT"},
	"Link":                    {`<https://example.com/v1>; rel="deprecation"`},
	"Api-Supported-Versions":  {"v2"},
	"Api-Deprecated-Versions": {"v1"},
	"Api-Version":             {"v1"},
	"Retry-After":             nil,
	"Cache-Control":           nil,
}

// Retiring returns an API that reads versions from a header and plans to retire v1. It
// is for an adapter's own tests of response fields that other middleware and the
// framework's error handler also write.
func Retiring(tb testing.TB, clock func() time.Time) *verso.Versioning {
	tb.Helper()
	versions, err := catalogue.New(catalogue.Config{
		Versions: []catalogue.Entry{{
			Version: "v1", Deprecated: Deprecated, Sunset: Sunset, Successor: "v2",
			Links: []catalogue.Link{{Rel: "deprecation", Href: "https://example.com/v1"}},
			Brownouts: []catalogue.Brownout{
				{From: Brownout, Until: Brownout.Add(time.Hour)},
				{From: Outage, Until: Outage.Add(time.Hour), Status: http.StatusServiceUnavailable},
			},
		}, {Version: "v2"}},
		AfterSunset: catalogue.Gone, Report: true, ServedHeader: "Api-Version", SuccessorLinks: true,
	})
	if err != nil {
		tb.Fatal(err)
	}
	return verso.MustNew(verso.Header("Api-Version"), verso.Config{Catalogue: versions, Clock: clock})
}
