package verso

import (
	"fmt"
	"strings"
)

var invalidQueryParameterVersion = Rejection{Status: 404, Message: InvalidQueryParameterVersion}

// QueryParam returns the source that reads a query parameter, as in
// /users?version=v1. Of several values the last one applies, unless
// [Strictness].RefuseContradictions is set. A version that is not served is rejected
// with status 404, a request without a version if there is no default with status 400. In
// a link the version replaces all values of that name, and the parameters are sorted by
// name. Specification: "QueryParameterVersioning".
func QueryParam(name string) Source { return &queryParam{name} }

type queryParam struct{ name string }

func (s *queryParam) Read(r Request, served *ServedVersions) Reading {
	return readBy(s.read, r, served)
}

func (s *queryParam) read(r *Request, served *ServedVersions, reading *Reading) {
	rawQuery := r.RawQuery()
	if tooManyPairs(rawQuery) {
		reading.Outcome = Malformed
		return
	}
	text, ok := lastQueryValue(rawQuery, s.name)
	if !ok {
		return
	}
	reading.Outcome, reading.Text = Found, text
	if served.contradictory && otherQueryValue(rawQuery, s.name, text) {
		reading.Outcome = Contradicting
	}
}

func (s *queryParam) Write(w Written, v Version) (Written, error) { return writeBy(s.write, w, v) }

func (s *queryParam) write(w *Written, v Version) { w.SetQuery(s.name, v.String()) }

func (s *queryParam) Describe() Description {
	return Description{
		Name:    fmt.Sprintf("query parameter %q", s.name),
		Place:   InQuery,
		Invalid: invalidQueryParameterVersion,
		Check:   s.check,
	}
}

func (s *queryParam) check(*ServedVersions) []Finding {
	if s.name == "" {
		return []Finding{refuse("query_param", "Source", "the query parameter has no name: write one, such as %q", "version")}
	}
	return nil
}

// otherQueryValue reports whether the parameter has another value than this.
func otherQueryValue(rawQuery, name, value string) bool {
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

// tooManyPairs reports whether a query has more pairs than are read.
func tooManyPairs(rawQuery string) bool {
	return len(rawQuery) >= maxQueryPairs && strings.Count(rawQuery, "&") >= maxQueryPairs
}

// lastQueryValue returns the last value of the named parameter in a query
// string, without the "?". Only "&" separates parameters; plus is a space and
// percent-encoding is decoded once in names and values, where a percent sign
// that encodes nothing means itself. Names are case-sensitive. A parameter
// without "=" has the value "". ok is false when there is none.
//
// It allocates only to decode a value.
func lastQueryValue(rawQuery, name string) (value string, ok bool) {
	for more := true; more; {
		pair := rawQuery
		if amp := strings.LastIndexByte(rawQuery, '&'); amp >= 0 {
			rawQuery, pair = rawQuery[:amp], rawQuery[amp+1:]
		} else {
			more = false
		}
		if value, ok := valueIn(pair, name); ok {
			return unescapeQuery(value), true
		}
	}
	return "", false
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

// unescapeByte decodes the first byte of a query component and says how many
// bytes it took.
func unescapeByte(s string) (c byte, n int) {
	switch {
	case s[0] == '+':
		return ' ', 1
	case s[0] == '%' && len(s) >= 3 && isHex(s[1]) && isHex(s[2]):
		return unhex(s[1])<<4 | unhex(s[2]), 3
	default:
		return s[0], 1
	}
}

// unescapeQuery decodes a query component. Unlike [url.QueryUnescape] it does
// not fail: a percent sign that encodes nothing means itself.
func unescapeQuery(s string) string {
	for i := range len(s) {
		if s[i] == '%' || s[i] == '+' {
			return decodeQuery(s)
		}
	}
	return s
}

func decodeQuery(s string) string {
	var plain strings.Builder
	plain.Grow(len(s))
	for i := 0; i < len(s); {
		c, n := unescapeByte(s[i:])
		plain.WriteByte(c)
		i += n
	}
	return plain.String()
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func unhex(c byte) byte {
	switch {
	case c >= 'a':
		return c - 'a' + 10
	case c >= 'A':
		return c - 'A' + 10
	default:
		return c - '0'
	}
}
