package declared

import "fmt"

// Answer is an edit of the first line or the header of a response. It belongs to a route,
// not to a type: two routes with the same body may answer differently.
type Answer struct {
	Change   string // the text of its change
	Version  string // that its release makes
	Old, Now int    // of a status
	Part     string // "header" or "media type"; "" for a status
	Was, Is  string // its names
}

func (a Answer) String() string {
	if a.Part == "" {
		return fmt.Sprintf("status %d was %d", a.Now, a.Old)
	}
	return fmt.Sprintf("the %s %q was %q", a.Part, a.Is, a.Was)
}
