package verso

import (
	"net/http"
	"strings"
)

// AddVary adds names to the Vary field of a response, without doubles. Names
// are in canonical form ("Accept"). A field that is "*" says more already and
// stays (RFC 9110, section 12.5.5).
func AddVary(header http.Header, names ...string) {
	for _, name := range names {
		lines := header["Vary"]
		if len(lines) == 0 {
			header["Vary"] = []string{name}
		} else if !varies(lines, name) {
			header["Vary"] = append(lines, name)
		}
	}
}

// varies reports whether the lines of a Vary field name the given header.
func varies(lines []string, name string) bool {
	for _, line := range lines {
		for element := range strings.SplitSeq(line, ",") {
			element = strings.TrimSpace(element)
			if element == "*" || strings.EqualFold(element, name) {
				return true
			}
		}
	}
	return false
}
