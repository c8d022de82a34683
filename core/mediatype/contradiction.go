package mediatype

import "github.com/goverso/verso/core/internal/text"

// Contradicts reports whether a media type or media range has the named
// parameter more than once, in different values: bytes of the header, unquoted
// and unescaped as by [Param]. Other media ranges of a header do not matter: ask
// it about [Accepted.MediaType].
func Contradicts(mediaType, name string) bool {
	_, params := cutByte(mediaType, ';')
	first, found := "", false
	for params != "" {
		var param string
		param, params = cutParam(params)
		n, value := splitParam(param)
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
