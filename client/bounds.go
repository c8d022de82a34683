package client

import "slices"

// Bounds of what is read. A service that sends more is broken or hostile.
const (
	maxLines      = 64       // of a field
	maxDatesBytes = 1 << 10  // of Deprecation, of Sunset, of Retry-After
	maxDates      = 16       // in each of these fields
	maxListBytes  = 8 << 10  // of a list of versions, of the served version
	maxLinksBytes = 16 << 10 // of Link
	maxLinks      = 16       // reported links
	maxNewer      = 64       // reported newer versions
)

// bounded returns the lines of a field that are read. It skips a line that is longer
// than what is left of maxBytes, since part of a list or of a date would mean
// something else.
func bounded(lines []string, maxBytes int) []string {
	lines = lines[:min(len(lines), maxLines)]
	for i, line := range lines {
		if len(line) > maxBytes {
			return slices.Concat(lines[:i], bounded(lines[i+1:], maxBytes))
		}
		maxBytes -= len(line)
	}
	return lines
}
