// Package codes is the table of the findings. Explain, the log and errors have
// their texts from here, and docs/findings.md too.
package codes

import "fmt"

// Row is a finding, or one of several with its code.
type Row struct {
	Code   string // stable, for programs
	About  string // where the mistake is, such as a field of the configuration
	When   When
	Says   string // what is wrong: a format
	Change string // what to change: the format of the arguments that Says leaves, "" if Says has it
}

// Text returns what is wrong and what to change.
func (r Row) Text(args ...any) string {
	format := r.Says
	if r.Says != "" && r.Change != "" {
		format += ": "
	}
	return fmt.Sprintf(format+r.Change, args...)
}

// When is when a finding appears, and so whether it may be intended.
type When uint8

// Mistakes come first, and then what may be intended.
const (
	Refused    When = iota // by the constructor of a versioning
	Catalogued             // by the constructors of package catalogue, and by what reads files
	Registered             // by the registration of a route, which panics
	Failed                 // by a request
	Explained              // by Explain, and by the log at the first request
	Logged                 // by a request
)

// IsWarning reports whether the finding may be intended.
func (w When) IsWarning() bool { return w >= Explained }
