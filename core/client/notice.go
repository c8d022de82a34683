package client

import (
	"context"
	"log/slog"
	"strconv"
	"strings"
	"time"

	verso "github.com/goverso/verso/core"
)

// Notice is what an answer says about the version that was asked for.
//
// A notice is reported once for each host, version and content: once more when a
// date changes, when a deprecation that lay in the future begins, when the version
// stops answering. Links and RetryAfter are no content, since they differ from answer
// to answer; a version that is switched off once more, an hour or more later, is
// reported once more. After 1,024 notices nothing new is reported, which is logged
// once.
//
// Texts are those that the service sent: escape them before you show them.
type Notice struct {
	// Level is [slog.LevelError] when the version does not answer: status 410, or
	// 503 with Retry-After, of a version that is deprecated, has a sunset, or is
	// missing in the lists of versions. It is [slog.LevelWarn] when the version
	// is deprecated, will end, or was answered in another version. It is
	// [slog.LevelInfo] for what lies ahead: a deprecation in the future, newer
	// versions.
	Level slog.Level

	// Host is the host that was asked, in the text of the URL.
	Host string

	// Asked is the version that was asked for; none if the request had one of
	// its own that is not known.
	Asked verso.Version

	// Method and Path are those of the request whose answer is the first to say
	// this. Path is escaped, and without the query.
	Method, Path string

	// Status is that of the answer.
	Status int

	// Deprecated says that the version is deprecated, or will be at
	// DeprecatedAt.
	Deprecated bool

	// DeprecatedAt is when the version is deprecated, nil if it is not said. Of
	// several dates the earliest counts. (RFC 9745)
	DeprecatedAt *time.Time

	// SunsetAt is when the version will stop to answer, nil if it is not said.
	// Of several dates the earliest counts. (RFC 8594)
	SunsetAt *time.Time

	// Links lead to more about it, at most 16.
	Links []Link

	// Newer are the versions behind the one asked for in
	// Api-Supported-Versions, at most 64; none if that one is not in it.
	Newer []string

	// Served is the version of the answer, where it is another than the one
	// asked for; "" otherwise. It is read from the header that the version is
	// asked for in, and unknown for other sources.
	Served string

	// RetryAfter is when a version that does not answer will do so again,
	// counted from now. 0: it is not said.
	RetryAfter time.Duration
}

// String says in a few words what the notice is about.
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

// Bounds of what a service sent, in a log.
const (
	maxLoggedWord = 64  // bytes of a method, a version
	maxLoggedText = 256 // bytes of a host, a path, a link, all newer versions
)

// log writes the notice as one record. What the service sent is escaped to
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
		if !seen[link.Rel] { // the first of each relation
			seen[link.Rel] = true
			attrs = append(attrs, slog.String("link_"+strings.ReplaceAll(link.Rel, "-", "_"), escaped(link.Href, maxLoggedText)))
		}
	}
	logger.LogAttrs(ctx, n.Level, "verso: "+n.String(), attrs...)
}

// escaped returns at most so many bytes of text, escaped to printable ASCII. The
// quotes are left to the log handler.
func escaped(text string, atMost int) string {
	more := ""
	if len(text) > atMost {
		text, more = text[:atMost], "..."
	}
	quoted := strconv.QuoteToASCII(text)
	return quoted[1:len(quoted)-1] + more
}
