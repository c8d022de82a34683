package versogin

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
)

// PathParam returns a path parameter: see [Param].
func (*router) PathParam(request any, name string) (value string, ok bool) {
	return param(request.(*gin.Context), name)
}

// Param returns the named parameter of the path, percent-decoded once, and "" if there
// is none. That of "*path" has no slash in front.
//
// Gin's own c.Param returns it encoded, or with a space for a plus, when the
// engine has UseRawPath or UseEscapedPath.
func Param(c *gin.Context, name string) string {
	value, _ := param(c, name)
	return value
}

func param(c *gin.Context, name string) (value string, ok bool) {
	for i := range c.Params {
		if c.Params[i].Key == name {
			if value := c.Params[i].Value; isPlain(value) {
				return value, true
			}
			return valueOf(c, i), true
		}
	}
	return "", false
}

// isPlain reports whether a value has nothing to decode, as most.
func isPlain(value string) bool {
	for i := range len(value) {
		if c := value[i]; c <= '/' && (c == '%' || c == ' ' || c == '/') {
			return false
		}
	}
	return true
}

// valueOf returns the value of a parameter, decoded once.
func valueOf(c *gin.Context, i int) string {
	value := c.Params[i].Value
	if strings.ContainsAny(value, "% ") {
		value = decode(c, i)
	}
	if strings.HasPrefix(value, "/") && strings.HasSuffix(c.FullPath(), "/*"+nameOf(c, i)) {
		value = value[1:]
	}
	return value
}

// decode returns the value of a parameter as it is percent-decoded once. Gin cuts
// parameters from the decoded path or, if the engine is configured so, from the
// encoded one; these it leaves encoded, or decodes like a form, with a space for a
// plus. A context does not report which, but the path does: it is the one from
// which all parameters can be cut. The path of the request line comes first, since
// a middleware may have changed the URL after routing.
func decode(c *gin.Context, i int) string {
	isDecoded := func(param gin.Param, text string) bool { return param.Value == text }
	isEncoded := func(param gin.Param, text string) bool {
		form, err := url.QueryUnescape(text)
		return err == nil && (param.Value == text || param.Value == form)
	}
	sent, err := url.ParseRequestURI(c.Request.RequestURI)
	if err != nil {
		sent = c.Request.URL
	}
	for _, u := range []*url.URL{sent, c.Request.URL} {
		if slices.EqualFunc(c.Params, cut(u.Path, c), isDecoded) {
			break
		}
		// The two differ where a client sends what net/url escapes. An engine
		// with RemoveExtraSlash cleans them.
		raw, escaped := u.RawPath, u.EscapedPath()
		for _, routed := range []string{raw, escaped, clean(raw), clean(escaped)} {
			if values := cut(routed, c); slices.EqualFunc(c.Params, values, isEncoded) {
				plain, _ := url.PathUnescape(values[i]) // fails where QueryUnescape does
				return plain
			}
		}
	}
	return c.Params[i].Value
}

// clean returns a path as Gin cleans it, which keeps a slash at the end.
func clean(sent string) string {
	cleaned := path.Clean(sent)
	if strings.HasSuffix(sent, "/") && cleaned != "/" {
		cleaned += "/"
	}
	return cleaned
}

// cut returns the text in a path for the parameters of the matched route.
func cut(path string, c *gin.Context) (values []string) {
	pattern := c.FullPath()
	for more := true; more && len(values) < len(c.Params); {
		var part, segment string
		part, pattern, more = strings.Cut(pattern, "/")
		name := nameOf(c, len(values))
		if part == "*"+name {
			return append(values, "/"+path)
		}
		segment, path, _ = strings.Cut(path, "/")
		fixed, ok := strings.CutSuffix(part, ":"+name)
		value := strings.TrimPrefix(segment, fixed)
		// Gin reports an escaped colon as a colon, so the part may be fixed text.
		if ok && (segment != part || c.Params[len(values)].Value == value) {
			values = append(values, value)
		}
	}
	return values
}

// nameOf returns the name of a parameter in the path of the route.
func nameOf(c *gin.Context, i int) string {
	kept, _ := c.Get(namesKey)
	names, _ := kept.(map[string]string) // nil: all have theirs
	return cmp.Or(names[c.Params[i].Key], c.Params[i].Key)
}
