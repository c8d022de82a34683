package metrics

import (
	"context"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	verso "github.com/goverso/verso/core"
)

// OpenTelemetry is the Observe of a verso.Config. It puts the version on the span of
// the request, and on the histogram http.server.request.duration of package otelhttp
// where its handler is around the service. The semantic conventions have no attribute
// for it.
func OpenTelemetry(ctx context.Context, o verso.Observation) {
	attributes := []attribute.KeyValue{
		attribute.String("http.route", o.Route),
		attribute.String("verso.version", o.Version.String()),
		attribute.String("verso.state", o.State.String()),
		attribute.String("verso.outcome", o.Outcome),
	}
	trace.SpanFromContext(ctx).SetAttributes(attributes...)
	labeler, _ := otelhttp.LabelerFromContext(ctx)
	labeler.Add(attributes...)
}
