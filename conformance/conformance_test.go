package conformance_test

import (
	"testing"

	"github.com/goverso/verso/conformance"
)

func TestConformance(t *testing.T) {
	conformance.Run(t, mountReference)
}

// TestMiddleware lets the framework alone have the routes of which nothing is said.
func TestMiddleware(t *testing.T) {
	conformance.Run(t, mounting(mutation{alone: true}))
}
