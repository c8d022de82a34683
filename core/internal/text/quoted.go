package text

import "strings"

// Quote returns s as a quoted string (RFC 9110, section 5.6.4).
func Quote(s string) string { return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"` }

// Unquote returns the value of a quoted string (RFC 9110, section 5.6.4). If s is
// not a single quoted string, Unquote returns it unchanged.
func Unquote(s string) string {
	if len(s) < 2 || s[0] != '"' || closingQuote(s, 0) != len(s)-1 {
		return s
	}
	s = s[1 : len(s)-1]
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var plain strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			i++
		}
		plain.WriteByte(s[i])
	}
	return plain.String()
}

// CutUnquoted cuts s around the first separator outside quotes. An unclosed quote
// extends to the end.
func CutUnquoted(s string, separator byte) (before, after string) {
	end := strings.IndexByte(s, separator)
	if end >= 0 && strings.IndexByte(s[:end], '"') >= 0 {
		end = unquotedIndex(s, separator)
	}
	if end < 0 {
		return s, ""
	}
	return s[:end], s[end+1:]
}

// unquotedIndex returns the index of the first separator in s outside quotes,
// or -1.
func unquotedIndex(s string, separator byte) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case separator:
			return i
		case '"':
			i = closingQuote(s, i)
		}
	}
	return -1
}

// closingQuote returns the index of the quote that closes the one at i, or
// len(s).
func closingQuote(s string, i int) int {
	for i++; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(s)
}
