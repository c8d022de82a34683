package migrate

import (
	"bytes"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate/internal/rewrite"
)

// mediaTypeOf returns the media type of a Content-Type, without parameters.
func mediaTypeOf(contentType string) string {
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

// isJSON reports whether a body is JSON of its type, which that of a JSON Patch
// (RFC 6902) and of a merge patch (RFC 7396) is not.
func isJSON(contentType string) bool {
	mediaType := mediaTypeOf(contentType)
	// Their members are operations, or a part of the object: edits would read them as the object.
	isPatch := mediaType == "application/json-patch+json" || mediaType == "application/merge-patch+json"
	return mediaType == "application/json" || strings.HasSuffix(mediaType, "+json") && !isPatch
}

// isLines reports whether a body is JSON values, one a line.  All these names are in use.
func isLines(contentType string) bool {
	switch mediaType := mediaTypeOf(contentType); mediaType {
	case "application/x-ndjson", "application/ndjson", "application/jsonl", "application/jsonlines",
		"application/x-jsonlines", "application/stream+json":
		return true
	default:
		return isRecords(mediaType)
	}
}

// isRecords reports whether a record separator comes before each of these values (RFC 7464).
func isRecords(mediaType string) bool {
	return mediaType == "application/json-seq" || strings.HasSuffix(mediaType, "+json-seq")
}

// rewriter returns a rewriter of a response, of several values if its media type has them.
func (e *edition) rewriter(plan *rewrite.Node, contentType string, in io.Reader) *rewrite.Rewriter {
	r, mediaType := rewrite.New(plan, in, e.mode()), mediaTypeOf(contentType)
	r.Lines, r.Records = isLines(mediaType) || e.bodies.is[linesOf(mediaType)], isRecords(mediaType)
	if body, ok := in.(*bytes.Buffer); ok && r.Records {
		rewrite.Unseparate(body.Bytes())
	}
	return r
}

// isJSONResponse reports whether a media type of a response is JSON, or values of it. Some
// services still write text/json.
func isJSONResponse(mediaType string) bool {
	return mediaType == "text/json" || isJSON(mediaType) || isLines(mediaType)
}

// beginsLikeJSON reports whether a body without a type begins like one that edits
// apply to.
// A text or a number alone has no members to edit.
func beginsLikeJSON(body []byte) bool {
	body = bytes.TrimLeft(body, " \t\r\n")
	return len(body) > 0 && (body[0] == '{' || body[0] == '[')
}

// fields are the header fields of a message.
type fields interface {
	lines(name string) []string // stay as they are if the field changes
	Add(name, value string)
	Set(name, value string)
	Del(name string)
}

// valueOf returns the value of a field. Several lines are one list (RFC 9110, section 5.3).
func valueOf(f fields, name string) string { return strings.Join(f.lines(name), ", ") }

// header are the fields of a message of net/http. Names have its spelling already, so that the
// many fields which most messages lack cost one look into the map each.
type header struct{ http.Header }

// Del removes a field.
func (h header) Del(name string) { delete(h.Header, name) }

func (h header) lines(name string) []string { return h.Header[name] }

// message has the fields of a buffered message.
type message struct{ verso.Message }

func (m message) lines(name string) (lines []string) {
	for _, line := range m.PeekAll(name) {
		lines = append(lines, string(line))
	}
	return lines
}

// bodyFields describe the bytes of a body, or a part of it. Names of fields are spelled as
// [http.Header] has them. After an edit they would be wrong, and a client or a proxy that
// checks them would refuse the body.
var bodyFields = []string{"Content-Length", "Content-Digest", "Repr-Digest", "Digest", "Content-Md5", "Accept-Ranges"}

// tagRequest takes the mark of the version from the entity tags of a request, so that
// the handler can compare them with its own (RFC 9110, section 8.8.3). Tags without it
// are those of other versions: they match none. Ranges are those of another body.
//
// What was changed is returned as it was.
func (e *edition) tagRequest(f fields) (sent map[string]string) {
	if e.down == nil {
		return nil
	}
	for _, name := range conditions {
		tags := valueOf(f, name)
		if tags == "" {
			continue
		}
		if sent == nil {
			sent = map[string]string{}
		}
		if sent[name] = tags; name == "Range" || name == "If-Range" {
			f.Del(name)
			continue
		}
		// It asks for any representation, and needs no mark (RFC 9110, section 13.1).
		if strings.TrimSpace(tags) == "*" {
			continue
		}
		// A tag of another version must match nothing, also not by accident: the handler never
		// gives a tag with a semicolon at its end. What is in a tag, such as a comma, stays.
		parts := strings.Split(tags, `"`)
		for i := 1; i < len(parts)-1; i += 2 {
			if own, ok := strings.CutSuffix(parts[i]+`"`, e.mark()); ok {
				parts[i] = own
			} else {
				parts[i] += ";"
			}
		}
		if len(f.lines(name)) > 1 { // fasthttp sets the first only
			f.Del(name)
		}
		f.Set(name, strings.Join(parts, `"`))
	}
	return sent
}

// conditions are the fields of a request that name a representation. They compare with a tag
// that the client got, which has the mark of its version.
var conditions = []string{"If-None-Match", "If-Match", "Range", "If-Range"}

// tagResponse marks the entity tag of a response with the version.
func (e *edition) tagResponse(f fields) {
	if e.down == nil {
		return
	}
	// A response can pass here twice, and gets one mark.
	if tag, ok := strings.CutSuffix(valueOf(f, "Etag"), `"`); ok && !strings.HasSuffix(tag+`"`, e.mark()) {
		f.Set("Etag", tag+e.mark())
	}
}

// mark is the end of an entity tag of the version. Representations that differ must have tags
// that differ, also weak ones, or a cache gives one version the body of another.
func (e *edition) mark() string { return ";" + url.PathEscape(e.name) + `"` }
