// Package metrics has a recipe each for Prometheus and for OpenTelemetry: requests
// by version, and when each version ends.
package metrics
