package verso

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
)

// QueryParam returns the last value of the named parameter in a query string,
// without the "?". Only "&" separates parameters; plus is a space and
// percent-encoding is decoded once in names and values, where a percent sign
// that encodes nothing stands for itself. Names are case-sensitive. A
// parameter without "=" has the value "". ok is false when there is none.
//
// It allocates only to decode a value.
func QueryParam(rawQuery, name string) (value string, ok bool) {
	for more := true; more; {
		pair := rawQuery
		if amp := strings.LastIndexByte(rawQuery, '&'); amp >= 0 {
			rawQuery, pair = rawQuery[:amp], rawQuery[amp+1:]
		} else {
			more = false
		}
		key, value, _ := strings.Cut(pair, "=")
		if pair != "" && decodesTo(key, name) {
			return unescapeQuery(value), true
		}
	}
	return "", false
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
// not fail: a percent sign that encodes nothing stands for itself.
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

// ReplaceQueryParam sets the named query parameter of a URL to value, in place
// of all values that it has there. The other pairs are kept, encoded anew, and
// sorted by name; pairs of one name keep their order. The rest of the URL,
// which may be relative, stays as it is, but for an empty fragment.
func ReplaceQueryParam(rawURL, name, value string) string {
	rest, fragment, _ := strings.Cut(rawURL, "#")
	path, query, _ := strings.Cut(rest, "?")
	if fragment != "" {
		fragment = "#" + fragment
	}
	name, value = url.QueryEscape(name), url.QueryEscape(value)
	if query == "" {
		return path + "?" + name + "=" + value + fragment
	}
	return path + "?" + replacePair(query, name, value) + fragment
}

// replacePair is [ReplaceQueryParam] on a query, the name and value escaped.
func replacePair(query, name, value string) string {
	type pair struct{ name, value string } // the name decoded, as it is sorted
	plainName := unescapeQuery(name)
	pairs := []pair{{plainName, value}}
	for part := range strings.SplitSeq(query, "&") {
		if part == "" {
			continue
		}
		key, value, _ := strings.Cut(part, "=")
		if key = unescapeQuery(key); key != plainName {
			pairs = append(pairs, pair{key, url.QueryEscape(unescapeQuery(value))})
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(a.name, b.name) })

	var sorted strings.Builder
	for i, p := range pairs {
		if i > 0 {
			sorted.WriteByte('&')
		}
		sorted.WriteString(url.QueryEscape(p.name))
		sorted.WriteByte('=')
		sorted.WriteString(p.value)
	}
	return sorted.String()
}
