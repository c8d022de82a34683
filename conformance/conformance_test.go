package conformance_test

import (
	"testing"

	"github.com/goverso/verso/conformance"
)

func TestConformance(t *testing.T) {
	conformance.Run(t, mountReference)
}

func TestRoundTrip(t *testing.T) {
	conformance.RoundTrip(t, mountReference)
}

func TestCaching(t *testing.T) {
	conformance.Caching(t, mountReference)
}

func TestHostile(t *testing.T) {
	conformance.Hostile(t, mountReference)
}

func TestStrictness(t *testing.T) {
	conformance.Strictness(t, mountReference)
}

func TestConcurrent(t *testing.T) {
	conformance.Concurrent(t, mountReference)
}

func TestFaults(t *testing.T) {
	conformance.Faults(t, mountReference)
}
