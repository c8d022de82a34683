package mediatype

import "github.com/goverso/verso/core/internal/text"

// Contradicts reports whether a media type or media range has the named
// parameter more than once with different values, each unquoted and unescaped as
// by [Param]. After a negotiation, pass [Accepted.MediaType]: the other media
// ranges of the header do not matter.
func Contradicts(mediaType, name string) bool {
	_, params := cutByte(mediaType, ';')
	first, found := "", false
	for n, value := range each(params) {
		if !text.EqualFold(n, name) {
			continue
		}
		if value = text.Unquote(value); found && value != first {
			return true
		}
		first, found = value, true
	}
	return false
}
