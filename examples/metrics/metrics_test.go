package metrics_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/examples/metrics"
)

var sunset = time.Date(2027, 1, 31, 0, 0, 0, 0, time.UTC)

func versions(t *testing.T) *catalogue.Catalogue {
	t.Helper()
	c, err := catalogue.New(catalogue.Config{Versions: []catalogue.Entry{
		{Version: "v1", Deprecated: sunset.AddDate(0, -6, 0), Sunset: sunset}, {Version: "v2"},
	}})
	require.NoError(t, err)
	return c
}

// serve returns a service in Echo.
func serve(config verso.Config) http.Handler {
	config.Clock = func() time.Time { return sunset.AddDate(0, -1, 0) }
	e := echo.New()
	v := versoecho.New(e, verso.Must(verso.NewURLPath(config)))
	v.GET("/:version/users/:id", func(c echo.Context) error { return c.NoContent(http.StatusNoContent) })
	return e
}

// ask sends requests for v1, v1, v2 and a version that a client made up.
func ask(t *testing.T, service http.Handler) {
	t.Helper()
	server := httptest.NewServer(service)
	defer server.Close()
	for _, path := range []string{"/v1/users/7", "/v1/users/8", "/v2/users/7", "/v77/users/7"} {
		response, err := server.Client().Get(server.URL + path)
		require.NoError(t, err)
		response.Body.Close()
	}
}

func TestPrometheus(t *testing.T) {
	registry := prometheus.NewRegistry()
	observe, err := metrics.Prometheus(registry, versions(t))
	require.NoError(t, err)
	ask(t, serve(verso.Config{Catalogue: versions(t), Observe: observe}))
	assert.NoError(t, testutil.GatherAndCompare(registry, strings.NewReader(`
# HELP verso_requests_total Requests by the API version that they are for, none for a version that is not listed.
# TYPE verso_requests_total counter
verso_requests_total{asked="listed",outcome="served",route="/:version/users/:id",state="deprecated",version="v1"} 2
verso_requests_total{asked="listed",outcome="served",route="/:version/users/:id",state="supported",version="v2"} 1
verso_requests_total{asked="unlisted",outcome="invalid_url_path_version",route="/:version/users/:id",state="",version=""} 1
# HELP verso_version_sunset_timestamp_seconds When a version ends, in seconds since 1970.
# TYPE verso_version_sunset_timestamp_seconds gauge
verso_version_sunset_timestamp_seconds{version="v1"} 1.8013536e+09
`)))
	_, err = metrics.Prometheus(registry, versions(t))
	assert.Error(t, err, "registered twice")
}

func TestOpenTelemetry(t *testing.T) {
	reader := metric.NewManualReader()
	provider := metric.NewMeterProvider(metric.WithReader(reader))
	service := serve(verso.Config{Catalogue: versions(t), Observe: metrics.OpenTelemetry})
	ask(t, otelhttp.NewHandler(service, "service", otelhttp.WithMeterProvider(provider)))

	var collected metricdata.ResourceMetrics
	require.NoError(t, reader.Collect(t.Context(), &collected))
	counts := make(map[string]uint64)
	for _, scope := range collected.ScopeMetrics {
		for _, m := range scope.Metrics {
			if m.Name != "http.server.request.duration" {
				continue
			}
			for _, point := range m.Data.(metricdata.Histogram[float64]).DataPoints {
				var labels []string
				for _, name := range []attribute.Key{"verso.version", "verso.state", "verso.outcome", "http.route"} {
					value, _ := point.Attributes.Value(name)
					labels = append(labels, value.AsString())
				}
				counts[strings.Join(labels, " ")] += point.Count
			}
		}
	}
	assert.Equal(t, map[string]uint64{
		"v1 deprecated served /:version/users/:id":       2,
		"v2 supported served /:version/users/:id":        1,
		"  invalid_url_path_version /:version/users/:id": 1,
	}, counts)
}
