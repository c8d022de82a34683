package conformance_test

import (
	"testing"

	"github.com/goverso/verso/conformance"
)

func TestConformance(t *testing.T) {
	conformance.Run(t, mountReference, rewritesNothing)
}

// TestMiddleware registers routes without options with the framework itself.
func TestMiddleware(t *testing.T) {
	conformance.Run(t, mounting(mutation{alone: true}), rewritesNothing)
}

var rewritesNothing = conformance.Without("rewrite", "the reference rewrites no bodies")
