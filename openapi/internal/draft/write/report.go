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
	Router          string // as -router has it
	Edits, Types    int
	Untried         string
	Untidy          bool // the module lacks requirements of the draft
	Questions       []string
	Refused         []string
	Notes, Additive []string
	OwnTypes        bool     // only the history was written
	Routes          []string // what the routes of a service with its own types declare
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
	fmt.Fprintf(&b, "Drafted %s of %s: %s, %d refused, %d that no declaration covers.\n", count(r.Edits, "edit", "edits"),
		count(r.Types, "type", "types"), count(len(r.Questions), "question", "questions"), len(r.Refused), len(r.Notes))
	if !r.OwnTypes {
		fmt.Fprintf(&b, "The routes are for %s: -router chooses another framework.\n", r.Router)
	}
	if r.Untried != "" {
		fmt.Fprintf(&b, "\nNot tried: %s\n", r.Untried)
	}
	list("Malformed in the documents", r.Malformed)
	list("Questions, each a TODO", r.Questions)
	list("Refused, each a comment with the reason", r.Refused)
	list("What no declaration covers", r.Notes)
	list("Additive: older clients do not notice", r.Additive)
	list("What the routes declare", r.Routes)
	list("Changed by a person, so the draft is beside it as NAME.new", r.Kept)
	b.WriteString("\nNext:\n")
	switch {
	case r.Untried != "":
		b.WriteString("  go mod tidy\nand draft again, since what is not tried may be wrong.\n")
	case r.Untidy:
		b.WriteString("  go mod tidy\n")
	}
	switch {
	case r.Untried != "":
	case r.OwnTypes:
		fmt.Fprintf(&b, "  go vet %s\n  grep -n TODO %s/versions.go\n", folderArgument(r.Folder), folderArgument(r.Folder))
	default:
		fmt.Fprintf(&b, "  go test %s -update\n  grep -n TODO %s/*.go\n", folderArgument(r.Folder), folderArgument(r.Folder))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// folderArgument returns a folder as the go command takes it.
func folderArgument(folder string) string {
	folder = filepath.ToSlash(filepath.Clean(folder))
	if !filepath.IsAbs(folder) && folder != "." && !strings.HasPrefix(folder, "../") {
		folder = "./" + folder
	}
	return folder
}

// count returns a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// short returns what a reader needs of an error.
func short(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) > 3 {
		lines = append(lines[:3:3], fmt.Sprintf("and %d lines more", len(lines)-3))
	}
	for i, line := range lines {
		if len(line) > 300 {
			lines[i] = strings.ToValidUTF8(line[:300], "") + "…"
		}
	}
	return strings.Join(lines, "\n")
}
