package locales

import (
	"strings"

	"github.com/goverso/verso/core/mediatype"
)

// Bounds of an Accept-Language header. They keep the cost of a hostile header near
// that of a browser with many languages: ten ranges, each with a q of one decimal,
// in less than 200 bytes. Everything beyond the bounds is ignored, including a range
// that crosses [MaxBytes].
const (
	MaxBytes  = 256 // of the joined field lines
	MaxRanges = 10  // elements of the list, including empty and malformed ones
)

// languageRange is an element of an Accept-Language header.
type languageRange struct {
	text   string // the language range as in the header
	weight int    // see mediatype.ParseWeight
}

func (r *languageRange) isWildcard() bool { return r.text == "*" }

// readRanges appends the ranges of the header to ranges.
func readRanges(ranges []languageRange, header string) []languageRange {
	if len(header) > MaxBytes {
		header = wholeElements(header)
	}
	for n, more := 0, true; more && n < MaxRanges; n++ {
		var element string
		element, header, more = strings.Cut(header, ",")
		text, params := cutParams(element)
		if text = strings.Trim(text, " \t"); text != "" {
			ranges = append(ranges, languageRange{text, weightOf(params)})
		}
	}
	return ranges
}

// wholeElements returns the elements that end within the first [MaxBytes] bytes of a
// longer header.
func wholeElements(header string) string {
	if header[MaxBytes] == ',' {
		return header[:MaxBytes]
	}
	return header[:max(strings.LastIndexByte(header[:MaxBytes], ','), 0)]
}

// cutParams cuts an element around the first ";". Elements are so short that this is
// faster than [strings.Cut].
func cutParams(element string) (text, params string) {
	for i := range len(element) {
		if element[i] == ';' {
			return element[:i], element[i+1:]
		}
	}
	return element, ""
}

// weightOf returns the q among the parameters of a range, in thousandths.
func weightOf(params string) int {
	weight := mediatype.MaxWeight
	for params != "" {
		var param string
		param, params = cutParams(params)
		param = strings.Trim(param, " \t")
		if len(param) >= len("q=") && (param[0] == 'q' || param[0] == 'Q') && param[1] == '=' {
			weight = mediatype.ParseWeight(param[len("q="):])
		}
	}
	return weight
}
