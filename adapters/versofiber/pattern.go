package versofiber

import (
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v3"

	"github.com/goverso/verso/core/route"
)

// patternOf reads a path in Fiber's syntax, in which Fiber found the given path
// parameters. Constraints, as in ":id<int>", are left out: values are not compared
// with them. What cannot be expressed has a pattern with an error, which links to
// it fail with: an optional parameter, a wildcard that is not at the end, and text
// that a client does not send as Fiber compares it.
func patternOf(path string, params []string, config fiber.Config) route.Pattern {
	unread, _ := route.NewPattern(path)
	var parts []route.Part
	bare, rest := "", path          // the path without constraints, and what is left of it
	samples := make(map[string]any) // values to try
	for _, name := range params {
		token, param := ":"+name, route.Param
		if strings.HasPrefix(name, "*") || strings.HasPrefix(name, "+") {
			name = name[:1] // without its number
			token, param = name, route.Rest
		}
		before, after, found := strings.Cut(rest, token)
		if strings.HasPrefix(after, "<") {
			_, after, _ = strings.Cut(after, ">")
		}
		if isWildcard := token == name; !found || isWildcard && strings.HasSuffix(before, ":") ||
			!isWildcard && after != "" && !strings.ContainsAny(after[:1], `:\/-.`) {
			return unread
		}
		parts = append(parts, route.Escaped(fiber.RemoveEscapeChar(before)), param(name))
		bare, rest, samples[name] = bare+before+token, after, "+"
	}
	if rest != "" {
		parts = append(parts, route.Escaped(fiber.RemoveEscapeChar(rest)))
	}
	pattern, err := route.NewPattern(path, parts...)
	if err != nil {
		return pattern
	}
	sent, _ := (&route.Route{Pattern: pattern}).AppendPath(nil, &route.Params{Named: samples})
	built := string(sent)
	space := config.UnescapePath && strings.Contains(built, "+") // Fiber decodes it to one
	if config.UnescapePath {
		built, _ = url.PathUnescape(built)
	}
	exact := fiber.Config{CaseSensitive: config.CaseSensitive, StrictRouting: true}
	if space || !fiber.RoutePatternMatch(built, bare+rest, exact) {
		return unread
	}
	return pattern
}

// join joins paths as Fiber joins those of groups.
func join(prefix, path string) string {
	if path == "" {
		return prefix
	}
	return strings.TrimRight(prefix, "/") + "/" + strings.TrimPrefix(path, "/")
}
