package metrics_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/contrib/instrumentation/github.com/gin-gonic/gin/otelgin"
	"go.opentelemetry.io/contrib/instrumentation/github.com/labstack/echo/otelecho"
	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/examples/metrics"
)

var sunset = time.Date(2027, 1, 31, 0, 0, 0, 0, time.UTC)

func versions(t *testing.T) *catalogue.Catalogue {
	t.Helper()
	c, err := catalogue.New(catalogue.Config{Versions: []catalogue.Entry{
		{Version: "v1", Deprecated: sunset.AddDate(0, -6, 0), Sunset: sunset, AfterSunset: catalogue.Gone}, {Version: "v2"},
	}})
	require.NoError(t, err)
	return c
}

const pattern = "/:version/users/:id"

func newAPI(config verso.Config) *verso.Versioning {
	config.Clock = func() time.Time { return sunset.AddDate(0, -1, 0) }
	return verso.MustNew(verso.PathParam("version"), config)
}

func inEcho(api *verso.Versioning, middleware ...echo.MiddlewareFunc) http.Handler {
	e := echo.New()
	e.Use(middleware...)
	v := versoecho.New(e, api)
	v.GET(pattern, func(c echo.Context) error { return c.NoContent(http.StatusNoContent) })
	v.Since("v2").GET("/:version/rooms", func(c echo.Context) error { return c.NoContent(http.StatusNoContent) })
	return e
}

func inGin(api *verso.Versioning, middleware ...gin.HandlerFunc) http.Handler {
	r := gin.New()
	r.Use(middleware...)
	versogin.New(r, api).GET(pattern, func(c *gin.Context) { c.Status(http.StatusNoContent) })
	return r
}

func inHTTP(api *verso.Versioning) http.Handler {
	mux := http.NewServeMux()
	versohttp.New(mux, api).HandleFunc("GET /{version}/users/{id}", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	})
	return mux
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
	for range 2 { // the second is a reload
		observe, err := metrics.Prometheus(registry)
		require.NoError(t, err)
		require.NoError(t, metrics.Sunsets(registry, versions(t)))
		service := inEcho(newAPI(verso.Config{Catalogue: versions(t), Observe: observe}))
		ask(t, service)
		service.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/v1/rooms", nil)) // a rejection that names a version
	}
	assert.NoError(t, testutil.GatherAndCompare(registry, strings.NewReader(`
# HELP verso_requests_total Requests by the API version that they are for, none for a version that is not listed.
# TYPE verso_requests_total counter
verso_requests_total{outcome="served",requested="listed",route="/:version/users/:id",state="deprecated",version="v1"} 4
verso_requests_total{outcome="served",requested="listed",route="/:version/users/:id",state="supported",version="v2"} 2
verso_requests_total{outcome="not_in_version",requested="listed",route="/:version/rooms",state="deprecated",version="v1"} 2
verso_requests_total{outcome="invalid_url_path_version",requested="unlisted",route="/:version/users/:id",state="",version=""} 2
# HELP verso_version_sunset_timestamp_seconds When a version ends, in seconds since 1970.
# TYPE verso_version_sunset_timestamp_seconds gauge
verso_version_sunset_timestamp_seconds{version="v1"} 1.8013536e+09
`)))
	undated, err := catalogue.List("v1", "v2")
	require.NoError(t, err)
	require.NoError(t, metrics.Sunsets(registry, undated))
	assert.NoError(t, testutil.GatherAndCompare(registry, strings.NewReader(""), "verso_version_sunset_timestamp_seconds"))
}

func TestPrometheusErrors(t *testing.T) {
	registry := prometheus.NewRegistry()
	for _, name := range []string{"verso_requests_total", "verso_version_sunset_timestamp_seconds"} {
		registry.MustRegister(prometheus.NewGauge(prometheus.GaugeOpts{Name: name, Help: "Of another program."}))
	}
	_, err := metrics.Prometheus(registry)
	assert.Error(t, err)
	assert.Error(t, metrics.Sunsets(registry, versions(t)))
}

