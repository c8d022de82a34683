// Package text reads the ASCII text of header fields and URLs: tokens, quoted
// strings, white space, and letters regardless of case.
package text

import "strings"

// All reports whether s is not empty and in accepts each of its bytes.
func All(s string, in func(c byte) bool) bool {
	for i := range len(s) {
		if !in(s[i]) {
			return false
		}
	}
	return s != ""
}

// IsLetter reports whether c is an ASCII letter.
func IsLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// IsDigit reports whether c is an ASCII digit.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsAlphanumeric reports whether c is an ASCII letter or digit.
func IsAlphanumeric(c byte) bool { return IsLetter(c) || IsDigit(c) }

// IsToken reports whether s is a token (RFC 9110, section 5.6.2).
func IsToken(s string) bool { return s != "" && TokenBytes(s) == len(s) }

// TokenBytes returns the length of the token at the beginning of s, 0 when there is
// no token.
func TokenBytes(s string) int {
	for i := range len(s) {
		if !tokenBytes[s[i]] {
			return i
		}
	}
	return len(s)
}

var tokenBytes = func() (table [256]bool) {
	for c := range table {
		table[c] = IsAlphanumeric(byte(c)) || strings.IndexByte("!#$%&'*+-.^_`|~", byte(c)) >= 0
	}
	return table
}()

// Trim removes optional white space from both ends: spaces and tabs only (RFC 9110,
// section 5.6.3).
func Trim(s string) string {
	if s == "" || s[0] > ' ' && s[len(s)-1] > ' ' { // as usual
		return s
	}
	return trim(s)
}

func trim(s string) string {
	for s != "" && (s[0] == ' ' || s[0] == '\t') {
		s = s[1:]
	}
	for s != "" && (s[len(s)-1] == ' ' || s[len(s)-1] == '\t') {
		s = s[:len(s)-1]
	}
	return s
}

// Latin1 decodes the bytes of a header value as ISO-8859-1 (RFC 9110, section
// 5.5).
func Latin1(value string) string {
	for i := range len(value) {
		if value[i] >= 0x80 {
			return decodeLatin1(value)
		}
	}
	return value
}

func decodeLatin1(value string) string {
	var text strings.Builder
	for i := range len(value) {
		text.WriteRune(rune(value[i]))
	}
	return text.String()
}
