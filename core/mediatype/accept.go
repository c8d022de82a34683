package mediatype

import "github.com/goverso/verso/core/internal/text"

// Bounds of an Accept header. A header beyond them accepts nothing: rejecting it
// is cheaper than reading it. Browsers send fewer than ten ranges in some two
// hundred bytes.
const (
	MaxBytes  = 8192 // of the joined field lines
	MaxRanges = 128  // elements, including those that are not media ranges, but not empty ones
)

// tooLong reports whether a header is beyond [MaxBytes].
func tooLong(accept string) bool { return len(accept) > MaxBytes }

// rangeReader reads the media ranges of an Accept header one by one.
type rangeReader struct {
	rest  string // the unread part of the header
	count int    // elements read
}

// tooMany reports whether the header is beyond [MaxRanges].
func (rr *rangeReader) tooMany() bool { return rr.count > MaxRanges }

// empty reports, after the last range, whether the header had no elements.
func (rr *rangeReader) empty() bool { return rr.count == 0 }

// next reads the next media range into r. It counts and skips elements that are not
// media ranges.
func (rr *rangeReader) next(r *mediaRange) (ok bool) {
	for rr.rest != "" && !rr.tooMany() {
		var element string
		element, rr.rest = text.CutUnquoted(rr.rest, ',')
		if element = text.Trim(element); element != "" {
			rr.count++
			if r.parse(element) {
				return true
			}
		}
	}
	return false
}

// preferred returns the range that the client prefers when the service
// declares nothing.
func (rr *rangeReader) preferred() (accepted Accepted, ok bool) {
	var best choice
	for r := new(mediaRange); rr.next(r); {
		if pref := r.preference(); pref.beats(best.preference) {
			best = choice{r.text, r.params, pref}
		}
	}
	if rr.empty() {
		return Accepted{"", -1}, true
	}
	if rr.tooMany() || best.weight == 0 {
		return Accepted{}, false
	}
	return Accepted{best.text, -1}, true
}
