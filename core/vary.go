package verso

import (
	"net/http"
	"strings"
)

// AddVary adds names to the Vary field of a response, without doubles. Names
// are in canonical form ("Accept"). A field that is "*" says more already and
// stays (RFC 9110, section 12.5.5).
//
// Where there is no such field yet, a single name becomes it as it stands, so
// that a slice made once saves an allocation for each response. Header.Add
// copies it; nobody must write to its element.
func AddVary(header http.Header, names ...string) {
	var lines []string
	if len(header) > 0 {
		lines = header["Vary"]
	}
	if len(lines) == 0 && len(names) == 1 {
		header["Vary"] = names[:1:1]
		return
	}
	for _, name := range names {
		if !varies(lines, name) {
			lines = append(lines, name)
		}
	}
	if len(lines) > 0 {
		header["Vary"] = lines
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
