package conformance

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

// sheet is a section of a file of folder requests: a rule, and requests to one application
// with what they get. A request is a method, a path and a version, or words with a colon:
//
//	GET /users/7 v2 stop:auth: 401 | auth
type sheet struct {
	rule  string
	lines []line
}

// line is a line of a sheet, and where it stands.
type line struct{ text, at string }

//go:embed requests
var requestFiles embed.FS

// sheets returns the sheets of a group by their names.
func sheets(group string) map[string]*sheet {
	path := "requests/" + group + ".txt"
	text, err := requestFiles.ReadFile(path)
	if err != nil {
		panic(err)
	}
	all := make(map[string]*sheet)
	var last *sheet
	for i, text := range strings.Split(string(text), "\n") {
		if title, ok := strings.CutPrefix(text, "# "); ok {
			name, rule, _ := strings.Cut(title, ": ")
			last = &sheet{rule: rule}
			all[name] = last
		} else if text != "" {
			last.lines = append(last.lines, line{text, fmt.Sprintf("%s:%d", path, i+1)})
		}
	}
	return all
}

// has reports whether the sheet has a line that begins with a text.
func (s *sheet) has(text string) bool {
	return slices.ContainsFunc(s.lines, func(l line) bool { return l.text == text || strings.HasPrefix(l.text, text+" ") })
}
