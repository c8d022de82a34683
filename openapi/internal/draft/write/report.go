package write

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// A Report counts the parts of a draft, and lists the questions to a person.
type Report struct {
	Folder          string
	Edits, Types    int
	Untried         string
	Questions       []string
	Refused         []string
	Notes, Additive []string
	Kept            []string // files that a person changed
	Malformed       []string
}

func (r *Report) ask(place, todo string) { r.Questions = append(r.Questions, place+": "+todo) }

func (r *Report) refused(place, what, why string) {
	r.Refused = append(r.Refused, place+": "+what+": "+strings.SplitN(short(why), "\n", 2)[0])
}

// Print prints the report.
func (r *Report) Print(w io.Writer) error {
	var b strings.Builder
	list := func(title string, all []string) {
		if len(all) == 0 {
			return
		}
		fmt.Fprintf(&b, "\n%s (%d):\n", title, len(all))
		for _, one := range all {
			b.WriteString("  " + strings.ReplaceAll(one, "\n", "\n    ") + "\n")
		}
	}
	fmt.Fprintf(&b, "Drafted %d edits of %d types: %d questions, %d refused, %d that no declaration covers.\n",
		r.Edits, r.Types, len(r.Questions), len(r.Refused), len(r.Notes))
	if r.Untried != "" {
		fmt.Fprintf(&b, "\nNot tried: %s\n", r.Untried)
	}
	list("Malformed in the documents", r.Malformed)
	list("Questions, each a TODO", r.Questions)
	list("Refused, each a comment with the reason", r.Refused)
	list("What no declaration covers", r.Notes)
	list("Additive: older clients do not notice", r.Additive)
	list("Changed by a person, so the draft is beside it as NAME.new", r.Kept)
	folder := filepath.ToSlash(r.Folder)
	if !filepath.IsAbs(r.Folder) && !strings.HasPrefix(folder, ".") {
		folder = "./" + folder
	}
	if r.Untried != "" {
		b.WriteString("\nNext:\n  go mod tidy\nand draft again, since what is not tried may be wrong.\n")
		_, err := io.WriteString(w, b.String())
		return err
	}
	fmt.Fprintf(&b, "\nNext:\n  grep -n TODO %s/*.go\n  go test %s -update\n", folder, folder)
	_, err := io.WriteString(w, b.String())
	return err
}
