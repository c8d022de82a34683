package versoecho5

import (
	"net/url"
	"strings"

	"github.com/labstack/echo/v5"
)

// Param returns the named path parameter, percent-decoded once, and "" if there is
// none. Echo's own Context#Param is that only for some requests: it leaves it encoded
// when the path was sent with escapes that Go would not write, such as the "a%2Bb" for
// "a+b" in a URL of [Link], and with RouterConfig.UnescapePathParamValues it decodes
// it twice when the path was sent with others.
func Param(c *echo.Context, name string) string {
	value, _ := param(c, name)
	return value
}

// PathParam returns a path parameter: see [Param].
func (*router) PathParam(request any, name string) (value string, ok bool) {
	return param(request.(*echo.Context), name)
}

// param returns a path parameter, decoded once. Echo cuts values from the path as
// it was sent (RawPath, if Go keeps that) or from the decoded one (Path), and may
// decode them then, all as the router is configured, which it does not report. So
// the value is compared with what can be cut from either.
func param(c *echo.Context, name string) (value string, ok bool) {
	value, ok = c.PathValues().Get(name)
	u := c.Request().URL
	switch {
	case strings.IndexByte(u.Path, '%') >= 0:
	case u.RawPath == "": // the usual case
		return value, ok
	default:
		return decoded(value), ok // to decode twice changes nothing
	}
	if names, _ := c.Get(namesKey).(map[string]string); names[name] != "" {
		name = names[name]
	}
	if sent := cut(u.RawPath, c.Path(), name); value == sent || value == decoded(sent) {
		return decoded(sent), ok
	}
	if once := cut(u.Path, c.Path(), name); value == decoded(once) {
		return once, ok
	}
	return value, ok
}

// namesKey is where rename keeps the names that parameters have in the path of the route, by those that they have
// meanwhile.
const namesKey = "verso-names"

// decoded returns the text percent-decoded, and malformed text as it is.
func decoded(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}

// cut returns what is in a path in the place of the named parameter of a
// pattern, as the router of Echo cuts it: up to the next slash, and up to the end
// for the last parameter. Of a path that the pattern does not match it returns
// any text.
func cut(path, pattern, name string) string {
	pattern = uniform.Replace(pattern)
	start := strings.Index(pattern+"/", ":"+name+"/")
	if start < 0 {
		return ""
	}
	for range strings.Count(pattern[:start], "/") {
		_, path, _ = strings.Cut(path, "/")
	}
	path = path[min(start-strings.LastIndexByte(pattern[:start], '/')-1, len(path)):]
	if strings.Contains(pattern[start:], "/") {
		path, _, _ = strings.Cut(path, "/")
	}
	return path
}

// uniform makes a colon begin all parameters and nothing else. Text keeps its
// length.
var uniform = strings.NewReplacer(`\:`, "-", "*", ":*")
