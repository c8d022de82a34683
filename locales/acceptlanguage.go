package locales

import (
	"strings"

	"github.com/goverso/verso/core/mediatype"
)

// Bounds of an Accept-Language header. They keep the cost of a hostile one near
// that of a browser which is set to many languages: ten ranges, a q of one
// decimal on each, in less than 200 bytes. What lies beyond them does not
// count, and a range that [MaxBytes] cuts through does not either.
const (
	MaxBytes  = 256 // over all field lines, a comma between two of them included
	MaxRanges = 10  // elements of the list, empty and malformed ones included
)

// languageRange is an element of an Accept-Language header.
type languageRange struct {
	text   string // the language range as it stands in the header
	weight int    // see mediatype.ParseWeight
}

func (r *languageRange) isWildcard() bool { return r.text == "*" }

// readRanges appends the ranges of the header to ranges, up to its capacity.
// The lines are one list, as if joined by commas.
func readRanges(ranges []languageRange, lines []string) []languageRange {
	bytesLeft, elementsLeft := MaxBytes, cap(ranges)
	for _, line := range lines {
		if len(line) > bytesLeft {
			line = wholeElements(line, bytesLeft)
			bytesLeft = 0
		} else {
			bytesLeft -= len(line) + len(",")
		}
		for more := true; more; elementsLeft-- {
			if elementsLeft == 0 {
				return ranges
			}
			var element string
			element, line, more = strings.Cut(line, ",")
			text, params := cutParams(element)
			if text = strings.Trim(text, " \t"); text != "" {
				ranges = append(ranges, languageRange{text, weightOf(params)})
			}
		}
		if bytesLeft <= 0 {
			break
		}
	}
	return ranges
}

// wholeElements returns the elements of a line that end within its first bytes.
func wholeElements(line string, bytes int) string {
	if line[bytes] == ',' {
		return line[:bytes]
	}
	return line[:max(strings.LastIndexByte(line[:bytes], ','), 0)]
}

// cutParams cuts an element behind the first ";". Elements are so short that
// this is faster than [strings.Cut].
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
