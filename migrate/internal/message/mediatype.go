// Package message knows the media types of bodies, and the header fields of messages of net/http and of
// fasthttp alike. It uses no other package of migrate.
package message

import (
	"bytes"
	"mime"
	"net/http"
	"strings"

	verso "github.com/goverso/verso/core"
)

// MediaType returns the media type of a Content-Type, without parameters.
func MediaType(contentType string) string {
	switch contentType { // what frameworks write
	case "application/json", "application/json; charset=utf-8", "application/json; charset=UTF-8":
		return "application/json"
	}
	mediaType, _, err := mime.ParseMediaType(contentType)
	// A type with a broken parameter still names itself: refusing it would let a typing error
	// decide what is rewritten.
	if err != nil {
		mediaType, _, _ = strings.Cut(strings.ToLower(contentType), ";")
	}
	return strings.TrimSpace(mediaType)
}

// IsJSON reports whether a body is JSON of its type, which that of a JSON Patch
// (RFC 6902) and of a merge patch (RFC 7396) is not. ASP.NET Core still reads and writes text/json.
func IsJSON(contentType string) bool {
	switch mediaType := MediaType(contentType); mediaType {
	case "application/json", "text/json":
		return true
	// Their members are operations, or a part of the object: edits would read them as the object.
	case "application/json-patch+json", "application/merge-patch+json":
		return false
	default:
		return strings.HasSuffix(mediaType, "+json")
	}
}

// IsLines reports whether a body is JSON values, one a line.  All these names are in use.
func IsLines(contentType string) bool {
	switch mediaType := MediaType(contentType); mediaType {
	case "application/x-ndjson", "application/ndjson", "application/jsonl", "application/jsonlines",
		"application/x-jsonlines", "application/stream+json":
		return true
	default:
		return IsRecords(mediaType)
	}
}

// IsRecords reports whether a record separator comes before each of these values (RFC 7464).
func IsRecords(mediaType string) bool {
	return mediaType == "application/json-seq" || strings.HasSuffix(mediaType, "+json-seq")
}

// IsJSONResponse reports whether a media type of a response is JSON, or values of it.
func IsJSONResponse(mediaType string) bool { return IsJSON(mediaType) || IsLines(mediaType) }

// BeginsLikeJSON reports whether a body without a type begins like a list or an object.
// A text or a number alone has no members to edit.
func BeginsLikeJSON(body []byte) bool {
	body = bytes.TrimLeft(body, " \t\r\n")
	return len(body) > 0 && (body[0] == '{' || body[0] == '[')
}

// Fields are the header fields of a message.
type Fields interface {
	Lines(name string) []string // stay as they are if the field changes
	Add(name, value string)
	Set(name, value string)
	Del(name string)
}

// Value returns the value of a field. Several lines are one list (RFC 9110, section 5.3).
func Value(f Fields, name string) string { return strings.Join(f.Lines(name), ", ") }

// Header are the fields of a message of net/http. Names have its spelling already, so that the
// many fields which most messages lack cost one look into the map each.
type Header struct{ http.Header }

// Del removes a field.
func (h Header) Del(name string) { delete(h.Header, name) }

// Lines returns the lines of a field.
func (h Header) Lines(name string) []string { return h.Header[name] }

// Buffered has the fields of a buffered message.
type Buffered struct{ verso.Message }

// Lines returns copies of the lines of a field.
func (m Buffered) Lines(name string) (lines []string) {
	for _, line := range m.PeekAll(name) {
		lines = append(lines, string(line))
	}
	return lines
}

// IsRange reports whether a media type includes JSON.
func IsRange(mediaType string) bool { return mediaType == "*/*" || mediaType == "application/*" }

// Includes reports whether a media type is another one, or a range with it.
func Includes(mediaType, other string) bool {
	before, isRange := strings.CutSuffix(mediaType, "*")
	return mediaType == other || mediaType == "*/*" || isRange && strings.HasPrefix(other, before)
}

// The media types of forms.
const (
	urlencoded = "application/x-www-form-urlencoded"
	FormData   = "multipart/form-data"
)

// IsForm reports whether a body is a form. A route may take JSON as well, which then has a plan
// of its own.
func IsForm(contentType string) bool {
	mediaType := MediaType(contentType)
	return mediaType == urlencoded || mediaType == FormData
}

// Parameters returns the parameters of a Content-Type, such as its boundary, with their
// semicolon.
func Parameters(contentType string) string {
	return strings.TrimPrefix(contentType, strings.SplitN(contentType, ";", 2)[0])
}

// IsBodyless reports whether a response has no body: RFC 9110, sections 15.3.5 and 15.4.5.
func IsBodyless(status int) bool {
	return status == http.StatusNoContent || status == http.StatusNotModified
}
