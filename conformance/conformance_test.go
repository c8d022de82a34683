package conformance_test

import (
	"testing"

	"github.com/goverso/verso/conformance"
)

func TestConformance(t *testing.T) {
	conformance.Run(t, mountReference)
}

// TestMiddleware runs the suite behind the middleware.
func TestMiddleware(t *testing.T) {
	conformance.Run(t, mountReference, conformance.BehindMiddleware())
}

// TestForeignRoutes registers the routes of which nothing is said with the framework.
func TestForeignRoutes(t *testing.T) {
	conformance.Run(t, mountReference, conformance.ForeignRoutes(false))
}
