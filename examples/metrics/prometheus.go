package metrics

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

// Prometheus registers a counter of requests and a gauge of the sunsets, and
// returns the Observe of a verso.Config. There are no more series than versions,
// times routes, times outcomes: nothing that a client sends is a label.
func Prometheus(registry prometheus.Registerer, versions *catalogue.Catalogue) (func(context.Context, verso.Usage), error) {
	requests := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "verso_requests_total",
		Help: "Requests by the API version that they are for, none for a version that is not listed.",
	}, []string{"version", "state", "asked", "outcome", "route"})
	sunsets := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "verso_version_sunset_timestamp_seconds",
		Help: "When a version ends, in seconds since 1970.",
	}, []string{"version"})
	for index, version := range versions.Versions() {
		if sunset := versions.Entry(index).Sunset; !sunset.IsZero() {
			sunsets.WithLabelValues(version).Set(float64(sunset.Unix()))
		}
	}
	for _, collector := range []prometheus.Collector{requests, sunsets} {
		if err := registry.Register(collector); err != nil {
			return nil, err
		}
	}
	return func(_ context.Context, u verso.Usage) {
		requests.WithLabelValues(u.Version.String(), u.State.String(), string(u.Asked), u.Outcome, u.Route).Inc()
	}, nil
}
