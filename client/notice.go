package client

import (
	"context"
	"log/slog"
	"strconv"
	"strings"
	"time"

	verso "github.com/goverso/verso/core"
)

// Notice is what a response announces about the version that was asked
// for.
//
// A notice is reported once for each host, version and content. It is reported again
// when a date changes, when a future deprecation begins, or when the version stops
// answering. Links and RetryAfter are not part of the content, since they differ
// between responses, but a version that is switched off an hour or more later
// is reported again. After 1,024 notices no new ones are reported; this is logged
// once.
//
// The strings are those that the service sent: escape them before you show them.
type Notice struct {
	// Level is [slog.LevelError] when the version does not answer: status 410, or
	// 503 with Retry-After, for a version that is deprecated, has a sunset, or is
	// missing from the lists of versions. It is [slog.LevelWarn] when the version
	// is deprecated, will end, or another version answered. It is
	// [slog.LevelInfo] for a future deprecation and for newer versions.
	Level slog.Level

	// Host is the host of the request, as in the URL.
	Host string

	// Asked is the version that was asked for. It is the zero version if the
	// request already asked for a version that is not known.
	Asked verso.Version

	// Method and Path are those of the first request with this notice. Path is
	// escaped and has no query.
	Method, Path string

	// Status is the status of the response.
	Status int

	// Deprecated is true if the version is deprecated, or will be at
	// DeprecatedAt.
	Deprecated bool

	// DeprecatedAt is when the version is deprecated (RFC 9745), nil if the
	// response has no date. Of several dates the earliest applies.
	DeprecatedAt *time.Time

	// SunsetAt is when the version will stop answering (RFC 8594), nil if the
	// response has no date. Of several dates the earliest applies.
	SunsetAt *time.Time

	// Links lead to more information, at most 16.
	Links []Link

	// Newer are the versions after the one asked for in
	// Api-Supported-Versions, at most 64; empty if that one is not listed.
	Newer []string

	// Served is the version that answered if it differs from the one asked for,
	// otherwise "". It is read from the header in which the request asks for the
	// version, or from ServedHeader of [Config], so it is unknown for other sources
	// without that.
	Served string

	// RetryAfter is the time until a version that does not answer will answer
	// again. 0: the response has no time.
	RetryAfter time.Duration
}

// String summarizes the notice in a few words.
func (n Notice) String() string {
	switch {
	case n.Level >= slog.LevelError && n.RetryAfter > 0:
		return "API version is switched off for a time"
	case n.Level >= slog.LevelError:
		return "API version has ended"
	case n.Served != "":
		return "API answered in another version"
	case n.Level >= slog.LevelWarn && n.SunsetAt != nil:
		return "API version will end"
	case n.Level >= slog.LevelWarn:
		return "API version is deprecated"
	case n.Deprecated:
		return "API version will be deprecated"
	}
	return "API has newer versions"
}

// Bounds of logged strings that a service sent.
const (
	maxLoggedWord = 64  // bytes of a method, a version
	maxLoggedText = 256 // bytes of a host, a path, a link, all newer versions
)

// log writes the notice as one record. Strings that the service sent are escaped to
// printable ASCII and bounded.
func (n *Notice) log(ctx context.Context, logger *slog.Logger) {
	attrs := []slog.Attr{
		slog.String("host", escaped(n.Host, maxLoggedText)),
		slog.Any("version", n.Asked),
		slog.String("method", escaped(n.Method, maxLoggedWord)),
		slog.String("path", escaped(n.Path, maxLoggedText)),
		slog.Int("status", n.Status),
	}
	if n.DeprecatedAt != nil {
		attrs = append(attrs, slog.Time("deprecated", *n.DeprecatedAt))
	} else if n.Deprecated {
		attrs = append(attrs, slog.Bool("deprecated", true))
	}
	if n.SunsetAt != nil {
		attrs = append(attrs, slog.Time("sunset", *n.SunsetAt))
	}
	if n.Served != "" {
		attrs = append(attrs, slog.String("served", escaped(n.Served, maxLoggedWord)))
	}
	if len(n.Newer) > 0 {
		attrs = append(attrs, slog.String("newer", escaped(strings.Join(n.Newer, ", "), maxLoggedText)))
	}
	if n.RetryAfter > 0 {
		attrs = append(attrs, slog.Duration("retry_after", n.RetryAfter))
	}
	seen := make(map[string]bool, len(relations))
	for _, link := range n.Links {
		if !seen[link.Rel] { // only the first of each relation
			seen[link.Rel] = true
			attrs = append(attrs, slog.String("link_"+strings.ReplaceAll(link.Rel, "-", "_"),
				escaped(link.Href, maxLoggedText)))
		}
	}
	logger.LogAttrs(ctx, n.Level, "verso: "+n.String(), attrs...)
}

// escaped returns at most atMost bytes of text, escaped to printable ASCII. The log
// handler adds quotes.
func escaped(text string, atMost int) string {
	more := ""
	if len(text) > atMost {
		text, more = text[:atMost], "..."
	}
	quoted := strconv.QuoteToASCII(text)
	return quoted[1:len(quoted)-1] + more
}
