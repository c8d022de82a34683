package exchange

import (
	"cmp"
	"slices"
	"strconv"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/message"
)

// StatusOf returns the status of the version for a newest status. Several versions may have
// changed it, and the newest change is taken back first.
func (e *Edition) StatusOf(status int) int {
	for _, a := range e.answers {
		if a.Now == status && a.Part == "" {
			status = a.Old
		}
	}
	return status
}

// mediaTypeOf returns the media type that the version has instead of a newest one, "" for the
// same.
func (e *Edition) mediaTypeOf(status int, contentType string) (older string) {
	if status >= 400 || contentType == "" {
		return ""
	}
	for _, a := range e.answers {
		if a.Part == "media type" && a.Is == cmp.Or(older, message.MediaType(contentType)) {
			older = a.Was
		}
	}
	return older
}

// follows reports whether the status in the body of a response follows its status line.
func (e *Edition) follows(status int, contentType string) bool {
	return e.StatusOf(status) != status && message.MediaType(contentType) == verso.ProblemType
}

// follow returns problem details with the status that the version has. What is not JSON, or
// has another status, stays.
func (e *Edition) follow(status int, body []byte, f message.Fields) []byte {
	// Only the member of the outer object counts, and the rest stays byte for byte.
	begin, end, _ := jsontext.Find(body, "status", false)
	if begin < 0 || string(body[begin:end]) != strconv.Itoa(status) {
		return body
	}
	for _, name := range bodyFields[1:] { // the length stays
		f.Del(name)
	}
	return slices.Concat(body[:begin], strconv.AppendInt(nil, int64(e.StatusOf(status)), 10), body[end:])
}

// headers renames the fields of a response, with all their lines. A field that the handler did
// not set stays unset.
func (e *Edition) headers(f message.Fields) {
	for _, a := range e.answers {
		lines := f.Lines(a.Is)
		if a.Part != "header" || lines == nil {
			continue
		}
		f.Del(a.Is)
		f.Del(a.Was)
		for _, line := range lines {
			f.Add(a.Was, line)
		}
	}
}
