package versoecho5

import (
	"net/url"
	"strings"

	"github.com/labstack/echo/v5"
)

// Param returns the named argument of the path, percent-decoded once, and ""
// when there is none. Echo's own Context#Param is that only for some requests:
// it leaves an argument encoded when the path was sent with escapes that Go
// would not write ("a%2Bb", which a URL built by [Reverse] holds for "a+b"),
// and with RouterConfig.UnescapePathParamValues it decodes one twice when the
// path was sent with others. Give Reverse what Param returns.
func Param(c *echo.Context, name string) string {
	value, _ := pathParam(c, name)
	return value
}

// pathParam returns what Echo cuts from the path, decoded once. Echo cuts it
// from the path as it was sent (RawPath, if Go keeps that) or from the decoded
// one (Path), and may decode it then, all as the router is configured, which it
// does not tell.
func pathParam(c *echo.Context, name string) (value string, ok bool) {
	value, ok = c.PathValues().Get(name)
	if !ok {
		return "", false
	}
	u := c.Request().URL
	if strings.IndexByte(u.Path, '%') < 0 {
		return decoded(value), true // to decode twice changes nothing
	}
	if sent, found := cut(u.RawPath, c.Path(), name); found {
		if once := decoded(sent); value == sent || value == once {
			return once, true
		}
	}
	if once, found := cut(u.Path, c.Path(), name); found {
		return once, true
	}
	return value, true
}

// decoded returns the text percent-decoded, and malformed text as it is.
func decoded(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}

// cut returns what stands in a path at the named parameter of a route, as the
// router of Echo cuts it: up to the next slash, the last parameter up to the
// end.
func cut(path, pattern, name string) (value string, ok bool) {
	for {
		start := parameter(pattern)
		if start < 0 {
			return "", false
		}
		literal := strings.ReplaceAll(pattern[:start], `\:`, ":")
		if path, ok = strings.CutPrefix(path, literal); !ok {
			return "", false
		}
		param, rest := pattern[start:], ""
		if slash := strings.IndexByte(param, '/'); slash >= 0 && param[0] == ':' {
			param, rest = param[:slash], param[slash:]
		}
		value = path
		if rest != "" {
			value = path[:max(0, strings.IndexByte(path, '/'))]
		}
		if param[0] == ':' && param[1:] == name || param[0] == '*' && name == "*" {
			return value, true
		}
		path, pattern = path[len(value):], rest
	}
}

// parameter returns where the first parameter of a route begins, -1 for none.
func parameter(pattern string) int {
	for i := range len(pattern) {
		if pattern[i] == '*' || pattern[i] == ':' && (i == 0 || pattern[i-1] != '\\') {
			return i
		}
	}
	return -1
}
