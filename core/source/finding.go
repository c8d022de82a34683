package source

// Finding is a mistake in a configuration, or a possible one. Codes are stable, and
// docs/findings.md has each.
type Finding struct {
	Level Level  `json:"level"` // whether it is a mistake or a possible one
	Code  string `json:"code"`  // for programs: "version_twice"
	// of [github.com/goverso/verso/core.Config] or its Links, "Source", "Routes" or "Handlers"
	Field   string `json:"field"`
	Message string `json:"message"` // the mistake, and what to change

	// Acknowledged reports whether [github.com/goverso/verso/core.Config.Acknowledged] has it.
	Acknowledged bool `json:"acknowledged,omitempty"`
}

// Level is the severity of a [Finding].
type Level uint8

// The levels of a finding.
const (
	LevelWarning Level = iota // may be intended, and is often a mistake
	LevelError                // a mistake: the constructor fails
)

// String returns "warning" or "error".
func (l Level) String() string {
	if l == LevelError {
		return "error"
	}
	return "warning"
}

// MarshalText returns the name of the level.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// Error returns the field and the message. The constructors return all findings that
// are [LevelError] as one joined error: use [errors.As] for the first, or unwrap them.
func (f *Finding) Error() string { return "verso: " + f.Field + ": " + f.Message }
