package client

import (
	"iter"
	"strings"
)

// How much of a field is read. A service that sends more is broken or hostile.
const (
	maxLines      = 64       // of a field
	maxDatesBytes = 1 << 10  // of Deprecation, of Sunset, of Retry-After
	maxListBytes  = 8 << 10  // of a list of versions, of the served version
	maxLinksBytes = 16 << 10 // of Link
	maxLinks      = 16       // that are reported
	maxNewer      = 64       // newer versions that are reported
)

// bounded returns the lines of a field that are read. A line that is longer than
// what is left of maxBytes is passed over as a whole, since half of a list or of a
// date says something else.
func bounded(lines []string, maxBytes int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, line := range lines[:min(len(lines), maxLines)] {
			if len(line) > maxBytes {
				continue
			}
			maxBytes -= len(line)
			if !yield(line) {
				return
			}
		}
	}
}

// elements returns the elements of a list (RFC 9110, section 5.6.1) that are not
// empty.
func elements(lines []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range bounded(lines, maxListBytes) {
			for element := range strings.SplitSeq(line, ",") {
				if element = trim(element); element != "" && !yield(element) {
					return
				}
			}
		}
	}
}
