package metrics

import (
	"context"
	"errors"

	"github.com/prometheus/client_golang/prometheus"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

// Prometheus registers a counter of requests, and returns the Observe of a
// verso.Config. There are no more series than versions, times routes, times outcomes:
// nothing that a client sends is a label. Called again for the same registry, it counts
// on.
func Prometheus(registry prometheus.Registerer) (func(context.Context, verso.Observation), error) {
	requests, err := register(registry, prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "verso_requests_total",
		Help: "Requests by the API version that they are for, none for a version that is not listed.",
	}, []string{"version", "state", "requested", "outcome", "route"}))
	if err != nil {
		return nil, err
	}
	return func(_ context.Context, o verso.Observation) {
		requests.WithLabelValues(o.Version.String(), o.State.String(), string(o.Requested), o.Outcome, o.Route).Inc()
	}, nil
}

// Sunsets registers a gauge that says when each version ends. Called again for the same
// registry, it puts these dates in place of the others.
func Sunsets(registry prometheus.Registerer, versions *catalogue.Catalogue) error {
	sunsets, err := register(registry, prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "verso_version_sunset_timestamp_seconds",
		Help: "When a version ends, in seconds since 1970.",
	}, []string{"version"}))
	if err != nil {
		return err
	}
	sunsets.Reset()
	for index, version := range versions.Versions() {
		if sunset := versions.Entry(index).Sunset; !sunset.IsZero() {
			sunsets.WithLabelValues(version).Set(float64(sunset.Unix()))
		}
	}
	return nil
}

// register registers a collector. It returns the one that the registry has already, as
// after a reload.
func register[C prometheus.Collector](registry prometheus.Registerer, collector C) (C, error) {
	err := registry.Register(collector)
	if already, ok := errors.AsType[prometheus.AlreadyRegisteredError](err); ok {
		if existing, ok := already.ExistingCollector.(C); ok {
			return existing, nil
		}
	}
	return collector, err
}
