package declared

import (
	"net/http"
	"slices"

	"github.com/goverso/verso/migrate/internal/message"
	"github.com/goverso/verso/migrate/internal/openapi"
)

// Answer is an edit of the first line or the header of a message, or of how documents describe an
// operation. It belongs to a route, not to a type: two routes with the same body may answer
// differently. A function is nil where nothing changes.
type Answer struct {
	Change   string // the text of its change
	Version  string // that its release makes
	Text     string // for changelogs and contracts
	Harmless bool   // clients that move to the newer version need not change

	About    string // two edits of a release about the same may not share a side
	Was, Is  string // the sides
	Statuses []int  // of its responses; nil: all below 400

	Status    func(status int) int                                // of the older version
	MediaType func(status int, mediaType string) string           // of the older version
	Fields    func(f message.Fields, status int)                  // undoes the edit
	Request   func(mediaType string) (newer string, isThere bool) // false: the older version lacks it
	Document  func(o *openapi.Operation)                          // undoes the edit
}

// Has reports whether it is about responses with a status.
func (a Answer) Has(status int) bool {
	return slices.Contains(a.Statuses, status) || a.Statuses == nil && status < http.StatusBadRequest
}

// IsSent reports whether a client notices it, and not only a reader of documents.
func (a Answer) IsSent() bool {
	return a.Status != nil || a.MediaType != nil || a.Fields != nil || a.Request != nil
}

// Renames reports whether it gives a header field another name.
func (a Answer) Renames() bool { return a.Fields != nil && a.Was != a.Is }

// StatusOf returns the status that older clients get for a newest one. Several versions may have changed it, and
// the newest change, the first of the list, is taken back first.
func StatusOf(list []Answer, status int) int {
	for _, a := range list {
		if a.Status != nil {
			status = a.Status(status)
		}
	}
	return status
}
