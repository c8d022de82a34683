package migrate

import (
	"fmt"
	"io"
	"strings"
)

// Changelog writes what changed, the newest version first, in Markdown. The error is
// that of w.
func (h *History) Changelog(w io.Writer) error {
	var text strings.Builder
	for _, r := range h.revisions {
		fmt.Fprintf(&text, "## %s\n\n", r.name)
		for _, c := range r.changes {
			fmt.Fprintf(&text, "- %s\n", c.text)
			for _, t := range c.types {
				for _, e := range t.edits {
					fmt.Fprintf(&text, "  - `%s`: %s.\n", shortName(t.typ), e.text)
				}
			}
		}
		text.WriteString("\n")
	}
	_, err := io.WriteString(w, strings.TrimRight(text.String(), "\n")+"\n")
	return err
}
