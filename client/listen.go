package client

import (
	"cmp"
	"context"
	"iter"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	verso "github.com/goverso/verso/core"
)

// The fields that describe a version. Link and Retry-After alone do not (RFC 9745,
// section 3.1).
const (
	deprecationField = "Deprecation"
	sunsetField      = "Sunset"
	supportedField   = "Api-Supported-Versions"
	deprecatedField  = "Api-Deprecated-Versions"
)

// listen reports what a response announces, if it is new.
func (t *Transport) listen(sent *http.Request, response *http.Response, asked verso.Version) {
	header := response.Header
	if len(header[deprecationField]) == 0 && len(header[sunsetField]) == 0 &&
		len(header[supportedField]) == 0 && len(header[deprecatedField]) == 0 && len(t.servedLines(header)) == 0 {
		return
	}
	now := t.config.Clock()
	notice, ok := t.read(response, asked, now)
	if !ok {
		return
	}
	notice.Host = strings.ToLower(sent.URL.Host)
	isNew, isLast := t.reported.add(&notice, now)
	if !isNew {
		return
	}
	answered := sent.URL
	if r := response.Request; r != nil && r.URL != nil {
		answered = r.URL
	}
	notice.Method, notice.Path = sent.Method, sent.URL.EscapedPath()
	notice.Links = parseLinks(header["Link"], answered)
	t.report(sent.Context(), notice, isLast)
}

// servedLines returns the lines of the field with the version of a response: the
// field in which the request asked for it, unless the configuration names another.
func (t *Transport) servedLines(header http.Header) []string {
	if t.config.ServedHeader != "" {
		return header.Values(t.config.ServedHeader)
	}
	if !t.place.isHeader() {
		return nil
	}
	return header[t.place.name]
}

// read reads what a response announces, except its links. ok is false if it
// announces nothing about a version.
func (t *Transport) read(response *http.Response, asked verso.Version, now time.Time) (n Notice, ok bool) {
	header := response.Header
	n = Notice{Asked: asked, Status: response.StatusCode}
	deprecatedAt, isTrue := earliest(header[deprecationField], now)
	isListed, isMissing := n.readLists(header[supportedField], header[deprecatedField])
	isDeprecated := isTrue || isListed || deprecatedAt != nil && !deprecatedAt.After(now)
	n.DeprecatedAt, n.Deprecated = deprecatedAt, isDeprecated || deprecatedAt != nil
	n.SunsetAt, _ = earliest(header[sunsetField], now)
	for served := range elements(t.servedLines(header)) {
		if !asked.IsNone() && served != asked.String() && !t.config.AnyServed {
			n.Served = served
		}
		break
	}

	retryAfter, retries := parseRetryAfter(header["Retry-After"], now)
	isOff := response.StatusCode == http.StatusGone || response.StatusCode == http.StatusServiceUnavailable && retries
	switch {
	case isOff && (n.Deprecated || n.SunsetAt != nil || isMissing):
		n.Level, n.RetryAfter = slog.LevelError, retryAfter
	case isDeprecated || n.SunsetAt != nil || n.Served != "":
		n.Level = slog.LevelWarn
	case n.Deprecated || len(n.Newer) > 0:
		n.Level = slog.LevelInfo
	default:
		return n, false
	}
	return n, true
}

// readLists reads the lists of versions. isListed reports whether the version asked
// for is among the deprecated ones, isMissing whether there are lists but none contains
// it.
func (n *Notice) readLists(supported, deprecated []string) (isListed, isMissing bool) {
	if n.Asked.IsNone() {
		return false, false
	}
	asked, isSupported, isList := n.Asked.String(), false, false
	for version := range elements(deprecated) {
		isList = true
		isListed = isListed || version == asked
	}
	for version := range elements(supported) {
		isList = true
		switch {
		case version == asked:
			isSupported, n.Newer = true, nil
		case isSupported && len(n.Newer) < maxNewer && !slices.Contains(n.Newer, version):
			n.Newer = append(n.Newer, version)
		}
	}
	return isListed, isList && !isListed && !isSupported
}

// maxRetryAfter bounds Retry-After, in seconds: a year.
const maxRetryAfter = 366 * 24 * 3600

// parseRetryAfter reads seconds or a date (RFC 9110, section 10.2.3). ok is false
// without either.
func parseRetryAfter(lines []string, now time.Time) (after time.Duration, ok bool) {
	for _, line := range bounded(lines, maxDatesBytes) {
		if seconds, err := strconv.ParseUint(strings.TrimSpace(line), 10, 64); err == nil {
			return time.Duration(min(seconds, maxRetryAfter)) * time.Second, true
		}
	}
	date, _ := earliest(lines, now)
	if date == nil {
		return 0, false
	}
	return time.Duration(min(max(date.Unix()-now.Unix(), 0), maxRetryAfter)) * time.Second, true
}

// elements returns the non-empty elements of a list (RFC 9110, section 5.6.1).
func elements(lines []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, line := range bounded(lines, maxListBytes) {
			for element := range strings.SplitSeq(line, ",") {
				if element = strings.Trim(element, " \t"); element != "" && !yield(element) {
					return
				}
			}
		}
	}
}

// report logs the notice and passes it to the callback, whose panics do not break
// the request.
func (t *Transport) report(ctx context.Context, n Notice, isLast bool) {
	logger := cmp.Or(t.config.Logger, slog.Default())
	n.log(ctx, logger)
	if isLast {
		logger.WarnContext(ctx, "verso: too many different notices about API versions: new ones are not reported",
			"notices", maxReported)
	}
	if t.config.OnNotice == nil {
		return
	}
	defer func() {
		if reason := recover(); reason != nil {
			logger.ErrorContext(ctx, "verso: OnNotice panicked", "reason", reason)
		}
	}()
	t.config.OnNotice(n)
}
