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
func OpenTelemetry(ctx context.Context, u verso.Usage) {
	attributes := []attribute.KeyValue{
		attribute.String("http.route", u.Route),
		attribute.String("verso.version", u.Version.String()),
		attribute.String("verso.state", u.State.String()),
		attribute.String("verso.outcome", u.Outcome),
	}
	trace.SpanFromContext(ctx).SetAttributes(attributes...)
	labeler, _ := otelhttp.LabelerFromContext(ctx)
	labeler.Add(attributes...)
}