// TestOpenTelemetrySpans has the version on the spans of each instrumentation, of
// rejected requests as well.
func TestOpenTelemetrySpans(t *testing.T) {
	gin.SetMode(gin.TestMode)
	for _, test := range []struct {
		name, route string
		instrument  func(*verso.Versioning, *trace.TracerProvider) http.Handler
	}{
		{"otelgin", pattern, func(api *verso.Versioning, spans *trace.TracerProvider) http.Handler {
			return inGin(api, otelgin.Middleware("service", otelgin.WithTracerProvider(spans)))
		}},
		{"otelecho", pattern, func(api *verso.Versioning, spans *trace.TracerProvider) http.Handler {
			return inEcho(api, otelecho.Middleware("service", otelecho.WithTracerProvider(spans)))
		}},
		{"otelhttp", "/{version}/users/{id}", func(api *verso.Versioning, spans *trace.TracerProvider) http.Handler {
			return otelhttp.NewHandler(inHTTP(api), "service", otelhttp.WithTracerProvider(spans))
		}},
		{"otelhttp around Gin", pattern, func(api *verso.Versioning, spans *trace.TracerProvider) http.Handler {
			return otelhttp.NewHandler(inGin(api), "service", otelhttp.WithTracerProvider(spans))
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			recorder := tracetest.NewSpanRecorder()
			provider := trace.NewTracerProvider(trace.WithSpanProcessor(recorder))
			ask(t, test.instrument(newAPI(verso.Config{Catalogue: versions(t), Observe: metrics.OpenTelemetry}), provider))
			var got []string
			for _, span := range recorder.Ended() {
				set := attribute.NewSet(span.Attributes()...)
				got = append(got, labels(set))
			}
			assert.Equal(t, []string{
				"v1 deprecated served " + test.route,
				"v1 deprecated served " + test.route,
				"v2 supported served " + test.route,
				"  invalid_url_path_version " + test.route,
			}, got)
		})
	}
}

// labels returns what Verso says of a request.
func labels(of attribute.Set) string {
	var texts []string
	for _, name := range []attribute.Key{"verso.version", "verso.state", "verso.outcome", "http.route"} {
		value, _ := of.Value(name)
		texts = append(texts, value.AsString())
	}
	return strings.Join(texts, " ")
}

// TestOpenTelemetryHistogram has the version on the histogram where otelhttp is around
// the service, whatever the framework. otelgin and otelecho look at no Labeler.
func TestOpenTelemetryHistogram(t *testing.T) {
	gin.SetMode(gin.TestMode)
	for _, test := range []struct {
		name       string
		want       map[string]uint64
		instrument func(*verso.Versioning, *metric.MeterProvider) http.Handler
	}{
		{"otelhttp around Echo", byVersion, func(api *verso.Versioning, meters *metric.MeterProvider) http.Handler {
			return otelhttp.NewHandler(inEcho(api), "service", otelhttp.WithMeterProvider(meters))
		}},
		{"otelhttp around Gin", byVersion, func(api *verso.Versioning, meters *metric.MeterProvider) http.Handler {
			return otelhttp.NewHandler(inGin(api), "service", otelhttp.WithMeterProvider(meters))
		}},
		{"otelgin alone", map[string]uint64{"   " + pattern: 4}, func(api *verso.Versioning, meters *metric.MeterProvider) http.Handler {
			return inGin(api, otelgin.Middleware("service", otelgin.WithMeterProvider(meters)))
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			reader := metric.NewManualReader()
			provider := metric.NewMeterProvider(metric.WithReader(reader))
			ask(t, test.instrument(newAPI(verso.Config{Catalogue: versions(t), Observe: metrics.OpenTelemetry}), provider))
			var collected metricdata.ResourceMetrics
			require.NoError(t, reader.Collect(t.Context(), &collected))
			counts := make(map[string]uint64)
			for _, scope := range collected.ScopeMetrics {
				for _, m := range scope.Metrics {
					if m.Name != "http.server.request.duration" {
						continue
					}
					for _, point := range m.Data.(metricdata.Histogram[float64]).DataPoints {
						counts[labels(point.Attributes)] += point.Count
					}
				}
			}
			assert.Equal(t, test.want, counts)
		})
	}
}

var byVersion = map[string]uint64{
	"v1 deprecated served " + pattern:       2,
	"v2 supported served " + pattern:        1,
	"  invalid_url_path_version " + pattern: 1,
}
