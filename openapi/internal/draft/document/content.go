package document

import (
	"slices"
	"strings"
)

// IsJSON reports whether a media type has one JSON value, with the members of its schema.
func IsJSON(mediaType string) bool {
	has := func(part string) bool { return strings.Contains(mediaType, part) }
	return (has("json") || mediaType == "*/*") && !has("stream") && !has("jsonl") && !has("ndjson") && !IsPatch(mediaType)
}

// IsPatch reports whether a media type is a JSON Patch, which has operations, or a merge patch, which has a part of an
// object.
func IsPatch(mediaType string) bool {
	return strings.Contains(mediaType, "json-patch+json") || strings.Contains(mediaType, "merge-patch+json")
}

// JSON returns the schema of the JSON in a content, or nil.
func JSON(content any) any {
	m := Obj(content)
	for _, mediaType := range Names(m) {
		if IsJSON(mediaType) {
			if schema := Obj(m[mediaType])["schema"]; schema != nil {
				return schema
			}
		}
	}
	return nil
}

// MediaTypes returns the media types of a content for which is reports true, without parameters.
func MediaTypes(content any, is func(mediaType string) bool) (l []string) {
	for _, k := range Names(Obj(content)) {
		t := strings.TrimSpace(strings.Split(k, ";")[0])
		if is(k) && !slices.Contains(l, t) {
			l = append(l, t)
		}
	}
	return l
}

// Body returns the content of a request, response or header, also behind a reference.
func (d *Document) Body(v any) any { return d.Follow(v)["content"] }
