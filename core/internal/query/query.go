// Package query reads parameters of a query string without parsing all of it.
package query

import "strings"

// HasOther reports whether the parameter has another value than this.
func HasOther(rawQuery, name, value string) bool {
	for pair := range strings.SplitSeq(rawQuery, "&") {
		key, other, _ := strings.Cut(pair, "=")
		if decodesTo(key, name) && !decodesTo(other, value) {
			return true
		}
	}
	return false
}

// maxQueryPairs bounds the pairs of a query: net/url has the same bound.
const maxQueryPairs = 10000

// HasTooManyPairs reports whether a query has more pairs than are read.
func HasTooManyPairs(rawQuery string) bool {
	return len(rawQuery) >= maxQueryPairs && strings.Count(rawQuery, "&") >= maxQueryPairs
}

// Last returns the last value of the named parameter in a query
// string, without the "?". Only "&" separates parameters; plus is a space and
// percent-encoding is decoded once in names and values, where a percent sign
// that encodes nothing means itself. Names are case-sensitive. A parameter
// without "=" has the value "". ok is false when there is none.
//
// It allocates only to decode a value.
func Last(rawQuery, name string) (value string, ok bool) {
	for {
		amp := strings.LastIndexByte(rawQuery, '&')
		if value, ok := valueIn(rawQuery[amp+1:], name); ok {
			return unescapeQuery(value), true
		}
		if amp < 0 {
			return "", false
		}
		rawQuery = rawQuery[:amp]
	}
}

// valueIn returns the escaped value of a pair, if its name is the given one.
func valueIn(pair, name string) (value string, ok bool) {
	if n := len(name); n < len(pair) && pair[n] == '=' && pair[:n] == name && isLiteral(name) { // the usual case
		return pair[n+1:], true
	}
	key, value, _ := strings.Cut(pair, "=")
	return value, pair != "" && decodesTo(key, name)
}

// isLiteral reports whether the name of a parameter is sent as it is.
func isLiteral(s string) bool {
	for i := range len(s) {
		if c := s[i]; c <= '=' && (c == '=' || c == '+' || c == '%') {
			return false
		}
	}
	return true
}

// decodesTo reports whether the escaped text decodes to plain.
func decodesTo(escaped, plain string) bool {
	i, j := 0, 0
	for ; i < len(escaped) && j < len(plain); j++ {
		c, n := escaped[i], 1
		if c == '+' || c == '%' {
			c, n = unescapeByte(escaped[i:])
		}
		if c != plain[j] {
			return false
		}
		i += n
	}
	return i == len(escaped) && j == len(plain)
}

// unescapeByte decodes the first byte of a query component and returns how many bytes it
// took.
func unescapeByte(s string) (c byte, n int) {
	switch {
	case s[0] == '+':
		return ' ', 1
	case s[0] == '%' && len(s) >= 3:
		if high, low := unhex(s[1]), unhex(s[2]); high >= 0 && low >= 0 {
			return byte(high<<4 | low), 3
		}
	}
	return s[0], 1
}

// unescapeQuery decodes a query component. Unlike [net/url.QueryUnescape] it does
// not fail: a percent sign that encodes nothing means itself.
func unescapeQuery(s string) string {
	if strings.IndexByte(s, '%') < 0 && strings.IndexByte(s, '+') < 0 {
		return s
	}
	var plain strings.Builder
	plain.Grow(len(s))
	for i := 0; i < len(s); {
		c, n := unescapeByte(s[i:])
		plain.WriteByte(c)
		i += n
	}
	return plain.String()
}

// unhex returns the value of a hexadecimal digit, or -1.
func unhex(c byte) int {
	digit := strings.IndexByte("0123456789abcdefABCDEF", c)
	if digit > 15 {
		return digit - 6
	}
	return digit
}
