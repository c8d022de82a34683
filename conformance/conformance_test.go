package conformance_test

import (
	"testing"

	"github.com/goverso/verso/conformance"
)

func TestConformance(t *testing.T) {
	conformance.Run(t, mountReference)
}
