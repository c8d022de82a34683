package text

import "strconv"

// MaxLoggedBytes bounds what text that a client made up takes in a log.
const MaxLoggedBytes = 64

// Bounded escapes text to printable ASCII, cut to [MaxLoggedBytes] bytes of it.
// The quotes are left to the log handler.
func Bounded(text string) string {
	more := ""
	if len(text) > MaxLoggedBytes {
		text, more = text[:MaxLoggedBytes], "..."
	}
	quoted := strconv.QuoteToASCII(text)
	return quoted[1:len(quoted)-1] + more
}
